"""DuckDB over files gives the figures of the same tables in memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.engines import lazy
from metrics.engines.duckdb_files import DuckDB
from metrics.errors import InputError
from metrics.identifiers.suggested_roles import suggest_role
from tests.engines.alike import COUNTED, differences
from tests.engines.small_files import save
from tests.support.command_line import ROOT, call
from tests.support.examples import fewer_examples
from tests.support.reference_data import reference

ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
PAIRS = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["s", "t"])
CELLS = st.sampled_from(["*", "1", "2", "10", " 2", "a", "b ", "", "NA", "?", "é", "3,5"])


def same(anonymized: Path, original: Path | None, roles: metrics.Roles, **settings: object) -> None:
    """Both ways of scoring two files agree."""
    hierarchies = settings.pop("hierarchies", None)
    missing = tuple(settings.pop("missing", ()))  # type: ignore[call-overload]
    before = None if original is None else metrics.read_table(original, missing=missing)
    wanted = metrics.score(
        metrics.read_table(anonymized, missing=missing),
        roles,
        original=before,
        hierarchies=hierarchies,
        metrics=COUNTED,
    )
    with DuckDB() as engine:
        choices = {"missing": missing}
        found = metrics.score(
            engine.table(anonymized, **choices),
            roles,
            original=None if original is None else engine.table(original, **choices),
            hierarchies=hierarchies,
            metrics=COUNTED,
        )
        assert differences(wanted, found) == []


@fewer_examples(0.12)
@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=24),
    few=st.booleans(),
    missing=st.sampled_from([(), ("NA", "?")]),
)
def test_duckdb_scores_random_tables_as_they_are_scored_in_memory(
    rows: list[tuple[str, ...]], few: bool, missing: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    cells = list(zip(*rows, strict=True))
    # The names differ in case alone, and one is that of a count.
    anonymized = save(folder, "anonymized", dict(zip(("N", "n", "s", "t"), cells[:4], strict=True)))
    original = save(folder, "original", dict(zip(("n", "N", "s", "t"), (*cells[4:], *cells[2:4]), strict=True)))
    with pytest.MonkeyPatch.context() as patch:
        if few:
            patch.setattr(lazy, "MAX_CELLS", 2)
        same(anonymized, original, PAIRS, missing=missing)


@fewer_examples(0.12)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 30), CELLS, CELLS, CELLS), min_size=1, max_size=20, unique_by=lambda row: row[0]
    ),
    data=st.data(),
)
def test_duckdb_scores_tables_matched_by_a_key_as_they_are_scored_in_memory(
    rows: list[tuple[int, str, str, str]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    kept = data.draw(st.lists(st.sampled_from(rows), min_size=1, unique_by=lambda row: row[0]))
    names = ("id", "q", "s")
    original = save(
        folder, "original", dict(zip(names, list(zip(*((i, q, s) for i, q, _, s in rows), strict=True)), strict=True))
    )
    anonymized = save(
        folder,
        "anonymized",
        dict(zip(names, list(zip(*((f" {i}", g, s) for i, _, g, s in kept), strict=True)), strict=True)),
    )
    same(anonymized, original, metrics.Roles(quasi_identifiers=["q"], sensitive=["s"], key="id"))


def test_duckdb_scores_typed_and_missing_cells_as_they_are_scored_in_memory(tmp_path: Path) -> None:
    numbers = pa.array([1.0, 2.0, None, float("nan"), 2.0, 1.0])
    days = pa.array([0, 1, 1, None, 0, 2], pa.date32())
    flags = pa.array([True, False, None, True, True, False])
    whole = pa.array([3, 3, 4, 5, 5, None], pa.int16())
    path = save(tmp_path, "typed", {"x": numbers, "day": days, "flag": flags, "count": whole})
    same(path, path, metrics.Roles(quasi_identifiers=["x", "day"], sensitive=["flag", "count"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy, "MAX_CELLS", 1)
        same(path, path, metrics.Roles(quasi_identifiers=["x", "day"], sensitive=["flag", "count"]))


@pytest.mark.slow
@pytest.mark.reference
def test_duckdb_scores_the_adult_table_as_it_is_scored_in_memory() -> None:
    folder = reference("petworks", "adult")
    same(
        folder / "adult_anonymized.csv",
        folder / "adult.csv",
        metrics.Roles(quasi_identifiers=ADULT, sensitive=["occupation", "salary-class"]),
        hierarchies=metrics.read_hierarchies(folder / "adult_hierarchy_intervals"),
    )


@pytest.mark.slow
@pytest.mark.reference
def test_duckdb_scores_the_diabetes_table_as_it_is_scored_in_memory() -> None:
    path = reference("diabetes", "diabetes_after_deletion.csv.gz")
    table = metrics.read_table(path)
    suggested = metrics.Roles.from_mapping({one.name: suggest_role(one, table.rows) for one in table.columns})
    assert suggested.quasi_identifiers, table.names
    same(path, None, suggested)


def test_folder_of_files_is_one_table_in_the_order_of_names(tmp_path: Path) -> None:
    whole = pa.table({"q": ["a", "a", "b", "*", "c", "c"], "s": ["x", "y", "x", "x", "y", "y"]})
    for name in ("original", "anonymized"):
        (tmp_path / name).mkdir()
    before = pa.table({"q": ["a", "b", "b", "d", "c", "e"], "s": whole["s"]})
    for part in range(3):
        pq.write_table(whole.slice(2 * part, 2), tmp_path / "anonymized" / f"part-{part}.parquet")
    pq.write_table(before.slice(0, 5), tmp_path / "original" / "1.parquet")
    pq.write_table(before.slice(5), tmp_path / "original" / "2.parquet")
    pq.write_table(whole, tmp_path / "whole.parquet")
    pq.write_table(before, tmp_path / "before.parquet")
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"])
    wanted = metrics.score(
        metrics.read_table(tmp_path / "whole.parquet"),
        roles,
        original=metrics.read_table(tmp_path / "before.parquet"),
    )
    with DuckDB() as engine:
        tables = engine.table(tmp_path / "anonymized"), engine.table(str(tmp_path / "original" / "*.parquet"))
        assert tables[0].rows == 6
        assert differences(wanted, metrics.score(tables[0], roles, original=tables[1])) == []


@pytest.mark.parametrize("other", [{"q": ["a"], "z": ["x"]}, {"q": [1], "s": ["x"]}])
def test_duckdb_refuses_a_folder_of_files_with_different_columns(
    tmp_path: Path, other: dict[str, list[object]]
) -> None:
    pq.write_table(pa.table({"q": ["a"], "s": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table(other), tmp_path / "2.parquet")
    with (
        DuckDB() as engine,
        pytest.raises(InputError, match=r"^2\.parquet: the columns, types or layout differ from 1\.parquet;"),
    ):
        engine.table(tmp_path)


def test_duckdb_refuses_a_folder_of_csv_files_with_different_columns(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("q;s\na;x\n")
    (tmp_path / "2.csv").write_text("q;z\na;x\n")
    with (
        DuckDB() as engine,
        pytest.raises(InputError, match=r"^2\.csv: the columns, types or layout differ from"),
    ):
        engine.table(tmp_path)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("a", "ragged.csv, line 30002: the record has 3 fields"),
        ("a" * 80, "DuckDB cannot read the files: records differ"),  # a large file, which only DuckDB reads whole
    ],
    ids=["small", "large"],
)
def test_a_ragged_csv_is_refused_without_repeating_a_cell(tmp_path: Path, cell: str, sentence: str) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("q;s\n" + f"{cell};x\n" * 30_000 + "secret;x;y\n" + "a;x\n" * 10)
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"])
    with DuckDB() as engine, pytest.raises(InputError) as caught:
        metrics.score(engine.table(path), roles)
    assert "secret" not in str(caught.value)
    assert sentence in str(caught.value)


def test_nothing_is_written_where_memory_does_not_suffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = pa.table({"q": [f"{number:040}" for number in range(300_000)]})
    pq.write_table(many, tmp_path / "many.parquet")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    roles = metrics.Roles(quasi_identifiers=["q"])
    with (
        DuckDB("10MB") as engine,
        pytest.raises(InputError, match="more memory than its limit of 10MB; raise it"),
    ):
        metrics.score(engine.table(tmp_path / "many.parquet"), roles)
    assert list(work.iterdir()) == []


def test_temporary_folder_is_removed(tmp_path: Path) -> None:
    path = save(tmp_path, "table", {"q": ["a", "b"], "s": ["x", "y"]})
    held = tmp_path / "held"
    held.mkdir()
    with DuckDB(temporary=held) as engine:
        metrics.score(engine.table(path), metrics.Roles(quasi_identifiers=["q"], sensitive=["s"]))
    assert list(held.iterdir()) == []


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these signals nor limits")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of a million classes, which takes seconds to score, and its roles."""
    folder = tmp_path_factory.mktemp("large")
    chance = np.random.default_rng(29)
    columns = {name: chance.integers(0, 3_000, 1_000_000) for name in "qr"} | {"s": chance.integers(0, 50, 1_000_000)}
    pq.write_table(pa.table(columns), folder / "large.parquet")
    (folder / "roles.yaml").write_text("quasi_identifiers: [q, r]\nsensitive: [s]\n")
    return folder


