"""The map of classes holds every class and record once."""

from math import log10

import pytest

import metrics
from metrics.figures.class_map import class_map, map_frame
from tests.figures.random_tables import many_classes

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


@pytest.mark.parametrize("k", [5, 10, 20])
def test_no_name_crosses_the_limit_on_k_where_the_map_is_narrow(card: metrics.Scorecard, k: int) -> None:
    width, letter = 190, 7
    drawn = class_map(card.classes, {"k_anonymity": k})
    low, high = drawn.layout.xaxis.range
    line = width * (log10(k - 0.5) - low) / (high - low)
    names = [one for one in drawn.layout.annotations if one.text in {trace.name for trace in drawn.data}]
    assert names
    for one in names:
        at = width * ((one.ax if one.showarrow else one.x) - low) / (high - low)
        left = at - {"left": 0, "center": 0.5, "right": 1}[one.xanchor] * letter * len(one.text)
        assert not left < line < left + letter * len(one.text)
