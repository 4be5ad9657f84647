"""Verdict: whether a table meets the policy, and why."""

import streamlit as st

from dashboard.components.guard import require_card
from dashboard.components.verdict.assumptions import assumptions
from dashboard.components.verdict.cheapest_repair import cheapest_repair
from dashboard.components.verdict.metric_rows import metric_rows
from dashboard.components.verdict.not_measured import not_measured
from dashboard.components.verdict.verdict_figure import all_cards, verdict_figure
from dashboard.components.verdict.verdict_summary import (
    policy_heading,
    status_and_finding,
    tiles_section,
    worst_classes_section,
)
from dashboard.navigation import CLASSES
from dashboard.session import chosen_candidate, workspace
from dashboard.text import plain
from metrics.explanations.recommendation import recommend

state = workspace()
card = state.attacks.with_singling_out(require_card())
label = chosen_candidate(state)
judged = state.policy.judge(card)
doubtful = state.doubtful_matching(label)
if doubtful is not None:
    st.warning(plain(doubtful), icon=":material/warning:")
status_and_finding(state, card, judged, label)
tiles_section(state, card, judged)
cards = all_cards(state, label, card)
recommended = recommend(cards, state.policy)
repair = None
if card.class_count:
    left, right = st.columns(2, gap="medium")
    with left:
        verdict_figure(state, recommended, label, policy_heading(recommended, label))
    with right:
        st.header("Most exposed classes", anchor=False)
        worst_classes_section(state, card)
        st.page_link(CLASSES.page(), label="All classes", icon=":material/arrow_forward:")
    repair = cheapest_repair(state, label, recommended)
metric_rows(state, card, judged, {name: other for name, other in cards.items() if name != label})
work = not_measured(state, card)
assumptions(state, card)
if repair is not None:
    repair()
if work is not None:
    work()
