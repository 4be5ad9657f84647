"""The files of one table: a file, a folder or a pattern, all of one kind and with the same columns."""

from __future__ import annotations

import codecs
import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.assembly import check_names
from metrics.reading.charset import Charset, codec_of, common_name, detect
from metrics.reading.layout import Choices, Layout, layout
from metrics.reading.origin import origin, read_up_to
from metrics.reading.parquet import UNNAMED_INDEX

_SAMPLE = 2**20
SUFFIXES = ((".parquet", ".pq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz"))
"""How names of tables end, by kind."""
_ENCODINGS = {"ascii": "utf-8", "utf_8": "utf-8", "utf_8_sig": "utf-8", "latin_1": "latin-1", "iso8859_1": "latin-1"}


@dataclass(frozen=True)
class Files:
    """The files of one table, in the order of their records."""

    name: str
    """For messages: the file's, folder's or pattern's."""
    paths: tuple[Path, ...]
    names: tuple[str, ...]
    """Trimmed names of all columns in the files."""
    kept: tuple[int, ...]
    """Places of the columns that are ones of the table: not of row numbers that pandas stored."""
    layout: Layout | None
    """How CSV files divide; None for Parquet."""
    encoding: str = "utf-8"


def found_files(path: str | Path, choices: Choices) -> Files:
    """The files of a table. Raises InputError where there is none, or they differ in kind, columns or layout."""
    paths = _paths(path)
    name = Path(path).name
    kinds = {origin(one, None).kind() for one in paths}
    if kinds == {"parquet"}:
        return _parquet(name, paths)
    if kinds <= {"text", "gzip"}:
        return _delimited(name, paths, choices)
    if len(kinds) == 1:
        raise InputError("an engine reads Parquet and CSV only", remedy="save the table as one of the two", file=name)
    raise InputError(
        "the folder holds files of several kinds", remedy="name one kind, as with folder/*.parquet", file=name
    )


def _paths(path: str | Path) -> list[Path]:
    place = Path(path)
    if place.is_dir():
        for suffixes in SUFFIXES:
            found = sorted(file for file in place.rglob("*") if file.is_file() and file.name.lower().endswith(suffixes))
            found = [file for file in found if not file.name.startswith((".", "_"))]
            if found:
                return found
        raise InputError("the folder holds no Parquet or CSV file", remedy="name a folder that does", file=place.name)
    if place.is_file() or not glob.has_magic(str(path)):
        return [place]
    matching = sorted(Path(one) for one in glob.glob(str(path), recursive=True) if Path(one).is_file())
    if not matching:
        raise InputError("no file fits this pattern", remedy="check the path", file=str(path))
    return matching


def _parquet(name: str, paths: Sequence[Path]) -> Files:
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
                "the Parquet file is damaged or encrypted", remedy="export it again, or decrypted", file=path.name
            )
        if first is None:
            first = schema
        elif not first.equals(schema):
            raise _different(paths[0], path)
    assert first is not None
    kept = tuple(place for place, column in enumerate(first.names) if not UNNAMED_INDEX.fullmatch(column))
    if not kept:
        raise InputError("the table has no columns", remedy="export it with its records", file=name)
    check_names([first.names[place] for place in kept], name, None)
    return Files(name, tuple(paths), tuple(first.names), kept, None)


def _delimited(name: str, paths: Sequence[Path], choices: Choices) -> Files:
    first: tuple[Layout, str] | None = None
    for path in paths:
        found = _layout(path, choices)
        if first is None:
            first = found
        elif not (first[0].names == found[0].names and _form(first) == _form(found)):
            raise _different(paths[0], path)
    assert first is not None
    names = tuple(first[0].names)
    return Files(name, tuple(paths), names, tuple(range(len(names))), first[0], first[1])


def _form(found: tuple[Layout, str]) -> tuple[object, ...]:
    return found[0].dialect, found[0].start, found[0].rows, found[1]


def _refuse_unread(path: Path, choices: Choices) -> None:
    """Raise InputError where the file is to be read in a way that no engine knows."""
    asked = {
        "lines after the records to leave out": choices.footer_lines,
        "escape sign": choices.escape,
        "empty lines that are cells": choices.blank_lines == "cells",
    }
    for what, wanted in asked.items():
        if wanted:
            raise InputError(
                f"an engine knows no {what}",
                remedy="save the table as Parquet, or score it with the engine memory",
                file=path.name,
            )


def _layout(path: Path, choices: Choices) -> tuple[Layout, str]:
    _refuse_unread(path, choices)
    source = origin(path, None)
    with source.text_bytes("gzip" if source.kind() == "gzip" else None) as stream:
        head = read_up_to(stream, _SAMPLE)
    complete = len(head) < _SAMPLE
    if not head:
        raise InputError(
            "the file is empty", remedy="export the table again with its header and records", file=path.name
        )
    if choices.encoding is None:
        charset = detect(head, complete)
    else:
        codec = codec_of(choices.encoding)
        charset = None if codec is None else Charset(codec, True)
    encoding = None if charset is None else _ENCODINGS.get(codecs.lookup(charset.encoding).name.replace("-", "_"))
    if charset is None or encoding is None:
        known = "unknown" if charset is None else common_name(charset.encoding)
        raise InputError(
            f"an engine reads UTF-8 and Latin-1, and the file's encoding is {known}",
            remedy="save it as UTF-8, or score it with the engine memory",
            file=path.name,
        )
    text = codecs.getincrementaldecoder(charset.encoding)(errors="replace").decode(head, final=complete)
    found = layout(path.name, text, complete, choices)
    if found is None:
        raise InputError("the header is too long", remedy="check the delimiter and quote", file=path.name)
    check_names(found.names, path.name, found.header.line)
    return found, encoding


def _different(first: Path, other: Path) -> InputError:
    return InputError(
        f"its columns, their types or its layout differ from those of {first.name}",
        remedy="keep only files of one table in the folder",
        file=other.name,
    )
