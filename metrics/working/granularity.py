"""Granularity, step by step: what each value of a column covers, their mean share, all columns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.scorecard import Scorecard
from metrics.utility.ambiguity import coverages
from metrics.utility.cells import wholly_lost
from metrics.utility.granularity import Granularity
from metrics.wording import counted
from metrics.working.latex import abbreviated, about, comes_to, fraction, lines, rounded, whole
from metrics.working.precision import LOST
from metrics.working.steps import (
    Attribute,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    brief,
    finished,
    tabulated,
)


def _column_steps(card: Scorecard, name: str) -> tuple[Step, Step, Fraction]:
    held, lost = card.evidence.distribution(name), wholly_lost(card.evidence)
    covered, column = coverages(card.evidence)[name], card.evidence.anonymized[name]
    counts, records, size = held.totals, held.kept + lost, covered.size
    used = np.flatnonzero(counts)
    order = used[np.lexsort((column.rank[used], -counts[used], -covered.covered[used]))]
    rows: list[tuple[Cell, ...]] = [(LOST, size, size, lost)] if lost else []
    rows += [(brief(column.labels[code]), int(covered.covered[code]), size, int(counts[code])) for code in order]
    each = Step(
        "What each value covers",
        f"How many of the possible values of {brief(name)} a value may stand for. Records that are suppressed or "
        "deleted may hold any.",
        table=tabulated(("value", "covers", "of", "records"), rows, len(rows)),
    )
    by_cover: dict[int, int] = {size: lost} if lost else {}
    for code in order:
        covers = int(covered.covered[code])
        by_cover[covers] = by_cover.get(covers, 0) + int(counts[code])
    mean = Fraction(sum(covers * number for covers, number in by_cover.items()), size * records)
    terms = (rf"{whole(number)} \times {whole(covers)}" for covers, number in by_cover.items())
    step = Step(
        "The mean share of the column",
        f"Records times what they cover, added up over all {counted(records, 'record')}, as a share of "
        f"{counted(size, 'possible value')}.",
        lines(
            rf"\bar s &= \frac{{{abbreviated(terms, len(by_cover))}}}{{{whole(records)} \times {whole(size)}}}",
            rf"&= {fraction(mean)}",
            *([] if mean.denominator == 1 else [rf"&{comes_to(mean)}"]),
        ),
        number=float(mean),
    )
    return each, step, mean


def _score_step(result: Granularity, shares: dict[str, float]) -> Step:
    title, columns = "All quasi-identifiers", len(shares)
    rows = (
        (brief(name), f"{share:.6g}", f"{1 / result.domains[name]:.6g}", f"{result.attributes[name]:.6g}")
        for name, share in shares.items()
    )
    table = tabulated(("column", "mean share", "least share", "granularity"), rows, columns)
    figures = [figure or 0.0 for figure in result.attributes.values()]
    return Step(
        title,
        "A column's figure sets its mean share between the least possible, where every value covers itself alone, and "
        "1, where it covers all. The score is the mean over the columns.",
        rf"\frac{{{abbreviated(map(rounded, figures), columns)}}}{{{whole(columns)}}} {about(result.value)}",
        table,
        result.value,
    )


def derive(card: Scorecard, subject: Subject) -> Working:
    """What one column's values cover, their mean share, all columns. Raises Unavailable."""
    result = _result(card)
    each, mean, share = _column_steps(card, subject.column)
    last = _score_step(result, {**result.shares, subject.column: float(share)})
    return Working("granularity", subject.column, (each, mean, last))


def _result(card: Scorecard) -> Granularity:
    finished(card, "granularity")
    result = card["granularity"].result
    assert isinstance(result, Granularity)
    return result


def _decisive(card: Scorecard) -> Subject:
    """The column that has lost most."""
    figures = _result(card).attributes
    return Subject(0, min(figures, key=lambda name: figures[name] or 0.0))


GRANULARITY = Derivation(Unit.TABLE, Attribute.QUASI_IDENTIFIER, derive, _decisive)
