"""The curves of δ over ε: each point is the bound's, and the table's own k, ε and δ are marked."""

import pytest

from metrics.config.parameters import SafePubParameters
from metrics.privacy.safepub.bound import delta_of
from metrics.privacy.safepub.chart import SIZES, delta_curves
from metrics.privacy.safepub.measure import SafePub
from tests.drawing.drawn import title


def test_every_line_is_the_bound_of_its_k_and_the_own_point_is_marked() -> None:
    figure = delta_curves(SafePub(41, SafePubParameters(epsilon=1.3, delta=1e-5)))
    own, *others = figure.data
    assert own.name == "k = 41 (this table)"
    assert [line.name for line in others] == [f"k = {k}" for k in SIZES]
    for k, line in zip((41, *SIZES), (own, *others), strict=True):
        assert list(line.y) == pytest.approx([delta_of(k, epsilon) for epsilon in line.x])
    assert [epsilon for epsilon, size in zip(own.x, own.marker.size, strict=True) if size] == [1.3]
    assert figure.layout.shapes[0].y0 == 1e-5
    assert title(figure).startswith("Under the conditions of SafePub, classes of 41 support")


@pytest.mark.parametrize(("k", "epsilon", "beta"), [(1, 10, 0.0), (10**6, 0.01, 0.0), (20, 1, 0.5), (20, 0.1, 0.9)])
def test_extreme_settings_are_drawn(k: int, epsilon: float, beta: float) -> None:
    figure = delta_curves(SafePub(k, SafePubParameters(epsilon=epsilon, beta=beta)))
    assert len(figure.data) == len(SIZES) + (k not in SIZES)
    assert all(0 <= delta <= 1 for line in figure.data for delta in line.y)
