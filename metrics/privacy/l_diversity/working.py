"""The four readings of l-diversity, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.config.parameters import Parameters
from metrics.privacy.classes.shares_in_working import Shares
from metrics.privacy.classes.worst_in_working import of_worst_class
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, approx, as_text, equals, fraction, lines, rounded, whole
from metrics.working.steps import Step, step_of


def _distinct(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    positions = class_shares.present
    names = abbreviated((as_text(class_shares.labels[i]) for i in positions), len(positions), COMMA)
    step = step_of(
        "distinct_l_diversity.working.count",
        lines(rf"l &= |\{{ {names} \}}|", rf"&= {whole(len(positions))}"),
        number=len(positions),
    )
    return (step,), len(positions)


def entropy_step(class_shares: Shares, logarithm: str) -> tuple[Step, float]:
    """Entropy of the class's values, by `\\ln` or `\\log_2`."""
    log = math.log2 if logarithm == r"\log_2" else math.log
    positions = class_shares.present
    entropy = max(
        -math.fsum(
            class_shares.counts[i] / class_shares.size * log(class_shares.counts[i] / class_shares.size)
            for i in positions
        ),
        0.0,
    )
    terms = (rf"{fraction(class_shares.share(i))} {logarithm} {fraction(class_shares.share(i))}" for i in positions)
    step = step_of(
        "entropy_l_diversity.working.entropy",
        lines(
            rf"H &= -\sum_s p_s {logarithm} p_s",
            rf"&= -\Bigl({abbreviated(terms, len(positions))}\Bigr)",
            rf"&{approx(entropy)}",
        ),
        number=entropy,
    )
    return step, entropy


def _entropy(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    first, entropy = entropy_step(class_shares, r"\ln")
    figure = math.exp(entropy)
    step = step_of(
        "entropy_l_diversity.working.number", rf"l = e^{{{rounded(entropy)}}} {approx(figure)}", number=figure
    )
    return (first, step), figure


def normalized_steps(class_shares: Shares) -> tuple[tuple[Step, ...], float]:
    """Entropy in bits and what the number of values allows: 0 to 1."""
    distinct = len(class_shares.present)
    first, entropy = entropy_step(class_shares, r"\log_2")
    if distinct == 1:
        sentence = text("normalized_entropy_l_diversity.working.one_value")
        only = Step(text("normalized_entropy_l_diversity.working.one_value_title"), sentence, "l = 0", number=0.0)
        return (first, only), 0.0
    figure = min(entropy / math.log2(distinct), 1.0)
    step = step_of(
        "normalized_entropy_l_diversity.working.share",
        rf"l = \frac{{H}}{{\log_2 {whole(distinct)}}} = \frac{{{rounded(entropy)}}}{{{rounded(math.log2(distinct))}}}"
        rf" {approx(figure)}",
        number=figure,
        distinct=distinct,
    )
    return (first, step), figure


def _recursive(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    smallest_l = parameters.recursive_cl_diversity.l
    counts = [class_shares.counts[i] for i in class_shares.present]
    order = step_of(
        "recursive_cl_diversity.working.order",
        lines(rf"r_1 \ge \dots \ge r_{{{len(counts)}}} &= {abbreviated(map(whole, counts), len(counts), COMMA)}"),
    )
    tail = counts[smallest_l - 1 :]
    if not tail:
        step = step_of("recursive_cl_diversity.working.too_few", r"c = \infty", l=smallest_l, values=len(counts))
        return (order, step), math.inf
    ratio = Fraction(counts[0], sum(tail))
    step = step_of(
        "recursive_cl_diversity.working.ratio",
        rf"c = \frac{{r_1}}{{\sum_{{i \ge {smallest_l}}} r_i}} = \frac{{{whole(counts[0])}}}"
        rf"{{{abbreviated(map(whole, tail), len(tail))}}} {equals(ratio)}",
        number=float(ratio),
        l=smallest_l,
    )
    return (order, step), float(ratio)


DISTINCT_L_DIVERSITY = of_worst_class("l", _distinct)
ENTROPY_L_DIVERSITY = of_worst_class("l", _entropy)
NORMALIZED_ENTROPY_L_DIVERSITY = of_worst_class("l", lambda class_shares, _: normalized_steps(class_shares))
RECURSIVE_CL_DIVERSITY = of_worst_class("c", _recursive, largest=True)
