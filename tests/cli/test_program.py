"""The command line: exit statuses, and what goes to which stream."""

import gzip
import io
import os
import runpy
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from metrics.cli import main
from tests.cli.small_inputs import ROLES, TABLE, inputs
from tests.support.command_line import ROOT, call, run

# Status 0


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


def test_help_ends_with_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["score", "--help"])
    assert ended.value.code == 0
    assert "--anonymized" in capsys.readouterr().out


def test_encoding_delimiter_decimal_sign_and_missing_markers_can_be_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "名|s\n甲|1,5\n甲|2,5\nNA|1,5\nNA|2,5\n"
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode("big5")))
    (tmp_path / "r.yaml").write_text("quasi_identifiers: 名\nsensitive: s\n", encoding="utf-8")
    given = ["--anonymized", tmp_path / "t.csv.gz", "--roles", tmp_path / "r.yaml"]
    told = ["--encoding", "big5", "--delimiter", "|", "--decimal", ",", "--missing", "NA"]
    found = call(capsys, "score", *given, *told, "--json").object
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


# Status 2


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (["--require", "k_anonimity >= 2"], 'there is no metric "k_anonimity"; use p29, k_anonymity'),
        (["--require", "k_anonymity"], "is not a requirement; write ID OP NUMBER"),
        (["--require", "k_anonymity >= five"], "does not compare with a number"),
        (["--require", "k_anonymity >= nan"], "does not compare with a number"),
        (["--set", "p29.w_k"], "write KEY=VALUE"),
        (["--set", "p29.w_x=1"], 'there is no parameter "p29.w_x"; use p29.w_k'),
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
    told: str,
) -> None:
    monkeypatch.chdir(ROOT)
    done = call(capsys, "score", *inputs(folder), "--json", *changed)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
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
    ("raised", "status", "told"),
    [(MemoryError(), 2, "The tables do not fit into memory"), (KeyboardInterrupt(), 130, "Stopped.")],
)
def test_running_out_of_memory_or_patience_is_reported(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    status: int,
    told: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise raised

    monkeypatch.setattr("metrics.cli.reading.read_table", fail)
    done = call(capsys, "score", *inputs(folder))
    assert done.status == status
    assert done.err.startswith(told)


def test_a_reader_that_stops_early_causes_no_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, "stdout", os.fdopen(writer, "w"))
    assert main([str(argument) for argument in ("score", *inputs(folder), "--json")]) == 2
    assert sys.stderr.closed  # the interpreter would complain there at its end
    sys.stdout.close()
