"""A table whose records take over other labels, as every repair makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from metrics.config.roles import Roles
from metrics.counting.grouping import DELETED
from metrics.identifiers.released import suppress_identifiers
from metrics.tables.table import Column, Integers, Table


def relabelled(table: Table, roles: Roles, labels: Mapping[str, Sequence[str | None]], number: Integers) -> Table:
    """The table with the labels of each record's number in these columns; DELETED leaves a record as it is.

    Identifiers become `*`, as no release may show them.
    """
    changes = number != DELETED
    columns: list[Column] = []
    for column in table.columns:
        if column.name in labels:
            new = pa.array(labels[column.name], pa.string())
            codes = column.codes + np.int32(len(new))
            codes[changes] = number[changes]
            column = Column.from_codes(column.name, codes, pa.concat_arrays([new, column.values]), column.decimal)
        columns.append(column)
    return suppress_identifiers(Table(table.name, tuple(columns), table.rows, table.source), roles)
