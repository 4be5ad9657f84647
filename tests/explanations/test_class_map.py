"""The map of classes holds every class and record once."""

import pytest

import metrics
from metrics.explanations.class_map import class_map, map_frame
from tests.drawing.random_tables import many_classes

LIMITS = {"k_anonymity": 5, "t_closeness": 0.3}


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    return many_classes()


def test_the_map_counts_every_class_and_record_once(card: metrics.Scorecard) -> None:
    frame = map_frame(card.classes, LIMITS)
    assert frame["classes"].sum() == len(card.classes)
    assert frame["records"].sum() == 4000
    assert len(frame) <= 2 * 32 * 26
    beyond = (card.classes.classes.sizes < 5) | (card.classes.t["illness"] > 0.3)
    assert frame.loc[frame["fails a limit"] == "yes", "classes"].sum() == beyond.sum()
    uniform = card.classes.distinct["illness"] < 9
    assert (uniform & ~beyond).any()
    both = map_frame(card.classes, {**LIMITS, "distinct_l_diversity": 9})
    assert both.loc[both["fails a limit"] == "yes", "classes"].sum() == beyond.sum()
    assert both.loc[both["fails a limit"] == "another limit", "classes"].sum() == (uniform & ~beyond).sum()
    drawn = class_map(card.classes, LIMITS)
    assert sum(len(trace.x) for trace in drawn.data) == len(frame)
    assert f"{int(beyond.sum()):,} of " in drawn.layout.title.text
    assert {(shape.x0, shape.y0) for shape in drawn.layout.shapes if shape.type == "line"} == {(4.5, 0), (0, 0.3)}


def test_a_legend_names_the_marks_where_there_are_two_kinds(card: metrics.Scorecard) -> None:
    assert class_map(card.classes, LIMITS).layout.showlegend
    assert not class_map(card.classes, {}).layout.showlegend
