"""What fills a command's disk, or hides code in its inputs, harms no file."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import InputError
from metrics.cli import main
from metrics.config.roles import read_roles
from metrics.policy.settings_file import parse_settings
from tests.support.command_line import ROOT, call

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of file sizes")
# Runs the commands that it is given as JSON where no file can hold more than 500 bytes.
FULL_DISK = """
import contextlib, io, json, resource, signal, sys
from metrics.cli import main
sys.dont_write_bytecode = True  # Python would leave compiled modules of 500 bytes to the tests after this one
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
for arguments in json.load(sys.stdin):
    told = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
        status = main(arguments)
    print(json.dumps([status, told.getvalue()]), flush=True)
"""


@pytest.fixture
def inputs(tmp_path: Path) -> list[object]:
    """Arguments that score a table of 300 classes."""
    rows = "".join(f"{number % 300},{number % 7}\n" for number in range(900))
    (tmp_path / "table.csv").write_text(f"q,s\n{rows}", encoding="utf-8")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n", encoding="utf-8")
    return ["--anonymized", tmp_path / "table.csv", "--roles", tmp_path / "roles.yaml"]


@POSIX
def test_a_full_disk_is_reported_by_every_command_and_leaves_the_old_file(tmp_path: Path, inputs: list[object]) -> None:
    table, roles, results, hierarchies = tmp_path / "table.csv", tmp_path / "roles.yaml", tmp_path / "r", tmp_path / "h"
    results.mkdir()
    hierarchies.mkdir()
    (hierarchies / "q.csv").write_text("".join(f"{number};{number // 100};*\n" for number in range(300)))
    explored = ["--original", table, "--roles", roles, "--hierarchies", hierarchies]
    commands: dict[str, list[object]] = {
        "classes.csv": ["classes", *inputs],
        "classes.parquet": ["classes", *inputs],
        "compared.csv": ["compare", *inputs],
        "repaired.csv": ["repair", *inputs, "--k", "3"],
        "best.csv": ["explore", *explored, "--k", "2", "--max-suppression", "1"],
        "report.html": ["report", *inputs],
    }
    asked = []
    for name, command in commands.items():
        (results / name).write_text("old")
        asked.append([*map(str, command), "--out", str(results / name)])
    asked.append([*map(str, ("score", *inputs, "--classes-out", results / "new"))])
    command = [sys.executable, "-c", FULL_DISK]
    done = subprocess.run(
        command, cwd=ROOT, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked)
    for (status, told), name in zip(answers, [*commands, "new"], strict=True):
        assert status == 2, name
        kind = "folder" if name == "new" else "file"
        assert told.startswith(f"{results / name}: the {kind} cannot be written; check "), name
        assert "free space" in told, name
        assert told.count("\n") == 1, name
    assert {path.name for path in results.iterdir()} == set(commands)
    assert {path.read_text() for path in results.iterdir()} == {"old"}


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_full_disk_behind_standard_output_is_reported(
    inputs: list[object], more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:  # what is left in its buffer fails no more at the end
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["score", *map(str, inputs), *more]) == 2
    assert capsys.readouterr().err == "The output cannot be written; free some disk space or write it elsewhere.\n"


def test_names_of_columns_steer_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "q\x1b]0;pwn\x07\u202e"
    pq.write_table(pa.table({name: ["x", "y"], "age": ["1", "1"]}), tmp_path / "t.parquet")
    (tmp_path / "roles.yaml").write_text('quasi_identifiers: [age]\nsensitive: ["q\\e]0;pwn\\a\\u202e"]\n')
    told = call(capsys, "score", "--anonymized", tmp_path / "t.parquet", "--roles", tmp_path / "roles.yaml")
    assert told.status == 0
    assert "q⟨U+001B⟩]0;pwn⟨U+0007⟩⟨U+202E⟩" in told.out
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [zip]\n")
    refused = call(capsys, "score", "--anonymized", tmp_path / "t.parquet", "--roles", tmp_path / "roles.yaml")
    assert refused.status == 2
    for text in (told.out, told.err, refused.err):
        assert not set(text) & {"\x1b", "\x07", "\u202e"}
