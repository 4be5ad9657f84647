"""The four readings of l-diversity, step by step."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from metrics.explanations.workings.groups import deciding_shares
from metrics.explanations.workings.latex import (
    COMMA,
    abbreviated,
    about,
    as_text,
    comes_to,
    fraction,
    lines,
    rounded,
    whole,
)
from metrics.explanations.workings.shares import Shares, class_share_table
from metrics.explanations.workings.steps import (
    Attribute,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
    finished,
    short_label,
)
from metrics.explanations.workings.worst import worst_class, worst_step
from metrics.privacy.l_diversity import Diversity
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.wording import pluralize


def values_step(card: Scorecard, subject: Subject, of: Shares) -> Step:
    """The class's values of the attribute, counted."""
    name, size, column = class_name(card, subject.index), class_size(card, subject.index), short_label(subject.column)
    return Step(
        text("working.values_title"),
        text("working.values_of_part", name=name, size=size, column=column, part=of.known)
        if of.known
        else text("working.values", name=name, size=size, column=column),
        table=class_share_table(of),
    )


def _distinct(of: Shares, card: Scorecard) -> tuple[tuple[Step, ...], float]:
    present = of.present
    names = abbreviated((as_text(of.labels[i]) for i in present), len(present), COMMA)
    step = Step(
        "Count the different values",
        "An attacker who knows a person's class still has to choose among this many values.",
        lines(rf"l &= |\{{ {names} \}}|", rf"&= {whole(len(present))}"),
        number=len(present),
    )
    return (step,), len(present)


def entropy_step(of: Shares, logarithm: str) -> tuple[Step, float]:
    """Entropy of the class's values, by `\\ln` or `\\log_2`."""
    log = math.log2 if logarithm == r"\log_2" else math.log
    present = of.present
    entropy = max(-math.fsum(of.counts[i] / of.size * log(of.counts[i] / of.size) for i in present), 0.0)
    terms = (rf"{fraction(of.share(i))} {logarithm} {fraction(of.share(i))}" for i in present)
    step = Step(
        "Entropy of the values",
        "Entropy is 0 if all records share one value, and largest if all values are equally frequent.",
        lines(
            rf"H &= -\sum_s p_s {logarithm} p_s",
            rf"&= -\Bigl({abbreviated(terms, len(present))}\Bigr)",
            rf"&{about(entropy)}",
        ),
        number=entropy,
    )
    return step, entropy


def _entropy(of: Shares, card: Scorecard) -> tuple[tuple[Step, ...], float]:
    first, entropy = entropy_step(of, r"\ln")
    figure = math.exp(entropy)
    step = Step(
        "The effective number of values",
        "The exponential of the entropy is the number of equally frequent values with the same entropy.",
        rf"l = e^{{{rounded(entropy)}}} {about(figure)}",
        number=figure,
    )
    return (first, step), figure


def normalized_steps(of: Shares) -> tuple[tuple[Step, ...], float]:
    """Entropy in bits and what the number of values allows: 0 to 1."""
    distinct = len(of.present)
    first, entropy = entropy_step(of, r"\log_2")
    if distinct == 1:
        only = Step(
            "One value only",
            "All records of the class share one value: there is no uncertainty, and l is 0.",
            "l = 0",
            number=0.0,
        )
        return (first, only), 0.0
    figure = min(entropy / math.log2(distinct), 1.0)
    step = Step(
        "As a share of the maximum",
        f"With {pluralize(distinct, 'different value')} the entropy is at most the logarithm of {distinct:,}.",
        rf"l = \frac{{H}}{{\log_2 {whole(distinct)}}} = \frac{{{rounded(entropy)}}}{{{rounded(math.log2(distinct))}}}"
        rf" {about(figure)}",
        number=figure,
    )
    return (first, step), figure


def _recursive(of: Shares, card: Scorecard) -> tuple[tuple[Step, ...], float]:
    least = card.parameters.recursive_cl_diversity.l
    counts = [of.counts[i] for i in of.present]
    order = Step(
        "Sort the counts",
        "The most frequent value comes first: it is an attacker's best guess.",
        lines(
            rf"r_1 \ge \dots \ge r_{{{len(counts)}}} &= {abbreviated(map(whole, counts), len(counts), COMMA)}",
        ),
    )
    tail = counts[least - 1 :]
    if not tail:
        step = Step(
            "Too few values",
            f"At l = {least}, at least {least} different values are required; the class has {len(counts)}, so the "
            "definition is not satisfied for any c.",
            r"c = \infty",
        )
        return (order, step), math.inf
    ratio = Fraction(counts[0], sum(tail))
    step = Step(
        "Compare the most frequent value with the rare ones",
        f"The ratio of the most frequent value to the values of rank {least} and below together (l = {least}).",
        rf"c = \frac{{r_1}}{{\sum_{{i \ge {least}}} r_i}} = \frac{{{whole(counts[0])}}}"
        rf"{{{abbreviated(map(whole, tail), len(tail))}}} {comes_to(ratio)}",
        number=float(ratio),
    )
    return (order, step), float(ratio)


def _derivation(
    metric_id: str, symbol: str, middle: Callable[[Shares, Scorecard], tuple[tuple[Step, ...], float]]
) -> Derivation:
    largest = symbol == "c"

    def per_class(card: Scorecard) -> Diversity:
        finished(card, metric_id)
        result = card[metric_id].result
        assert isinstance(result, Diversity)
        return result

    def derive(card: Scorecard, subject: Subject) -> Working:
        result = per_class(card)
        of = deciding_shares(card, subject, result.judgement)
        steps, figure = middle(of, card)
        last = worst_step(card, subject, figure, result.per_class, symbol, largest=largest)
        return Working(metric_id, class_name(card, subject.index), (values_step(card, subject, of), *steps, last))

    def decisive(card: Scorecard) -> Subject:
        return worst_class(per_class(card).per_class, largest=largest)

    return Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, decisive)


DISTINCT_L_DIVERSITY = _derivation("distinct_l_diversity", "l", _distinct)
ENTROPY_L_DIVERSITY = _derivation("entropy_l_diversity", "l", _entropy)
NORMALIZED_ENTROPY_L_DIVERSITY = _derivation("normalized_entropy_l_diversity", "l", lambda of, _: normalized_steps(of))
RECURSIVE_CL_DIVERSITY = _derivation("recursive_cl_diversity", "c", _recursive)
