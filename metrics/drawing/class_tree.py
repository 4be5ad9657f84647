"""The quasi-identifiers as a tree of classes, coloured by risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.counting.classes import EquivalenceClasses
from metrics.drawing.theme import TRANSPARENT, chart, escaped, hover, note
from metrics.formatting import percent, pluralize, shortened, visible
from metrics.tables.table import Integers
from metrics.texts import text

MAX_NODES = 200
_TEXT, _LETTERS = 12, 14
_LIGHTEST, _DARKEST, _ON_SHADES = "#DCE9F4", "#56B4E9", "#101820"
"""Shades from the lowest risk to the highest, all of them light enough for one dark text on light and dark pages."""
NARROW = 0.01
"""Share of all records below which a node, without room for a label, is gathered with its like."""


def class_tree(classes: EquivalenceClasses, levels: Sequence[str]) -> go.Figure:
    """An icicle of records by quasi-identifier; colour is the average risk within.

    A level is drawn only if it fits into 200 nodes and shows anything. Values too narrow to be seen are gathered,
    undivided, under their common parent. `classes`: the classes; the risk of a record is 1 / size of its class, so the
    average is classes / records.
    """
    positions = [classes.quasi_identifiers.index(name) for name in levels]
    nodes = [_root(classes)]
    node_of_class: Integers = np.zeros(classes.count, dtype=np.int64)
    """The node of the last level that each class lies in; negative if the class is not divided further."""
    parent_ids, n_levels = ["all"], 0
    for position in positions:
        next_level = _level(classes, position, node_of_class, parent_ids, MAX_NODES - len(nodes))
        if next_level is None:
            break
        new_nodes, node_of_class = next_level
        parent_ids = [node.id for node in new_nodes]
        nodes += new_nodes
        n_levels += 1
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
    names = [visible(classes.columns[position].name) for position in positions[:n_levels]]
    drawing = chart(
        [trace], _title(classes, names), plot_height=320, annotations=[_beside(i, names) for i in range(len(names))]
    )
    # Labels that do not fit at a readable size are left to the hover text.
    longest = max((len(shortened(name, _LETTERS)) for name in names), default=0)
    return drawing.update_layout(uniformtext={"minsize": _TEXT, "mode": "hide"}, margin_l=8 + 7 * longest)


def _beside(level: int, names: Sequence[str]) -> dict[str, Any]:
    """A column's name, to the left of the row of its values; above all rows is that of all records."""
    middle = 1 - (level + 1.5) / (len(names) + 1)
    position = {"xref": "paper", "yref": "paper", "x": 0, "y": middle, "xanchor": "right", "yanchor": "middle"}
    return note(shortened(names[level], _LETTERS), xshift=-4, **position)


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
    classes: EquivalenceClasses, position: int, node_of_class: Integers, parent_ids: Sequence[str], max_nodes: int
) -> tuple[list[_Node], Integers] | None:
    """The nodes that a column divides the nodes of the level above into, and which of them each class lies in.

    None where there are more than `max_nodes`, or none is wide enough to be seen.
    """
    column = classes.columns[position]
    divided_classes = np.flatnonzero(node_of_class >= 0)
    keys, inverse = np.unique(
        node_of_class[divided_classes] * column.distinct + classes.codes[position][divided_classes], return_inverse=True
    )
    records = np.bincount(inverse, weights=classes.sizes[divided_classes])
    narrow = records < NARROW * classes.kept
    # A narrow value without its like is drawn: gathering it would only take its name away.
    narrow &= (
        np.bincount(keys // column.distinct, weights=narrow, minlength=len(parent_ids))[keys // column.distinct] > 1
    )
    # One number for each value that is drawn, and one for all that are gathered under the same node.
    shown_keys = np.where(narrow, -1 - keys // column.distinct, keys)
    node_keys, node_of_key, n_values = np.unique(shown_keys, return_inverse=True, return_counts=True)
    if len(node_keys) > max_nodes or node_keys.max(initial=-1) < 0:
        return None
    node = node_of_key[inverse]
    node_records = np.bincount(node, weights=classes.sizes[divided_classes]).astype(np.int64)
    node_classes = np.bincount(node)
    smallest = np.full(len(node_keys), np.iinfo(np.int64).max)
    np.minimum.at(smallest, node, classes.sizes[divided_classes])
    nodes = []
    for i, node_key in enumerate(node_keys.tolist()):
        parent, code = divmod(node_key, column.distinct) if node_key >= 0 else (-1 - node_key, None)
        if code is None:
            label = f"{n_values[i]:,} values"
            description = (
                f"{visible(column.name)}: {n_values[i]:,} values, each of less than {NARROW:.1%} of the records"
            )
        else:
            label = escaped(column.labels[code], 24)
            description = f"{visible(column.name)} = {visible(column.labels[code])}"
        hover_text = hover(
            description,
            f"{pluralize(int(node_records[i]), 'record')} in {pluralize(int(node_classes[i]), 'class', 'classes')}",
            f"average risk {percent(node_classes[i] / node_records[i])}, highest {percent(1 / int(smallest[i]))}",
        )
        name = f"{parent_ids[parent]}/{'narrow' if code is None else code}"
        nodes.append(_Node(name, parent_ids[parent], label, int(node_records[i]), int(node_classes[i]), hover_text))
    next_node_of_class = np.full_like(node_of_class, -1)
    next_node_of_class[divided_classes] = np.where(node_keys[node] >= 0, node, -1)
    return nodes, next_node_of_class


def _title(classes: EquivalenceClasses, names: Sequence[str]) -> str:
    if not names:
        return text("charts.class_tree.too_many_values")
    columns = ", then ".join(names)
    n_unique = int((classes.sizes == 1).sum())
    if not n_unique:
        return text("charts.class_tree.none_unique", columns=columns)
    return text("charts.class_tree.unique", unique=n_unique, columns=columns)
