"""Facts that an engine needs to read a text file by a reading plan: its header, and how many records there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from metrics.reading.source import InputSource
from metrics.reading.strict import (
    HEAD,
    PlannedFile,
    RecordRange,
    Scan,
    count_cell_by_cell,
    locate_records,
    omitted_cells,
)
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.read_plan import ReadPlan


@dataclass(frozen=True)
class TextFile:
    """A text file to be read by an engine."""

    body: RecordRange
    records: int
    lines_in_cells: bool
    """Whether line ends may occur within quotes."""


def examine(source: InputSource, plan: ReadPlan) -> TextFile:
    """Find the header of a text file and count its records, in little memory.

    Raises InputError where bytes are not of the encoding, or quotes are not those of a regular file.
    """
    plan.check(source.name)
    file = PlannedFile(source, plan)
    head = b""
    for chunk in file.chunks():
        head += chunk
        if len(head) >= HEAD:
            break
    body = locate_records(file, head, complete=len(head) < HEAD)
    scan = Scan(file, body.width)
    n_read = 0
    for chunk in file.chunks():
        scan.add(chunk[max(body.start - n_read, 0) :])
        n_read += len(chunk)
    scan.finish()
    records = scan.records
    if not scan.sound:
        in_memory_file = PlannedFile(replace(source, in_memory=True), plan)
        records = count_cell_by_cell(in_memory_file, body, b"".join(in_memory_file.chunks())[body.start :])
    lines_in_cells = scan.quotes > 0 and scan.lines_in_cells
    unnamed_positions = [
        position for position in plan.omitted_columns if plan.header_lines and not body.header[position - 1]
    ]
    if unnamed_positions:
        _require_blank(file, body, unnamed_positions, lines_in_cells)
    return TextFile(body, records, lines_in_cells)


def _require_blank(file: PlannedFile, body: RecordRange, positions: Sequence[int], lines_in_cells: bool) -> None:
    """Raise InputError where a column without a name, which the plan leaves out, contains a cell."""
    with file.source.raw() as stream:
        batches = pa.csv.open_csv(
            pa.CompressedInputStream(stream, "gzip") if file.plan.compression else stream,
            read_options=pa.csv.ReadOptions(
                column_names=[str(index + 1) for index in range(body.width)],
                skip_rows=body.first - 1,
                encoding=file.plan.encoding or "utf-8",
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=file.separator, quote_char=file.plan.quote or False, newlines_in_values=lines_in_cells
            ),
            convert_options=pa.csv.ConvertOptions(
                include_columns=list(map(str, positions)), column_types=dict.fromkeys(map(str, positions), pa.string())
            ),
        )
        for batch, place in ((batch, position) for batch in batches for position in positions):
            if pc.any(pc.not_equal(pc.utf8_trim(batch.column(str(place)), BLANKS), "")).as_py():
                raise omitted_cells(file.source.name, place)
