"""The files of one table: a file, a folder or a pattern; all of one format, with the same columns and reading plan."""

from __future__ import annotations

import codecs
import glob
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from metrics.engines.text_files import TextFile, examine
from metrics.errors import InputError
from metrics.reading import propose, require_answered
from metrics.reading.arrow import ROW_NUMBERS
from metrics.reading.checks import names_by_plan
from metrics.reading.source import input_source, streamed
from metrics.tables.read_plan import PARQUET, TEXT, ReadPlan

SUFFIXES = ((".parquet", ".pq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz"))
"""File name endings of tables, by format."""
_ENCODINGS = {"utf-8": "utf-8", "iso8859-1": "latin-1"}
"""The engines' names of the encodings they support, by Python's name."""


@dataclass(frozen=True)
class Files:
    """The files of one table, in the order of their records."""

    name: str
    """Name of the file, folder or pattern, for messages."""
    paths: tuple[Path, ...]
    plan: ReadPlan
    notes: tuple[str, ...]
    names: tuple[str, ...]
    """Column names of the table."""
    width: int
    """Number of columns in the files."""
    column_positions: tuple[int, ...]
    """Positions in the files, from 0, of the table's columns."""
    first_record_line: int = 1
    """Line of the first record in text files."""
    records: int | None = None
    """Number of records in text files; None for Parquet."""
    lines_in_cells: bool = False
    """Whether quoted cells may contain line breaks."""

    @property
    def encoding(self) -> str:
        """The engines' name of the encoding of text files."""
        return _ENCODINGS[codecs.lookup(self.plan.encoding or "utf-8").name]

    @property
    def separator(self) -> str:
        """The delimiter; for a single column, a character that does not occur in text."""
        return self.plan.delimiter or "\x1f"


PlanSource = ReadPlan | Callable[[Path], ReadPlan] | None
"""One plan for all files of a table, a function that returns the plan of a file, or None to detect it."""


def find_files(path: str | Path, plan: PlanSource, choices: Mapping[str, Any]) -> Files:
    """Find the files of a table, and the plan by which they are read.

    Raises InputError if there is no file, its plan is ambiguous, the files differ in format, columns or plan, or
    engines do not support the plan.
    """
    paths = _paths(path)
    name = Path(path).name
    kinds = {input_source(one, None).kind()[0] for one in paths}
    if not kinds <= {PARQUET, TEXT}:
        raise InputError(
            "engines read Parquet and CSV files only", remedy="save the table in one of these formats", file=name
        )
    if len(kinds) > 1:
        raise InputError(
            "the folder holds files of several formats", remedy="choose one format, as in folder/*.parquet", file=name
        )
    shared, notes = _plan(paths[:1] if kinds == {PARQUET} else paths, plan, choices)
    if kinds != {shared.kind}:
        raise InputError(
            "the reading plan is for another file format", remedy="read the file without the plan", file=name
        )
    return _parquet(name, paths, shared, notes) if shared.kind == PARQUET else _text_files(name, paths, shared, notes)


def _plan(paths: Sequence[Path], plan: PlanSource, choices: Mapping[str, Any]) -> tuple[ReadPlan, tuple[str, ...]]:
    """The plan that all files share, and the notes on the first. Raises InputError if a plan is ambiguous."""
    if isinstance(plan, ReadPlan):
        return replace(plan, **choices), ()
    shared: ReadPlan | None = None
    notes: tuple[str, ...] = ()
    for path in paths:
        if plan is None:
            proposal = propose(streamed(path), **choices)
            require_answered(proposal)
            own, notes = proposal.plan, notes or proposal.notes
        else:
            own = plan(path)
        if own != (shared or own):
            raise _different(paths[0], path)
        shared = own
    assert shared is not None
    return shared, notes


