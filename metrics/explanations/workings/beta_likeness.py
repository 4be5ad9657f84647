"""Basic and enhanced β-likeness, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.explanations.workings.groups import deciding_shares
from metrics.explanations.workings.l_diversity import values_step
from metrics.explanations.workings.latex import NOT_ABOVE, approx, fraction, lines, plain_fraction, rounded, value_of
from metrics.explanations.workings.shares import Shares
from metrics.explanations.workings.steps import (
    Attribute,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    short_label,
    step_of,
)
from metrics.explanations.workings.worst import worst_class, worst_step
from metrics.formatting import six_digits
from metrics.privacy.beta_likeness import BetaLikeness


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
        lines(
            rf"-\ln {fraction(q)} &{approx(limit)}",
            rf"{rounded(float(gain))} &{NOT_ABOVE} {rounded(limit)}",
        ),
        rows=rows,
        number=float(gain),
    )


def _derivation(*, is_enhanced: bool) -> Derivation:
    def derive(
        result: BetaLikeness, aggregates: Aggregates, parameters: Parameters, subject: Subject
    ) -> tuple[Step, ...]:
        class_shares = deciding_shares(aggregates, subject, result.judgement)
        largest = max(class_shares.present, key=lambda i: _gain(class_shares, i))
        gain_steps = (
            _gain_step(class_shares, largest),
            *((_rarity_step(class_shares, largest),) if is_enhanced else ()),
        )
        last = worst_step(
            aggregates, subject, float(_gain(class_shares, largest)), result.per_class, r"\beta", largest=True
        )
        return (values_step(aggregates, subject, class_shares), *gain_steps, last)

    return Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, worst_class(largest=True))


BASIC_BETA_LIKENESS = _derivation(is_enhanced=False)
ENHANCED_BETA_LIKENESS = _derivation(is_enhanced=True)
