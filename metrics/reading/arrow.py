"""Parquet files and tables in memory (pandas, Polars, Arrow)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.checks import assemble, names_by_plan, refuse_no_records
from metrics.reading.limits import check_columns, check_memory
from metrics.reading.parquet_footer import columns_as_differences, parquet_memory
from metrics.reading.proposal import Proposal, Question
from metrics.reading.source import InputSource
from metrics.tables.frames import frame_columns
from metrics.tables.read_plan import MEMORY, ReadPlan
from metrics.tables.table import Column, Table
from metrics.tables.typed_text import arrow_text, is_text

ROW_NUMBERS = re.compile(r"__index_level_\d+__")
"""Names that pandas gives to the row numbers that it stores with a filtered table; they are not columns of it."""
_FIELDS = ("decimal", "missing", "names", "omitted_columns", "value_labels")
"""Fields of a plan that files with typed cells have."""
_SAMPLE = 10_000
"""Records that a proposal is made from."""
_PREVIEW, _LONGEST_LINE = 10, 500


@dataclass(frozen=True)
class TypedColumns:
    """The columns of a file or frame whose cells have types, by position, and what was taken for granted."""

    names: list[str]
    columns: list[pa.ChunkedArray]
    notes: tuple[str, ...] = ()


def propose(file: InputSource, kind: str, chosen_fields: Mapping[str, Any]) -> Proposal:
    """How a Parquet file would be read; nothing about it is a question. Raises InputError as `read` does."""
    return typed_proposal(file.name, kind, _parquet(file, _SAMPLE), chosen_fields)


def read(file: InputSource, plan: ReadPlan) -> Table:
    """The table of a Parquet file, without row numbers that pandas stored.

    Raises InputError where the file is damaged or encrypted, needs more memory than there is, or has a column without
    a text.
    """
    return typed_table(file.name, _parquet(file), plan)


def read_frame(source: Any, name: str, chosen_fields: Mapping[str, Any]) -> Table:
    """The table of a data frame; a pandas index is not a column. Raises InputError."""
    plan = typed_plan(MEMORY, chosen_fields)
    plan.check(name)
    return typed_table(name, TypedColumns(*frame_columns(source, name)), plan, decimal_known="decimal" in chosen_fields)


def typed_plan(kind: str, chosen_fields: Mapping[str, Any]) -> ReadPlan:
    """The plan for a file whose cells have types; choices that such a file does not have are ignored."""
    return ReadPlan(kind, **{field: chosen_fields[field] for field in _FIELDS if field in chosen_fields})


def typed_proposal(name: str, kind: str, sample: TypedColumns, chosen_fields: Mapping[str, Any]) -> Proposal:
    """The proposal for a file whose first records are given."""
    table = typed_table(name, sample, typed_plan(kind, chosen_fields), decimal_known="decimal" in chosen_fields)
    return preview_of(
        table, [table.names, *(["" if cell is None else cell for cell in row] for row in table.head(_PREVIEW))]
    )


def preview_of(table: Table, lines: Iterable[Sequence[str]], questions: Sequence[Question] = ()) -> Proposal:
    """The proposal that reads a table, with its first lines as cells."""
    return Proposal(
        name=table.name,
        plan=table.source.plan,
        questions=tuple(questions),
        first_lines=tuple("\t".join(cells)[:_LONGEST_LINE] for cells in lines),
        names=table.names,
        preview=tuple(map(tuple, table.head(_PREVIEW))),
        notes=table.source.notes,
    )


def typed_table(name: str, typed: TypedColumns, plan: ReadPlan, *, decimal_known: bool = True) -> Table:
    """The table of typed columns by a plan. Raises InputError where it has no records, or a column has no text."""
    names, notes = names_by_plan(plan, typed.names, name)
    cells = [column for position, column in enumerate(typed.columns, 1) if position not in plan.omitted_columns]
    typed.columns.clear()
    if not len(cells[0]):
        raise refuse_no_records(name, "columns")
    columns = [Column.from_arrow(column, arrow_text(cells.pop(0), name, column)) for column in names]
    return assemble(name, columns, plan, (*typed.notes, *notes), decimal_known=decimal_known)


def _parquet(file: InputSource, max_records: int | None = None) -> TypedColumns:
    import pyarrow.parquet as pq

    with file.raw() as stream:
        if stream.read(4) == b"PARE":
            raise InputError("the Parquet file is encrypted", remedy="save it decrypted", file=file.name)
        stream.seek(0)
        try:
            parquet = pq.ParquetFile(stream)
            check_columns(file.name, parquet.metadata.num_columns)
            if max_records is None:
                check_memory(file.name, parquet_memory(parquet.metadata))
            packed = columns_as_differences(parquet.metadata)
            text_columns = [field.name for field in parquet.schema_arrow if is_text(field.type)]
            # Arrow has no dictionaries of texts that are packed as differences.
            numbered_columns = [name for name in text_columns if name not in packed]
            parquet = pq.ParquetFile(stream, read_dictionary=numbered_columns)
            if max_records is None:
                table = parquet.read()
            else:
                batches = parquet.iter_batches(max_records)
                table = pa.Table.from_batches([batch for batch in [next(batches, None)] if batch], parquet.schema_arrow)
        except MemoryError:  # which Arrow's is, too
            raise
        except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError):
            remedy = "export or download it again"
            raise InputError("the Parquet file is damaged or incomplete", remedy=remedy, file=file.name) from None
    indices = [index for index, name in enumerate(table.column_names) if not ROW_NUMBERS.fullmatch(name)]
    return TypedColumns([table.column_names[index] for index in indices], [table.column(index) for index in indices])
