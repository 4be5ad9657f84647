"""The report's drawings: labels lie on no mark and no other label, text stays within, headings say the finding."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import class_sizes
from metrics.report.svg import Mark, Point, cost_bars, scatter, share_bars, size_bars
from tests.support.boxes import Box, overlap

LETTER, LINE = 6.0, 11.0


def box(mark: Mark) -> Box:
    width = LETTER * len(mark.label)
    assert mark.name is not None
    left = mark.name.x - {"start": 0, "middle": width / 2, "end": width}[mark.name.anchor]
    return left, mark.name.y - LINE, left + width, mark.name.y


@pytest.mark.parametrize(
    "places",
    [
        [(0.67, 0.2), (0.47, 0.2)],
        [(0.54, 1.0), (0.32, 0.1), (0.25, 0.024)],
        [(0.5, 0.2), (0.52, 0.2), (0.54, 0.2)],
        [(0.0, 0.001), (1.0, 1.0), (0.99, 0.999)],
    ],
)
def test_labels_are_apart_from_marks_each_other_and_the_limit(places: list[tuple[float, float]]) -> None:
    points = [
        Point(f"adult_generalized_k5_{place}", information, risk, place == 0, "fails")
        for place, (information, risk) in enumerate(places)
    ]
    drawn = scatter(points, 0.2)
    boxes = [box(mark) for mark in drawn.marks]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    for own in boxes:
        assert own[0] >= 0
        assert own[2] <= drawn.width
        assert drawn.limit is not None
        assert not overlap(own, (drawn.limit, drawn.bottom - LINE, drawn.limit + 8 * LETTER, drawn.bottom))
        for mark in drawn.marks:
            assert not overlap(own, (mark.x - 5, mark.y - 5, mark.x + 5, mark.y + 5))


def test_a_line_joins_each_far_label_with_its_mark_and_ends_at_its_edge() -> None:
    points = [Point(f"adult_generalized_k5_{n}", 0.3 + 0.01 * n, 0.2 - 0.002 * n, n == 0, "fails") for n in range(8)]
    marks = [mark for mark in scatter(points, 0.2).marks if mark.name is not None]
    far = [mark for mark in marks if mark.name is not None and abs(mark.name.y - mark.y) > 30]
    assert far
    for mark in far:
        assert mark.leader is not None
        left, top, right, bottom = box(mark)
        x, y = mark.leader
        assert left <= x <= right
        assert abs(y - (bottom if bottom < mark.y else top)) <= 4
    assert not any(mark.leader for mark in marks if mark.name is not None and abs(mark.name.y - mark.y) <= 20)


@pytest.mark.parametrize(
    ("risk", "limit", "finding"),
    [
        (0.2, 0.2, "The highest risk of 20% is within the limit of 20%"),
        (1.0, 0.2, "The highest risk of 100% is above the limit of 20%"),
        (1.0, None, "Risk and information kept"),
    ],
)
def test_the_heading_says_whether_the_risk_is_within_the_limit(risk: float, limit: float | None, finding: str) -> None:
    assert scatter([Point("own", 0.5, risk, True, "meets")], limit).finding == finding


@pytest.mark.parametrize(
    ("sizes", "k", "finding"),
    [
        ([5, 5], 5, "No record is in a class smaller than k = 5"),
        ([5, 2, 1, 2], 5, "50% of the records are in classes smaller than k = 5"),
        ([5, 2], None, "Records by the size of their class"),
    ],
)
def test_the_heading_says_how_many_records_are_in_small_classes(
    sizes: list[int], k: float | None, finding: str
) -> None:
    assert size_bars(class_sizes(np.array(sizes)), k).finding == finding


def test_numbers_beside_the_bars_are_not_cut() -> None:
    drawn = size_bars(class_sizes(np.array([120] * 100_000 + [7] * 3)), 5)
    for bar in drawn.bars:
        assert drawn.left + bar.width + 6 + LETTER * len(bar.text) <= drawn.width


def test_attacks_pay_up_to_the_break_even_of_the_attackers_cost() -> None:
    drawn = cost_bars(class_sizes(np.array([2, 3, 40])), ProfitabilityParameters(adversary_cost=4, adversary_gain=300))
    assert drawn is not None
    assert [(bar.label, bar.text.split()[0]) for bar in drawn.bars if "(chosen)" in bar.label] == [("4 (chosen)", "45")]
    assert (drawn.bars[-1].label, drawn.bars[-1].text) == ("150", "0 (0%)")
    assert [bar.below for bar in drawn.bars] == [True] * (len(drawn.bars) - 1) + [False]
    assert drawn.finding == "With default amounts (gain 300), no attack pays from a cost of 150"
    fewer = cost_bars(class_sizes(np.array([2, 3, 40])), ProfitabilityParameters(adversary_cost=4), 3)
    assert fewer is not None
    assert (len(fewer.bars), fewer.bars[-1]) == (4, replace(drawn.bars[-1], y=fewer.bars[-1].y))
    assert cost_bars(class_sizes(np.array([2])), ProfitabilityParameters(adversary_gain=0)) is None


@pytest.mark.parametrize(
    ("shares", "sizes", "finding", "labels"),
    [
        (
            [1.0, 0.95, 0.4],
            [6, 2, 2],
            "60% of the unsuppressed records are in a class where all have the same job",
            ["100%", "90% to <100%", "below 50%"],
        ),
        (
            [0.9, 0.5],
            [1, 3],
            "25% of the unsuppressed records are in a class where at least 90% of the records have the same job",
            ["100%", "90% to <100%", "50% to <60%"],
        ),
    ],
)
def test_the_heading_says_how_many_records_are_in_classes_that_reveal_a_value(
    shares: list[float], sizes: list[int], finding: str, labels: list[str]
) -> None:
    drawn = share_bars(np.array(shares), np.array(sizes), "job", "unsuppressed records")
    assert drawn.finding == finding
    assert [bar.label for bar in drawn.bars] == labels
    assert [bar.below for bar in drawn.bars] == [True] + [False] * (len(labels) - 1)
