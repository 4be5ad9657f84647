"""δ-disclosure, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.explanations.workings.groups import deciding_shares
from metrics.explanations.workings.l_diversity import values_step
from metrics.explanations.workings.latex import approx, fraction, lines, plain_fraction
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
from metrics.privacy.delta_disclosure import DeltaDisclosure


def _ratio(class_shares: Shares, position: int) -> Fraction:
    return class_shares.share(position) / Fraction(class_shares.totals[position], class_shares.kept)


def _absolute_log2(ratio: Fraction) -> float:
    return abs(math.log2(ratio.numerator / ratio.denominator))


def derive(
    result: DeltaDisclosure, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """The class's values, how far their shares are from the table's, the worst class."""
    class_shares = deciding_shares(aggregates, subject, result.judgement)
    farthest = max(class_shares.present, key=lambda i: max(_ratio(class_shares, i), 1 / _ratio(class_shares, i)))
    p, q, figure = (
        class_shares.share(farthest),
        Fraction(class_shares.totals[farthest], class_shares.kept),
        _absolute_log2(_ratio(class_shares, farthest)),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(class_shares.labels[i]),
            plain_fraction(class_shares.share(i)),
            plain_fraction(Fraction(class_shares.totals[i], class_shares.kept)),
            six_digits(_absolute_log2(_ratio(class_shares, i))),
        )
        for i in class_shares.present
    ]
    distance = step_of(
        "delta_disclosure.working.ratio",
        lines(
            r"\delta &= \max_s \left|\log_2 \frac{p_s}{q_s}\right|",
            rf"&= \left|\log_2 \frac{{{fraction(p)}}}{{{fraction(q)}}}\right|",
            rf"&{approx(figure)}",
        ),
        rows=rows,
        number=figure,
        value=short_label(class_shares.labels[farthest]),
    )
    last = worst_step(aggregates, subject, figure, result.per_class, r"\delta", largest=True)
    return (values_step(aggregates, subject, class_shares), distance, last)


DELTA_DISCLOSURE = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, worst_class(largest=True))
