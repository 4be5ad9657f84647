"""The command line: exit statuses, and what goes to which stream."""

import gzip
import io
import json
import os
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics import InputError
from metrics.cli import main
from metrics.config.roles_file import read_roles
from metrics.policy.settings_file import parse_settings
from tests.cli.small_inputs import ROLES, TABLE, inputs
from tests.support.command_line import ROOT, call, run


def test_a_process_of_its_own_answers_the_same_to_a_terminal_of_ascii_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "table.csv").write_text(TABLE.replace("illness", "疾病"), encoding="utf-8")
    (folder / "roles.yaml").write_text(ROLES.replace("illness", "疾病"), encoding="utf-8")
    arguments = ["score", *inputs(folder), "--json"]
    assert run(*arguments, PYTHONIOENCODING="ascii") == call(capsys, *arguments)


def test_the_program_exits_without_waiting_for_threads(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads of a reader that are left behind could abort it while the interpreter ends."""

    def end(status: int) -> NoReturn:
        raise SystemExit(f"ended with {status}")

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(sys, "argv", ["metrics", "score", "--anonymized", "absent.csv", "--roles", "absent.yaml"])
    with pytest.raises(SystemExit, match="ended with 2"):
        runpy.run_module("metrics", run_name="__main__")
    assert "absent.yaml: the file cannot be read" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["metrics", *map(str, ["score", *inputs(folder)])])
    with pytest.raises(SystemExit, match="ended with 0"):
        runpy.run_module("metrics", run_name="__main__")


def test_characters_that_the_terminal_lacks_are_written_as_numbers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "table.csv").write_text(TABLE.replace("illness", "疾病"), encoding="utf-8")
    (folder / "roles.yaml").write_text(ROLES.replace("illness", "疾病"), encoding="utf-8")
    terminal = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal, encoding="ascii"))
    assert main([str(argument) for argument in ("score", *inputs(folder))]) == 0
    assert b"\\u75be\\u75c5" in terminal.getvalue()


@pytest.mark.parametrize(
    "command",
    ["score", "classes", "compare", "explore", "make", "repair", "apply", "report", "identifiers", "metrics"],
)
def test_help_ends_with_status_0(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: quasi {command}" in capsys.readouterr().out


def test_encoding_delimiter_decimal_sign_and_missing_markers_can_be_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "名|s\n甲|1,5\n甲|2,5\nNA|1,5\nNA|2,5\n"
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode("big5")))
    (tmp_path / "r.yaml").write_text("quasi_identifiers: 名\nsensitive: s\n", encoding="utf-8")
    given = ["--anonymized", tmp_path / "t.csv.gz", "--roles", tmp_path / "r.yaml"]
    printed = ["--encoding", "big5", "--delimiter", "|", "--decimal", ",", "--missing", "NA"]
    found = call(capsys, "score", *given, *printed, "--json").object
    assert found["classes"] == {"count": 2, "smallest": 2, "largest": 2, "mean": 2.0}
    assert found["metrics"]["t_closeness"]["details"]["distance"] == {"s": "ordered"}


def test_a_petworks_file_without_its_folder_scores_without_hierarchies(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    types = "{QUASI_IDENTIFIER: [zip, age], SENSITIVE_ATTRIBUTE: [illness]}"
    for name in ("absent", "here"):
        roles = f"DATASET:\n  ATTRIBUTE_TYPE: {types}\n  HIERARCHY: {name}\n"
        (folder / "roles.yaml").write_text(roles, encoding="utf-8")
        if name == "here":
            (folder / "here").mkdir()
            (folder / "here" / "table_hierarchy_illness.csv").write_text("flu;cold\ncough;cold\n=1+1;other\n")
        found = call(capsys, "score", *inputs(folder), "--json").object["metrics"]["t_closeness"]
        expected = "hierarchical" if name == "here" else "equal"
        assert found["details"]["distance"] == {"illness": expected}


@pytest.mark.parametrize(
    ("changed", "printed"),
    [
        (
            ["--require", "k_anonimity >= 2"],
            'no metric "k_anonimity"; did you mean k_anonymity? `quasi',
        ),
        (["--require", "risk >= 2"], 'there is no metric "risk"; did you mean household_risk?'),
        (["--metrics", "7"], 'there is no metric "7"; `quasi metrics` lists all.'),
        (["--require", "k_anonymity"], "is not a requirement; write ID OP NUMBER"),
        (["--require", "k_anonymity >= five"], "does not compare with a number"),
        (["--require", "k_anonymity >= nan"], "does not compare with a number"),
        (["--set", "p29.w_k"], "write KEY=VALUE"),
        (["--set", "p29.w_x=1"], 'there is no parameter "p29.w_x"; use p29.w_'),
        (["--set", "p29.w_k=0.9"], "p29.w_k, p29.w_l and p29.w_t are not non-negative numbers with sum 1"),
        (["--set", "t_closeness.t=2"], "t_closeness.t is not between 0 and 1"),
        (["--set", "t_closeness.distance.zip=equal"], 'column "zip": a ground distance is set'),
        (["--anonymized", "absent.csv"], "absent.csv: the file cannot be opened (no such file or directory)"),
        (["--anonymized", "."], "the file cannot be opened (is a directory)"),
        (["--original", "absent.csv"], "absent.csv: the file cannot be opened"),
        (["--roles", "absent.yaml"], "absent.yaml: the file cannot be read"),
        (["--roles", "."], "the file cannot be read"),
        (["--hierarchies", "absent"], "absent: "),
        (["--hierarchies", "tests/oracle"], "the folder holds no .csv file"),
        (["--decimal", "x"], "invalid choice"),
        (["--encoding", "klingon"], "choose one such as"),
        (["--quote", "xx"], "must be one ASCII character"),
        (["--frobnicate"], "unrecognized arguments: --frobnicate; see quasi score --help"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changed: list[str],
    printed: str,
) -> None:
    monkeypatch.chdir(ROOT)
    done = call(capsys, "score", *inputs(folder), "--json", *changed)
    assert (done.status, done.out) == (2, "")
    assert printed in done.err
    assert done.err.count("\n") == 1
    assert done.err.endswith(".\n")


@pytest.mark.parametrize("arguments", [[], ["score"], ["frobnicate"], ["classes", "--anonymized", "x", "--roles", "y"]])
def test_missing_arguments_are_reported_in_one_line_without_usage(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    done = call(capsys, *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "--help" in done.err


@pytest.mark.usefixtures("reports_failures")
def test_a_defect_shows_no_traceback_and_no_cell(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("the cell says SECRET")

    monkeypatch.setattr("metrics.cli.reading.read_table", fail)
    done = call(capsys, "score", *inputs(folder))
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "(RuntimeError)" in done.err


@pytest.mark.parametrize(
    ("raised", "status", "printed"),
    [(MemoryError(), 2, "The tables do not fit into memory"), (KeyboardInterrupt(), 130, "Stopped.")],
)
def test_running_out_of_memory_or_patience_is_reported(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    status: int,
    printed: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise raised

    monkeypatch.setattr("metrics.cli.reading.read_table", fail)
    done = call(capsys, "score", *inputs(folder))
    assert done.status == status
    assert done.err.startswith(printed)


def test_a_reader_that_stops_early_causes_no_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, "stdout", os.fdopen(writer, "w"))
    assert main([str(argument) for argument in ("score", *inputs(folder), "--json")]) == 2
    assert sys.stderr.closed  # the interpreter would complain there at its end
    sys.stdout.close()


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
def many_classes(tmp_path: Path) -> list[object]:
    """Arguments that score a table of 300 classes."""
    rows = "".join(f"{number % 300},{number % 7}\n" for number in range(900))
    (tmp_path / "table.csv").write_text(f"q,s\n{rows}", encoding="utf-8")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n", encoding="utf-8")
    return ["--anonymized", tmp_path / "table.csv", "--roles", tmp_path / "roles.yaml"]


@POSIX
def test_a_full_disk_is_reported_by_every_command_and_leaves_the_old_file(
    tmp_path: Path, many_classes: list[object]
) -> None:
    table, roles, results, hierarchies = tmp_path / "table.csv", tmp_path / "roles.yaml", tmp_path / "r", tmp_path / "h"
    results.mkdir()
    hierarchies.mkdir()
    (hierarchies / "q.csv").write_text("".join(f"{number};{number // 100};*\n" for number in range(300)))
    explored = ["--original", table, "--roles", roles, "--hierarchies", hierarchies]
    commands: dict[str, list[object]] = {
        "classes.csv": ["classes", *many_classes],
        "classes.parquet": ["classes", *many_classes],
        "compared.csv": ["compare", *many_classes],
        "repaired.csv": ["repair", *many_classes, "--k", "3"],
        "best.csv": ["explore", *explored, "--k", "2", "--max-suppression", "1"],
        "report.html": ["report", *many_classes],
    }
    asked = []
    for name, command in commands.items():
        (results / name).write_text("old")
        asked.append([*map(str, command), "--out", str(results / name)])
    asked.append([*map(str, ("score", *many_classes, "--classes-out", results / "new"))])
    command = [sys.executable, "-c", FULL_DISK]
    done = subprocess.run(
        command, cwd=ROOT, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked)
    for (status, printed), name in zip(answers, [*commands, "new"], strict=True):
        assert status == 2, name
        kind = "folder" if name == "new" else "file"
        assert printed.startswith(f"{results / name}: the {kind} cannot be written; check "), name
        assert "free space" in printed, name
        assert printed.count("\n") == 1, name
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


@pytest.mark.usefixtures("reports_failures")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_full_disk_behind_standard_output_is_reported(
    many_classes: list[object],
    more: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:  # what is left in its buffer fails no more at the end
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["score", *map(str, many_classes), *more]) == 2
    assert capsys.readouterr().err == "The output cannot be written; free some disk space or write it elsewhere.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams by the shell")
@pytest.mark.parametrize(
    ("closed", "status"), [(">&-", 2), ("2>&-", 0), ("2>&- --require 'k_anonymity >= 99'", 1), (">&- 2>&- <&-", 2)]
)
def test_a_closed_stream_ends_a_command_quietly_and_never_as_a_requirement_that_is_not_met(
    many_classes: list[object], closed: str, status: int
) -> None:
    command = shlex.join(
        [sys.executable, "-m", "metrics", "score", *map(str, many_classes), "--metrics", "k_anonymity"]
    )
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")


def test_names_of_columns_steer_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "q\x1b]0;pwn\x07\u202e"
    pq.write_table(pa.table({name: ["x", "y"], "age": ["1", "1"]}), tmp_path / "t.parquet")
    (tmp_path / "roles.yaml").write_text('quasi_identifiers: [age]\nsensitive: ["q\\e]0;pwn\\a\\u202e"]\n')
    printed = call(capsys, "score", "--anonymized", tmp_path / "t.parquet", "--roles", tmp_path / "roles.yaml")
    assert printed.status == 0
    assert "q⟨U+001B⟩]0;pwn⟨U+0007⟩⟨U+202E⟩" in printed.out
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [zip]\n")
    refused = call(capsys, "score", "--anonymized", tmp_path / "t.parquet", "--roles", tmp_path / "roles.yaml")
    assert refused.status == 2
    for text in (printed.out, printed.err, refused.err):
        assert not set(text) & {"\x1b", "\x07", "\u202e"}


def test_metrics_lists_each_id_with_its_title_and_what_only_a_policy_limits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = call(capsys, "metrics").out.splitlines()
    assert [line.split()[0] for line in lines][: len(metrics.METRICS)] == [metric.id for metric in metrics.METRICS]
    assert lines[0].split() == ["p29", "P_29"]
    assert "only as a limit of a policy" in lines[-1]
