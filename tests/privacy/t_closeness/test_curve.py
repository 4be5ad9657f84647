"""Classes and records beyond a limit: what counting them one by one gives, at every limit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.privacy.t_closeness.curve import ClosenessCurve, closeness_curve
from metrics.privacy.t_closeness.measure import TCloseness
from tests.privacy.t_closeness.test_chart import closeness

DISTANCES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 5e-324, 0.2, 1 / 3, 0.5, 1.0]))
CLASSES = st.lists(st.tuples(DISTANCES, DISTANCES, st.integers(1, 1000)), min_size=1, max_size=60)


def measured(rows: list[tuple[float, float, int]], limit: float = 0.2) -> tuple[TCloseness, ClosenessCurve]:
    """A result with two attributes, and its curve."""
    result = closeness({"A": [a for a, _, _ in rows], "B": [b for _, b, _ in rows]}, limit)
    return result, closeness_curve(result, np.array([size for *_, size in rows]))


@given(CLASSES, DISTANCES)
def test_the_curve_equals_the_classes_counted_one_by_one_at_any_limit(
    rows: list[tuple[float, float, int]], limit: float
) -> None:
    result, curve = measured(rows)
    for at in (limit, 0.0, *curve.limits.tolist(), *np.nextafter(curve.limits, 0).clip(0).tolist()):
        beyond = {i for i, (a, b, _) in enumerate(rows) if max(a, b) > at}
        assert curve.exceeding(at) == (len(beyond), sum(rows[i][2] for i in beyond))
        assert set(curve.beyond(at).tolist()) == beyond
        assert curve.at(at, result).exceeding == len(beyond)
        assert curve.at(at, result).fulfilled is (not beyond)
    assert curve.exceeding(0.2).classes == result.exceeding


@given(CLASSES)
def test_the_curve_falls_to_nothing(rows: list[tuple[float, float, int]]) -> None:
    _, curve = measured(rows)
    assert curve.limits[0] == 0
    assert (np.diff(curve.limits) > 0).all()
    assert (np.diff(curve.classes) < 0).all()
    assert (np.diff(curve.records) < 0).all()
    assert curve.exceeding(1.0) == (0, 0)
    assert curve.kept == sum(size for *_, size in rows)
    assert curve.to_arrow().to_pylist()[-1] == {"t": curve.farthest.max(), "classes_beyond": 0, "records_beyond": 0}


@given(CLASSES)
def test_the_order_is_by_distance_then_by_position(rows: list[tuple[float, float, int]]) -> None:
    _, curve = measured(rows)
    farthest = [max(a, b) for a, b, _ in rows]
    assert curve.order.tolist() == sorted(range(len(rows)), key=lambda i: (-farthest[i], i))
