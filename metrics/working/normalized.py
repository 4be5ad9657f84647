"""The last step of measures that are set between what the original has and the worst possible."""

from __future__ import annotations

from fractions import Fraction

from metrics.texts import text
from metrics.working.latex import approx, lines, rounded, whole
from metrics.working.steps import Step


def score_step(symbol: str, now: Fraction, before: Fraction, worst: int) -> Step:
    """1 where the figure is the original's, 0 where it is the worst; beyond these bounds the nearer one."""
    title = text("working.score_title")
    if worst == before:
        return Step(title, text("working.score_of_worst"), "1", number=1.0)
    score = 1 - (now - before) / (worst - before)
    value = float(min(max(score, Fraction(0)), Fraction(1)))
    numbers = rf"\frac{{{rounded(float(now))} - {rounded(float(before))}}}{{{whole(worst)} - {rounded(float(before))}}}"
    return Step(
        title,
        text("working.score") if 0 <= score <= 1 else text("working.score_beyond", score=value),
        lines(
            rf"1 - \frac{{{symbol} - {symbol}_0}}{{{symbol}_{{\max}} - {symbol}_0}} &= 1 - {numbers}",
            rf"&{approx(float(score))}",
        ),
        number=value,
    )
