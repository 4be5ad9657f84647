"""Basic and enhanced β-likeness, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.privacy.classes.shares_in_working import Shares
from metrics.privacy.classes.worst_in_working import of_worst_class
from metrics.working.latex import NOT_ABOVE, approx, fraction, lines, plain_fraction, rounded, value_of
from metrics.working.steps import Cell, Step, short_label, step_of


def _gain(class_shares: Shares, position: int) -> Fraction:
    return Fraction(class_shares.extras[position], class_shares.totals[position] * class_shares.size)


def _rarity(class_shares: Shares, position: int) -> float:
    return math.log(class_shares.kept / class_shares.totals[position])


def _gain_step(class_shares: Shares, largest: int) -> Step:
    gain, p, q = (
        _gain(class_shares, largest),
        class_shares.share(largest),
        Fraction(class_shares.totals[largest], class_shares.kept),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(class_shares.labels[i]),
            plain_fraction(class_shares.share(i)),
            plain_fraction(Fraction(class_shares.totals[i], class_shares.kept)),
            plain_fraction(_gain(class_shares, i)),
        )
        for i in class_shares.present
    ]
    return step_of(
        "basic_beta_likeness.working.gain",
        lines(
            r"\beta &= \max_s \frac{p_s - q_s}{q_s}",
            rf"&= \frac{{{fraction(p)} - {fraction(q)}}}{{{fraction(q)}}}",
            rf"&= {value_of(gain)}",
        ),
        rows=rows,
        number=float(gain),
        value=short_label(class_shares.labels[largest]),
    )


def _rarity_step(class_shares: Shares, largest: int) -> Step:
    gain, q = _gain(class_shares, largest), Fraction(class_shares.totals[largest], class_shares.kept)
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(class_shares.labels[i]),
            plain_fraction(_gain(class_shares, i)),
            six_digits(_rarity(class_shares, i)),
        )
        for i in class_shares.present
    ]
    limit = _rarity(class_shares, largest)
    return step_of(
        "enhanced_beta_likeness.working.bound",
        lines(rf"-\ln {fraction(q)} &{approx(limit)}", rf"{rounded(float(gain))} &{NOT_ABOVE} {rounded(limit)}"),
        rows=rows,
        number=float(gain),
    )


def _basic(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    largest = max(class_shares.present, key=lambda i: _gain(class_shares, i))
    return (_gain_step(class_shares, largest),), float(_gain(class_shares, largest))


def _enhanced(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    largest = max(class_shares.present, key=lambda i: _gain(class_shares, i))
    steps, gain = _basic(class_shares, parameters)
    return (*steps, _rarity_step(class_shares, largest)), gain


BASIC_BETA_LIKENESS = of_worst_class(r"\beta", _basic, largest=True)
ENHANCED_BETA_LIKENESS = of_worst_class(r"\beta", _enhanced, largest=True)
