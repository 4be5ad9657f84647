"""Attacks on all versions side by side, and on several that are published together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.components.assumptions import known_columns
from dashboard.components.chart import data_table, draw_with_data
from dashboard.session import chosen_version
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.attacks.analyses.intersection import Intersection, intersect_releases
from metrics.attacks.analyses.repeated_draws import repeated_draws
from metrics.attacks.chart import attacks_by_version
from metrics.candidates.compare.table import distinct_names
from metrics.drawing.version_styles import Styles, short_name, short_names
from metrics.errors import Unavailable
from metrics.explanations.attack_questions import leading_attack
from metrics.explanations.attack_rows import attack_rows
from metrics.formatting import percent, visible
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text


def attack_comparison(state: Workspace, cards: Mapping[str, Scorecard], styles: Styles) -> None:
    """The columns that the attacker knows; below them the versions side by side, and those published together."""
    attackable = {
        label: card.aggregates for label, card in cards.items() if not card["record_linkage_attack"].unavailable
    }
    if not attackable:
        _published_together(state, cards)
        return
    known_columns(state, next(iter(attackable.values())))
    left, right = st.columns(2, gap="medium")
    with left:
        scores = {
            label: state.attacks.scores(aggregates, state.policy.parameters_for(aggregates))
            for label, aggregates in attackable.items()
        }
        attacked = {label: replace(cards[label], scores={**cards[label].scores, **of}) for label, of in scores.items()}
        rows = {label: attack_rows(card) for label, card in attacked.items()}
        draw_with_data(attacks_by_version(rows, styles, _largest_gain(scores)), "attacks_by_candidate")
    with right:
        _published_together(state, cards)


def _largest_gain(scores: Mapping[str, Mapping[str, Score]]) -> str:
    """Which version helps an attacker most, and how."""
    leading = {label: attack for label, of in scores.items() if (attack := leading_attack(of)) is not None}
    label = max(leading, key=lambda label: leading[label].gain)
    return text("charts.attacks.highest", success=leading[label].in_short, version=short_name(label))


def _published_together(state: Workspace, cards: Mapping[str, Scorecard]) -> None:
    """Show whom several releases of the original disclose together, and none of them alone."""
    st.markdown("### Published together")
    current = chosen_version(state)
    is_attackable = {label: not card["record_linkage_attack"].unavailable for label, card in cards.items()}
    labels = sorted(cards, key=lambda label: (not is_attackable[label], label != current))
    selected = [label for label in st.session_state.get("published_together", labels[:2]) if label in cards]
    st.session_state["published_together"] = selected
    chosen = st.multiselect(
        "Releases of one original that an attacker can obtain together",
        labels,
        key="published_together",
        format_func=visible,
        persist_state="session",
    )
    if len(chosen) < 2:
        st.caption("Choose at least two releases.")
        return
    # Not in the order of choice: an attacker has none.
    chosen = [label for label in cards if label in chosen]
    for sentence in repeated_draws({label: cards[label].aggregates for label in chosen}):
        st.warning(plain(sentence), icon=":material/warning:")
    releases = [cards[label].aggregates for label in chosen]
    parameters = state.policy.parameters_for(releases[0])
    try:
        attackers = [False, True] if any(release.class_sizes.suppressed for release in releases) else [False]
        with st.spinner("Computing…", show_time=True):
            intersections = [
                intersect_releases(releases, parameters, exclude_suppressed=attacker) for attacker in attackers
            ]
    except Unavailable as reason:
        st.info(plain(f"Exposure together is not available: {reason}."), icon=":material/info:")
        return
    st.markdown(plain(" ".join(intersection.summary() for intersection in intersections)))
    names = short_names(state.tables.labels)
    table = joint_table(intersections, {label: names[label] for label in chosen})
    data_table(table, "People disclosed by each release and by all together", key="together_table", height="content")
    st.caption(text("intersection_attack.shares"))


def joint_table(intersections: Iterable[Intersection], names: Mapping[str, str]) -> pd.DataFrame:
    """By attribute and attacker the share that each release discloses, all together, and only all together."""
    rows = [
        [
            text("attack.row.suppressed_excluded", row=attribute) if intersection.excludes_suppressed else attribute,
            *map(percent, (*disclosure.alone, disclosure.together.value, disclosure.only_together)),
        ]
        for intersection in intersections
        for attribute, disclosure in intersection.disclosed.items()
    ]
    releases = distinct_names(map(visible, names.values()), ("attribute", "all together", "only together"))
    return pd.DataFrame(rows, columns=["attribute", *releases, "all together", "only together"])
