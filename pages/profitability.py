"""Profitability: whether publishing and attacks are profitable, and what would change that."""

import streamlit as st

from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.guard import require_all_classes, unavailable
from dashboard.components.profit_analysis import break_even_table, class_payouts, phases
from dashboard.components.profitability_controls import profitability_controls
from dashboard.components.views import show_view
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from dashboard.text import about
from metrics.economics.profitability import Profitability, information_loss_of, profitability
from metrics.errors import Unavailable
from metrics.figures.profitability import payout_by_class
from metrics.wording import pluralize

card = require_all_classes()
base = card["profitability"]
classes = card.aggregates.classes
if not classes.count:
    unavailable(base.unavailable or "")
state = workspace()
st.title("Profitability")


def current() -> tuple[Profitability, str]:
    """The result for the chosen amounts, and why it leaves information loss out where it should not."""
    chosen = state.parameters.profitability
    try:
        return profitability(classes, chosen, information_loss_of(card.aggregates, chosen)), ""
    except Unavailable as reason:
        return profitability(classes, chosen), str(reason)


@st.fragment
def shown() -> None:
    """All that the sliders move, in one fragment: the figures they change at once come first."""
    result, without_loss = current()
    payout(result, without_loss)
    write_link(state)
    show_view(
        "profitability",
        {
            "Break-even values": lambda: break_even_table(classes, result),
            "Ranges of the amounts": lambda: phases(classes, result),
            "Class by class": lambda: class_payouts(card.classes, result),
        },
    )
    show_working(card, "profitability", state.parameters)


def payout(result: Profitability, without_loss: str) -> None:
    """The verdict in figures, the sliders that move it, and who is attacked."""
    st.container(key="finding").markdown(result.summary())
    places = st.columns([1, 2, 1, 1])
    places[0].metric(base.metric.title, "yes" if result.value else "no", help=about(base.metric))
    places[0].caption("Covers re-identification only")
    places[1].metric(
        "Publisher's payout",
        f"{result.publisher_payout:,.2f}",
        help="The benefit of all records minus the expected loss from attacks, in the currency of the amounts. Below "
        "0, publishing costs more than it earns.",
    )
    places[2].metric(
        "Records attacked",
        f"{result.records_attacked:,}",
        help=f"Records for which an attack earns the attacker more than it costs, 0 to {int(result.sizes.sum()):,}.",
    )
    places[3].metric(
        "Free of attacks",
        "yes" if result.no_attack else "no",
        help="Yes if every attack costs more than it earns; no if some attack is profitable or breaks even.",
    )
    numbers_first()
    if without_loss:
        st.info(f"Information loss is not included: {without_loss}.", icon=":material/info:")
    left, right = st.columns([1, 2], gap="medium")
    with left:
        profitability_controls(state)
    with right:
        draw_with_data(payout_by_class(result), "payout_by_class")
        losing = int(result.sizes[result.unprofitable].sum())
        earns = "earns no more than its" if losing == 1 else "earn no more than their"
        st.caption(
            f"{int(result.attacked.sum()):,} of {pluralize(len(result.sizes), 'class', 'classes')} would be attacked; "
            + (f"{pluralize(losing, 'record')} {earns}" if losing else "every record earns more than its")
            + " expected loss."
        )


shown()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
