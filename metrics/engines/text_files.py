"""What an engine needs to know to read a text file by a reading plan: its header, and how many records there are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from metrics.reading.source import Origin
from metrics.reading.strict import HEAD, Passage, PlannedFile, Scan, count_cell_by_cell, located
from metrics.tables.read_plan import ReadPlan


@dataclass(frozen=True)
class TextFile:
    """A text file to be read by an engine."""

    body: Passage
    records: int
    lines_in_cells: bool
    """Whether line ends may stand within quotes."""


def examine(origin: Origin, plan: ReadPlan) -> TextFile:
    """Find the header of a text file and count its records, in little memory.

    Raises InputError where bytes are not of the encoding, or quotes are not those of a regular file.
    """
    plan.check(origin.name)
    file = PlannedFile(origin, plan)
    head = b""
    for chunk in file.chunks():
        head += chunk
        if len(head) >= HEAD:
            break
    body = located(file, head, complete=len(head) < HEAD)
    scan = Scan(file, body.width)
    skipped = 0
    for chunk in file.chunks():
        scan.add(chunk[max(body.start - skipped, 0) :])
        skipped += len(chunk)
    scan.finish()
    records = scan.records
    if not scan.sound:
        kept = PlannedFile(replace(origin, in_memory=True), plan)
        records = count_cell_by_cell(kept, body, b"".join(kept.chunks())[body.start :])
    return TextFile(body, records, scan.quotes > 0 and scan.lines > records)
