"""δ-disclosure, step by step."""

from __future__ import annotations

import math
from fractions import Fraction

from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.privacy.classes.shares_in_working import Shares
from metrics.privacy.classes.worst_in_working import of_worst_class
from metrics.working.latex import approx, fraction, lines, plain_fraction
from metrics.working.steps import Cell, Step, short_label, step_of


def _ratio(class_shares: Shares, position: int) -> Fraction:
    return class_shares.share(position) / Fraction(class_shares.totals[position], class_shares.kept)


def _absolute_log2(ratio: Fraction) -> float:
    return abs(math.log2(ratio.numerator / ratio.denominator))


def _distance(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    """How far the shares of the class's values are from the table's."""
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
    return (distance,), figure


WORKING = of_worst_class(r"\delta", _distance, largest=True)
