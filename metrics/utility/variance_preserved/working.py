"""Squared error, step by step: the column that lost most, its squares and its spread, the mean over columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.formatting import six_digits
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.numerals import bounds, middles
from metrics.texts import text
from metrics.working.latex import APPROXIMATES, abbreviated, approx, lines, rounded, whole
from metrics.working.steps import Cell, Step, short_label, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.utility.variance_preserved.measure import ColumnError, VariancePreserved


def _square_step(pair: Combinations, hierarchy: Hierarchy | None, name: str, error: ColumnError) -> Step:
    before, after = middles(pair, hierarchy)
    x, y = before[pair.codes[0]], after[pair.codes[1]]
    numeric = np.flatnonzero(~np.isnan(x))
    with np.errstate(over="ignore"):
        errors = np.abs(x - y)
        squares = errors[numeric] ** 2 * pair.counts[numeric]
    order = numeric[np.argsort(-squares, kind="stable")]
    rows = (
        (
            short_label(pair.columns[0].labels[pair.codes[0][i]]),
            short_label(pair.columns[1].labels[pair.codes[1][i]]),
            six_digits(y[i]),
            int(pair.counts[i]),
            six_digits(errors[i]),
        )
        for i in order
    )
    terms = (rf"{whole(int(pair.counts[i]))} \times ({rounded(x[i])} - {_as_subtrahend(y[i])})^2" for i in order)
    column = short_label(name)
    return Step(
        text("variance_preserved.working.errors_title"),
        text("variance_preserved.working.errors_of_some", column=column, left_out=error.left_out)
        if error.left_out
        else text("variance_preserved.working.errors", column=column),
        lines(rf"\mathrm{{SSE}} &= {abbreviated(terms, len(order))}", rf"&{_about(error.sse)}"),
        tabulated(text("variance_preserved.working.errors_columns"), rows, len(order)),
        _finite(error.sse),
    )


def _about(number: float) -> str:
    return approx(number) if np.isfinite(number) else rf"{APPROXIMATES} {rounded(number)}"


def _finite(number: float) -> float | None:
    return number if np.isfinite(number) else None


def _as_subtrahend(number: float) -> str:
    return f"({rounded(number)})" if number < 0 else rounded(number)


def _spread_step(pair: Combinations, name: str, error: ColumnError) -> Step:
    x = bounds(pair.columns[0], pair.columns[0]).middle
    numbers = x[~np.isnan(x)]
    return step_of(
        "variance_preserved.working.variance",
        rf"\mathrm{{SST}} {_about(error.sst)}",
        number=_finite(error.sst),
        column=short_label(name),
        smallest=six_digits(numbers.min()),
        largest=six_digits(numbers.max()),
    )


def derive(result: VariancePreserved, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The squares of the column that lost most, its spread, every column's share, the mean."""
    name = max(result.columns, key=lambda name: result.columns[name].share)
    error, pair = result.columns[name], aggregates.comparison.pair(name)
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(column),
            six_digits(column_error.sse),
            six_digits(column_error.sst),
            six_digits(column_error.share),
        )
        for column, column_error in result.columns.items()
    ]
    shares = abbreviated((rounded(column_error.share) for column_error in result.columns.values()), len(rows))
    mean = rf"\frac{{{shares}}}{{{len(rows)}}}" if len(rows) > 1 else shares
    return (
        _square_step(pair, aggregates.hierarchies.get(name), name, error),
        _spread_step(pair, name, error),
        Step(
            text("working.preserved_title"),
            text("variance_preserved.working.preserved_of_some", left_out=len(result.not_numeric))
            if result.not_numeric
            else text("variance_preserved.working.preserved"),
            lines(rf"1 - \overline{{\mathrm{{SSE}} / \mathrm{{SST}}}} &= 1 - {mean}", rf"&{approx(result.value)}"),
            tabulated(text("variance_preserved.working.preserved_columns"), rows, len(rows)),
            result.value,
        ),
    )


WORKING = whole_table(derive)
