"""The quasi-identifiers as a tree of classes, coloured by risk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from metrics.classes import EquivalenceClasses
from metrics.figures.theme import TRANSPARENT, escaped, figure, hover
from metrics.table import Integers
from metrics.wording import counted, visible

MOST_NODES = 600


def class_tree(classes: EquivalenceClasses, levels: Sequence[str]) -> go.Figure:
    """An icicle of records by quasi-identifier, from the first of `levels` on; colour is the average risk within.

    Risk is 1 / size of a record's class, so its average is classes / records. Levels are drawn while they fit into 600
    nodes; of a level that does not fit, nothing is drawn.
    """
    positions = [classes.quasi_identifiers.index(name) for name in levels]
    parents: Integers = np.zeros(classes.count, dtype=np.int64)
    ids, labels, above, values, risks, texts = ["all"], ["all records"], [""], [classes.kept], [], []
    risks.append(classes.count / classes.kept)
    texts.append(hover(f"all {counted(classes.kept, 'record')} in {counted(classes.count, 'class', 'classes')}"))
    names, drawn = ["all"], 0
    for position in positions:
        column, codes = classes.columns[position], classes.codes[position]
        keys, node = np.unique(parents * column.distinct + codes, return_inverse=True)
        if len(ids) + len(keys) > MOST_NODES:
            break
        records = np.bincount(node, weights=classes.sizes).astype(np.int64)
        number = np.bincount(node)
        smallest = np.full(len(keys), np.iinfo(np.int64).max)
        np.minimum.at(smallest, node, classes.sizes)
        below = []
        for i, key in enumerate(keys.tolist()):
            parent, code = divmod(key, column.distinct)
            own = f"{names[parent]}/{code}"
            label = column.labels[code]
            below.append(own)
            ids.append(own)
            labels.append(escaped(label, 24))
            above.append(names[parent])
            values.append(int(records[i]))
            risks.append(float(number[i] / records[i]))
            texts.append(
                hover(
                    f"{visible(column.name)} = {visible(label)}",
                    f"{counted(int(records[i]), 'record')} in {counted(int(number[i]), 'class', 'classes')}",
                    f"average risk {number[i] / records[i]:.3g}, highest {1 / int(smallest[i]):.3g}",
                )
            )
        names, parents, drawn = below, node.astype(np.int64), drawn + 1
    trace = {
        "type": "icicle",
        "ids": ids,
        "labels": labels,
        "parents": above,
        "values": values,
        "branchvalues": "total",
        "marker": {
            "colors": risks,
            "colorscale": [[0, "#DCE9F4"], [0.2, "#56B4E9"], [0.5, "#0072B2"], [1, "#D55E00"]],
            "cmin": 0,
            "cmax": 1,
            "showscale": True,
            "colorbar": {
                "title": {"text": "average risk", "side": "top"},
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
    drawing = figure([trace], _title(classes, [classes.columns[p].name for p in positions[:drawn]]), plot_height=320)
    # Labels that do not fit at a readable size are left to the hover text.
    drawing.update_layout(uniformtext={"minsize": 9, "mode": "hide"})
    return drawing


def _title(classes: EquivalenceClasses, names: Sequence[str]) -> str:
    if not names:
        return "The first quasi-identifier has too many values for a tree; choose another"
    alone = int((classes.sizes == 1).sum())
    finding = f"{counted(alone, 'record')} can be singled out" if alone else "Nobody can be singled out"
    return f"{finding}; records by {', then '.join(visible(name) for name in names)}"
