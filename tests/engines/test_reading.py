"""The same small file gives the same records in memory, in DuckDB and in Spark, or a refusal."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines.duckdb_files import DuckDB
from metrics.engines.lazy import LazyTable
from metrics.engines.spark import Spark
from metrics.errors import InputError
from metrics.reading import limits
from metrics.tables.read_plan import ReadPlan
from tests.engines.conftest import Cluster

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


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckDB]:
    """One connection for all files."""
    with DuckDB() as engine:
        yield engine


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[Spark]:
    """One session for all files: it takes seconds to start."""
    with Spark(cluster.master) as engine:
        yield engine


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


@pytest.mark.parametrize("case", CASES)
def test_duckdb(duckdb: DuckDB, tmp_path: Path, case: str) -> None:
    content, choices, expected, _ = CASES[case]
    compare(duckdb.table, file_of(tmp_path, content), choices, expected)


@pytest.mark.parametrize("case", CASES)
def test_spark(spark: Spark, tmp_path: Path, case: str) -> None:
    content, choices, _, expected = CASES[case]
    compare(spark.table, file_of(tmp_path, content), choices, expected)


@pytest.mark.parametrize("case", BAD)
def test_what_memory_refuses_duckdb_refuses(duckdb: DuckDB, tmp_path: Path, case: str) -> None:
    refuse(duckdb.table, tmp_path, *BAD[case])


@pytest.mark.parametrize("case", BAD)
def test_what_memory_refuses_spark_refuses(spark: Spark, tmp_path: Path, case: str) -> None:
    refuse(spark.table, tmp_path, *BAD[case])


def refuse(reader: Reader, folder: Path, content: bytes, plan: ReadPlan) -> None:
    """Memory and the engine refuse the file in one sentence."""
    path = file_of(folder, content)
    for read in (metrics.read_table, reader):
        with pytest.raises(InputError) as refused:
            read(path, plan=plan)
        assert str(refused.value).count(". ") == 0


def test_an_open_question_is_one_in_an_engine_too(duckdb: DuckDB, tmp_path: Path) -> None:
    path = file_of(tmp_path, b"q,n,t\na,100,1\nb,50,2\nTotal,150,\n")
    with pytest.raises(InputError) as in_memory:
        metrics.read_table(path)
    with pytest.raises(InputError) as in_engine:
        duckdb.table(path)
    assert str(in_engine.value) == str(in_memory.value)
    assert "--footer-lines 1" in str(in_engine.value)


def test_files_of_one_table_share_one_plan(duckdb: DuckDB, tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_bytes(b"q,s\na,x\n")
    (tmp_path / "2.csv").write_bytes(b"q;s\na;x\n")
    with pytest.raises(InputError, match=r"^2\.csv: .*layout differ"):
        duckdb.table(tmp_path)
    (tmp_path / "2.csv").write_bytes(b"q,s\nb,y\n")
    assert records(duckdb.table(tmp_path))[1] == [("a", "x"), ("b", "y")]


def test_parquet_columns_are_left_out_by_the_plan(duckdb: DuckDB, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"__index_level_0__": [7, 8], "q": ["a", "b"], "s": ["x", "y"]}), path)
    plan = ReadPlan("parquet", omitted_columns=(1,))
    assert duckdb.table(path, plan).names == metrics.read_table(path, plan=plan).names == ("s",)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_beyond_the_memory_is_read_by_an_engine(
    duckdb: DuckDB, tmp_path: Path, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"a,b\n" + b"1,2\n" * 5000
    path = tmp_path / ("file.csv.gz" if packed else "file.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    monkeypatch.setattr(limits, "available_memory", lambda: 100)
    monkeypatch.setattr(limits, "_SMALL", 0)
    monkeypatch.setattr(limits, "_MAX_GROWTH", 1000)
    with pytest.raises(InputError, match="MB of memory"):
        metrics.read_table(path)
    assert duckdb.table(path).rows == 5000
