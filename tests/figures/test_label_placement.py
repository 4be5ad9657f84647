"""Labels lie on nothing that is drawn, and either all series are named or none."""

from itertools import combinations

import numpy as np
import pytest

from metrics.figures.label_placement import Placed, Series, place_labels
from metrics.tables.table import Floats
from tests.support.boxes import Box, overlap

WIDTH, HEIGHT = 430, 250
"""Pixels of a plot that has half of a wide page; labels that fit a narrower one take less of this."""
LETTER, LINE = 7, 16
"""Pixels that a letter and a line take."""


def marks(name: str, points: Floats, radius: float = 5) -> Series:
    return Series(name, points, np.tile(points, 2), radius)


def scene(seed: int) -> list[Series]:
    """Two or three series of up to 25 marks anywhere in the plot."""
    random = np.random.default_rng(seed)
    names = ["risk", "information", "candidate"][: random.integers(2, 4)]
    number, radius = int(random.integers(1, 26)), float(random.integers(3, 7))
    return [marks(name, random.random((number, 2)), radius) for name in names]


def box(label: Placed) -> Box:
    """Left, bottom, right and top of a label in pixels."""
    width = LETTER * len(label.text)
    left = label.at[0] * WIDTH - {"left": 0.0, "center": 0.5, "right": 1.0}[label.anchor] * width
    return left, label.at[1] * HEIGHT - LINE / 2, left + width, label.at[1] * HEIGHT + LINE / 2


@pytest.mark.parametrize("seed", range(20))
def test_a_label_lies_on_no_mark_and_on_no_other_label(seed: int) -> None:
    series = scene(seed)
    labels = place_labels(series, HEIGHT, [])
    assert labels is not None
    assert [label.text for label in labels] == [one.name for one in series]
    boxes = [box(label) for label in labels]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    for one in series:
        for x, y in (one.points * [WIDTH, HEIGHT]).tolist():
            mark = (x - one.radius, y - one.radius, x + one.radius, y + one.radius)
            assert not any(overlap(mark, label) for label in boxes)


@pytest.mark.parametrize("seed", range(20))
def test_every_label_lies_in_the_plot(seed: int) -> None:
    for label in place_labels(scene(seed), HEIGHT, []) or ():
        left, bottom, right, top = box(label)
        assert min(left, bottom, WIDTH - right, HEIGHT - top) > -1e-6


@pytest.mark.parametrize("seed", range(20))
def test_a_line_leads_to_a_mark_of_the_series_that_the_label_names(seed: int) -> None:
    series = {one.name: one for one in scene(seed)}
    for label in place_labels(list(series.values()), HEIGHT, []) or ():
        if label.leader_end is not None:
            assert np.isclose(series[label.text].points, label.leader_end).all(axis=1).any()


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_labels_of_marks_in_one_place_do_not_cover_each_other(at: float) -> None:
    names = ["diversity", "distance", "uncertainty"]
    labels = place_labels([marks(name, np.array([[at, 0.5]])) for name in names], HEIGHT, []) or []
    assert [label.text for label in labels] == names
    assert not any(overlap(box(one), box(other)) for one, other in combinations(labels, 2))


def test_a_label_without_a_line_lies_beside_the_mark_that_it_names() -> None:
    left, right = np.array([[0.2, 0.5]]), np.array([[0.8, 0.5]])
    labels = place_labels([marks("left", left), marks("right", right)], HEIGHT, []) or []
    assert [label.leader_end for label in labels] == [None, None]
    for label, (point,) in zip(labels, (left, right), strict=True):
        away = np.array(label.at) * [WIDTH, HEIGHT] - point * [WIDTH, HEIGHT]
        assert np.hypot(*away) < 30


def test_if_one_label_finds_no_room_none_is_placed() -> None:
    short, long = marks("short", np.array([[0.2, 0.5]])), np.array([[0.8, 0.5]])
    assert place_labels([short, marks("long", long)], HEIGHT, []) is not None
    assert place_labels([short, marks("a name that is wider than the plot " * 2, long)], HEIGHT, []) is None
    everywhere = Series("", np.zeros((0, 2)), np.array([[0.0, 0.0, 1.0, 1.0]]), 0)
    assert place_labels([short, everywhere], HEIGHT, []) is None


def test_a_series_without_points_has_no_place_for_its_label() -> None:
    nothing = np.full((1, 2), np.nan)
    assert place_labels([marks("seen", np.array([[0.2, 0.5]])), marks("unseen", nothing)], HEIGHT, []) is None


def test_a_series_without_a_name_is_avoided_but_not_labelled() -> None:
    point = np.array([[0.5, 0.5]])
    upper_half = Series("", np.zeros((0, 2)), np.array([[0.0, 0.5, 1.0, 1.0]]), 0)
    (label,) = place_labels([upper_half, marks("below", point)], HEIGHT, []) or []
    assert label.text == "below"
    assert box(label)[3] <= HEIGHT / 2


def test_a_label_lies_across_a_threshold_only_if_there_is_no_other_room() -> None:
    point = marks("the only mark", np.array([[0.5, 0.5]]))
    (label,) = place_labels([point], HEIGHT, [(0.5, None)]) or []
    left, _, right, _ = box(label)
    assert right <= WIDTH / 2 or left >= WIDTH / 2
    (label,) = place_labels([point], HEIGHT, [(share, None) for share in np.linspace(0, 1, 20).tolist()]) or []
    assert label.text == "the only mark"
