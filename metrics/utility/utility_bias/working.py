"""Utility bias, step by step: the statistic before and after, the largest difference, the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters, Statistic
from metrics.formatting import six_digits
from metrics.texts import text
from metrics.working.latex import ABOVE, COMMA, NOT_ABOVE, abbreviated, approx, lines, rounded
from metrics.working.steps import Cell, Step, short_label, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.utility.utility_bias.measure import UtilityBias

_HOW = {
    Statistic.MEAN: text("utility_bias.working.mean"),
    Statistic.MEDIAN: text("utility_bias.working.median"),
    Statistic.COUNT: text("utility_bias.working.count"),
    Statistic.SHARE: text("utility_bias.working.share"),
    Statistic.CORRELATION: text("utility_bias.working.correlation"),
}


def _format(number: float | None) -> str:
    return text("utility_bias.working.none_left") if number is None else six_digits(number)


def derive(result: UtilityBias, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The statistic of every column before and after, then the largest difference beside the bound."""
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(name),
            _format(column.before),
            _format(column.after),
            _format(column.difference),
            column.left_out_before,
            column.left_out_after,
        )
        for name, column in result.columns.items()
    ]
    differences = [column.difference for column in result.columns.values() if column.difference is not None]
    largest = max(differences)
    relation = NOT_ABOVE if largest <= result.bound else ABOVE
    if result.fulfilled:
        verdict = text("utility_bias.working.within")
    elif largest > result.bound:
        verdict = text("utility_bias.working.exceeded")
    else:
        verdict = text("utility_bias.working.lost")
    return (
        Step(
            text("utility_bias.working.statistic_title", statistic=result.statistic.value),
            _HOW[result.statistic],
            table=tabulated(text("utility_bias.working.statistic_columns"), rows, len(rows)),
        ),
        Step(
            text("utility_bias.working.largest_title"),
            verdict,
            lines(
                rf"&\max({abbreviated(map(rounded, differences), len(differences), COMMA)})",
                rf"&{approx(largest)} {relation} {rounded(result.bound)}",
            ),
            number=largest,
        ),
    )


WORKING = whole_table(derive)
