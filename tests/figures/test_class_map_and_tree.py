"""Map and tree of classes hold every class, stay small, and show text as text."""

import sys

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics.counting.classes import EquivalenceClasses
from metrics.figures.class_map import class_map, map_frame
from metrics.figures.class_tree import NARROW, class_tree
from metrics.tables.table import Column
from tests.support.small_tables import table

class_tree_module = sys.modules["metrics.figures.class_tree"]


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    rng = np.random.default_rng(3)
    columns = {
        "age": [f"{10 * n}-{10 * n + 9}" for n in rng.integers(0, 9, 4000)],
        "<b>place</b>": [f"=p{n}" for n in rng.geometric(0.3, 4000)],
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
    assert frame.loc[frame["fails a limit"] == "yes", "classes"].sum() == beyond.sum()
    uniform = card.classes.distinct["illness"] < 9
    assert (uniform & ~beyond).any()
    both = map_frame(card.classes, 5, 0.3, 9)
    assert both.loc[both["fails a limit"] == "yes", "classes"].sum() == (beyond | uniform).sum()
    drawn = class_map(card.classes, 5, 0.3)
    assert sum(len(trace.x) for trace in drawn.data) == len(frame)
    assert f"{int(beyond.sum()):,} of " in drawn.layout.title.text
    assert {(shape.x0, shape.y0) for shape in drawn.layout.shapes if shape.type == "line"} == {(4.5, 0), (0, 0.3)}


def test_the_tree_adds_up_on_every_level(card: metrics.Scorecard) -> None:
    classes = card.aggregates.classes
    trace = class_tree(classes, ["age", "<b>place</b>"]).data[0]
    values, children = dict(zip(trace.ids, trace.values, strict=True)), {}
    for own, parent in zip(trace.ids, trace.parents, strict=True):
        children.setdefault(parent, []).append(own)
    assert values["all"] == 4000
    for parent, below in children.items():
        if parent:
            assert sum(values[own] for own in below) == values[parent]
    assert len(children["all"]) == 9
    assert not any("<b>" in text for text in trace.hovertext)
    risk = dict(zip(trace.ids, trace.marker.colors, strict=True))
    assert risk["all"] == pytest.approx(classes.count / 4000)


def test_values_too_narrow_to_be_seen_are_drawn_as_one(card: metrics.Scorecard) -> None:
    classes = card.aggregates.classes
    least = NARROW * 4000
    trace = class_tree(classes, ["age", "<b>place</b>"]).data[0]
    gathered = {own for own in trace.ids if own.endswith("/narrow")}
    age = classes.columns[0]
    for code, label in enumerate(age.labels):
        sizes = classes.sizes[classes.codes[0] == code]
        narrow = int((sizes < least).sum())
        assert narrow > 1, "the table should hold narrow classes"
        own = next(own for own, name in zip(trace.ids, trace.labels, strict=True) if name == label)
        assert trace.parents.count(own) == int((sizes >= least).sum()) + 1
        at = trace.ids.index(f"{own}/narrow")
        assert trace.values[at] == sizes[sizes < least].sum()
        assert trace.labels[at] == f"{narrow} values"
        assert trace.marker.colors[at] == pytest.approx(narrow / sizes[sizes < least].sum())
        assert f"highest {1 / sizes.min():.3g}" in trace.hovertext[at]
    assert len(gathered) == 9


def test_a_narrow_value_without_its_like_keeps_its_name() -> None:
    codes = np.arange(2, dtype=np.int32)
    sex = Column("sex", codes, pa.array(["f", "m"]))
    classes = EquivalenceClasses((sex,), (codes,), np.array([1, 9999]), 0, None)
    assert sorted(class_tree(classes, ["sex"]).data[0].labels) == ["all records", "f", "m"]


def test_a_level_that_does_not_fit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_tree_module, "MAX_NODES", 20)
    number = 40
    codes = np.arange(number, dtype=np.int32)
    many = Column("id", codes, pa.array([str(i) for i in range(number)]))
    few = Column("sex", codes % 2, pa.array(["f", "m"]))
    classes = EquivalenceClasses((many, few), (codes, codes % 2), np.ones(number, dtype=np.int64), 0, None)
    assert len(class_tree(classes, ["id", "sex"]).data[0].ids) == 1
    assert len(class_tree(classes, ["sex", "id"]).data[0].ids) == 3
    monkeypatch.undo()
    assert len(class_tree(classes, ["sex", "id"]).data[0].ids) == 3 + number


def test_a_tree_of_very_many_values_stays_small() -> None:
    rng = np.random.default_rng(5)
    codes = [rng.integers(0, distinct, 50_000).astype(np.int32) for distinct in (30, 300, 40_000)]
    columns = tuple(
        Column(name, code, pa.array([str(i) for i in range(code.max() + 1)]))
        for name, code in zip("abc", codes, strict=True)
    )
    classes = EquivalenceClasses(columns, tuple(codes), np.ones(50_000, dtype=np.int64), 0, None)
    trace = class_tree(classes, ["a", "b", "c"]).data[0]
    assert sorted(trace.labels) == sorted(["all records", *map(str, range(30))])
    assert "choose another" in class_tree(classes, ["c", "a"]).layout.title.text
