"""Profitability: whether publishing and attacks are profitable, and what would change that."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows
from dashboard.components.fragments import metrics_above_charts, show_view
from dashboard.components.guard import require_all_classes, unavailable
from dashboard.components.limits import what_if_buttons, what_if_title
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import bound, exact_step, workspace
from dashboard.text import metric_help
from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.break_even import BreakEven, attack_phase, break_even, publisher_phase, sensitivities
from metrics.economics.payout_chart import payout_by_class
from metrics.economics.phase_chart import phase_diagram, sensitivity_bars
from metrics.economics.profitability import PROFITABILITY, Profitability, exact, information_loss_of, profitability
from metrics.errors import Unavailable
from metrics.formatting import format_number
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Floats, Integers
from metrics.texts import text

_AMOUNTS = [control for control in PROFITABILITY.controls if control.maximum is not None]
_SWITCHES = [control for control in PROFITABILITY.controls if control.maximum is None]
_PRESETS = {
    "Default amounts": ProfitabilityParameters(),
    "Strict definition (no profitable attack allowed)": ProfitabilityParameters(allow_attack=False),
    "Costly attack: cost 60": ProfitabilityParameters(adversary_cost=60.0),
    "Heavy fines: loss 3,000 per record": ProfitabilityParameters(publisher_loss=3000.0),
    "Lucrative records: gain 3,000": ProfitabilityParameters(adversary_gain=3000.0),
}
_REACH = "profitability_reach"
_GRID = 45
_SHARE = 0.2

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
    """All that the sliders move, in one fragment: the values they change at once come first."""
    what_if_title(state, "Profitability", base.metric.id)
    parameters = state.policy.what_if(base.metric.id).parameters
    result, without_loss = current_result(parameters.profitability)
    show_payout(result, without_loss)
    write_link(parameters)
    show_view(
        "profitability",
        {
            "Break-even values": lambda: break_even_table(result),
            "Ranges of the amounts": lambda: phases(result),
            "Class by class": lambda: class_payouts(card.classes, result),
        },
    )
    show_working(card, "profitability", parameters)


def show_payout(result: Profitability, without_loss: str) -> None:
    """The verdict in numbers, the sliders that move it, and who is attacked."""
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
        text("no_attack.title"), "yes" if result.no_attack else "no", help=text("profitability.no_attack_help")
    )
    st.caption(text("profitability.only_identification"))
    metrics_above_charts()
    if without_loss:
        st.info(text("profitability.without_loss_because", reason=without_loss), icon=":material/info:")
    left, right = st.columns([1, 2], gap="medium")
    with left:
        profitability_controls()
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


def profitability_controls() -> None:
    """Four amounts per record, in one currency, and whether attacks are acceptable."""
    current = state.policy.what_if(PROFITABILITY.id).parameters.profitability
    reach = st.session_state.get(_REACH, 1)
    for control in _AMOUNTS:
        name, amount = control.name, getattr(current, control.name)
        maximum = max((control.maximum or 0.0) * reach, amount)
        st.slider(
            control.label,
            0.0,
            maximum,
            value=amount,
            step=exact_step(amount, reach * control.step),
            format="%g",
            **bound(name, amount, partial(_set, name, float)),
            help=f"{control.help} Range: 0 to {maximum:,.0f}, in the currency of all amounts.",
        )
    for control in _SWITCHES:
        name = control.name
        st.toggle(
            control.label,
            value=getattr(current, name),
            help=control.help,
            **bound(name, getattr(current, name), partial(_set, name, bool)),
        )
    st.selectbox("Preset", list(_PRESETS), index=None, key="profit_preset", on_change=_preset)
    st.select_slider(
        "Slider range",
        [1, 10, 100, 1000],
        key=_REACH,
        format_func=lambda factor: f"× {factor:,}",
        persist_state="session",
    )
    what_if_buttons(state, PROFITABILITY.id)


def _set(name: str, kind: Callable[[Any], Any], value: Any) -> None:
    current = state.policy.what_if(PROFITABILITY.id).parameters.profitability
    state.policy.try_settings(PROFITABILITY.id, replace(current, **{name: kind(value)}))


def _preset() -> None:
    preset = _PRESETS.get(st.session_state["profit_preset"])
    if preset is not None:
        state.policy.try_settings(PROFITABILITY.id, preset)


def break_even_table(result: Profitability) -> None:
    """The values at which a verdict changes beside the chosen amounts, and how the payout answers to each amount."""
    left, right = st.columns(2, gap="medium")
    with left:
        _break_even_values(result)
    with right:
        effects = sensitivities(classes, result.parameters, _SHARE, result.information_loss)
        draw_with_data(sensitivity_bars(effects, result.publisher_payout, _SHARE), "profit_sensitivity")


def _break_even_values(result: Profitability) -> None:
    points = break_even(classes, result.parameters)
    parameters = result.parameters
    rows = [
        (text("profitability.break_even_values.benefit"), points.benefit, parameters.publisher_benefit),
        (text("profitability.break_even_values.total_benefit"), points.total_benefit, parameters.publisher_benefit),
        (text("profitability.break_even_values.loss"), points.loss, parameters.publisher_loss),
        (text("profitability.break_even_values.cost"), points.attack_free_cost, parameters.adversary_cost),
        (text("profitability.break_even_values.gain"), points.attack_free_gain, parameters.adversary_gain),
        (text("profitability.break_even_values.size"), points.attack_free_size, int(classes.sizes.min())),
    ]
    st.table(
        pd.DataFrame(
            [(title, _text(value), _text(current)) for title, value, current in rows],
            columns=pd.Index(["break-even", "value", "current"]),
        ),
        hide_index=True,
        alt="Break-even values",
    )
    without_loss = [text("profitability.without_loss")] if parameters.information_loss else []
    st.caption(" ".join([_below(points, parameters), *without_loss]))


def _below(points: BreakEven, parameters: ProfitabilityParameters) -> str:
    size = points.attack_free_size
    if size is None:
        return text("profitability.break_even_values.no_size")
    classes, records = points.classes_below, points.records_below
    below = text("profitability.break_even_values.below", classes=classes, size=size, records=records)
    if size == 1 or exact(parameters.adversary_cost) * (size - 1) != exact(parameters.adversary_gain):
        return below
    return f"{below} {text('profitability.break_even_values.at_size', size=size - 1)}"


def _text(value: float | int | None) -> str:
    if value is None:
        return "none"
    return format_number(value)


def phases(result: Profitability) -> None:
    """Two phase diagrams side by side: what the attacker weighs, and what the publisher weighs."""
    parameters = result.parameters
    left, right = st.columns(2, gap="medium")
    with left:
        x, y = _linear(parameters.adversary_cost), _logarithmic(parameters.adversary_gain)
        phase = attack_phase(classes, parameters, x, y)
        draw_with_data(
            phase_diagram(phase, parameters.adversary_cost, parameters.adversary_gain, result.basic), "phase_attack"
        )
    with right:
        x, y = _linear(parameters.publisher_loss), _linear(parameters.publisher_benefit)
        phase = publisher_phase(classes, parameters, x, y)
        draw_with_data(
            phase_diagram(phase, parameters.publisher_loss, parameters.publisher_benefit, result.basic),
            "phase_publisher",
        )


def _linear(amount: float) -> Floats:
    """From nothing to a bit over twice the chosen amount."""
    return np.linspace(0.0, 2.2 * amount if amount else 10.0, _GRID)


def _logarithmic(amount: float) -> Floats:
    """Up to several times the chosen amount from a small part of it, where attacks are no longer profitable."""
    return np.geomspace(amount / 500, 5 * amount, _GRID) if amount else np.geomspace(0.1, 10.0, _GRID)


def class_payouts(table: ClassTable, result: Profitability) -> None:
    """Show what each class risks and pays, the least profitable record first."""
    per_record = result.payout / result.sizes
    index = np.argsort(per_record, kind="stable")
    frame: pd.DataFrame = _payouts(table, result, first_rows(index)).to_pandas()
    data_table(frame, "Payout and loss of each class", key="class_payouts")
    chart_data(lambda: _payouts(table, result, index), "class_payouts", "All of them as CSV", confidential=True)


def _payouts(table: ClassTable, result: Profitability, index: Integers) -> pa.Table:
    """Quasi-identifiers and size, with what a class risks and pays."""
    amounts = {
        "attacker's expected gain": result.parameters.adversary_gain / result.sizes,
        "expected loss per record": result.risk,
        "expected loss": result.risk * result.sizes,
        "payout per record": result.payout / result.sizes,
        "payout": result.payout,
    }
    return replace(
        table, distinct={}, measures={name: {"": figures} for name, figures in amounts.items()}, violations=None
    ).to_arrow(index)


show_profitability()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