def _paths(path: str | Path) -> list[Path]:
    place = Path(path)
    if place.is_dir():
        for suffixes in SUFFIXES:
            files = sorted(file for file in place.rglob("*") if file.is_file() and file.name.lower().endswith(suffixes))
            files = [file for file in files if not file.name.startswith((".", "_"))]
            if files:
                return files
        raise InputError("the folder holds no Parquet or CSV file", remedy="choose another folder", file=place.name)
    if place.is_file() or not glob.has_magic(str(path)):
        return [place]
    matching = sorted(Path(one) for one in glob.glob(str(path), recursive=True) if Path(one).is_file())
    if not matching:
        raise InputError("no file matches this pattern", remedy="check the path", file=str(path))
    return matching


def _parquet(name: str, paths: Sequence[Path], plan: ReadPlan, notes: tuple[str, ...]) -> Files:
    import pyarrow.parquet as pq

    first: pa.Schema | None = None
    for path in paths:
        schema = None
        try:
            schema = pq.read_schema(path).remove_metadata()
        except (pa.ArrowException, OSError):
            schema = None
        if schema is None:
            raise InputError(
                "the Parquet file is damaged or encrypted", remedy="export it again without encryption", file=path.name
            )
        if first is None:
            first = schema
        elif not first.equals(schema):
            raise _different(paths[0], path)
    assert first is not None
    places = [place for place, column in enumerate(first.names) if not ROW_NUMBERS.fullmatch(column)]
    names, changed = names_by_plan(plan, [first.names[place] for place in places], name)
    column_positions = tuple(place for position, place in enumerate(places, 1) if position not in plan.omitted_columns)
    all_notes = tuple(dict.fromkeys((*notes, *changed)))
    return Files(name, tuple(paths), plan, all_notes, tuple(names), len(first.names), column_positions)


def _text_files(name: str, paths: Sequence[Path], plan: ReadPlan, notes: tuple[str, ...]) -> Files:
    """Text files that follow the plan; the engine checks the number of cells per record."""
    examined: list[TextFile] = []
    for path in paths:
        _refuse_unsupported(path, plan)
        examined.append(examine(streamed(path), plan))
        first, body = examined[0].body, examined[-1].body
        if (first.header, first.width, first.first) != (body.header, body.width, body.first):
            raise _different(paths[0], path)
    names, changed = names_by_plan(plan, first.header, paths[0].name)
    return Files(
        name,
        tuple(paths),
        plan,
        tuple(dict.fromkeys((*notes, *changed))),
        tuple(names),
        first.width,
        tuple(place for place in range(first.width) if place + 1 not in plan.omitted_columns),
        first.first,
        sum(one.records for one in examined),
        any(one.lines_in_cells for one in examined),
    )


def _refuse_unsupported(path: Path, plan: ReadPlan) -> None:
    """Raise InputError if engines do not support the reading plan of the file."""
    packed = input_source(path, None).kind()[1] == "gzip"
    unsupported = {
        "lines after the records": bool(plan.footer_lines),
        "an escape character": bool(plan.escape),
        "empty lines as records": plan.blank_lines == "cells",
        f"the encoding {plan.encoding}": codecs.lookup(plan.encoding or "utf-8").name not in _ENCODINGS,
        "gzip compression but without the ending .gz": packed and not path.name.lower().endswith(".gz"),
        "the ending .gz but without gzip compression": path.name.lower().endswith(".gz") and not packed,
    }
    for what, present in unsupported.items():
        if present:
            raise InputError(
                f"an engine cannot read a file with {what}",
                remedy="save the table as Parquet, or score it with the engine memory",
                file=path.name,
            )


def require_record_count(files: Files, rows: int) -> None:
    """Raise InputError if the engine finds a different number of records than reading by the plan."""
    if files.records is not None and rows != files.records:
        raise InputError(
            f"the engine reads {rows:,} records, but the reading plan gives {files.records:,}",
            remedy="save the table as Parquet, or score it with the engine memory",
            file=files.name,
        )


def _different(first: Path, other: Path) -> InputError:
    return InputError(
        f"the columns, types or layout differ from {first.name}",
        remedy="keep only the files of one table in the folder",
        file=other.name,
    )
