"""Costs of every method at the same k and the same success of record linkage, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table
from dashboard.state.making_state import ComparisonTarget
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.limits.enforced import K, L, repair_limits
from metrics.candidates.methods.costs import ATTACKS, COSTS, MethodCost
from metrics.errors import InputError
from metrics.formatting import join_names, sentence_case, short_percent, visible
from metrics.policy.limitable_measures import measure_text
from metrics.scoring.catalog import BY_ID

_TITLES = {name: sentence_case(BY_ID[name].short) for name in (*ATTACKS, *COSTS)}
_MEETS = {True: "✓ meets", False: "✗ fails", None: "—"}


def compare_methods(state: Workspace, inputs: Inputs, seed: int) -> None:
    """The button, and the table once it is worked out."""
    limits = repair_limits(state.policy)
    fewest_values = int(limits.get(L, 1)) if inputs.roles.sensitive else 1
    target = ComparisonTarget(int(limits.get(K, 5)), fewest_values, seed, state.policy)
    st.header("What the methods cost", anchor=False)
    left, right = st.columns([7, 3], vertical_alignment="center")
    left.markdown(
        plain(
            f"Methods with a parameter k use k = {target.k}. For every other method, the weakest parameters are chosen "
            "with which record linkage succeeds no more often than on Mondrian's table, if there are any. They do not "
            "aim at the other limits of the policy; “Find the best” and Repair do."
        )
    )
    if right.button("Compare the methods", key="compare_methods", icon=":material/compare:"):
        bar = st.progress(0.0, text="Comparing…")
        try:
            for share in state.making.compare(inputs, target):
                bar.progress(share, text=f"Comparing: {share:.0%}")
        except InputError as error:
            st.error(plain(str(error)), icon=":material/error:")
        bar.empty()
    comparison = state.making.costs(inputs)
    if comparison is None:
        return
    previous, costs = comparison
    data_table(cost_table(costs), "What the methods cost", key="method_costs", height="content")
    titles = [cost.title for cost in costs if not cost.reached]
    if titles:
        reference = measure_text(ATTACKS[0], (costs[0].figures or {}).get(ATTACKS[0]))
        st.caption(plain(f"Record linkage exceeds {reference} even at the strongest setting: {join_names(titles)}."))
    for cost in costs:
        if cost.unavailable is not None:
            st.caption(plain(f"{cost.title}: {cost.unavailable}"))
    if previous != target:
        settings = f"k = {previous.k}, l = {previous.l}, seed {previous.seed}, policy “{visible(previous.policy.name)}”"
        st.caption(plain(f"Compared at {settings}."))


def cost_table(costs: Sequence[MethodCost]) -> pd.DataFrame:
    """One row per method that gave a candidate."""
    available = [cost for cost in costs if cost.figures is not None]
    return pd.DataFrame(
        {
            "Method": [cost.title for cost in available],
            "k": [cost.smallest_class for cost in available],
            "Policy": [_MEETS[cost.meets] for cost in available],
            **{
                title: [measure_text(name, (cost.figures or {}).get(name), short_percent) for cost in available]
                for name, title in _TITLES.items()
            },
            "Parameters": [cost.settings for cost in available],
        }
    )
