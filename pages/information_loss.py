"""Information loss: which columns paid for anonymity, which values became what, how vague the records are."""

import streamlit as st

from dashboard.components.details.loss_sections import (
    ambiguity_figure,
    column_figures,
    column_flow,
    information_remarks,
    left_out,
    loss_numbers,
    loss_summary,
    loss_table,
    measured_changes,
    warn_perturbed,
    warnings,
)
from dashboard.components.fragments import show_view
from dashboard.components.guard import require_card, stop_without_original
from dashboard.components.page_head import page_title
from dashboard.components.working import show_working
from dashboard.text import plain
from metrics.formatting import within_sentence
from metrics.texts import text

card = require_card()
entropy, ambiguity = card["non_uniform_entropy"], card["ambiguity"]
changes = measured_changes(card)
page_title("Information loss")
if card.aggregates.original is None and entropy.result is None and ambiguity.result is None:
    stop_without_original(text("loss.without_original"))
loss_summary(entropy, changes)
left_out(card)
warn_perturbed(entropy)
warnings(card)
loss_numbers(entropy, ambiguity, changes)
information_remarks(card)
column_figures(entropy, changes)


@st.fragment
def show_details() -> None:
    """Values, combinations and columns, one at a time."""
    parts = {
        "Combinations per record": lambda: ambiguity_figure(ambiguity),
        "Column by column": lambda: loss_table(entropy, ambiguity, changes),
    }
    if not isinstance(changes, str):
        parts = {"Which values became what": lambda: column_flow(entropy, changes), **parts}
    show_view("loss", parts)


show_details()
for score in (entropy, ambiguity):
    show_working(card, score.metric.id, label=f"Show the working of {within_sentence(score.metric.title)}")
with st.expander("The definitions"):
    st.markdown(f"**{entropy.metric.title}.** {entropy.metric.meaning} {entropy.metric.good}")
    st.latex(entropy.metric.formula)
    st.markdown(text("non_uniform_entropy.definition"))
    st.markdown(plain(entropy.metric.reference))
    st.markdown(f"**{ambiguity.metric.title}.** {ambiguity.metric.meaning} {ambiguity.metric.good}")
    st.latex(ambiguity.metric.formula)
    st.markdown(text("ambiguity.definition"))
    st.markdown(plain(ambiguity.metric.reference))
    st.markdown(text("loss.cells_definition"))
