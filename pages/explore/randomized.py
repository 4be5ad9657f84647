"""Randomized response on Explore: an ε for each column, what it protects, and what it costs over ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dashboard.components.chart import draw_with_data
from dashboard.navigation import DATA
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.methods.epsilon_curve import epsilon_chart
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.formatting import join_names, visible
from metrics.tables.randomization import k_rr
from metrics.texts import text

_HIGHEST = 10.0


def epsilon_fields(inputs: Inputs) -> dict[str, Any]:
    """The columns, and a slider of the ε of each with the attacker's success; as parameters of the method."""
    roles, values = inputs.roles, {name: len(tree.rows) for name, tree in inputs.hierarchies.items()}
    names = [name for name in (*roles.sensitive, *roles.quasi_identifiers) if values.get(name, 0) > 1]
    default = [name for name in roles.sensitive if name in names]
    chosen = st.multiselect(
        "Columns",
        names,
        key="make_k-rr_columns",
        format_func=visible,
        placeholder=join_names([visible(name) for name in default]) or "Choose columns",
        help=text("epsilon_curve.columns"),
        persist_state="session",
    )
    columns = [name for name in chosen if name in names] or default
    without = [name for name in roles.sensitive if name not in names]
    if without:
        st.caption(plain(text("epsilon_curve.without", columns=without)))
        st.page_link(DATA.page(), label="Add a hierarchy or a list of values", icon=":material/account_tree:")
    epsilons = {name: _slider(name, values[name]) for name in columns}
    if len(columns) > 1:
        st.caption(plain(text("epsilon_curve.record", epsilon=sum(epsilons.values()))))
    if set(columns) & set(roles.quasi_identifiers):
        st.warning(plain(text("epsilon_curve.quasi_identifiers")), icon=":material/warning:")
    first = next(iter(epsilons.values()), 1.0)
    own = tuple(f"{name}={epsilon:g}" for name, epsilon in epsilons.items() if epsilon != first)
    return {"epsilon": first, "columns": tuple(columns), "epsilons": own}


def _slider(name: str, values: int) -> float:
    label, key = f"ε of {plain(visible(name))}", f"make_k-rr_epsilon_{name}"
    epsilon = float(st.slider(label, 0.0, _HIGHEST, 1.0, step=0.1, key=key, persist_state="session"))
    success = k_rr(list(map(str, range(values))), epsilon).success(np.full(values, 1 / values))
    st.caption(plain(text("epsilon_curve.at", epsilon=epsilon, success=success, guessing=1 / values, values=values)))
    return epsilon


def epsilon_curve(state: Workspace, inputs: Inputs, method: RandomizedResponse) -> None:
    """The button, and the curve once it is computed; its draws are not kept."""
    if not method.columns:
        return
    epsilons = method.epsilon_by_column(inputs.roles, inputs.hierarchies)
    st.header("What ε costs", anchor=False)
    left, right = st.columns([7, 3], vertical_alignment="center")
    left.markdown(plain(text("epsilon_curve.about")))
    if right.button("Compute the curve", key="epsilon_curve", icon=":material/show_chart:"):
        bar = st.progress(0.0, text="Computing…")
        for share in state.making.draw_curve(inputs, epsilons):
            bar.progress(share, text=f"Computing: {share:.0%}")
        bar.empty()
    points = state.making.curve(inputs, epsilons)
    if points and max(epsilons.values()) in [point.epsilon for point in points]:
        draw_with_data(epsilon_chart(points, list(epsilons.values())), "epsilon_chart")
        rises = any(point.values["p29"] for point in points)
        st.caption(plain(text("comparison.different_epsilon") if rises else text("epsilon_curve.p29_is_zero")))