def arguments(folder: Path, *more: object) -> list[str]:
    """To score that table, and write its classes."""
    inputs = ("--anonymized", folder / "large.parquet", "--roles", folder / "roles.yaml")
    written = ("--classes-out", folder / "classes")
    return [str(part) for part in ("score", "--engine", "duckdb", *inputs, *written, *more)]


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@POSIX
@pytest.mark.parametrize("count", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_control_c_ends_a_count_and_removes_its_temporary_files(folder: Path, count: int) -> None:
    terminal, end = os.openpty()
    command = [sys.executable, "-m", "metrics", *arguments(folder, "--json")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        message = b""
        # A line on the terminal says which count has begun.
        while b"query %d," % count not in message:
            message += os.read(terminal, 1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        rest = b""
        try:
            while chunk := os.read(terminal, 4096):
                rest += chunk
        except OSError:  # all has been read, and nobody writes any more
            os.close(terminal)
    assert process.returncode == 130
    assert out == b""
    assert rest.rpartition(b"\x1b[K")[2] == b"Stopped.\r\n"
    assert left(folder) == ["large.parquet", "roles.yaml"]


@POSIX
def test_too_little_memory_is_reported_in_one_line_and_leaves_no_file(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, *arguments(folder, "--memory-limit", "20MB"))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("DuckDB needs more memory than its limit of 20MB; raise it with --memory-limit")
    assert left(folder) == ["large.parquet", "roles.yaml"]


@POSIX
def test_a_full_disk_for_temporary_files_is_reported_in_one_line(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource  # which Windows lacks

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a compiled module would be cut off
    # No file can then hold more than 100 kB, as on a disk that is full.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        done = call(capfd, *arguments(folder, "--memory-limit", "20MB", "--temp-directory", tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("the folder for temporary files has no space left; free some")
    assert left(folder) == ["large.parquet", "roles.yaml"]
    assert left(tmp_path) == []
