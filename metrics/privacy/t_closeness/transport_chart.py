"""Mass that must be moved to turn one class's distribution into the table's: a chart per ground distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.stepped import visible_points
from metrics.drawing.theme import (
    NEUTRAL,
    PRIVACY,
    categories,
    category_axis,
    chart,
    empty_chart,
    escaped,
    hover,
    note,
    number_axis,
    rows_height,
)
from metrics.formatting import format_number, percent, pluralize, shortened, visible
from metrics.privacy.t_closeness.transport_plan import EqualMass, HierarchicalMass, OrderedMass, TransportPlan, TreeNode
from metrics.tables.table import SUPPRESSED
from metrics.texts import text

MAX_VALUES = 20
"""Most values of the equal distance; the others share one more row."""
MAX_NODES = 15
"""Most nodes of a hierarchy."""
_NODE = 40
_INDENT = 14
_TICKS = 6
_AREA = "rgba(0, 114, 178, 0.22)"
_CHILDREN = 6


def transport_plan_chart(mass: TransportPlan, name: str) -> go.Figure:
    """The moves that make up one class's distance t in an attribute; their costs sum to t."""
    if isinstance(mass, EqualMass):
        return _equal(mass, name)
    if isinstance(mass, OrderedMass):
        return _ordered(mass, name)
    return _hierarchical(mass, name)


def _none(name: str) -> go.Figure:
    return empty_chart(text("charts.transport_plan.nothing", column=name))


def _equal(mass: EqualMass, name: str) -> go.Figure:
    """Surplus to the right, shortfall to the left; each side sums to t."""
    if not mass.t:
        return _none(name)
    keys, ticks, rows = _equal_rows(mass)
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": side,
            "y": [key for key, _, _ in side_rows],
            "x": [value for *_, value in side_rows],
            "hovertext": [hover(label, f"{value:+.3g}% of records: {side}") for _, label, value in side_rows],
            "hoverinfo": "text",
            "marker": {"color": color, "line": {"width": 0}},
        }
        for side, color, side_rows in (
            ("more than in the table", PRIVACY, [row for row in rows if row[2] > 0]),
            ("less", NEUTRAL, [row for row in rows if row[2] <= 0]),
        )
    ]
    return chart(
        traces,
        text("charts.transport_plan.equal", moved=mass.t, column=name, distance=mass.t),
        plot_height=rows_height(len(keys)),
        legend=True,
        barmode="overlay",
        bargap=0.25,
        xaxis=number_axis("share in class less share in table (%)", ticksuffix=" %", zeroline=True),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _equal_rows(mass: EqualMass) -> tuple[list[str], list[str], list[tuple[str, str, float]]]:
    """Categories, their ticks, and category, label and percentage of each bar; beyond `MAX_VALUES` values add up."""
    extra = 100 * mass.extra
    order = np.argsort(-extra, kind="stable")
    if len(order) <= MAX_VALUES:
        rest_totals: list[float] = []
    else:
        is_large = np.zeros(len(order), dtype=bool)
        is_large[np.argsort(-np.abs(extra), kind="stable")[:MAX_VALUES]] = True
        other_differences = extra[order[~is_large[order]]]
        order = order[is_large[order]]
        rest_totals = [
            float(other_differences[other_differences > 0].sum()),
            float(other_differences[other_differences < 0].sum()),
        ]
    labels = [mass.labels[i] for i in order.tolist()]
    rest_labels = [pluralize(len(extra) - len(order), "other value")] if rest_totals else []
    keys = categories([*labels, *rest_labels])
    ticks = [*(escaped(label, 20) for label in labels), *rest_labels]
    rows = [
        (key, visible(label), value) for key, label, value in zip(keys, labels, extra[order].tolist(), strict=False)
    ]
    return keys, ticks, [*rows, *((keys[-1], ticks[-1], value) for value in rest_totals if value)]


def _ordered(mass: OrderedMass, name: str) -> go.Figure:
    """Cumulated shares of class and table by rank; the area between them over m - 1 is t."""
    if not mass.t:
        return _none(name)
    ranks = np.arange(len(mass.labels))
    positions = visible_points(ranks, mass.in_class, mass.in_table)
    labels = [visible(mass.labels[i]) for i in positions.tolist()]
    common = {"type": "scatter", "mode": "lines", "x": positions, "hoverinfo": "text"}
    traces: list[dict[str, Any]] = []
    for group, color, values, fill in (
        ("whole table", NEUTRAL, mass.in_table, {}),
        ("this class", PRIVACY, mass.in_class, {"fill": "tonexty", "fillcolor": _AREA}),
    ):
        traces.append(
            {
                **common,
                **fill,
                "name": group,
                "y": 100 * values[positions],
                "hovertext": [
                    hover(f"up to {label}: {share:.1%} of {group}")
                    for label, share in zip(labels, values[positions].tolist(), strict=True)
                ],
                "line": {"color": color, "width": 2.5, "shape": "hv"},
            }
        )
    ticks = np.unique(np.linspace(0, len(ranks) - 1, min(_TICKS, len(ranks))).round().astype(int)).tolist()
    axis = number_axis(f"{shortened(visible(name), 30)}, by rank", range=[0, len(ranks) - 1])
    return chart(
        traces,
        _direction(mass, name),
        legend=True,
        xaxis={
            **axis,
            "tickmode": "array",
            "tickvals": ticks,
            "ticktext": [escaped(mass.labels[i], 10) for i in ticks],
            "tickangle": 0,
        },
        yaxis=number_axis("records up to the value (%)", range=[0, 102], tickvals=[0, 25, 50, 75, 100]),
    )


def _direction(mass: OrderedMass, name: str) -> str:
    amounts = mass.carried
    ahead, behind, distance = bool((amounts > 0).any()), bool((amounts < 0).any()), format_number(mass.t)
    if ahead and behind:
        return text("charts.transport_plan.ordered_both", column=name, distance=distance)
    if ahead:
        return text("charts.transport_plan.ordered_lower", column=name, distance=distance)
    return text("charts.transport_plan.ordered_higher", column=name, distance=distance)


def _hierarchical(mass: HierarchicalMass, name: str) -> go.Figure:
    """The nodes that even out their children, with the nodes above them, as an indented tree with the cost of each."""
    if not mass.t:
        return _none(name)
    costly_nodes = [i for i, node in enumerate(mass.nodes) if node.cost > 0]
    indices = _with_ancestors(mass.nodes, costly_nodes)
    nodes = [mass.nodes[i] for i in indices]
    keys = categories([node.label for node in nodes])
    highest_cost = max(node.cost for node in nodes)
    children: dict[int, list[TreeNode]] = {}
    for node in mass.nodes:
        if node.parent is not None:
            children.setdefault(node.parent, []).append(node)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": keys,
        "x": [node.cost for node in nodes],
        "width": 0.3,
        "offset": 0.08,
        "text": [format_number(node.cost) for node in nodes],
        "textposition": "outside",
        "textfont": {"size": 12},
        "constraintext": "none",
        "cliponaxis": False,
        "hovertext": [
            _node_text(node, children.get(i, []), mass.height) for i, node in zip(indices, nodes, strict=True)
        ],
        "hoverinfo": "text",
        "marker": {"color": PRIVACY, "line": {"width": 0}},
    }
    notes = [
        note(
            shortened(_name(node), 40 - 2 * (mass.height - node.level)),
            xref="x domain",
            x=0,
            xanchor="left",
            xshift=_INDENT * (mass.height - node.level),
            yref="y",
            y=row,
            yanchor="bottom",
            align="left",
        )
        for row, node in enumerate(nodes)
    ]
    return chart(
        [bars],
        _costliest(mass, name, len(costly_nodes), sum(mass.nodes[i].cost > 0 for i in indices)),
        plot_height=max(_NODE * len(nodes), 2 * _NODE),
        annotations=notes,
        xaxis=number_axis("cost per hierarchy node (sums to t)", range=[0, highest_cost * 1.25]),
        yaxis=category_axis(keys, [""] * len(keys), downwards=True),
    )


