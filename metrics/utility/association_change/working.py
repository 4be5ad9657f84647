"""Change in association, step by step: the pair of columns that changed most, then the mean over all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.texts import text
from metrics.working.latex import abbreviated, approx, lines, rounded
from metrics.working.steps import Cell, Step, short_label, step_of, whole_table

if TYPE_CHECKING:
    from metrics.utility.association_change.measure import AssociationChange

_MEANING = {
    "CRAMER": text("association_change.working.cramer"),
    "PEARSON": text("association_change.working.pearson"),
    "ETA": text("association_change.working.eta"),
}
_FORMULA = {
    "CRAMER": r"V = \sqrt{\frac{\chi^2}{n \min(r - 1, c - 1)}}",
    "PEARSON": r"r = \frac{\sum (x - \bar x)(y - \bar y)}{\sqrt{\sum (x - \bar x)^2 \sum (y - \bar y)^2}}",
    "ETA": r"\eta = \sqrt{\frac{\sum_g n_g (\bar x_g - \bar x)^2}{\sum (x - \bar x)^2}}",
}


def derive(result: AssociationChange, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The association of the pair that changed most, before and after, every pair's change, the mean."""
    pairs = sorted(result.pairs, key=lambda pair: -pair.change)
    worst = pairs[0]
    figures: list[tuple[Cell, ...]] = [
        (text("association_change.working.before"), six_digits(worst.before), worst.records_before),
        (text("association_change.working.after"), six_digits(worst.after), worst.records_after),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(pair.first),
            short_label(pair.second),
            pair.measure.value,
            six_digits(pair.before),
            six_digits(pair.after),
            six_digits(pair.change),
        )
        for pair in pairs
    ]
    terms = abbreviated((rounded(pair.change) for pair in pairs), len(pairs))
    after = f"({rounded(worst.after)})" if worst.after < 0 else rounded(worst.after)
    before = f"({rounded(worst.before)})" if worst.before < 0 else rounded(worst.before)
    return (
        step_of(
            "association_change.working.pair",
            _FORMULA[worst.measure.name],
            rows=figures,
            first=short_label(worst.first),
            second=short_label(worst.second),
            measure=worst.measure.value,
            meaning=_MEANING[worst.measure.name],
        ),
        step_of(
            "association_change.working.change",
            lines(rf"&|{after} - {before}|", rf"&{approx(worst.change)}"),
            number=worst.change,
        ),
        step_of(
            "association_change.working.mean",
            lines(rf"\bar\Delta &= \frac{{{terms}}}{{{len(pairs)}}}", rf"&{approx(result.value)}"),
            rows=rows,
            number=result.value,
            pairs=len(pairs),
        ),
    )


WORKING = whole_table(derive)
