"""A count that cannot be finished ends in one line and leaves nothing behind: stopped, out of memory, out of space."""

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

from tests.support.command_line import ROOT, call

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these signals nor limits")


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


@pytest.mark.parametrize("count", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_control_c_ends_a_count_and_removes_its_temporary_files(folder: Path, count: int) -> None:
    terminal, end = os.openpty()
    command = [sys.executable, "-m", "metrics", *arguments(folder, "--json")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        told = b""
        # A line on the terminal says which count has begun.
        while b"query %d," % count not in told:
            told += os.read(terminal, 1)
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


def test_too_little_memory_is_reported_in_one_line_and_leaves_no_file(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, *arguments(folder, "--memory-limit", "20MB"))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("DuckDB needs more memory than its limit of 20MB; raise it with --memory-limit")
    assert left(folder) == ["large.parquet", "roles.yaml"]


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
