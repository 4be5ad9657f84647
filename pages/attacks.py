"""Attacks: how far somebody who knows some columns succeeds with the table, compared with guessing."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from dashboard.components.attacks.attack_sections import (
    attack_details,
    attackers_table,
    criterion_column,
    known_columns,
    marks_explained,
    membership_section,
    people_headline,
    policy_limits,
)
from dashboard.components.fragments import fragment, metrics_above_figures
from dashboard.components.guard import require_card, stop_without_original, unavailable
from dashboard.components.on_demand import Work, computing
from dashboard.components.order_notice import order_in_short
from dashboard.components.page_head import page_title
from dashboard.session import workspace
from dashboard.text import plain
from metrics.attacks.singling_out import SINGLING_OUT_ATTACK
from metrics.errors import Unavailable
from metrics.explanations.attack_questions import criteria, exceeds_guessing, largest_risk
from metrics.explanations.findings import said
from metrics.explanations.released_values import doubtful_to_attackers
from metrics.metric import FindingKind
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.texts import text

card = require_card()
state = workspace()
aggregates = card.aggregates
page_title("Attacks")
if aggregates.roles.person is None:
    st.caption(text("attack.people.record_is_person"))
order_in_short(state, card)
identifiers = said(card, FindingKind.IDENTIFIERS)
if identifiers:
    st.warning(plain(text("direct_identifiers.not_attacked", identifiers=identifiers)), icon=":material/warning:")
if aggregates.original is None:
    stop_without_original(text("attack.without_original"))
missing = card["record_linkage_attack"].unavailable
if missing is not None and aggregates.comparison.refusal is None:
    unavailable(missing)
_WORK: list[Work | None] = []


def show_attacks() -> None:
    """Show what is known, and all that follows from it."""
    parameters = state.parameters_for(aggregates)
    scores = {**card.scores, **state.attacks.scores(aggregates, parameters)}
    state.scores.keep(aggregates, scores[SINGLING_OUT_ATTACK.id], parameters)  # for the other pages
    shown_card = replace(card, parameters=parameters, scores=scores)
    attack_criteria = criteria(scores)
    strongest, headlines, exposed = largest_risk(attack_criteria), list[str](), None
    with suppress(Unavailable):  # the section about the people says why
        exposed = state.attacks.people(aggregates, parameters)
        headlines.append(people_headline(card, exposed, scores[SINGLING_OUT_ATTACK.id].result))
    if strongest is not None:
        headlines.insert(0 if exceeds_guessing(attack_criteria) else len(headlines), strongest)
    if headlines:
        st.markdown(f"## {plain(headlines[0].removesuffix('.'))}")
    left, right = st.columns([5, 3], gap="medium")
    with right:
        known_columns(state, aggregates)
        policy_limits(state, shown_card)
        if perturbed_columns_of(aggregates):
            st.caption(f"{text('attack.criterion.perturbed_in_brief')}.")
        doubtful = doubtful_to_attackers(card)
        if doubtful is not None:
            st.caption(plain(doubtful))
    with left:
        attackers_table(shown_card, exposed)
    metrics_above_figures()
    marks_explained(attack_criteria)
    rows = max(len(criterion.rates) for criterion in attack_criteria)
    with st.container(key="criteria"):
        for column, criterion in zip(st.columns(3, gap="medium"), attack_criteria, strict=True):
            with column:
                _WORK.append(criterion_column(state, criterion, shown_card, rows))
    membership_section(state, shown_card)
    attack_details(state, shown_card, attack_criteria, parameters)


fragment(show_attacks, busy=computing())()
for work in _WORK:
    if work is not None:
        work()
