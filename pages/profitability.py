"""Profitability: whether publishing and attacks are profitable, and what would change that."""

import streamlit as st

from dashboard.components.details.profit_analysis import break_even_table, class_payouts, phases
from dashboard.components.details.profitability_controls import profitability_controls
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import metrics_above_figures, show_view
from dashboard.components.guard import require_all_classes, unavailable
from dashboard.components.page_head import what_if_title
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from dashboard.text import metric_help
from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.profitability import Profitability, information_loss_of, profitability
from metrics.errors import Unavailable
from metrics.figures.profitability import payout_by_class
from metrics.texts import text

card = require_all_classes()
base = card["profitability"]
classes = card.aggregates.classes
state = workspace()
if not classes.count:
    what_if_title(state, "Profitability", base.metric.id)
    unavailable(base.unavailable or "")


def current_result(amounts: ProfitabilityParameters) -> tuple[Profitability, str]:
    """The result for the chosen amounts, and why it leaves information loss out where it should not."""
    try:
        return profitability(classes, amounts, information_loss_of(card.aggregates, amounts)), ""
    except Unavailable as reason:
        return profitability(classes, amounts), str(reason)


@st.fragment
def show_profitability() -> None:
    """All that the sliders move, in one fragment: the figures they change at once come first."""
    what_if_title(state, "Profitability", base.metric.id)
    parameters = state.what_if(base.metric.id).parameters
    result, without_loss = current_result(parameters.profitability)
    show_payout(result, without_loss)
    write_link(parameters)
    show_view(
        "profitability",
        {
            "Break-even values": lambda: break_even_table(classes, result),
            "Ranges of the amounts": lambda: phases(classes, result),
            "Class by class": lambda: class_payouts(card.classes, result),
        },
    )
    show_working(card, "profitability", parameters)


def show_payout(result: Profitability, without_loss: str) -> None:
    """The verdict in figures, the sliders that move it, and who is attacked."""
    st.container(key="finding").markdown(result.summary())
    tiles = st.columns(4)
    tiles[0].metric(base.metric.title, "yes" if result.value else "no", help=metric_help(base.metric))
    tiles[1].metric(
        text("profitability.payout"),
        f"{result.publisher_payout:,.2f}".removesuffix(".00"),
        help=text("profitability.payout_help"),
    )
    tiles[2].metric(
        "Records attacked",
        f"{result.records_attacked:,}",
        help=text("profitability.attacked_help", records=int(result.sizes.sum())),
    )
    tiles[3].metric(
        text("no_attack.title"),
        "yes" if result.no_attack else "no",
        help=text("profitability.no_attack_help"),
    )
    st.caption(text("profitability.only_identification"))
    metrics_above_figures()
    if without_loss:
        st.info(text("profitability.without_loss_because", reason=without_loss), icon=":material/info:")
    left, right = st.columns([1, 2], gap="medium")
    with left:
        profitability_controls(state)
    with right:
        draw_with_data(payout_by_class(result), "payout_by_class")
        st.caption(_attacked_summary(result))


def _attacked_summary(result: Profitability) -> str:
    """How many classes would be attacked, and how many records earn no more than they risk."""
    n_attacked, classes = int(result.attacked.sum()), len(result.sizes)
    n_losing = int(result.sizes[result.unprofitable].sum())
    if n_losing:
        return text("profitability.attacked_and_losing", attacked=n_attacked, classes=classes, losing=n_losing)
    return text("profitability.attacked_none_losing", attacked=n_attacked, classes=classes)


show_profitability()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