def _with_ancestors(nodes: Sequence[TreeNode], costly: Sequence[int]) -> list[int]:
    """The costliest nodes with all their ancestors, at most MAX_NODES, in tree order."""
    indices: set[int] = set()
    for i in sorted(costly, key=lambda i: -nodes[i].cost):
        path = {i}
        while (parent := nodes[i].parent) is not None:
            i = parent
            path.add(i)
        if len(indices | path) <= MAX_NODES or not indices:
            indices |= path
    return sorted(indices)


def _name(node: TreeNode) -> str:
    return f"{SUPPRESSED} (all values)" if node.label == SUPPRESSED else visible(node.label)


def _node_text(node: TreeNode, children: Sequence[TreeNode], height: int) -> str:
    lines = [
        f"{_name(node)} (level {node.level} of {height})",
        f"moves {percent(node.moved)} of the records at {node.level}/{height} each: {format_number(node.cost)}",
    ]
    passing_children = sorted((child for child in children if child.passed), key=lambda child: -abs(child.passed))
    lines += [f"{visible(child.label)}: {_signed_percent(child.passed)}" for child in passing_children[:_CHILDREN]]
    if len(passing_children) > _CHILDREN:
        lines.append(f"and {len(passing_children) - _CHILDREN:,} more")
    if abs(node.passed) > 1e-12:
        lines.append(f"passed to the parent: {_signed_percent(node.passed)}")
    return hover(*lines)


def _signed_percent(share: float) -> str:
    """A share of the records with its sign: "+1.2%" is a surplus, "−1.2%" a shortfall."""
    return f"{'−' if share < 0 else '+'}{percent(abs(share))}"


def _costliest(mass: HierarchicalMass, name: str, n_costly: int, n_shown: int) -> str:
    node = max(mass.nodes, key=lambda node: node.cost)
    groups, distance = text("charts.transport_plan.groups_within", node=_name(node)), format_number(mass.t)
    if node is mass.nodes[0]:
        groups = text("charts.transport_plan.broadest_groups")
    if n_costly == 1:
        return text("charts.transport_plan.hierarchical_only", column=name, distance=distance, groups=groups)
    finding = text(
        "charts.transport_plan.hierarchical_most", column=name, cost=node.cost, distance=distance, groups=groups
    )
    if n_shown >= n_costly:
        return finding
    return text("charts.transport_plan.some_nodes", finding=finding, shown=n_shown, nodes=n_costly)
