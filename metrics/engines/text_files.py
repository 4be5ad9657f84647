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
from metrics.tables.encoding import BLANKS
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
    skipped = 0
    for chunk in file.chunks():
        scan.add(chunk[max(body.start - skipped, 0) :])
        skipped += len(chunk)
    scan.finish()
    records = scan.records
    if not scan.sound:
        kept = PlannedFile(replace(source, in_memory=True), plan)
        records = count_cell_by_cell(kept, body, b"".join(kept.chunks())[body.start :])
    lines_in_cells = scan.quotes > 0 and scan.lines_in_cells
    unnamed = [place for place in plan.omitted_columns if plan.header_lines and not body.header[place - 1]]
    if unnamed:
        _require_blank(file, body, unnamed, lines_in_cells)
    return TextFile(body, records, lines_in_cells)


def _require_blank(file: PlannedFile, body: RecordRange, places: Sequence[int], lines_in_cells: bool) -> None:
    """Raise InputError where a column without a name, which the plan leaves out, contains a cell."""
    with file.source.raw() as stream:
        batches = pa.csv.open_csv(
            pa.CompressedInputStream(stream, "gzip") if file.plan.compression else stream,
            read_options=pa.csv.ReadOptions(
                column_names=[str(place + 1) for place in range(body.width)],
                skip_rows=body.first - 1,
                encoding=file.plan.encoding or "utf-8",
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=file.separator, quote_char=file.plan.quote or False, newlines_in_values=lines_in_cells
            ),
            convert_options=pa.csv.ConvertOptions(
                include_columns=list(map(str, places)), column_types=dict.fromkeys(map(str, places), pa.string())
            ),
        )
        for batch, place in ((batch, place) for batch in batches for place in places):
            if pc.any(pc.not_equal(pc.utf8_trim(batch.column(str(place)), BLANKS), "")).as_py():
                raise omitted_cells(file.source.name, place)
