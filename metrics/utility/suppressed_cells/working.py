"""Missing and suppressed cells, step by step: their number in each column, their share of all cells."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.texts import text
from metrics.working.latex import abbreviated, equals, fraction, lines, whole
from metrics.working.steps import Step, short_label, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.utility.suppressed_cells.measure import SuppressedCells


def derive(result: SuppressedCells, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """Empty cells by column, and their share of all."""
    names = list(result.suppressed)
    empty = {name: result.suppressed[name] + result.missing[name] for name in names}
    rows = (
        (short_label(name), result.suppressed[name], result.missing[name], six_digits(number / result.records))
        for name, number in empty.items()
    )
    total, cells = sum(empty.values()), result.records * len(names)
    count = step_of(
        "suppressed_cells.working.count",
        rf"{abbreviated(map(whole, empty.values()), len(empty))}" + (rf" = {whole(total)}" if len(empty) > 1 else ""),
        table=tabulated(text("suppressed_cells.working.count_columns"), rows, len(names)),
        number=total,
        lost=result.lost,
    )
    share = Fraction(total, cells)
    last = step_of(
        "suppressed_cells.working.share",
        lines(
            rf"\frac{{{whole(total)}}}{{{whole(result.records)} \times {whole(len(names))}}} &= {fraction(share)}",
            *([] if share.denominator == 1 else [rf"&{equals(share)}"]),
        ),
        number=float(share),
        records=result.records,
        columns=len(names),
        cells=cells,
    )
    return (count, last)


WORKING = whole_table(derive)
