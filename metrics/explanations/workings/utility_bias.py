"""Utility bias, step by step: the statistic before and after, the largest difference, the bound."""

from __future__ import annotations

from metrics.config.parameters import Statistic
from metrics.explanations.workings.latex import ABOVE, COMMA, NOT_ABOVE, abbreviated, about, lines, rounded
from metrics.explanations.workings.steps import (
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.utility.utility_bias import UtilityBias

_HOW = {
    Statistic.MEAN: (
        "The mean of every numeric column. A generalized number counts as the middle of its "
        "interval; cells without a number are left out."
    ),
    Statistic.MEDIAN: (
        "The median of every numeric column. A generalized number counts as the middle of its "
        "interval; cells without a number are left out."
    ),
    Statistic.COUNT: "The number of records with the chosen value, or with any value if none is chosen.",
    Statistic.SHARE: "The share of records with the chosen value, or with any value if none is chosen.",
    Statistic.CORRELATION: (
        "Pearson's correlation with the second column. A generalized number counts as the "
        "middle of its interval; records without both numbers are left out."
    ),
}


def _format(number: float | None) -> str:
    return "none left" if number is None else f"{number:,.6g}"


def derive(card: Scorecard, subject: Subject) -> Working:
    """The statistic of every column before and after, then the largest difference beside the bound."""
    finished(card, "utility_bias")
    result = card["utility_bias"].result
    assert isinstance(result, UtilityBias)
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
    known = [column.difference for column in result.columns.values() if column.difference is not None]
    largest = max(known)
    sign = NOT_ABOVE if largest <= result.bound else ABOVE
    if result.fulfilled:
        verdict = "Every difference is within the bound."
    elif largest > result.bound:
        verdict = "The largest difference exceeds the bound."
    else:
        verdict = "The statistic can no longer be computed for some column, so the bound is not met."
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
