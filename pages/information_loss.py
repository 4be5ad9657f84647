"""Information loss: which columns paid for anonymity, which values became what, how vague the records are."""

import streamlit as st

from dashboard.components.guard import require_card
from dashboard.components.loss_sections import (
    ambiguity_figure,
    column_figures,
    column_flow,
    found_changes,
    left_out,
    loss_numbers,
    loss_summary,
    loss_table,
    warn_perturbed,
    warn_uneven,
)
from dashboard.components.views import show_view
from dashboard.components.working import show_working
from dashboard.text import plain

card = require_card()
entropy, ambiguity = card["non_uniform_entropy"], card["ambiguity"]
changes = found_changes(card)
st.title("Information loss")
loss_summary(entropy, ambiguity, changes)
left_out(card)
warn_perturbed(entropy)
warn_uneven(card)
loss_numbers(entropy, ambiguity, changes)
column_figures(entropy, changes)


@st.fragment
def further() -> None:
    """Values, combinations and columns, one at a time."""
    parts = {
        "Combinations per record": lambda: ambiguity_figure(ambiguity),
        "Column by column": lambda: loss_table(entropy, ambiguity, changes),
    }
    if not isinstance(changes, str):
        parts = {"Which values became what": lambda: column_flow(entropy, changes), **parts}
    show_view("loss", parts)


further()
for score in (entropy, ambiguity):
    show_working(card, score.metric.id, label=f"Show the working of {score.metric.title.lower()}")
with st.expander("The definitions"):
    st.markdown(f"**{entropy.metric.title}.** {entropy.metric.meaning} {entropy.metric.good}")
    st.latex(entropy.metric.formula)
    st.markdown(
        "$R_i$ are the records at level $l_i$ or above; $n_l(r)$ counts the records of $R_i$ that share record $r$'s "
        "value, once the original column is generalized to level $l$. One description of this measure counts the "
        "anonymized value in the anonymized column and divides by $N \\log_2 N$. That gives the same value on its own "
        "example, but 1.0034 on the adult table, a loss above 100%. Quasi therefore counts in the original column, as "
        "ARX does."
    )
    st.markdown(f"{plain(entropy.metric.reference)}, doi {plain(entropy.metric.doi)}")
    st.markdown(f"**{ambiguity.metric.title}.** {ambiguity.metric.meaning} {ambiguity.metric.good}")
    st.latex(ambiguity.metric.formula)
    st.markdown(
        "$|c_q(r)|$ is how many values of the domain $D_q$ of quasi-identifier $q$ the value of record $r$ covers; "
        "their product is the record's combinations. A table compared with itself has 1 combination per record and "
        "therefore the score 1; descriptions that state ambiguity 0 for this case give 1 by their own formula."
    )
    st.markdown(f"{plain(ambiguity.metric.reference)}, doi {plain(ambiguity.metric.doi)}")
    st.markdown(
        "**Cells.** Kept: the value is unchanged. Generalized: it is an ancestor of the original in the column's "
        "hierarchy. Suppressed: it is \\*, or the record is deleted. Perturbed: it is none of these, such as 35 for 39."
    )
