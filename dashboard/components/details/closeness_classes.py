"""One class in full, and all that exceed the limit on t in a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.figure import data_table, draw, draw_with_data, figure_data, first_rows
from dashboard.components.people.class_filters import measure_title
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.counting.classes import EquivalenceClasses
from metrics.figures.classes import class_distribution
from metrics.figures.transport_plan import transport_plan_figure
from metrics.formatting import pluralize, visible
from metrics.privacy.classes.closeness_curve import ClosenessCurve
from metrics.privacy.classes.transport_plan import transport_plan
from metrics.privacy.t_closeness import TCloseness
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Integers

_LISTED = 200
_MAX_BARS = 8
_BINARY = 2


def choose_class(state: Workspace, aggregates: Aggregates, result: TCloseness, curve: ClosenessCurve) -> int:
    """A list of the classes with the largest distances, and of the attributes; the class that is chosen."""
    classes = aggregates.classes
    chosen = state.closeness.chosen_class(aggregates, curve)
    options = curve.order[:_LISTED].tolist()
    if chosen not in options:
        options.append(chosen)
    left, right = st.columns([2, 1])
    left.selectbox(
        "Class",
        options,
        key=synced_key("t_class", chosen),
        format_func=lambda index: _label(classes, curve, index),
        on_change=_choose,
        args=(state, aggregates),
        help=f"The largest distance first; at most {_LISTED} classes.",
    )
    if len(result.per_class) > 1:
        right.selectbox(
            "Sensitive attribute",
            list(result.per_class),
            key=synced_key("t_attribute", _attribute(state, result, chosen)),
            format_func=visible,
            on_change=_choose,
            args=(state, aggregates),
        )
    return chosen


def _choose(state: Workspace, aggregates: Aggregates) -> None:
    state.closeness.choose(aggregates, int(st.session_state["t_class"]), st.session_state.get("t_attribute"))


def _attribute(state: Workspace, result: TCloseness, index: int) -> str:
    """The chosen attribute, else the one in which the class is farthest."""
    attribute = state.closeness.attribute
    if attribute is not None and attribute in result.per_class:
        return attribute
    return max(result.per_class, key=lambda name: float(result.per_class[name][index]))


def _label(classes: EquivalenceClasses, curve: ClosenessCurve, index: int) -> str:
    size = pluralize(int(classes.sizes[index]), "record")
    group = ", ".join(f"{visible(name)} = {visible(label)}" for name, label in classes.labels(index).items())
    return f"t = {curve.farthest[index]:.4f} · {size} · {group}"


def class_in_full(state: Workspace, aggregates: Aggregates, result: TCloseness, index: int) -> None:
    """Show who is in the class, one attribute's distribution beside the table's, and the mass that is moved."""
    classes = aggregates.classes
    name = _attribute(state, result, index)
    group = ", ".join(f"{plain(column)} = **{plain(label)}**" for column, label in classes.labels(index).items())
    distances = ", ".join(
        f"{plain(attribute)} t = {values[index]:.4f}" for attribute, values in result.per_class.items()
    )
    st.markdown(f"{group}: {pluralize(int(classes.sizes[index]), 'record')}; {distances}")
    histogram = aggregates.histogram(name)
    t = float(result.per_class[name][index])
    distribution = class_distribution(histogram, index, t=t, max_values=_MAX_BARS)
    if np.count_nonzero(histogram.totals) <= _BINARY:
        # All the mass moves from one value to the other, as the distributions show.
        draw_with_data(distribution, "closeness_distribution")
        return
    plan = transport_plan(histogram, index, result.distance[name], aggregates.hierarchies.get(name))
    plan_figure = transport_plan_figure(plan, name)
    height = max(figure.layout.height or 0 for figure in (distribution, plan_figure))
    left, right = st.columns(2)
    with left:
        draw_with_data(distribution.update_layout(height=height), "closeness_distribution", confidential=True)
    with right:
        draw(plan_figure.update_layout(height=height), "transport_plan", plan.to_arrow, confidential=True)


def exceeding_table(table: ClassTable, result: TCloseness, curve: ClosenessCurve) -> None:
    """All classes that exceed the limit, the farthest first, with their distance in each attribute."""
    exceeding = curve.beyond(result.limit)
    if not len(exceeding):
        st.markdown("The policy sets no limit on t." if result.limit >= 1 else "No class exceeds the limit.")
    else:
        frame: pd.DataFrame = _distances(table, result, first_rows(exceeding)).to_pandas()
        data_table(
            frame.rename(columns={f"{name}.t": measure_title(f"{name}.t") for name in result.per_class}),
            "Classes above the limit, the largest distance first",
            key="closeness_table",
        )
        figure_data(
            lambda: _distances(table, result, exceeding), "classes_beyond_t", "All of them as CSV", confidential=True
        )


def _distances(table: ClassTable, result: TCloseness, index: Integers) -> pa.Table:
    """Quasi-identifiers, size, and the distance in each attribute."""
    return replace(table, distinct={}, measures={"t": result.per_class}, violations=None).to_arrow(index)
