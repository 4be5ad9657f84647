"""What ends a command in the middle, fills its disk, or hides code in its inputs, harms no file."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metrics import InputError
from metrics.roles import read_roles
from metrics.settings import parse_settings
from tests.command_line import ROOT, run

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither SIGKILL nor limits of file sizes")
HALF = """
import sys, time
from metrics.export import write_file
def write(file):
    file.write(b"half"); file.flush(); print("half", flush=True); time.sleep(60)
write_file(write, sys.argv[1])
"""
SMALL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from metrics.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python of its own with some code."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.fixture
def inputs(tmp_path: Path) -> list[object]:
    """Arguments that score a table of 3,000 classes."""
    rows = "".join(f"{number % 3000},{number % 7}\n" for number in range(9000))
    (tmp_path / "table.csv").write_text(f"q,s\n{rows}", encoding="utf-8")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n", encoding="utf-8")
    return ["--anonymized", tmp_path / "table.csv", "--roles", tmp_path / "roles.yaml"]


@POSIX
def test_killed_in_the_middle_of_writing_the_old_file_stays(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    process = python(HALF, out)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)
    assert out.read_text() == "old"


@POSIX
def test_killed_at_any_time_an_export_is_whole_or_absent(tmp_path: Path, inputs: list[object]) -> None:
    whole = tmp_path / "whole.csv"
    assert run("classes", *inputs, "--out", whole).status == 0
    for number, delay in enumerate((0.2, 0.4, 0.6, 0.8)):
        out = tmp_path / f"out{number}.csv"
        code = "import sys; from metrics.__main__ import main; sys.exit(main(sys.argv[1:]))"
        process = python(code, "classes", *inputs, "--out", out)
        time.sleep(delay)
        process.kill()
        process.communicate(timeout=20)
        assert not out.exists() or out.read_bytes() == whole.read_bytes()


@POSIX
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_full_disk_is_told_and_leaves_the_old_file(tmp_path: Path, inputs: list[object], suffix: str) -> None:
    (tmp_path / "results").mkdir()
    out = tmp_path / "results" / f"out.{suffix}"
    out.write_text("old")
    process = python(SMALL_DISK, "classes", *inputs, "--out", out)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "the file cannot be written; check free space" in told
    assert told.count("\n") == 1
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    assert out.read_text() == "old"


def test_no_input_runs_code(tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    commands = [
        f"!!python/object/apply:os.system ['touch {trace}']",
        f"quasi_identifiers: !!python/object/apply:os.system ['touch {trace}']",
        f"quasi_identifiers: [!!python/name:os.system '']\nsensitive: ['$(touch {trace})', '`touch {trace}`']",
    ]
    for number, text in enumerate(commands):
        roles = tmp_path / f"roles{number}.yaml"
        roles.write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            read_roles(roles)
        with pytest.raises(InputError):
            parse_settings(text.encode(), "settings.json")
    assert not trace.exists()
