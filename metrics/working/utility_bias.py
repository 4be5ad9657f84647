"""Utility bias, step by step: the statistic before and after, the largest difference, the bound."""

from __future__ import annotations

from metrics.parameters import Statistic
from metrics.scorecard import Scorecard
from metrics.utility.utility_bias import UtilityBias
from metrics.working.latex import ABOVE, COMMA, NOT_ABOVE, abbreviated, about, lines, rounded
from metrics.working.steps import Cell, Derivation, Step, Subject, Unit, Working, brief, finished, tabulated

_HOW = {
    Statistic.MEAN: "The mean of every column of numbers. Generalized numbers count by the middle of what they cover; "
    "cells without a number are left out.",
    Statistic.MEDIAN: "The median of every column of numbers. Generalized numbers count by the middle of what they "
    "cover; cells without a number are left out.",
    Statistic.COUNT: "The number of records with the chosen value, or where none is chosen, with any value at all.",
    Statistic.SHARE: "The share of records with the chosen value, or where none is chosen, with any value at all.",
    Statistic.CORRELATION: "Pearson's correlation with the second column. Generalized numbers count by the middle of "
    "what they cover; records without both numbers are left out.",
}


def _shown(number: float | None) -> str:
    return "none left" if number is None else f"{number:,.6g}"


def derive(card: Scorecard, subject: Subject) -> Working:
    """The statistic of every column before and after, then the largest difference beside the bound."""
    finished(card, "utility_bias")
    result = card["utility_bias"].result
    assert isinstance(result, UtilityBias)
    rows: list[tuple[Cell, ...]] = [
        (
            brief(name),
            _shown(column.before),
            _shown(column.after),
            _shown(column.difference),
            column.left_out_before,
            column.left_out_after,
        )
        for name, column in result.columns.items()
    ]
    known = [column.difference for column in result.columns.values() if column.difference is not None]
    largest = max(known)
    sign = NOT_ABOVE if largest <= result.bound else ABOVE
    if result.fulfilled:
        verdict = "Every difference is within the bound."
    elif largest > result.bound:
        verdict = "The largest difference is beyond the bound."
    else:
        verdict = "Of some column nothing is left to compute it of, so the bound is not kept."
    steps = (
        Step(
            f"The {result.statistic.value} before and after",
            _HOW[result.statistic],
            table=tabulated(
                ("column", "before", "after", "difference", "left out before", "left out after"), rows, len(rows)
            ),
        ),
        Step(
            "The largest difference",
            verdict,
            lines(
                rf"&\max({abbreviated(map(rounded, known), len(known), COMMA)})",
                rf"&{about(largest)} {sign} {rounded(result.bound)}",
            ),
            number=largest,
        ),
    )
    return Working("utility_bias", "the whole table", steps)


def _decisive(card: Scorecard) -> Subject:
    finished(card, "utility_bias")
    return Subject(0)


UTILITY_BIAS = Derivation(Unit.TABLE, None, derive, _decisive)
