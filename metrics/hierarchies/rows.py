"""The rows of a hierarchy's file: delimited text without a header, whose rows need not be equally long."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from metrics.errors import InputError
from metrics.reading.dialect import USUAL, Division, Sample
from metrics.reading.encoding import propose_encoding, text_start
from metrics.reading.source import input_source
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.formula_guard import without_guard
from metrics.tables.read_plan import TEXT


@dataclass(frozen=True)
class Rows:
    """A small table without a header: trimmed cells, and the line of the file that each row starts on."""

    name: str
    cells: list[list[str]] = field(repr=False)
    lines: list[int] = field(repr=False)


def read_rows(source: str | os.PathLike[str] | bytes | BinaryIO, *, name: str | None = None) -> Rows:
    """All rows of a small delimited file without a header; blank lines are left out.

    Delimiter, quote and encoding are detected as by `metrics.propose`. Raises InputError.
    """
    file = input_source(source, name)
    kind, compression = file.kind()
    if kind != TEXT:
        raise InputError("the file is not delimited text", remedy="save it as CSV", file=file.name)
    chunks = partial(file.chunks, compression)
    content = b"".join(chunks())
    encoding = propose_encoding(file.name, chunks, content, True).name
    text = text_start(file.name, chunks, encoding, content, True)

    def plausibility(division: Division) -> tuple[bool, int, int]:
        widths = Counter(len(row.cells) for row in division.rows)
        return not division.fault, len(division.rows) - widths[1], widths[division.width]

    division = max((Sample(text).divide(delimiter, '"') for delimiter in USUAL), key=plausibility)
    if division.fault:
        raise InputError(
            division.fault, remedy="close it, or correct the line", file=file.name, row=division.fault_line
        )
    rows = [row for row in division.rows if len(row.cells) > 1 or row.filled]
    if not rows:
        remedy = "save it as CSV in UTF-8, one row per value, the value first and its most general form last"
        raise InputError("the file is empty", remedy=remedy, file=file.name)
    cells = [[without_guard(cell.strip(BLANKS)) for cell in row.cells] for row in rows]
    return Rows(file.name, cells, [row.line for row in rows])
