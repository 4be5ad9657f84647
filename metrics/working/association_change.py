"""Change in association, step by step: the pair of columns that changed most, then the mean over all pairs."""

from __future__ import annotations

from metrics.scorecard import Scorecard
from metrics.utility.association_change import Association, AssociationChange
from metrics.wording import counted
from metrics.working.latex import abbreviated, about, lines, rounded
from metrics.working.steps import Cell, Derivation, Step, Subject, Unit, Working, brief, finished, tabulated

_MEANING = {
    Association.CRAMER: "How far the counts of the two columns' values together are from those of unrelated columns, "
    "0 to 1.",
    Association.PEARSON: "How far the two numbers rise and fall together, -1 to 1; generalized numbers count by the "
    "middle of what they cover.",
    Association.ETA: "How much of the number's spread lies between the groups that the other column makes, 0 to 1.",
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
            brief(pair.first),
            brief(pair.second),
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
            f"{brief(worst.first)} and {brief(worst.second)}, by {worst.measure.value}. {_MEANING[worst.measure]} "
            "Records with a suppressed cell are left out; where none is left it is 0.",
            _FORMULA[worst.measure],
            tabulated(("table", "association", "records"), both, len(both)),
        ),
        Step(
            "How far it changed",
            "The difference, whichever way it goes.",
            lines(rf"&|{after} - {before}|", rf"&{about(worst.change)}"),
            number=worst.change,
        ),
        Step(
            "The mean over all pairs",
            f"The changes of {counted(len(pairs), 'pair')} of columns, added and divided by their number.",
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
