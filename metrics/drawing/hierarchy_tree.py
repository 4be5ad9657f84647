"""A generalization hierarchy as a tree, from the root down."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import TRANSPARENT, chart, empty_chart, escaped, hover
from metrics.formatting import join_names, pluralize, visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Column, Integers
from metrics.texts import text

MAX_NODES = 600


def hierarchy_tree(hierarchy: Hierarchy, name: str, column: Column | None = None) -> go.Figure:
    """An icicle of the hierarchy's labels, each as wide as the records, or the leaves, under it.

    Levels are drawn from the root on while they fit into 600 nodes. Labels without a record are not drawn, unless no
    leaf has one. `hierarchy`: the labels; colour is the share of all leaves that one represents, the loss of a cell
    that becomes it. `column`: column whose records give the widths; by default the leaves do.
    """
    weights, has_records = _weights(hierarchy, column)
    used_leaves = np.flatnonzero(weights)
    ids: list[str] = []
    labels: list[str] = []
    parents: list[str] = []
    values: list[int] = []
    shares: list[float] = []
    texts: list[str] = []
    lowest_level = hierarchy.height + 1
    for level in range(hierarchy.height, -1, -1):
        nodes = hierarchy.nodes(level)
        used_nodes = np.unique(nodes[used_leaves])
        if len(ids) + len(used_nodes) > MAX_NODES:
            break
        n_nodes = len(hierarchy.labels(level))
        width = np.bincount(nodes, weights=weights, minlength=n_nodes).astype(np.int64)
        leaves = np.bincount(nodes, minlength=n_nodes)
        first = np.zeros(n_nodes, dtype=np.int64)
        first[nodes[::-1]] = np.arange(len(nodes))[::-1]
        for node in used_nodes.tolist():
            label = hierarchy.labels(level)[node]
            ids.append(f"{level}/{node}")
            labels.append(escaped(label, 24))
            parents.append(
                "" if level == hierarchy.height else f"{level + 1}/{hierarchy.nodes(level + 1)[first[node]]}"
            )
            values.append(int(width[node]))
            shares.append(int(leaves[node]) / len(hierarchy.rows))
            node_lines = [f"{visible(label)}, level {level}", pluralize(int(leaves[node]), "value")]
            texts.append(hover(*node_lines, *([pluralize(int(width[node]), "record")] if has_records else [])))
        lowest_level = level
    if not ids:
        return empty_chart(text("charts.hierarchy_tree.too_many_roots", column=name))
    trace = {
        "type": "icicle",
        "ids": ids,
        "labels": labels,
        "parents": parents,
        "values": values,
        "branchvalues": "total",
        "sort": False,
        "marker": {
            "colors": shares,
            "colorscale": [[0, "#DDF1EA"], [0.2, "#7FCDB6"], [1, "#009E73"]],
            "cmin": 0,
            "cmax": 1,
            "showscale": True,
            "colorbar": {
                "title": {"text": "share of all values", "side": "top"},
                "orientation": "h",
                "thickness": 12,
                "y": 0,
                "yanchor": "top",
            },
            "line": {"width": 1},
        },
        "hovertext": texts,
        "hoverinfo": "text",
        "tiling": {"orientation": "v"},
        "pathbar": {"visible": False},
        "root": {"color": TRANSPARENT},
    }
    drawing = chart([trace], _title(hierarchy, name, lowest_level), plot_height=320)
    # Labels that do not fit at a readable size are left to the hover text.
    drawing.update_layout(uniformtext={"minsize": 9, "mode": "hide"})
    return drawing


def _weights(hierarchy: Hierarchy, column: Column | None) -> tuple[Integers, bool]:
    """Per leaf the records that hold it; one each without a column, or where none of its records is under a leaf."""
    leaves: Integers = np.ones(len(hierarchy.rows), dtype=np.int64)
    if column is None:
        return leaves, False
    leaf_of_value = hierarchy.leaves_of(column)
    has_leaf = leaf_of_value >= 0
    records = np.bincount(leaf_of_value[has_leaf], weights=column.counts()[has_leaf], minlength=len(leaves)).astype(
        np.int64
    )
    return (records, True) if records.any() else (leaves, False)


def _title(hierarchy: Hierarchy, name: str, lowest_level: int) -> str:
    sizes = [len(hierarchy.labels(level)) for level in range(hierarchy.height + 1)]
    if len(sizes) == 1:
        finding = text("charts.hierarchy_tree.single_level", column=name, values=sizes[0])
    else:
        numbers = join_names([f"{size:,}" for size in sizes[1:]], "then")
        finding = text("charts.hierarchy_tree.levels", column=name, values=sizes[0], numbers=numbers)
    return f"{finding}; {text('charts.hierarchy_tree.some_levels', level=lowest_level)}" if lowest_level else finding
