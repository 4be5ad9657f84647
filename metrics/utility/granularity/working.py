"""Granularity, step by step: what each value of a column covers, their mean share, all columns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.texts import text
from metrics.utility.cells.released_cells import wholly_lost
from metrics.utility.precision.working import LOST
from metrics.working.latex import abbreviated, approx, equals, fraction, lines, rounded, whole
from metrics.working.steps import Attribute, Cell, Derivation, Step, Subject, Unit, short_label, step_of, tabulated

if TYPE_CHECKING:
    from metrics.utility.granularity.measure import Granularity


def _column_steps(aggregates: Aggregates, name: str) -> tuple[Step, Step, Fraction]:
    distribution, n_lost = aggregates.distribution(name), wholly_lost(aggregates)
    coverage, column = coverages(aggregates)[name], aggregates.anonymized[name]
    counts, records, size = distribution.totals, distribution.kept + n_lost, coverage.size
    used_codes = np.flatnonzero(counts)
    order = used_codes[np.lexsort((column.rank[used_codes], -counts[used_codes], -coverage.covered[used_codes]))]
    rows: list[tuple[Cell, ...]] = [(LOST, size, size, n_lost)] if n_lost else []
    rows += [(short_label(column.labels[code]), int(coverage.covered[code]), size, int(counts[code])) for code in order]
    values_step = step_of("granularity.working.values", rows=rows, column=short_label(name))
    records_by_cover: dict[int, int] = {size: n_lost} if n_lost else {}
    for code in order:
        n_values = int(coverage.covered[code])
        records_by_cover[n_values] = records_by_cover.get(n_values, 0) + int(counts[code])
    mean = Fraction(sum(n_values * count for n_values, count in records_by_cover.items()), size * records)
    terms = (rf"{whole(count)} \times {whole(n_values)}" for n_values, count in records_by_cover.items())
    step = step_of(
        "granularity.working.column",
        lines(
            rf"\bar s &= \frac{{{abbreviated(terms, len(records_by_cover))}}}{{{whole(records)} \times {whole(size)}}}",
            rf"&= {fraction(mean)}",
            *([] if mean.denominator == 1 else [rf"&{equals(mean)}"]),
        ),
        number=float(mean),
        records=records,
        values=size,
    )
    return values_step, step, mean


def _score_step(result: Granularity, shares: dict[str, float]) -> Step:
    columns = len(shares)
    rows = (
        (
            short_label(name),
            six_digits(share),
            six_digits(1 / result.domains[name]),
            six_digits(_figure(share, result.domains[name])),
        )
        for name, share in shares.items()
    )
    table = tabulated(text("granularity.working.score_columns"), rows, columns)
    figures = [_figure(share, result.domains[name]) for name, share in shares.items()]
    return Step(
        text("working.all_columns_title"),
        text("granularity.working.score"),
        rf"\frac{{{abbreviated(map(rounded, figures), columns)}}}{{{whole(columns)}}} {approx(result.value)}",
        table,
        result.value,
    )


def _figure(share: float, size: int) -> float:
    return 1.0 if size == 1 else min(max(1 - (share - 1 / size) / (1 - 1 / size), 0.0), 1.0)


def derive(result: Granularity, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """What one column's values cover, their mean share, all columns."""
    values_step, mean, share = _column_steps(aggregates, subject.column)
    last = _score_step(result, {**result.shares, subject.column: float(share)})
    return (values_step, mean, last)


def _decisive(result: Granularity, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The column that has lost most."""
    return Subject(0, min(result.shares, key=lambda name: _figure(result.shares[name], result.domains[name])))


WORKING = Derivation(Unit.TABLE, Attribute.QUASI_IDENTIFIER, derive, _decisive)
