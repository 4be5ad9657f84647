"""`--read-plan`, `--accept-proposals` and questions on the command line; plans in settings files."""

import json
from pathlib import Path

import pytest

import metrics
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from metrics.policy.settings_file import parse_settings
from metrics.reading import ReadPlan
from tests.support.command_line import Run, call

TOTAL = "q,n,s\na,100,x\na,50,y\nb,7,x\nTotal,157,\n"
PLAN = ReadPlan("csv", encoding="utf-8", delimiter=",", footer_lines=1)
QUESTION = "t.csv: Do the records end before line 5? "


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TOTAL, encoding="utf-8")
    (tmp_path / "r.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n", encoding="utf-8")
    return tmp_path


def score(capsys: pytest.CaptureFixture[str], *options: object) -> Run:
    return call(capsys, "score", "--anonymized", "t.csv", "--roles", "r.yaml", "--json", *options)


def test_a_question_ends_with_options_that_answer_it(capsys: pytest.CaptureFixture[str]) -> None:
    asked = score(capsys)
    assert (asked.status, asked.out, asked.err.count("\n")) == (2, "", 1)
    assert asked.err.startswith(QUESTION)
    assert "answer as proposed with --footer-lines 1 or with --accept-proposals" in asked.err
    answered = score(capsys, "--footer-lines", "1")
    assert (answered.status, answered.err) == (0, "t.csv: the reading plan omits 1 line after the records.\n")
    reading = answered.object["tables"]["anonymized"]["reading"]
    assert reading == {"plan": PLAN.to_dict(), "left_out": ["1 line after the records"], "notes": []}


def test_an_encoding_does_not_overrule_a_file_that_proves_to_be_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    for name, encoding in (("t.csv", "cp1252"), ("o.csv", "utf-8")):
        (Path.cwd() / name).write_text("name,age\nZoë,31\nRené,42\n", encoding=encoding)
    (Path.cwd() / "r.yaml").write_text("quasi_identifiers: [name, age]\n", encoding="utf-8")
    found = score(capsys, "--original", "o.csv", "--encoding", "cp1252")
    assert (found.status, found.err) == (0, "o.csv: read as UTF-8, which its bytes prove, and not as cp1252.\n")
    assert found.object["metrics"]["granularity"]["value"] == 1
    assert found.object["tables"]["original"]["reading"]["plan"]["encoding"] == "utf-8"


def test_unnamed_and_repeated_columns_are_noted_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    (Path.cwd() / "t.csv").write_text(",age,age\n1,2,a\n2,3,b\n", encoding="utf-8")
    (Path.cwd() / "r.yaml").write_text("quasi_identifiers: [age]\n", encoding="utf-8")
    noted = score(capsys)
    notes = ['1 column without a name: "column 1"', '1 repeated name made unique: "age (2)"']
    assert (noted.status, noted.err) == (0, f"t.csv: {'; '.join(notes)}.\n")
    assert noted.object["tables"]["anonymized"]["reading"]["notes"] == notes


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_accepted_proposals_are_printed(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    (Path.cwd() / "t.csv").write_text("5.1,2,a\n4.9,3,b\n5.0,2,a\n", encoding="utf-8")
    (Path.cwd() / "r.yaml").write_text("quasi_identifiers: [column 3]\n", encoding="utf-8")
    taken = score(capsys, "--accept-proposals", "--engine", engine)
    assert (taken.status, taken.err.count("\n")) == (0, 1)
    assert taken.err.startswith("t.csv: Is the first line a header")
    assert "Read as proposed: " in taken.err
    assert taken.err.endswith("(--header-lines 0).\n")
    assert taken.object["tables"]["anonymized"]["rows"] == 3


@pytest.mark.parametrize("of_files", [False, True])
def test_a_plan_file_is_followed(capsys: pytest.CaptureFixture[str], of_files: bool) -> None:
    plan = PLAN.to_dict()
    Path("plan.json").write_text(json.dumps({"other.csv": {}, "t.csv": plan} if of_files else plan), encoding="utf-8")
    done = score(capsys, "--read-plan", "plan.json")
    assert (done.status, done.object["tables"]["anonymized"]["rows"]) == (0, 3)
    kept = score(capsys, "--read-plan", "plan.json", "--footer-lines", "0")
    assert kept.object["tables"]["anonymized"]["rows"] == 4
    refused = score(capsys, "--read-plan", "plan.json", "--engine", "duckdb")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "an engine cannot read a file with lines after the records" in refused.err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "the reading plan is not valid JSON"),
        ("[]", 'there is no reading plan for the file "t.csv"'),
        ('{"other.csv": {"kind": "csv"}}', 'there is no reading plan for the file "t.csv"'),
        ('{"kind": "csv", "speed": 1}', 'the reading plan has no field "speed"'),
        ('{"kind": "csv", "skip_lines": "1"}', "skip_lines of the reading plan has the wrong type"),
        ('{"kind": "parquet"}', "the reading plan is for a file of another kind"),
    ],
)
def test_a_reading_plan_that_is_invalid_or_does_not_fit_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], content: str, problem: str
) -> None:
    Path("plan.json").write_text(content, encoding="utf-8")
    refused = score(capsys, "--read-plan", "plan.json")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert problem in refused.err


def test_a_header_without_the_first_name_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.csv").write_text("q,s\n11,a,x\n12,a,y\n13,b,x\n", encoding="utf-8")
    assert "answer as proposed with --names " in score(capsys).err
    done = score(capsys, "--names", "column 1", "q", "s")
    assert done.object["tables"]["anonymized"]["reading"]["plan"]["names"] == ["column 1", "q", "s"]
    assert score(capsys, "--names", "row", "q", "s", "--omit-columns", "1").status == 0


def test_settings_keep_plans_and_read_choices_of_older_files(capsys: pytest.CaptureFixture[str]) -> None:
    kept = Settings(anonymized=(TableSettings("t.csv", "0" * 64, ReadOptions(plan=PLAN, renamed=(("q", "Q"),))),))
    back = parse_settings(kept.to_json().encode(), "settings.json")
    assert back.anonymized == kept.anonymized
    older = {"schema_version": 1, "tables": {"anonymized": [
        {"name": "t.csv", "sha256": "0" * 64, "reading": {"footer_lines": 1, "delimiter": ","}}]}}  # fmt: skip
    Path("settings.json").write_text(json.dumps(older), encoding="utf-8")
    assert score(capsys, "--settings", "settings.json").object["tables"]["anonymized"]["rows"] == 3
    with pytest.raises(metrics.InputError, match='the reading plan has no field "speed"'):
        parse_settings(kept.to_json().replace('"kind"', '"speed": 1, "kind"').encode(), "settings.json")
