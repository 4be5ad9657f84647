"""Profitability: whether publishing pays, whether attacking does, and what would change that."""

import streamlit as st

from dashboard.components.figure import draw_with_data
from dashboard.components.guard import require_card, unavailable
from dashboard.components.profit_analysis import break_even_table, class_payouts, phases, sensitivity
from dashboard.components.profitability_controls import profitability_controls
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from metrics.economics.profitability import Profitability, information_loss_of, profitability
from metrics.figures.profitability import payout_by_class
from metrics.specification import Unavailable
from metrics.wording import counted

card = require_card()
base = card["profitability"]
classes = card.evidence.classes
if not classes.count:
    unavailable(base.unavailable or "")
state = workspace()
st.title("Profitability")


def current() -> Profitability:
    """The result for the chosen amounts; without information loss where that is unavailable."""
    chosen = state.parameters.profitability
    try:
        return profitability(classes, chosen, information_loss_of(card.evidence, chosen))
    except Unavailable as reason:
        st.info(f"Information loss is left out: {reason}.", icon=":material/info:")
        return profitability(classes, chosen)


@st.fragment
def payout() -> None:
    """The verdict and what depends on the amounts."""
    result = current()
    st.markdown(result.in_words())
    places = st.columns([1, 2, 1, 1])
    places[0].metric(base.metric.title, "yes" if result.value else "no", help=base.metric.meaning)
    places[1].metric("Publisher's payout", f"{result.publisher_payout:,.2f}")
    places[2].metric("Records attacked", f"{result.records_attacked:,}")
    places[3].metric("Free of attacks", "yes" if result.no_attack else "no")
    left, right = st.columns([1, 2])
    with left:
        profitability_controls(state)
    with right:
        draw_with_data(payout_by_class(result), "payout_by_class")
        losing = counted(int(result.sizes[result.unprofitable].sum()), "record")
        st.caption(
            f"Attacked: {int(result.attacked.sum()):,} of {counted(len(result.sizes), 'class', 'classes')}. "
            f"{losing.capitalize()} earn no more than they risk."
        )
    st.header("Where the verdict changes")
    break_even_table(classes, result)
    phases(classes, result)
    sensitivity(classes, result)
    class_payouts(card.classes, result)
    write_link(state)


payout()
show_working(card, "profitability", state.parameters)
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
