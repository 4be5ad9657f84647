"""The tree of a hierarchy adds up, stays small, and shows text as text."""

import numpy as np
import pytest

from metrics import Hierarchy
from metrics.drawing.hierarchy_tree import MAX_NODES, hierarchy_tree
from tests.drawing.drawn import HOSTILE, rendered, takes_no_effect, title
from tests.support.small_tables import table

SMALL = Hierarchy([["31", "30-39", "*"], ["35", "30-39", "*"], ["47", "40-49", "*"]])


def widths(hierarchy: Hierarchy, cells: list[str] | None = None) -> dict[str, int]:
    """Width of each label drawn, by level and label."""
    trace = hierarchy_tree(hierarchy, "age", None if cells is None else table({"age": cells})["age"]).data[0]
    return {
        f"{own.split('/')[0]} {label}": value
        for own, label, value in zip(trace.ids, trace.labels, trace.values, strict=True)
    }


def test_a_label_is_as_wide_as_the_leaves_under_it() -> None:
    assert widths(SMALL) == {"2 *": 3, "1 30-39": 2, "1 40-49": 1, "0 31": 1, "0 35": 1, "0 47": 1}
    assert widths(SMALL, ["31", "31", "47", "99"]) == {"2 *": 3, "1 30-39": 2, "1 40-49": 1, "0 31": 2, "0 47": 1}
    assert widths(SMALL, ["99"]) == widths(SMALL)


def test_a_node_adds_up_and_knows_its_share() -> None:
    rows = [[str(n), f"{n // 5}", f"{n // 25}", "*"] for n in range(100)]
    trace = hierarchy_tree(Hierarchy(rows), "n").data[0]
    values = dict(zip(trace.ids, trace.values, strict=True))
    below: dict[str, int] = {}
    for own, parent in zip(trace.ids, trace.parents, strict=True):
        below[parent] = below.get(parent, 0) + values[own]
    assert below.pop("") == 100
    assert all(values[parent] == number for parent, number in below.items())
    share = dict(zip(trace.ids, trace.marker.colors, strict=True))
    assert share["3/0"] == 1
    assert share["1/0"] == pytest.approx(0.05)
    assert title(hierarchy_tree(Hierarchy(rows), "n")) == "n: 100 values become 20, 4 then 1"


def test_levels_that_do_not_fit_are_left_out() -> None:
    rows = [[str(n), str(n // 100), "*"] for n in range(MAX_NODES)]
    drawing = hierarchy_tree(Hierarchy(rows), "n")
    assert len(drawing.data[0].ids) == 7
    assert title(drawing).endswith("drawn from the root to level 1")
    # Values without a record need no room.
    drawing = hierarchy_tree(Hierarchy(rows), "n", table({"n": ["1", "2", "301"]})["n"])
    assert len(drawing.data[0].ids) == 1 + 2 + 3


def test_markup_in_the_labels_of_a_hierarchy_has_no_effect() -> None:
    rows = [[text, f"{text} {i}", "*"] for i, text in enumerate(HOSTILE)]
    drawing = hierarchy_tree(Hierarchy([row if row[0] else ["", "", "*"] for row in rows]), HOSTILE[0])
    assert all(takes_no_effect(text) for text in (*rendered(drawing), *drawing.data[0].labels))
    assert len(set(drawing.data[0].ids)) == 1 + 2 * len(HOSTILE)


@pytest.mark.parametrize("rows", [[["*"]], [["a", "*"]], [["", "*"]]])
def test_a_hierarchy_of_one_value_is_drawn(rows: list[list[str]]) -> None:
    drawing = hierarchy_tree(Hierarchy(rows), "q")
    assert np.sum(drawing.data[0].values) == len(rows[0])
