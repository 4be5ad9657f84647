"""Small tables, for the metrics package and for the oracle alike."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from metrics import Roles, Table, score
from metrics.scoring.scorecard import Score
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Column, Source

Cells = Sequence[str | None]


def table(columns: Mapping[str, Cells], name: str = "table") -> Table:
    """A Table of these cells; unlike `read_table` it may have no records."""
    made = tuple(Column.from_arrow(column, pa.array(cells, pa.string())) for column, cells in columns.items())
    return Table(name, made, len(made[0].codes) if made else 0, Source(ReadPlan("memory")))


def written(text: str, name: str = "table") -> Table:
    """A table written as text: the header, then one record per line, cells apart by blanks, `-` for missing."""
    header, *rows = (line.split() for line in text.strip().splitlines())
    cells = {column: [None if row[i] == "-" else row[i] for row in rows] for i, column in enumerate(header)}
    return table(cells, name)


def score_of(metric_id: str, before: Mapping[str, Cells], after: Mapping[str, Cells]) -> Score:
    """A metric's score where every column is a quasi-identifier."""
    return score(table(after), Roles(list(after)), original=table(before), metrics=[metric_id])[metric_id]


def cells_of(column: Column) -> list[str | None]:
    """Every cell of a column."""
    return [column.labels[code] for code in column.codes]


def columns_of(content: Table) -> dict[str, list[str | None]]:
    """Every cell of a table, by column."""
    return {column.name: cells_of(column) for column in content.columns}


def records(columns: Mapping[str, Cells]) -> list[dict[str, str | None]]:
    """The records of columns of cells, as the oracle takes them."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
