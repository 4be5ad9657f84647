"""Long lines keep their ends and their shape with few points."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.stepped import MAX_POINTS, visible_points


@given(
    st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)), min_size=1, max_size=300),
    st.integers(20, 100),
)
def test_every_point_of_a_curve_is_within_a_cell_of_a_point_drawn(steps: list[tuple[float, float]], most: int) -> None:
    x, y = np.cumsum([a for a, _ in steps]), -np.cumsum([b for _, b in steps])
    kept = visible_points(x, y, max_points=most)
    assert len(kept) <= most
    assert kept[0] == 0
    assert kept[-1] == len(steps) - 1
    assert (np.diff(kept) > 0).all()
    cell = 1.0001 / ((most - 2) // 2 - 1)
    before = kept[np.searchsorted(kept, np.arange(len(steps)), side="right") - 1]
    for values in (x, y):
        assert (np.abs(values - values[before]) <= cell * np.ptp(values)).all()


def test_short_lines_stay_whole() -> None:
    assert visible_points(np.arange(MAX_POINTS)).tolist() == list(range(MAX_POINTS))


def test_a_constant_line_is_reduced_to_its_two_ends() -> None:
    assert visible_points(np.zeros(10_000)).tolist() == [0, 9_999]


def test_a_curve_of_a_million_points_is_reduced_to_at_most_the_maximum_drawn() -> None:
    x = np.linspace(0, 1, 1_000_000)
    assert MAX_POINTS // 2 < len(visible_points(x, x**20, x**0.05)) <= MAX_POINTS
