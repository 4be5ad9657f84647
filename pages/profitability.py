"""Profitability: whether publishing pays, whether attacking does, and what would change that."""

import streamlit as st

from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.guard import require_all_classes, unavailable
from dashboard.components.in_sight import drawn_in_sight
from dashboard.components.profit_analysis import break_even_table, class_payouts, phases, sensitivity
from dashboard.components.profitability_controls import profitability_controls
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from metrics.economics.profitability import Profitability, information_loss_of, profitability
from metrics.figures.profitability import payout_by_class
from metrics.specification import Unavailable
from metrics.wording import counted

card = require_all_classes()
base = card["profitability"]
classes = card.evidence.classes
if not classes.count:
    unavailable(base.unavailable or "")
state = workspace()
st.title("Profitability")


def current() -> tuple[Profitability, str]:
    """The result for the chosen amounts, and why it leaves information loss out where it should not."""
    chosen = state.parameters.profitability
    try:
        return profitability(classes, chosen, information_loss_of(card.evidence, chosen)), ""
    except Unavailable as reason:
        return profitability(classes, chosen), str(reason)


@st.fragment
def shown() -> None:
    """All that the sliders move, in one fragment: the figures they change at once come first."""
    result, without_loss = current()
    payout(result, without_loss)
    write_link(state)
    verdict(result)


def payout(result: Profitability, without_loss: str) -> None:
    """The verdict in figures, the sliders that move it, and who is attacked."""
    places = st.columns([1, 2, 1, 1])
    places[0].metric(base.metric.title, "yes" if result.value else "no", help=base.metric.meaning)
    places[1].metric("Publisher's payout", f"{result.publisher_payout:,.2f}")
    places[2].metric("Records attacked", f"{result.records_attacked:,}")
    places[3].metric("Free of attacks", "yes" if result.no_attack else "no")
    st.markdown(result.in_words())
    numbers_first()
    if without_loss:
        st.info(f"Information loss is left out: {without_loss}.", icon=":material/info:")
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


def verdict(result: Profitability) -> None:
    """Where the verdict changes, and what each class adds to it."""
    st.header("Where the verdict changes")
    break_even_table(classes, result)

    def further() -> None:
        """Over whole ranges of the amounts, and class by class."""
        phases(classes, result)
        sensitivity(classes, result)
        class_payouts(card.classes, result)

    drawn_in_sight(further, "profitability_further", height=1_500)


shown()
show_working(card, "profitability", state.parameters)
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
