"""Break-even points of profitability, and what moves the payout."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.figure import data_table, draw_with_data, figure_data, first_rows
from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics.break_even import (
    BreakEven,
    attack_phase,
    break_even,
    publisher_phase,
    sensitivities,
)
from metrics.economics.profitability import Profitability, exact
from metrics.figures.profit_phase import phase_diagram, sensitivity_bars
from metrics.figures.theme import amount
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Floats, Integers
from metrics.texts import text

_GRID = 45
_SHARE = 0.2


def break_even_table(classes: EquivalenceClasses, result: Profitability) -> None:
    """The values at which a verdict changes beside the chosen amounts, and how the payout answers to each amount."""
    left, right = st.columns(2, gap="medium")
    with left:
        _break_even_values(classes, result)
    with right:
        effects = sensitivities(classes, result.parameters, _SHARE, result.information_loss)
        draw_with_data(sensitivity_bars(effects, result.publisher_payout, _SHARE), "profit_sensitivity")


def _break_even_values(classes: EquivalenceClasses, result: Profitability) -> None:
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
    return amount(value)


def phases(classes: EquivalenceClasses, result: Profitability) -> None:
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
    figure_data(lambda: _payouts(table, result, index), "class_payouts", "All of them as CSV", confidential=True)


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
