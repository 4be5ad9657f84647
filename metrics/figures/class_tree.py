"""The quasi-identifiers as a tree of classes, coloured by risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.counting.classes import EquivalenceClasses
from metrics.figures.theme import TRANSPARENT, escaped, figure, hover, note, shortened
from metrics.tables.table import Integers
from metrics.texts import text
from metrics.wording import pluralize, visible

MAX_NODES = 200
_TEXT, _LETTERS = 12, 14
_LIGHTEST, _DARKEST, _ON_SHADES = "#DCE9F4", "#56B4E9", "#101820"
"""Shades from the lowest risk to the highest, all of them light enough for one dark text on light and dark pages."""
NARROW = 0.01
"""Share of all records below which a node, without room for a label, is gathered with its like."""


def class_tree(classes: EquivalenceClasses, levels: Sequence[str]) -> go.Figure:
    """An icicle of records by quasi-identifier, from the first of `levels` on; colour is the average risk within.

    Risk is 1 / size of a record's class, so its average is classes / records. Values too narrow to be seen stand
    together, undivided, under what they have in common. Levels are drawn while they fit into 200 nodes and
    show anything; of a level that does not, nothing is drawn.
    """
    positions = [classes.quasi_identifiers.index(name) for name in levels]
    nodes = [_root(classes)]
    within: Integers = np.zeros(classes.count, dtype=np.int64)
    """The node of the last level that each class lies in; negative if the class is not divided further."""
    above, drawn = ["all"], 0
    for position in positions:
        found = _level(classes, position, within, above, MAX_NODES - len(nodes))
        if found is None:
            break
        below, within = found
        above = [node.id for node in below]
        nodes += below
        drawn += 1
    highest = max(node.classes / node.records for node in nodes)
    trace = {
        "type": "icicle",
        "ids": [node.id for node in nodes],
        "labels": [node.label for node in nodes],
        "parents": [node.parent for node in nodes],
        "values": [node.records for node in nodes],
        "branchvalues": "total",
        "marker": {
            "colors": [node.classes / node.records for node in nodes],
            "colorscale": [[0, _LIGHTEST], [1, _DARKEST]],
            "cmin": 0,
            "cmax": highest,
            "showscale": True,
            "colorbar": {
                "title": {"text": "average risk", "side": "top"},
                "tickvals": [0, highest / 2, highest],
                "tickformat": ".3~g",
                "orientation": "h",
                "thickness": 12,
                "y": 0,
                "yanchor": "top",
            },
            "line": {"width": 1},
        },
        "hovertext": [node.text for node in nodes],
        "hoverinfo": "text",
        "tiling": {"orientation": "v"},
        "textfont": {"size": _TEXT, "color": _ON_SHADES},
        "pathbar": {"visible": False},
        "root": {"color": TRANSPARENT},
    }
    names = [visible(classes.columns[p].name) for p in positions[:drawn]]
    drawing = figure(
        [trace], _title(classes, names), plot_height=320, annotations=[_beside(i, names) for i in range(len(names))]
    )
    # Labels that do not fit at a readable size are left to the hover text.
    longest = max((len(shortened(name, _LETTERS)) for name in names), default=0)
    return drawing.update_layout(uniformtext={"minsize": _TEXT, "mode": "hide"}, margin_l=8 + 7 * longest)


def _beside(level: int, names: Sequence[str]) -> dict[str, Any]:
    """A column's name, to the left of the row of its values; above all rows is that of all records."""
    middle = 1 - (level + 1.5) / (len(names) + 1)
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": middle, "xanchor": "right", "yanchor": "middle"}
    return note(shortened(names[level], _LETTERS), xshift=-4, **place)


@dataclass(frozen=True)
class _Node:
    id: str
    parent: str
    label: str
    records: int
    classes: int
    text: str


def _root(classes: EquivalenceClasses) -> _Node:
    hover_text = hover(f"all {pluralize(classes.kept, 'record')} in {pluralize(classes.count, 'class', 'classes')}")
    return _Node("all", "", "all records", classes.kept, classes.count, hover_text)


def _level(
    classes: EquivalenceClasses, position: int, within: Integers, above: Sequence[str], most: int
) -> tuple[list[_Node], Integers] | None:
    """The nodes that a column divides those `above` into, and which of them each class lies in.

    None where they are more than `most`, or none of them is wide enough to be seen.
    """
    column = classes.columns[position]
    own = np.flatnonzero(within >= 0)
    keys, inverse = np.unique(within[own] * column.distinct + classes.codes[position][own], return_inverse=True)
    records = np.bincount(inverse, weights=classes.sizes[own])
    narrow = records < NARROW * classes.kept
    # A narrow value without its like is drawn: gathering it would only take its name away.
    narrow &= np.bincount(keys // column.distinct, weights=narrow, minlength=len(above))[keys // column.distinct] > 1
    # One number for each value that is drawn, and one for all that are gathered under the same node.
    shown = np.where(narrow, -1 - keys // column.distinct, keys)
    numbers, node_of_key, values = np.unique(shown, return_inverse=True, return_counts=True)
    if len(numbers) > most or numbers.max(initial=-1) < 0:
        return None
    node = node_of_key[inverse]
    held = np.bincount(node, weights=classes.sizes[own]).astype(np.int64)
    members = np.bincount(node)
    smallest = np.full(len(numbers), np.iinfo(np.int64).max)
    np.minimum.at(smallest, node, classes.sizes[own])
    nodes = []
    for i, number in enumerate(numbers.tolist()):
        parent, code = divmod(number, column.distinct) if number >= 0 else (-1 - number, None)
        if code is None:
            label = f"{values[i]:,} values"
            what = f"{visible(column.name)}: {values[i]:,} values, each of less than {NARROW:.1%} of the records"
        else:
            label = escaped(column.labels[code], 24)
            what = f"{visible(column.name)} = {visible(column.labels[code])}"
        hover_text = hover(
            what,
            f"{pluralize(int(held[i]), 'record')} in {pluralize(int(members[i]), 'class', 'classes')}",
            f"average risk {members[i] / held[i]:.3g}, highest {1 / int(smallest[i]):.3g}",
        )
        name = f"{above[parent]}/{'narrow' if code is None else code}"
        nodes.append(_Node(name, above[parent], label, int(held[i]), int(members[i]), hover_text))
    further = np.full_like(within, -1)
    further[own] = np.where(numbers[node] >= 0, node, -1)
    return nodes, further


def _title(classes: EquivalenceClasses, names: Sequence[str]) -> str:
    if not names:
        return text("figures.class_tree.too_many_values")
    columns = ", then ".join(names)
    alone = int((classes.sizes == 1).sum())
    if not alone:
        return text("figures.class_tree.none_unique", columns=columns)
    return text("figures.class_tree.unique", unique=alone, columns=columns)
