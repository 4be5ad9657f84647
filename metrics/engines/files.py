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
from metrics.reading.source import input_source, streamed_source
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
    kinds = {input_source(file, None).kind()[0] for file in paths}
    if not kinds <= {PARQUET, TEXT}:
        raise InputError(
            "engines read Parquet and CSV files only", remedy="save the table in one of these formats", file=name
        )
    if len(kinds) > 1:
        raise InputError(
            "the folder holds files of several formats", remedy="choose one format, as in folder/*.parquet", file=name
        )
    shared_plan, notes = _plan(paths[:1] if kinds == {PARQUET} else paths, plan, choices)
    if kinds != {shared_plan.kind}:
        raise InputError(
            "the reading plan is for another file format", remedy="read the file without the plan", file=name
        )
    return (
        _parquet(name, paths, shared_plan, notes)
        if shared_plan.kind == PARQUET
        else _text_files(name, paths, shared_plan, notes)
    )


def _plan(paths: Sequence[Path], plan: PlanSource, choices: Mapping[str, Any]) -> tuple[ReadPlan, tuple[str, ...]]:
    """The plan that all files share, and the notes on the first. Raises InputError if a plan is ambiguous."""
    if isinstance(plan, ReadPlan):
        return replace(plan, **choices), ()
    shared_plan: ReadPlan | None = None
    notes: tuple[str, ...] = ()
    for path in paths:
        if plan is None:
            proposal = propose(streamed_source(path), **choices)
            require_answered(proposal)
            file_plan, notes = proposal.plan, notes or proposal.notes
        else:
            file_plan = plan(path)
        if file_plan != (shared_plan or file_plan):
            raise _different(paths[0], path)
        shared_plan = file_plan
    assert shared_plan is not None
    return shared_plan, notes


def _paths(path: str | Path) -> list[Path]:
    location = Path(path)
    if location.is_dir():
        for suffixes in SUFFIXES:
            files = sorted(
                file for file in location.rglob("*") if file.is_file() and file.name.lower().endswith(suffixes)
            )
            files = [file for file in files if not file.name.startswith((".", "_"))]
            if files:
                return files
        raise InputError("the folder holds no Parquet or CSV file", remedy="choose another folder", file=location.name)
    if location.is_file() or not glob.has_magic(str(path)):
        return [location]
    matching = sorted(Path(match) for match in glob.glob(str(path), recursive=True) if Path(match).is_file())
    if not matching:
        raise InputError("no file matches this pattern", remedy="check the path", file=str(path))
    return matching


def _parquet(name: str, paths: Sequence[Path], plan: ReadPlan, notes: tuple[str, ...]) -> Files:
    import pyarrow.parquet as pq

    first_schema: pa.Schema | None = None
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
        if first_schema is None:
            first_schema = schema
        elif not first_schema.equals(schema):
            raise _different(paths[0], path)
    assert first_schema is not None
    positions = [position for position, column in enumerate(first_schema.names) if not ROW_NUMBERS.fullmatch(column)]
    names, name_notes = names_by_plan(plan, [first_schema.names[position] for position in positions], name)
    column_positions = tuple(
        position for number, position in enumerate(positions, 1) if number not in plan.omitted_columns
    )
    all_notes = tuple(dict.fromkeys((*notes, *name_notes)))
    return Files(name, tuple(paths), plan, all_notes, tuple(names), len(first_schema.names), column_positions)


def _text_files(name: str, paths: Sequence[Path], plan: ReadPlan, notes: tuple[str, ...]) -> Files:
    """Text files that follow the plan; the engine checks the number of cells per record."""
    text_files: list[TextFile] = []
    for path in paths:
        _refuse_unsupported(path, plan)
        text_files.append(examine(streamed_source(path), plan))
        first, body = text_files[0].body, text_files[-1].body
        if (first.header, first.width, first.first) != (body.header, body.width, body.first):
            raise _different(paths[0], path)
    names, name_notes = names_by_plan(plan, first.header, paths[0].name)
    return Files(
        name,
        tuple(paths),
        plan,
        tuple(dict.fromkeys((*notes, *name_notes))),
        tuple(names),
        first.width,
        tuple(index for index in range(first.width) if index + 1 not in plan.omitted_columns),
        first.first,
        sum(file.records for file in text_files),
        any(file.lines_in_cells for file in text_files),
    )


def _refuse_unsupported(path: Path, plan: ReadPlan) -> None:
    """Raise InputError if engines do not support the reading plan of the file."""
    is_gzip = input_source(path, None).kind()[1] == "gzip"
    features = {
        "lines after the records": bool(plan.footer_lines),
        "an escape character": bool(plan.escape),
        "empty lines as records": plan.blank_lines == "cells",
        f"the encoding {plan.encoding}": codecs.lookup(plan.encoding or "utf-8").name not in _ENCODINGS,
        "gzip compression but without the ending .gz": is_gzip and not path.name.lower().endswith(".gz"),
        "the ending .gz but without gzip compression": path.name.lower().endswith(".gz") and not is_gzip,
    }
    for feature, is_used in features.items():
        if is_used:
            raise InputError(
                f"an engine cannot read a file with {feature}",
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
