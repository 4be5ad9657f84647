"""Change in association, step by step: the pair of columns that changed most, then the mean over all pairs."""

from __future__ import annotations

from metrics.explanations.workings.latex import abbreviated, about, lines, rounded
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
from metrics.utility.association_change import Association, AssociationChange
from metrics.wording import pluralize

_MEANING = {
    Association.CRAMER: (
        "The deviation of the joint counts of the two columns from those of independent columns, 0 to 1."
    ),
    Association.PEARSON: (
        "The linear correlation of the two columns, -1 to 1; a generalized number counts as the middle of its interval."
    ),
    Association.ETA: "The share of the numeric column's variance that the values of the other column explain, 0 to 1.",
}
_FORMULA = {
    Association.CRAMER: r"V = \sqrt{\frac{\chi^2}{n \min(r - 1, c - 1)}}",
    Association.PEARSON: r"r = \frac{\sum (x - \bar x)(y - \bar y)}{\sqrt{\sum (x - \bar x)^2 \sum (y - \bar y)^2}}",
    Association.ETA: r"\eta = \sqrt{\frac{\sum_g n_g (\bar x_g - \bar x)^2}{\sum (x - \bar x)^2}}",
}


def derive(card: Scorecard, subject: Subject) -> Working:
    """The association of the pair that changed most, before and after, every pair's change, the mean."""
    finished(card, "association_change")
    result = card["association_change"].result
    assert isinstance(result, AssociationChange)
    pairs = sorted(result.pairs, key=lambda pair: -pair.change)
    worst = pairs[0]
    both: list[tuple[Cell, ...]] = [
        ("before", f"{worst.before:.6g}", worst.records_before),
        ("after", f"{worst.after:.6g}", worst.records_after),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(pair.first),
            short_label(pair.second),
            pair.measure.value,
            f"{pair.before:.6g}",
            f"{pair.after:.6g}",
            f"{pair.change:.6g}",
        )
        for pair in pairs
    ]
    terms = abbreviated((rounded(pair.change) for pair in pairs), len(pairs))
    after = f"({rounded(worst.after)})" if worst.after < 0 else rounded(worst.after)
    before = f"({rounded(worst.before)})" if worst.before < 0 else rounded(worst.before)
    steps = (
        Step(
            "The pair that changed most",
            f"{short_label(worst.first)} and {short_label(worst.second)}, measured by {worst.measure.value}. "
            f"{_MEANING[worst.measure]} Records with a suppressed cell are left out; if none is left, the "
            "association is 0.",
            _FORMULA[worst.measure],
            tabulated(("table", "association", "records"), both, len(both)),
        ),
        Step(
            "How far it changed",
            "The absolute difference.",
            lines(rf"&|{after} - {before}|", rf"&{about(worst.change)}"),
            number=worst.change,
        ),
        Step(
            "The mean over all pairs",
            f"The mean of the changes of {pluralize(len(pairs), 'pair')} of columns.",
            lines(rf"\bar\Delta &= \frac{{{terms}}}{{{len(pairs)}}}", rf"&{about(result.value)}"),
            tabulated(("column", "other column", "measured by", "before", "after", "change"), rows, len(rows)),
            result.value,
        ),
    )
    return Working("association_change", "the whole table", steps)


def _decisive(card: Scorecard) -> Subject:
    finished(card, "association_change")
    return Subject(0)


ASSOCIATION_CHANGE = Derivation(Unit.TABLE, None, derive, _decisive)
