"""Records that belong together, of one person or one household, with the class of each."""

from __future__ import annotations

import numpy as np

from metrics.aggregates import Aggregates, require_class_sizes, require_records
from metrics.errors import Unavailable
from metrics.tables.table import SUPPRESSED, Integers
from metrics.texts import text


def grouped_records(aggregates: Aggregates, role: str) -> tuple[Integers, Integers]:
    """For each record the number of its group, by the column of that role, and its class, -1 where suppressed.

    `role` is "person" or "household". Raises Unavailable without such a column, or where a record in a class is in no
    group.
    """
    require_class_sizes(aggregates)
    name = getattr(aggregates.roles, role)
    if name is None:
        raise Unavailable(text(f"unavailable.no_{role}"))
    column = require_records(aggregates)[name]
    classes = aggregates.class_of_record()
    nobody = [column.code_of[label] for label in (None, "", SUPPRESSED) if label in column.code_of]
    nameless = int((np.isin(column.codes, nobody) & (classes >= 0)).sum())
    if nameless:
        raise Unavailable(text("unavailable.nameless", records=nameless, role=role, column=name))
    return column.codes.astype(np.int64), classes
