"""SPSS, Stata and SAS files: value labels as cells, or the codes behind them.

pyreadstat reads them in a process of its own, from a pipe: a damaged file can end the process that reads it.
"""

from __future__ import annotations

import ctypes
import datetime
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.arrow import TypedColumns, typed_plan, typed_proposal, typed_table
from metrics.reading.limits import CODES, TEXT, check_columns, check_growth, check_memory, largest_content
from metrics.reading.proposal import Proposal
from metrics.reading.source import InputSource, stream_size
from metrics.tables.core_dumps import prevent_core_dumps
from metrics.tables.free_memory import available_memory
from metrics.tables.read_plan import SAS, SPSS, STATA, ReadPlan
from metrics.tables.table import Table, quoted
from metrics.tables.typed_text import python_text

if sys.platform != "win32":
    import resource

_CELL = 40
"""Bytes of memory that pyreadstat needs for a number."""
_SAMPLE = 1000
"""Records that a proposal is made from."""
_PER_CONTENT_BYTE = 16
"""Bytes of memory that reading may take for a byte of a file's unpacked content."""
_REFUSED = 2
"""Exit status of the reading process where it refuses a file."""
_PR_SET_PDEATHSIG = 1


def propose(file: InputSource, kind: str, chosen_fields: Mapping[str, Any]) -> Proposal:
    """How an SPSS, Stata or SAS file would be read; a note says that codes can be read instead of value labels.

    Raises InputError as `read` does.
    """
    value_labels = typed_plan(kind, chosen_fields).value_labels
    return typed_proposal(file.name, kind, _columns(file, kind, value_labels, _SAMPLE), chosen_fields)


def read(file: InputSource, plan: ReadPlan) -> Table:
    """The table of an SPSS, Stata or SAS file.

    Codes without a label stay codes, and so do the columns of which a label represents several codes. Cells that the
    file itself declares missing are missing. Raises InputError where the file is damaged or needs too much memory.
    """
    return typed_table(file.name, _columns(file, plan.kind, plan.value_labels), plan)


def _columns(file: InputSource, kind: str, value_labels: bool, max_records: int = 0) -> TypedColumns:
    """The columns of a file, at most its first records (0: all of them)."""
    with file.raw() as stream:
        check_memory(file.name, TEXT * stream_size(stream))
        content = stream.read()
    completed = subprocess.run(
        [sys.executable, "-P", "-m", __name__, kind, str(int(value_labels)), str(max_records)],
        input=content,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        check=False,
    )
    if completed.returncode == _REFUSED:
        raise InputError(**json.loads(completed.stdout), file=file.name)
    if completed.returncode != 0:
        raise InputError(
            "the SPSS, Stata or SAS file is damaged, encrypted or of an unknown version",
            remedy="save it again, or export it as CSV",
            file=file.name,
        )
    table = pa.ipc.open_stream(completed.stdout).read_all()
    notes = json.loads(table.schema.metadata[b"notes"])
    return TypedColumns(list(table.column_names), list(table.columns), tuple(notes))


def read_columns(content: bytes, kind: str, value_labels: bool, max_records: int) -> pa.Table:
    """The columns of a file as text, with the notes in the metadata of the schema."""
    import pyreadstat

    reader: Any = {STATA: pyreadstat.read_dta, SPSS: pyreadstat.read_por, SAS: pyreadstat.read_sas7bdat}[kind]
    if content.startswith(b"$FL"):
        reader = pyreadstat.read_sav
    elif kind == SAS and content.startswith(b"HEADER"):
        reader = pyreadstat.read_xport
    options = {"user_missing": True} if reader in (pyreadstat.read_dta, pyreadstat.read_sav) else {}
    _, metadata = reader(io.BytesIO(content), metadataonly=True, output_format="dict", **options)
    _check_size(metadata, len(content), max_records)
    cells, _ = reader(io.BytesIO(content), output_format="dict", row_limit=max_records)
    labels_by_column = metadata.variable_value_labels
    ambiguous_columns = {name for name, labels in labels_by_column.items() if len(set(labels.values())) < len(labels)}
    used_labels = {
        name: labels for name, labels in labels_by_column.items() if value_labels and name not in ambiguous_columns
    }
    columns = [_texts(cells.pop(name), used_labels.get(name, {}), name) for name in metadata.column_names]
    schema = pa.schema(
        [pa.field(name, column.type) for name, column in zip(metadata.column_names, columns, strict=True)],
        {"notes": json.dumps(_notes(metadata, used_labels, ambiguous_columns, value_labels))},
    )
    return pa.Table.from_arrays(columns, schema=schema)


def _notes(metadata: Any, used_labels: Mapping[str, Any], ambiguous_columns: set[str], value_labels: bool) -> list[str]:
    conditions = {
        "value labels as cells; the codes behind them can be read instead": used_labels,
        "codes as cells; value labels can be read instead": metadata.variable_value_labels and not value_labels,
        f"codes kept where a value label stands for several: {quoted(sorted(ambiguous_columns))}": ambiguous_columns
        and value_labels,
        "cells that the file declares missing are missing": any(metadata.missing_ranges.values())
        or any(metadata.missing_user_values.values()),
    }
    return [note for note, holds in conditions.items() if holds]


def _check_size(metadata: Any, size: int, max_records: int) -> None:
    """Raise InputError where the file says that it holds more than fits into memory, before a record is read."""
    check_columns("", metadata.number_columns)
    # A portable file does not say how many records it has; each cell takes at least two bytes.
    rows = size // (2 * max(metadata.number_columns, 1)) if metadata.number_rows is None else metadata.number_rows
    check_growth("", size, rows * sum(map(int, metadata.variable_storage_width.values())))
    rows = min(rows, max_records or rows)
    widths = (max(int(width), _CELL) for width in metadata.variable_storage_width.values())
    check_memory("", rows * (CODES * metadata.number_columns + sum(widths)))


def _texts(cells: Sequence[Any], labels: Mapping[Any, str], column: str) -> pa.Array:
    with suppress(TypeError, ValueError):
        return pa.array([_text(cell, labels) for cell in cells], pa.string()).dictionary_encode()
    raise InputError("the column holds values that have no text", remedy="leave it out", column=column)


def _text(cell: Any, labels: Mapping[Any, str]) -> str | None:
    if labels and not isinstance(cell, datetime.date | datetime.time) and cell in labels:
        return labels[cell]
    return python_text(cell)


def _end_with_parent() -> None:
    """Have the system end this process with the one that waits for it, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(size: int) -> None:
    """Allow as much memory as a file of this size may need: a compressed one may hold more than it declares."""
    if sys.platform != "win32":
        needed, available = _PER_CONTENT_BYTE * largest_content(size), available_memory()
        memory = needed if available is None else min(needed, available)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _main(kind: str, value_labels: str, max_records: str) -> int:
    """Read the file on standard input, and write its columns to standard output as an Arrow stream."""
    output = sys.stdout.buffer
    prevent_core_dumps()
    _end_with_parent()
    content = sys.stdin.buffer.read()
    _limit_memory(len(content))
    try:
        table = read_columns(content, kind, value_labels == "1", int(max_records))
    except InputError as error:
        refusal = {"problem": error.problem, "remedy": error.remedy, "column": error.column}
        output.write(json.dumps(refusal).encode())
        return _REFUSED
    with pa.ipc.new_stream(output, table.schema) as writer:
        writer.write_table(table)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
