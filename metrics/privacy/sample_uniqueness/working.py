"""Sample uniqueness, step by step: the classes by size, the records that are alone, their share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.texts import text
from metrics.working.latex import equals, lines, whole
from metrics.working.steps import Step, step_of, tabulated, whole_table


def sizes_step(aggregates: Aggregates) -> Step:
    """How many classes have each size; ends in the classes of one."""
    sizes, counts = np.unique(aggregates.classes.sizes, return_counts=True)
    n_unique = int(counts[0]) if sizes[0] == 1 else 0
    return step_of(
        "sample_uniqueness.working.sizes",
        rf"c_1 = {whole(n_unique)}",
        table=tabulated(text("working.sizes_columns"), zip(sizes.tolist(), counts.tolist(), strict=True), len(sizes)),
        number=n_unique,
    )


def derive(result: Any, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """Classes of one, over all records in classes."""
    first, n_records = sizes_step(aggregates), aggregates.classes.kept
    share = Fraction(int(first.number or 0), n_records)
    last = step_of(
        "sample_uniqueness.working.share",
        lines(
            rf"\frac{{c_1}}{{N}} &= \frac{{{whole(int(first.number or 0))}}}{{{whole(n_records)}}}",
            rf"&{equals(share)}",
        ),
        number=float(share),
        records=n_records,
    )
    return (first, last)


WORKING = whole_table(derive)
