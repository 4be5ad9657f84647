"""Files and folders written whole or not at all, and what a killed writer leaves."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metrics import InputError
from metrics.tables.atomic_write import write_file, write_folder
from tests.support.command_line import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither SIGKILL nor these locks")
# Writes a half, says so, and goes on when it is told to. The package's own imports take longer than all else here.
WRITER = """
import os, sys, types
package = sys.modules["metrics"] = types.ModuleType("metrics")
package.__path__ = ["metrics"]
kind, path, named = sys.argv[1:]
if named == "named" and hasattr(os, "O_TMPFILE"):
    del os.O_TMPFILE
from metrics.tables.atomic_write import write_file, write_folder
def half(file):
    file.write(b"half,"); file.flush(); print("half", flush=True); sys.stdin.readline(); file.write(b"whole")
def part(folder):
    with open(folder / "part", "wb") as file:
        half(file)
{"file": write_file, "folder": write_folder}[kind]({"file": half, "folder": part}[kind], path)
"""


@contextmanager
def writer(kind: str, path: Path, named: str = "named") -> Iterator[subprocess.Popen[str]]:
    """A process that has written a half."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, kind, str(path), named],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "half\n"
            yield process
        finally:
            process.kill()


def killed(kind: str, path: Path, named: str = "named") -> None:
    """Let a writer write a half and kill it."""
    with writer(kind, path, named) as process:
        process.send_signal(signal.SIGKILL)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def new(kind: str) -> Callable[[Path], None]:
    """Write a file, or a folder, of that kind."""
    if kind == "file":
        return lambda path: write_file(lambda file: file.write(b"new"), path)
    return lambda path: write_folder(lambda folder: (folder / "part").write_bytes(b"new"), path)


def content(path: Path) -> bytes:
    return (path / "part" if path.is_dir() else path).read_bytes()


def test_a_killed_writer_leaves_nothing_where_files_can_do_without_a_name(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_bytes(b"old")
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        pytest.skip("This file system gives every file a name.")
    killed("file", out, "unnamed")
    assert (names(tmp_path), out.read_bytes()) == (["out.csv"], b"old")


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    killed(kind, out)
    (left,) = names(tmp_path)
    assert left.startswith(".quasi-")
    new(kind)(tmp_path / "other")
    assert names(tmp_path) == [left, "other"]
    new(kind)(out)
    assert (names(tmp_path), content(out)) == (["other", "out"], b"new")


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_unfinished_file_of_a_running_writer_is_kept(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    with writer(kind, out) as process:
        new(kind)(out)
        assert len(names(tmp_path)) == 2
        assert content(out) == b"new"
        if kind == "folder":
            (out / "part").unlink()
            out.rmdir()
        process.communicate("go on\n", timeout=20)
        assert process.returncode == 0
    assert (names(tmp_path), content(out)) == (["out"], b"half,whole")


def test_the_last_of_two_writers_wins_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with writer("file", out, "unnamed") as one, writer("file", out, "unnamed") as other:
        for process in (one, other):
            process.communicate("go on\n", timeout=20)
    assert (names(tmp_path), out.read_bytes()) == (["out"], b"half,whole")


def test_links_and_files_of_others_are_no_leftovers(tmp_path: Path) -> None:
    out = tmp_path / "out"
    killed("file", out)
    (left,) = tmp_path.iterdir()
    kept = tmp_path / "kept"
    kept.write_bytes(b"kept")
    left.unlink()
    left.symlink_to(kept)
    (tmp_path / ".out.csv.12345678").write_bytes(b"")
    write_file(lambda file: file.write(b"new"), out)
    assert kept.read_bytes() == b"kept"
    assert names(tmp_path) == sorted([".out.csv.12345678", left.name, "kept", "out"])


@pytest.mark.parametrize("named", [False, True])
def test_rights_and_long_names_are_as_of_any_file(tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    usual, out = tmp_path / "usual", tmp_path / ("漢" * 83 + ".csv")
    usual.touch()
    for _ in range(2):
        write_file(lambda file: file.write(b"new"), out)
    assert out.stat().st_mode == usual.stat().st_mode
    assert out.stat().st_nlink == 1
    assert names(tmp_path) == sorted([out.name, "usual"])


@pytest.mark.parametrize("named", [False, True])
def test_a_writer_that_fails_leaves_nothing(tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)

    def fail(file: object) -> None:
        raise OSError

    with pytest.raises(InputError, match="the file cannot be written"):
        write_file(fail, tmp_path / "out")
    with pytest.raises(InputError, match="the folder cannot be written"):
        write_folder(fail, tmp_path / "folder")
    with pytest.raises(InputError, match="exists already"):
        write_folder(fail, tmp_path)
    assert names(tmp_path) == []
