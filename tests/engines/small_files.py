"""Small files, and what an engine makes of each: the records that memory reads, or a refusal."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError
from metrics.tables.read_plan import ReadPlan

SAME, REFUSED = "same", "refused"
CSV = ReadPlan("csv", encoding="utf-8", delimiter=",")
CASES: dict[str, tuple[bytes, dict[str, object], str, str]] = {
    # File, choices; what DuckDB and Spark make of what is read in memory.
    "plain": (b"q,s\na,x\nb,y\n", {}, SAME, SAME),
    "blanks around cells": (b"q,s\n a,x \nb ,y\n", {}, SAME, SAME),
    "empty cells": (b"q,s,t\na,,1\n,y,2\n", {}, SAME, SAME),
    "semicolons": (b"q;s\na,1;x\nb,2;y\n", {}, SAME, SAME),
    "unnamed first column": (b",q,s\n1,a,x\n2,b,y\n", {}, SAME, SAME),
    "repeated names": (b"q,s,q\na,x,1\nb,y,2\n", {}, SAME, SAME),
    "byte-order mark": (b"\xef\xbb\xbfq,s\na,x\nb,y\n", {}, SAME, SAME),
    "mark without header": (b"\xef\xbb\xbfa,x\nb,y\n", {"header_lines": 0}, SAME, SAME),
    "no header": (b"5.1,a\n4.9,b\n5.0,a\n", {"header_lines": 0}, SAME, SAME),
    "blank last lines": (b"q,s\na,x\nb,y\n\n\n", {}, SAME, SAME),
    "blank lines between": (b"q,s\na,x\n\nb,y\n", {}, SAME, SAME),
    "carriage returns": (b"q,s\r\na,x\r\nb,y\r\n", {}, SAME, SAME),
    "quotes": (b'q,s\n"a, ""b""",x\nb,"y"\n', {}, SAME, SAME),
    "line ends in cells": (b'q,s\n"a\nb",x\nc,"y\n\nz"\n', {}, SAME, SAME),
    "line ends in the header": (b'"q\nr",s\na,x\nb,y\n', {}, REFUSED, REFUSED),
    "two header lines": (b"q,s\nkg,cm\n1,x\n2,y\n", {"header_lines": 2}, SAME, REFUSED),
    "titles": (b"Title\n\nq,s\na,x\nb,y\n", {"skip_lines": 2}, SAME, REFUSED),
    "omitted column": (b"q,s,t\na,x,1\nb,y,2\n", {"omitted_columns": (2,)}, SAME, SAME),
    "gzip": (gzip.compress(b"q,s\na,x\nb,y\n"), {}, SAME, SAME),
    "two gzip members": (gzip.compress(b"q,s\na,x\n") + gzip.compress(b"b,y\n"), {}, SAME, SAME),
    "Latin-1": ("q,s\né,x\nb,ü\n".encode("latin-1"), {"encoding": "latin-1"}, SAME, SAME),
    "Windows-1252": ("q,s\n€,x\nb,y\n".encode("cp1252"), {"encoding": "cp1252"}, REFUSED, REFUSED),
    "one column": (b"q\na\nb\na\n", {"delimiter": ""}, SAME, SAME),
    "totals left out": (b"q,n,t\na,100,1\nb,50,2\nTotal,150,\n", {"footer_lines": 1}, REFUSED, REFUSED),
    "totals kept": (b"q,n,t\na,100,1\nb,50,2\nTotal,150,\n", {"footer_lines": 0}, SAME, SAME),
    "markers of missing cells": (b"q,s\nNA,x\n b,NA\n", {"missing": ("NA",)}, SAME, SAME),
    "several-character delimiter": (b"q||s\na||x\nb|c||y\n", {"delimiter": "||"}, SAME, SAME),
    "quote within a cell": (b'q,s\na "b" c,x\nd,y\n', {}, SAME, SAME),
    "escape": (b'q,s\n"a \\"b\\"",x\nd,y\n', {"escape": "\\"}, REFUSED, REFUSED),
    "carriage returns alone": (b"q,s\ra,x\rb,y\r", {}, SAME, SAME),
    "comment sign": (b"q,s\n#a,x\nb,y\n", {}, SAME, SAME),
    "NULL and backslashes": (b"q,s\nNULL,\\N\nb,\\n\n", {"escape": ""}, SAME, SAME),
    "much at once": (
        b'\xef\xbb\xbf,q,s,q\r\n1," a, ""b""\nc ",NULL,\r\n\r\n2,#d "e" f,NA,\\N\r\n3,,y,\\N\r\n\r\n',
        {"escape": "", "missing": ("NA",)},
        SAME,
        SAME,
    ),
    "much else at once": (
        gzip.compress("5.1;é;x\n4.9; b ;y\n".encode("latin-1")) + gzip.compress("5.1;ü;z\n".encode("latin-1")),
        {"encoding": "latin-1", "header_lines": 0, "omitted_columns": (3,)},
        SAME,
        SAME,
    ),
}
"""Files that no plan reads, each by a plan that ignores why."""
BAD: dict[str, tuple[bytes, ReadPlan]] = {
    "short record": (b"q,s\na,x\nb\n", CSV),
    "long record": (b"q,s\na,x\nb,y,z\n", CSV),
    "short header": (b"q,s\n1,a,x\n2,b,y\n", CSV),
    "text behind a quote": (b'q,s\n"a"b,x\nc,y\n', CSV),
    "open quote": (b'q,s\na,x\nb,"y\n', CSV),
    "not UTF-8": (b"q,s\n\xe9,x\nb,y\n", CSV),
    "NUL": (b"q,s\na\0,x\nb,y\n", CSV),
}


def records(table: metrics.tables.table.Table | LazyTable) -> tuple[tuple[str, ...], list[tuple[str | None, ...]]]:
    """Names and records, in an order of their own."""
    if isinstance(table, LazyTable):
        count = table.count(table.names)
        columns = [
            [column.labels[code] for code in codes] for column, codes in zip(count.columns, count.codes, strict=True)
        ]
        rows = [row for row, times in zip(zip(*columns, strict=True), count.counts, strict=True) for _ in range(times)]
    else:
        rows = [tuple(row) for row in table.head(table.rows)]
    return table.names, sorted(rows, key=str)


def file_of(folder: Path, content: bytes) -> Path:
    """The content as a file, named by what it is."""
    path = folder / ("table.csv.gz" if content.startswith(b"\x1f\x8b") else "table.csv")
    path.write_bytes(content)
    return path


Reader = Callable[..., LazyTable]


def compare(reader: Reader, path: Path, choices: dict[str, object], expected: str) -> None:
    """The engine reads what memory reads, by the same plan; or refuses."""
    wanted = metrics.read_table(path, **choices)
    if expected == REFUSED:
        with pytest.raises(InputError, match=r"Parquet"):
            reader(path, **choices)
        return
    found = reader(path, **choices)
    assert found.rows == wanted.rows
    assert records(found) == records(wanted)
    assert found.source == wanted.source


def refuse(reader: Reader, folder: Path, content: bytes, plan: ReadPlan) -> None:
    """Memory and the engine refuse the file in one sentence."""
    path = file_of(folder, content)
    for read in (metrics.read_table, reader):
        with pytest.raises(InputError) as refused:
            read(path, plan=plan)
        assert str(refused.value).count(". ") == 0


def save(folder: Path, name: str, columns: dict[str, object]) -> Path:
    """A table as Parquet, in several row groups."""
    path = folder / f"{name}.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=3)
    return path
