"""Every version's risk and information kept against the limits, and how many versions meet the policy."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.components.chart import CHART_CONFIG, ThemedChart, chart_heading, draw_with_data
from dashboard.session import choose_version
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.drawing.classes import class_size_distribution
from metrics.drawing.marks import marks
from metrics.drawing.risk_and_information import Place, risk_and_information
from metrics.drawing.version_styles import version_styles
from metrics.explanations.bounds import as_bound
from metrics.explanations.checked_rows import title_of
from metrics.explanations.checked_version import CheckedVersion, share_of
from metrics.explanations.recommendation import Recommendation
from metrics.formatting import join_names, percent, pluralize, visible, within_sentence
from metrics.policy.policy import Status
from metrics.scoring.catalog import RISK


def verdict_chart(state: Workspace, recommended: Recommendation, label: str) -> None:
    """Risk against information, where a click on a mark chooses the version; without an original, class sizes."""
    checked, measure = recommended.versions, recommended.measure
    places = {name: place for name, other in checked.items() if (place := _place(other, measure)) is not None}
    card = checked[label].card
    if label not in places:
        if not card.aggregates.is_partitioned:
            # With wildcards, k counts the records compatible with a class, not its own.
            limit = 1 if "wildcards" in card["k_anonymity"].details else state.policy.k_limit
            sizes = class_size_distribution(card.aggregates.classes.sizes, limit)
            draw_with_data(sizes, "verdict_sizes", ["k_anonymity"])
        return
    limits = state.policy.limits
    chart = risk_and_information(
        places,
        label,
        risk_limit=limits.get(RISK),
        information_limit=limits.get(measure),
        measure=title_of(measure),
        styles=version_styles(state.tables.labels),
    )
    current = places[label]
    comparison = "" if len(places) == 1 else f", compared with {pluralize(len(places) - 1, 'other version')}"
    information = as_bound(card[measure], percent(current.information))
    named = within_sentence(title_of(measure))
    alt = f"{visible(label)}: highest risk {percent(current.risk)}, {named} {information}{comparison}."
    key, names = f"verdict_figure_{list(checked).index(label)}", list(places)

    def choose() -> None:
        """Choose the version of the mark: the first trace is the line that joins them."""
        points = st.session_state[key]["selection"]["points"]
        if points and points[0]["curve_number"]:
            choose_version(names[points[0]["curve_number"] - 1])

    chart_heading(_heading(recommended, label), "verdict_figure", lambda: marks(chart), [RISK, measure])
    selection: dict[str, Any] = {"on_select": choose, "selection_mode": "points"} if len(names) > 1 else {}
    st.plotly_chart(ThemedChart(chart), key=key, config=CHART_CONFIG, alt=alt, **selection)
    unknown = [visible(name) for name in checked if name not in places]
    if unknown:
        st.caption(plain(f"Not shown, because the information kept is not available: {join_names(unknown)}."))


def _place(version: CheckedVersion, measure: str) -> Place | None:
    share, fails = share_of(version.card, measure), version.status is Status.FAILS
    if not version.risk or share is None:
        return None
    return Place(version.risk, share, overstated=version.is_overstated(measure), fails=fails)


def _heading(recommended: Recommendation, label: str) -> str:
    """How many versions meet the policy, as a heading; of one alone, or without limits, the chosen one's values."""
    versions, number = recommended.versions, len(recommended.meeting)
    if len(versions) == 1 or any(version.status is Status.NO_LIMITS for version in versions.values()):
        measure, chosen = recommended.measure, versions[label]
        score = chosen.card[measure]
        kept = "" if score.value is None else as_bound(score, percent(float(score.value)))
        information = f", {within_sentence(title_of(measure))} {kept}" if kept else ""
        return f"Highest risk {percent(chosen.risk or 0.0)}{information}"
    return f"{number} of {pluralize(len(versions), 'version')} {'meets' if number == 1 else 'meet'} the policy"
