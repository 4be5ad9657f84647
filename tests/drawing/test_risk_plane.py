"""Names on the plane of risk and information stay within the plot."""

from random import Random

import pytest

from metrics.drawing.label_placement import Label
from metrics.drawing.risk_plane import RiskPlane
from tests.drawing.drawn import HEIGHT


def placed(plane: RiskPlane, places: list[tuple[float, float]], names: list[str]) -> list[Label]:
    """The places of all names."""
    labels = [label for label in plane.labels(places, names, 0) if label is not None]
    assert len(labels) == len(names)
    return labels


def test_a_name_that_fits_on_neither_side_of_its_mark_stays_within_the_plot() -> None:
    narrow, text = 260, "x" * 32
    (label,) = placed(RiskPlane.from_risks([0.05], 0.2, narrow, HEIGHT), [(200.0, 100.0)], [text])
    width = 7.2 * len(text)
    left = label.x - width * {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
    assert left >= 0
    assert left + width <= narrow + 10


@pytest.mark.parametrize("seed", range(10))
def test_names_keep_off_the_ticks_at_the_left_end_also_in_a_wide_typeface(seed: int) -> None:
    random, wide, text = Random(seed), 7.4, "x" * 30
    plane = RiskPlane.from_risks([0.02], 0.2, 322, HEIGHT)
    places = [(plane.to_x(random.uniform(0.02, 1)), random.uniform(20, HEIGHT - 20)) for _ in range(4)]
    for label in placed(plane, places, [text] * 4):
        assert label.x - wide * len(text) * {"start": 0, "middle": 0.5, "end": 1}[label.anchor] > -6


@pytest.mark.parametrize("heights", [(74, 67), (85, 74), (88, 71), (64, 59)])
def test_the_names_of_marks_above_each_other_are_in_the_order_of_the_marks(heights: tuple[float, float]) -> None:
    plane = RiskPlane.from_risks([0.1], 0.2, 330, HEIGHT)
    x, names = plane.to_x(0.2), ["✗ anonymized (≤)", "✗ mondrian", "k5"]
    places = [(x, heights[0]), (plane.to_x(0.1), heights[0] + 2), (x, heights[1])]
    labels = placed(plane, places, names)
    assert (labels[0].y > labels[2].y) == (heights[0] > heights[1])
