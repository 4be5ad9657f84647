"""Names lie beside their marks, on nothing else, and those without a place have none."""

from itertools import combinations

import numpy as np
import pytest

from metrics.drawing.label_placement import RADIUS_PX, Box, Label, place_labels
from tests.support.boxes import overlap

FRAME = Box(0, 0, 320, 250)
Mark = tuple[float, float]


def box(label: Label, width: float) -> Box:
    left = label.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    return Box(left, label.y - 11, left + width, label.y + 3)


def around(mark: Mark) -> Box:
    return Box(mark[0] - RADIUS_PX, mark[1] - RADIUS_PX, mark[0] + RADIUS_PX, mark[1] + RADIUS_PX)


def placed(marks: list[Mark], widths: list[float], lines: list[Box] | None = None) -> list[Label | None]:
    return place_labels(marks, widths, FRAME, [FRAME] * len(marks), lines or [])


def test_a_name_with_room_is_beside_its_mark() -> None:
    assert placed([(100, 100)], [60]) == [Label(110, 104, "start", joined=False)]
    assert placed([(300, 100)], [60]) == [Label(290, 104, "end", joined=False)]


@pytest.mark.parametrize("seed", range(20))
def test_names_lie_on_no_mark_on_no_other_name_and_within_the_plot(seed: int) -> None:
    random = np.random.default_rng(seed)
    marks = [(float(x), float(y)) for x, y in random.uniform((60, 60), (260, 190), (8, 2))]
    widths = random.uniform(40, 150, 8).tolist()
    labels = placed(marks, widths)
    boxes = [box(label, width) for label, width in zip(labels, widths, strict=True) if label is not None]
    assert len(boxes) >= 6
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlap(one, around(mark)) for one in boxes for mark in marks)
    assert all(one.left >= 0 and one.top >= 0 and one.right <= 320 and one.bottom <= 250 for one in boxes)


def test_a_name_far_above_or_below_its_mark_is_joined_to_it() -> None:
    marks = [(160.0, 100.0 + 2 * place) for place in range(6)]
    found = [(label, y) for label, (_, y) in zip(placed(marks, [100] * 6), marks, strict=True) if label is not None]
    assert {label.joined for label, _ in found} == {True, False}
    assert all(label.joined == (abs(y + 4 - label.y) >= 25) for label, y in found)


def test_a_name_lies_on_a_line_only_if_there_is_no_other_room() -> None:
    (label,) = placed([(100, 100)], [60], [Box(120, 0, 122, 250)])
    assert label is not None
    assert not overlap(box(label, 60), (120, 0, 122, 250))
    (label,) = placed([(100, 100)], [60], [FRAME])
    assert label == Label(110, 104, "start", joined=False)


def test_a_name_stays_on_its_side_where_it_fits() -> None:
    left, right = Box(0, 0, 150, 250), Box(150, 0, 320, 250)
    (label,) = place_labels([(140, 100)], [60], FRAME, [left])
    assert label == Label(130, 104, "end", joined=False)
    (label,) = place_labels([(160, 100)], [200], FRAME, [right])
    assert label is not None


def test_names_without_room_or_text_have_no_place() -> None:
    assert placed([(100, 100), (200, 100)], [400, 0]) == [None, None]
    assert placed([], []) == []
