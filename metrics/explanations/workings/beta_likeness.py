"""Basic and enhanced β-likeness, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.explanations.workings.groups import deciding_shares
from metrics.explanations.workings.l_diversity import values_step
from metrics.explanations.workings.latex import NOT_ABOVE, about, fraction, lines, plain_fraction, rounded, worth
from metrics.explanations.workings.shares import Shares
from metrics.explanations.workings.steps import (
    Attribute,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    class_name,
    finished,
    short_label,
    tabulated,
)
from metrics.explanations.workings.worst import worst_class, worst_step
from metrics.privacy.beta_likeness import BetaLikeness
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


def _gain(of: Shares, position: int) -> Fraction:
    return Fraction(of.extras[position], of.totals[position] * of.size)


def _rarity(of: Shares, position: int) -> float:
    return math.log(of.kept / of.totals[position])


def _gain_step(of: Shares, largest: int) -> Step:
    gain, p, q = _gain(of, largest), of.share(largest), Fraction(of.totals[largest], of.kept)
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(of.labels[i]),
            plain_fraction(of.share(i)),
            plain_fraction(Fraction(of.totals[i], of.kept)),
            plain_fraction(_gain(of, i)),
        )
        for i in of.present
    ]
    return Step(
        text("basic_beta_likeness.working.gain_title"),
        text("basic_beta_likeness.working.gain", value=short_label(of.labels[largest])),
        lines(
            r"\beta &= \max_s \frac{p_s - q_s}{q_s}",
            rf"&= \frac{{{fraction(p)} - {fraction(q)}}}{{{fraction(q)}}}",
            rf"&= {worth(gain)}",
        ),
        tabulated(text("basic_beta_likeness.working.gain_columns"), rows, len(rows)),
        float(gain),
    )


def _rarity_step(of: Shares, largest: int) -> Step:
    gain, q = _gain(of, largest), Fraction(of.totals[largest], of.kept)
    rows: list[tuple[Cell, ...]] = [
        (short_label(of.labels[i]), plain_fraction(_gain(of, i)), f"{_rarity(of, i):.6g}") for i in of.present
    ]
    limit = _rarity(of, largest)
    return Step(
        text("enhanced_beta_likeness.working.bound_title"),
        text("enhanced_beta_likeness.working.bound"),
        lines(
            rf"-\ln {fraction(q)} &{about(limit)}",
            rf"{rounded(float(gain))} &{NOT_ABOVE} {rounded(limit)}",
        ),
        tabulated(text("enhanced_beta_likeness.working.bound_columns"), rows, len(rows)),
        float(gain),
    )


def _derivation(metric_id: str) -> Derivation:
    enhanced = metric_id == "enhanced_beta_likeness"

    def result_of(card: Scorecard) -> BetaLikeness:
        finished(card, metric_id)
        result = card[metric_id].result
        assert isinstance(result, BetaLikeness)
        return result

    def derive(card: Scorecard, subject: Subject) -> Working:
        result = result_of(card)
        of = deciding_shares(card, subject, result.judgement)
        largest = max(of.present, key=lambda i: _gain(of, i))
        middle = (_gain_step(of, largest), *((_rarity_step(of, largest),) if enhanced else ()))
        last = worst_step(card, subject, float(_gain(of, largest)), result.per_class, r"\beta", largest=True)
        return Working(metric_id, class_name(card, subject.index), (values_step(card, subject, of), *middle, last))

    def decisive(card: Scorecard) -> Subject:
        return worst_class(result_of(card).per_class, largest=True)

    return Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, decisive)


BASIC_BETA_LIKENESS = _derivation("basic_beta_likeness")
ENHANCED_BETA_LIKENESS = _derivation("enhanced_beta_likeness")
