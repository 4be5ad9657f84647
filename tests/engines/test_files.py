"""The same small file gives the same records in memory and in DuckDB, or a refusal; test_spark.py asks Spark."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines.duckdb_files import DuckDB
from metrics.errors import InputError
from metrics.reading import limits
from metrics.tables.read_plan import ReadPlan
from tests.engines.small_files import BAD, CASES, compare, file_of, records, refuse


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckDB]:
    """One connection for all files."""
    with DuckDB() as engine:
        yield engine


@pytest.mark.parametrize("case", CASES)
def test_duckdb_reads_the_same_cells_as_the_reader_of_quasi(duckdb: DuckDB, tmp_path: Path, case: str) -> None:
    content, choices, expected, _ = CASES[case]
    compare(duckdb.table, file_of(tmp_path, content), choices, expected)


@pytest.mark.parametrize("case", BAD)
def test_duckdb_refuses_every_file_that_is_refused_in_memory(duckdb: DuckDB, tmp_path: Path, case: str) -> None:
    refuse(duckdb.table, tmp_path, *BAD[case])


def test_an_ambiguous_file_raises_the_same_question_in_an_engine(duckdb: DuckDB, tmp_path: Path) -> None:
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
def test_an_engine_reads_a_file_larger_than_the_memory(
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
