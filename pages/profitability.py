"""Profitability: whether publishing and attacks are profitable, and what would change that."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows
from dashboard.components.fragments import WHOLE, show_view
from dashboard.components.guard import require_all_classes, unavailable
from dashboard.components.limits import what_if_buttons, what_if_title
from dashboard.components.live_values import field_of, live_field, live_slider, live_values
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import bound, workspace
from dashboard.text import plain
from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.break_even import BreakEven, break_even, sensitivities
from metrics.economics.cost_chart import attacks_by_cost
from metrics.economics.payout_chart import payout_by_class
from metrics.economics.phase_chart import attack_plane, publisher_plane, sensitivity_bars
from metrics.economics.profitability import PROFITABILITY, Profitability, information_loss_of, profitability
from metrics.errors import Unavailable
from metrics.formatting import format_number
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Integers
from metrics.tables.values import exact_fraction
from metrics.texts import text

_AMOUNTS = [control for control in PROFITABILITY.controls if control.maximum is not None]
_SWITCHES = [control for control in PROFITABILITY.controls if control.maximum is None]
_SCENARIOS = {
    "Default amounts": ProfitabilityParameters(),
    "Strict definition (no profitable attack allowed)": ProfitabilityParameters(allow_attack=False),
    "Costly attack: cost 60": ProfitabilityParameters(adversary_cost=60.0),
    "Heavy fines: loss 3,000 per record": ProfitabilityParameters(publisher_loss=3000.0),
    "Lucrative records: gain 3,000": ProfitabilityParameters(adversary_gain=3000.0),
}
_MILLION, _MOST = 1e6, 1e15
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


@st.fragment(key=WHOLE)
def show_profitability() -> None:
    """All that the amounts move; what moves while they are dragged comes first."""
    what_if_title(state, "Profitability", base.metric.id)
    parameters = state.policy.what_if(base.metric.id).parameters
    show_answer()
    result, without_loss = current_result(parameters.profitability)
    if without_loss:
        st.info(text("profitability.without_loss_because", reason=without_loss), icon=":material/info:")
    show_choices(result.parameters)
    write_link(parameters)
    show_view(
        "profitability",
        {
            "Attacker's cost": lambda: draw_with_data(attacks_by_cost(result), "attacks_by_cost"),
            "Publisher's amounts": lambda: draw_with_data(
                publisher_plane(result, _maxima(result.parameters)), "plane_publisher"
            ),
            "Break-even values": lambda: break_even_table(result),
            "Class by class": lambda: class_payouts(card.classes, result),
        },
    )
    show_working(card, "profitability", parameters)
    _live({"plane_attack": _set_attacker, "plane_publisher": _set_publisher}, whole=True)


def _live(planes: Mapping[str, Callable[[float, float], object]], *, whole: bool) -> None:
    stores = {control.name: partial(_set, control.name) for control in _AMOUNTS}
    live_values(f"profitability_live_{whole}", stores, planes, [*map(field_of, stores)], whole=whole)


@st.fragment
def show_answer() -> None:
    """What follows from the amounts, the amounts, and the charts of attacks."""
    result, _ = current_result(state.policy.what_if(PROFITABILITY.id).parameters.profitability)
    st.container(key="finding").markdown(answer(result))
    show_amounts(result.parameters)
    left, right = st.container(key="planes").columns(2, gap="medium")
    with left:
        draw_with_data(attack_plane(result, _maxima(result.parameters)), "plane_attack")
        st.caption(text("profitability.drag"))
    with right:
        draw_with_data(payout_by_class(result), "payout_by_class")
    _live({"plane_attack": _set_attacker}, whole=False)


def answer(result: Profitability) -> str:
    """The four amounts, and what follows from them."""
    amounts, payout = result.parameters, result.publisher_payout
    gain, cost = amounts.adversary_gain, amounts.adversary_cost
    kept = _money(abs(payout))
    sentences = [
        text(
            "profitability.answer",
            cost=_money(cost),
            gain=_money(gain),
            attacked=f"**{result.records_attacked:,}**",
            records=result.records,
            benefit=_money(amounts.publisher_benefit),
            loss=_money(amounts.publisher_loss),
            outcome=text("profitability.kept", payout=kept) if payout >= 0 else text("profitability.lost", payout=kept),
        )
    ]
    losing = result.totals.unprofitable_records
    if losing:
        sentences.append(text("profitability.losing", losing=losing))
    size = exact_fraction(gain) / exact_fraction(cost) if cost else 0
    at_break_even = int(size) * int((result.sizes == size).sum()) if size == int(size) else 0
    if at_break_even:
        sentences.append(text("profitability.breaking_even", records=at_break_even))
    if not amounts.allow_attack:
        met = result.value
        sentences.append(text("profitability.strict_met") if met else text("profitability.strict_not_met"))
    return " ".join(sentences)


def _money(amount: float) -> str:
    """An amount in bold, three digits of millions, in the currency that was entered."""
    figure = f"{format_number(amount / _MILLION)} million" if amount >= _MILLION else format_number(amount)
    return f"**{plain(f'{figure} {state.currency}'.strip())}**"


def show_amounts(current: ProfitabilityParameters) -> None:
    """Four amounts per record, in one currency: each a slider, and a field to type it."""
    maxima = _maxima(current)
    columns = st.container(key="amounts").columns(len(_AMOUNTS), gap="medium")
    for control, column in zip(_AMOUNTS, columns, strict=True):
        name, amount = control.name, getattr(current, control.name)
        step = control.step * maxima[name] / (control.maximum or 1.0)
        with column:
            live_slider(
                control.label,
                maxima[name],
                step,
                name,
                amount,
                partial(_set, name),
                format="%g",
                help=f"{control.help} Per record, in the currency of all amounts.",
            )
            live_field(control.label, _MOST, step, name, amount, partial(_set, name), "%.12g")


def _maxima(current: ProfitabilityParameters) -> dict[str, float]:
    """Where the sliders end: ten times as far, or a hundred, once a larger amount was typed."""
    maxima = {}
    for control in _AMOUNTS:
        key = f"{control.name}_maximum"
        maximum = st.session_state.get(key, control.maximum or 1.0)
        while maximum < getattr(current, control.name):
            maximum *= 10
        st.session_state[key] = maxima[control.name] = maximum
    return maxima


def show_choices(current: ProfitabilityParameters) -> None:
    """Whether attacks are acceptable, and amounts to begin with."""
    scenario, currency, switches, buttons = st.container(key="choices").columns([4, 2, 4, 5], gap="medium")
    scenario.selectbox("Scenario", list(_SCENARIOS), index=None, key="profit_preset", on_change=_choose_scenario)
    currency.text_input(
        "Currency (optional)",
        state.currency,
        max_chars=8,
        **bound("profitability_currency", state.currency, _set_currency),
    )
    for control in _SWITCHES:
        name, on = control.name, getattr(current, control.name)
        switches.toggle(control.label, value=on, help=control.help, **bound(name, on, partial(_set, name)))
    with buttons:
        what_if_buttons(state, PROFITABILITY.id)
    st.caption(text("profitability.only_identification"))


def _set(name: str, value: float | bool) -> None:
    current = state.policy.what_if(PROFITABILITY.id).parameters.profitability
    amount = value if isinstance(value, bool) else min(max(float(value), 0.0), _MOST)
    changes: dict[str, Any] = {name: amount}
    state.policy.try_settings(PROFITABILITY.id, replace(current, **changes))


def _set_both(x_name: str, y_name: str, x: float, y: float) -> None:
    """Try the amounts at a point of a plane, in the steps of their sliders."""
    current = state.policy.what_if(PROFITABILITY.id).parameters.profitability
    maxima = _maxima(current)
    for control in _AMOUNTS:
        if control.name in (x_name, y_name):
            step = control.step * maxima[control.name] / (control.maximum or 1.0)
            _set(control.name, max(round((x if control.name == x_name else y) / step), 1) * step)


def _set_attacker(cost: float, gain: float) -> None:
    _set_both("adversary_cost", "adversary_gain", cost, gain)


def _set_publisher(loss: float, benefit: float) -> None:
    _set_both("publisher_loss", "publisher_benefit", loss, benefit)


def _set_currency(name: str) -> None:
    state.currency = name


def _choose_scenario() -> None:
    scenario = _SCENARIOS.get(st.session_state["profit_preset"])
    if scenario is not None:
        state.policy.try_settings(PROFITABILITY.id, scenario)


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
    st.caption(" ".join([_below(points), *without_loss]))


def _text(value: float | int | None) -> str:
    return "none" if value is None else format_number(value)


def _below(points: BreakEven) -> str:
    size = points.attack_free_size
    if size is None:
        return text("profitability.break_even_values.no_size")
    classes, records = points.classes_below, points.records_below
    return text("profitability.break_even_values.below", classes=classes, size=size, records=records)


def class_payouts(table: ClassTable, result: Profitability) -> None:
    """Show what each class risks and pays, the least profitable record first."""
    per_record = result.payout / result.sizes
    index = np.argsort(per_record, kind="stable")
    frame: pd.DataFrame = _payouts(table, result, first_rows(index)).to_pandas()
    data_table(frame, "Payout and loss of each class", key="class_payouts")
    chart_data(lambda: _payouts(table, result, index), "class_payouts", "Download classes (CSV)", confidential=True)


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
