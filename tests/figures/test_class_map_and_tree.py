"""Map and tree of classes hold every class, stay small, and show text as text."""

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics.classes import EquivalenceClasses
from metrics.figures.class_map import BRUSH, class_map, map_frame
from metrics.figures.class_tree import MOST_NODES, class_tree
from metrics.table import Column
from tests.tables import table


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    rng = np.random.default_rng(3)
    columns = {
        "age": [f"{10 * n}-{10 * n + 9}" for n in rng.integers(0, 9, 4000)],
        "<b>place</b>": [f"=p{n}" for n in rng.integers(0, 40, 4000)],
        "illness": [f"i{n}" for n in rng.integers(0, 9, 4000)],
    }
    roles = metrics.Roles(quasi_identifiers=["age", "<b>place</b>"], sensitive=["illness"])
    return metrics.score(table(columns), roles)


def test_the_map_counts_every_class_and_record_once(card: metrics.Scorecard) -> None:
    frame = map_frame(card.classes, 5, 0.3)
    assert frame["classes"].sum() == len(card.classes)
    assert frame["records"].sum() == 4000
    assert len(frame) <= 2 * 32 * 26
    beyond = (card.classes.classes.sizes < 5) | (card.classes.t["illness"] > 0.3)
    assert frame.loc[frame["beyond a limit"] == "yes", "classes"].sum() == beyond.sum()
    chart = class_map(card.classes, 5, 0.3).to_dict()
    assert [parameter["name"] for parameter in chart["params"]] == [BRUSH]
    assert f"{int(beyond.sum()):,} of " in " ".join(chart["title"]["text"])


def test_the_tree_adds_up_on_every_level(card: metrics.Scorecard) -> None:
    trace = class_tree(card.evidence.classes, ["age", "<b>place</b>"]).data[0]
    values, children = dict(zip(trace.ids, trace.values, strict=True)), {}
    for own, parent in zip(trace.ids, trace.parents, strict=True):
        children.setdefault(parent, []).append(own)
    assert values["all"] == 4000
    for parent, below in children.items():
        if parent:
            assert sum(values[own] for own in below) == values[parent]
    assert len(trace.ids) == 1 + 9 + len(card.evidence.classes.sizes)
    assert not any("<b>" in text for text in trace.hovertext)
    risk = dict(zip(trace.ids, trace.marker.colors, strict=True))
    assert risk["all"] == pytest.approx(card.evidence.classes.count / 4000)


def test_a_level_that_does_not_fit_is_left_out() -> None:
    number = MOST_NODES + 1
    codes = np.arange(number, dtype=np.int32)
    many = Column("id", codes, pa.array([str(i) for i in range(number)]))
    few = Column("sex", codes % 2, pa.array(["f", "m"]))
    classes = EquivalenceClasses((many, few), (codes, codes % 2), np.ones(number, dtype=np.int64), 0, None)
    assert len(class_tree(classes, ["id", "sex"]).data[0].ids) == 1
    assert len(class_tree(classes, ["sex", "id"]).data[0].ids) == 3
