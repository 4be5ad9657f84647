"""The tree of classes adds up, stays small, and shows text as text."""

import sys

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics.counting.classes import EquivalenceClasses
from metrics.drawing.class_tree import NARROW, class_tree
from metrics.formatting import percent
from metrics.tables.table import Column
from tests.drawing.drawn import read
from tests.drawing.random_tables import many_classes
from tests.drawing.test_theme import luminance

class_tree_module = sys.modules["metrics.drawing.class_tree"]


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    return many_classes()


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
        assert f"highest {percent(1 / sizes.min())}" in trace.hovertext[at]
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


def test_the_levels_are_named_and_the_scale_ends_at_the_highest_risk_shown(card: metrics.Scorecard) -> None:
    drawn = class_tree(card.aggregates.classes, ["age", "<b>place</b>"])
    assert [read(note.text) for note in drawn.layout.annotations] == ["age", "<b>place</b>"]
    marker = drawn.data[0].marker
    assert marker.cmax == marker.colorbar.tickvals[-1] == max(marker.colors)


def test_labels_stand_out_from_every_shade(card: metrics.Scorecard) -> None:
    trace = class_tree(card.aggregates.classes, ["age"]).data[0]
    dark = luminance(trace.textfont.color)
    assert min((luminance(shade) + 0.05) / (dark + 0.05) for _, shade in trace.marker.colorscale) >= 4.5
    assert trace.textfont.size >= 12
