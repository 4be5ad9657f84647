"""Every command takes every option of reading, and tells a wrong one in one sentence."""

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pytest

import metrics
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from metrics.policy.settings_file import parse_settings
from metrics.reading import ReadPlan
from tests.support.command_line import Run, call

RECORDS = "1,2,x\n1,2,y\n3,4,x\n3,4,y\n"
SECRET = "TOPSECRET"
T_IN_REPORT = re.compile(r"<dt>t-closeness</dt><dd>([\d.]+)</dd>")


def workbook() -> bytes:
    """A book whose first sheet is another table."""
    book = openpyxl.Workbook()
    book.worksheets[0].append(["other", "table"])
    book.worksheets[0].append([1, 2])
    sheet = book.create_sheet("Data")
    for line in ("a,b,s\n" + RECORDS).splitlines():
        sheet.append(line.split(","))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@dataclass(frozen=True)
class Case:
    """A file that is refused unless it is read with the options; the labels of its column a then."""

    name: str
    options: list[str]
    content: bytes
    labels: tuple[str, ...] = ("1", "3")
    sensitive: bool = True


APOSTROPHES = b"a,b,s\n'it''s',2,x\n'it''s',2,y\n\"3\",4,x\n\"3\",4,y\n"
BACKSLASHES = b"a,b,s\nC:\\\\,2,x\nC:\\\\,2,y\n3,4,x\n3,4,y\n"
CASES = [
    Case("a delimiter", ["--delimiter", "+"], ("a,b,s\n" + RECORDS).replace(",", "+").encode()),
    Case("quotes", ["--quote", "'"], APOSTROPHES, ('"3"', "it's")),
    Case("no quotes", ["--quote", ""], APOSTROPHES, ('"3"', "'it''s'")),
    Case("an escape", ["--escape", "\\"], BACKSLASHES, ("3", "C:\\")),
    Case("no escape", ["--escape", ""], BACKSLASHES, ("3", "C:\\\\")),
    # Of mainframes: no sign is where ASCII has it.
    Case("an encoding", ["--encoding", "cp037"], ("a,b,s\n" + RECORDS).encode("cp037")),
    Case("lines before the header", ["--skip-lines", "2"], ("Survey of, the year\nall\na,b,s\n" + RECORDS).encode()),
    Case("lines of the header", ["--header-lines", "2"], ("a,b,s\na,b,s\n" + RECORDS).encode()),
    Case("lines after the records", ["--footer-lines", "1"], ("a,b,s\n" + RECORDS + "Total,9,z\n").encode()),
    Case("empty lines", ["--blank-lines", "nothing"], b"a\n1\n1\n\n3\n3\n", sensitive=False),
    Case("a sheet", ["--sheet", "Data"], workbook()),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h").mkdir()
    return tmp_path


def commands(folder: Path, case: Case) -> Mapping[str, list[str]]:
    """Every command on the case's file."""
    (folder / "t.dat").write_bytes(case.content)
    sensitive = "sensitive: [s]\n" if case.sensitive else ""
    (folder / "r.yaml").write_text(f"quasi_identifiers: [a]\n{sensitive}", encoding="utf-8")
    candidate = ["--anonymized", "t.dat", "--roles", "r.yaml"]
    return {
        "score": [*candidate, "--original", "t.dat", "--json"],
        "classes": [*candidate, "--out", "classes.csv"],
        "compare": [*candidate, "--json"],
        "explore": ["--original", "t.dat", "--roles", "r.yaml", "--k", "1", "--json"],
        "repair": [*candidate, "--out", "repair.csv", "--k", "1", *(["--t", "0.4"] if case.sensitive else [])],
        "report": [*candidate, "--out", "report.html", "--technical", "technical.html"],
    }


def classes_and_t(folder: Path, name: str, done: Run) -> tuple[int, float | None]:
    """How many classes a command found, and the largest distance, as it tells them."""
    assert done.status == 0, name
    assert all("the reading plan omits" in line for line in done.err.splitlines()), name
    if name in ("score", "compare"):
        card = done.object if name == "score" else done.object["candidates"]["t.dat"]
        return card["classes"]["count"], card["metrics"]["t_closeness"]["value"]
    if name == "explore":
        return done.object["best"]["classes"], done.object["best"].get("t_closeness")
    if name in ("classes", "repair"):
        table = metrics.read_table(folder / f"{name}.csv", quote='"', escape="")
        return table["a"].distinct, max(map(float, table["s.t"].labels)) if "s.t" in table else None
    page = (folder / "report.html").read_text(encoding="utf-8")
    distance = T_IN_REPORT.search(page)
    return 2, None if distance is None else float(distance[1])


def assert_read_by_its_options(folder: Path, capsys: pytest.CaptureFixture[str], case: Case, *names: str) -> None:
    """Commands refuse a file until they are given the options."""
    for name in names:
        arguments = commands(folder, case)[name]
        refused = call(capsys, name, *arguments)
        assert (refused.status, refused.out) == (2, ""), name
        assert refused.err.startswith("t.dat"), name
        assert refused.err.count("\n") == 1, name
        done = call(capsys, name, *arguments, *case.options)
        assert classes_and_t(folder, name, done)[0] == 2, name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_is_read_by_its_options(folder: Path, capsys: pytest.CaptureFixture[str], case: Case) -> None:
    assert_read_by_its_options(folder, capsys, case, "classes")
    found = metrics.read_table(folder / "classes.csv", quote='"', escape="")
    assert sorted(found["a"].labels) == list(case.labels)


def test_every_command_reads_by_its_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in CASES if case.name == "lines after the records")
    assert_read_by_its_options(folder, capsys, case, *commands(folder, case))
    assert "left out: 1 line after the records" in (folder / "technical.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "options", "expected", "repaired"),
    [
        # A thousand, or one with decimals? Only as numbers do the values have an order, and are closer to each other.
        (b"a;s\n1;1,000\n1;1,000\n3;2,000\n3;9,000\n", ["--decimal", ","], [(2, 0.5), (2, 0.375)], [1, 2]),
        (b"a,s\nNA,x\n-,x\n-9,x\n?,y\n", ["--missing", "NA", "-", "-9"], [(4, 0.75), (2, 0.75)], [3, 1]),
        (b"a,s\nNA,x\nNA,x\n,x\n?,y\n", ["--missing", "", "NA"], [(3, 0.75), (2, 0.75)], [2, 1]),
    ],
    ids=["a decimal mark", "missing cells", "empty cells"],
)
def test_every_command_takes_cells_by_its_options(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
    options: list[str],
    expected: list[tuple[int, float]],
    repaired: list[int],
) -> None:
    for name, arguments in commands(folder, Case("cells", options, content)).items():
        found = [classes_and_t(folder, name, call(capsys, name, *arguments, *more)) for more in ([], options)]
        if name == "report":  # it states the distance, and no number of classes
            assert [distance for _, distance in found] == [distance for _, distance in expected]
            continue
        # Of a repair only the table is told, without the classes that are too far from it.
        assert found == ([(count, None) for count in repaired] if name == "repair" else expected), name


GOOD = f"a,b,s\n1,2,x\n1,2,y\n3,4,{SECRET}é\n3,4,{SECRET}é\n".encode()


def assert_told_in_one_line(done: Run, printed: str, name: str) -> None:
    assert (done.status, done.out) == (2, ""), name
    assert printed in done.err, name
    assert done.err.count("\n") == 1, name
    assert done.err.endswith(".\n"), name
    assert SECRET not in done.err, name


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (["--delimiter", "\\t"], "t.dat, "),
        (["--delimiter", "\n"], "t.dat: the delimiter must be 1 to 10 characters other than line ends"),
        (["--delimiter", "x" * 11], "t.dat: the delimiter must be 1 to 10 characters other than line ends"),
        (["--delimiter", '"'], "t.dat: delimiter and quote are the same"),
        (["--quote", "ab"], "t.dat: the quote must be one ASCII character"),
        (["--quote", "é"], "t.dat: the quote must be one ASCII character"),
        (["--escape", "/"], "argument --escape: invalid choice: '/'"),
        (["--encoding", "klingon"], "t.dat: the encoding is not known"),
        (["--encoding", ""], "t.dat: the encoding is not known"),
        (["--encoding", "utf-32"], "t.dat, line 1: the line contains bytes that are not text in UTF-32"),
        (["--decimal", ";"], "argument --decimal: invalid choice: ';'"),
        (["--missing"], "argument --missing: expected at least one argument"),
        (["--skip-lines", "9"], "t.dat: the file has no line after the 9 skipped ones"),
        (["--skip-lines", "-1"], 'argument --skip-lines: "-1" is not a number'),
        (["--skip-lines", "9" * 30], "is not a number from 0 to 1,000,000,000"),
        (["--header-lines", "0"], 't.dat, column "a": the table has no such column; its columns are "column 1"'),
        (["--header-lines", "9"], "t.dat: the table has a header but no records"),
        (["--header-lines", "1.5"], 'argument --header-lines: "1.5" is not a number'),
        (["--footer-lines", "4"], "t.dat: the table has a header but no records"),
        (["--footer-lines", "999999999"], "t.dat: the table has a header but no records"),
        (["--footer-lines", "x"], 'argument --footer-lines: "x" is not a number'),
        (["--blank-lines", "gone"], "argument --blank-lines: invalid choice: 'gone'"),
    ],
    ids=str,
)
def test_a_wrong_reading_option_is_reported_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], printed: str
) -> None:
    arguments = commands(folder, Case("good", [], GOOD))["score"]
    assert_told_in_one_line(call(capsys, "score", *arguments, *options), printed, "score")


def test_every_command_reports_a_wrong_reading_option_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, arguments in commands(folder, Case("good", [], GOOD)).items():
        done = call(capsys, name, *arguments, "--header-lines", "9")
        assert_told_in_one_line(done, "t.dat: the table has a header but no records", name)
    assert sorted(path.name for path in folder.iterdir()) == ["h", "r.yaml", "t.dat"]


def test_an_absent_sheet_is_reported_with_the_sheets_of_the_workbook(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, arguments in commands(folder, Case("a sheet", [], workbook())).items():
        done = call(capsys, name, *arguments, "--sheet", "Absent")
        assert (done.status, done.out) == (2, ""), name
        assert done.err == (
            't.dat: the workbook has no sheet of that name; choose one of its sheets "Sheet", "Data".\n'
        ), name


def test_a_tab_can_be_written_as_in_every_other_program(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Taken by itself, the file would rather be divided by commas.
    content = b"a\tb,s\tx\n1\t2,3\t4\n1\t2,3\t4\n"
    for sign in ("\t", "\\t"):
        arguments = commands(folder, Case("tabs", [], content, ("1",), ()))["score"]
        done = call(capsys, "score", *arguments, "--delimiter", sign)
        assert done.status == 0
        assert done.object["classes"]["count"] == 1


# What an engine cannot do it refuses; the rest it reads as memory does.
BY_AN_ENGINE = {
    "a delimiter": None,
    "quotes": None,
    "no quotes": None,
    "an escape": "an engine cannot read a file with an escape character",
    "no escape": None,
    "an encoding": "an engine cannot read a file with the encoding cp037",
    "lines before the header": None,
    "lines of the header": None,
    "lines after the records": "an engine cannot read a file with lines after the records",
    "empty lines": None,
    "a sheet": "engines read Parquet and CSV files only",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_engine_reads_by_its_options_or_refuses(
    folder: Path, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    commands(folder, case)
    arguments = ["--anonymized", "t.dat", "--roles", "r.yaml", "--json", "--metrics", "k_anonymity", *case.options]
    done = call(capsys, "score", *arguments, "--engine", "duckdb")
    refused = BY_AN_ENGINE[case.name]
    if refused is None:
        assert done.status == 0
        assert done.object["classes"]["count"] == 2
    else:
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"t.dat: {refused}")


TOTAL = "q,n,s\na,100,x\na,50,y\nb,7,x\nTotal,157,\n"
PLAN = ReadPlan("csv", encoding="utf-8", delimiter=",", footer_lines=1)
QUESTION = "t.csv: Do the records end before line 5? "


@pytest.fixture
def total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TOTAL, encoding="utf-8")
    (tmp_path / "r.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n", encoding="utf-8")
    return tmp_path


def score(capsys: pytest.CaptureFixture[str], *options: object) -> Run:
    return call(capsys, "score", "--anonymized", "t.csv", "--roles", "r.yaml", "--json", *options)


@pytest.mark.usefixtures("total")
def test_a_question_ends_with_options_that_answer_it(capsys: pytest.CaptureFixture[str]) -> None:
    asked = score(capsys)
    assert (asked.status, asked.out, asked.err.count("\n")) == (2, "", 1)
    assert asked.err.startswith(QUESTION)
    assert "answer as proposed with --footer-lines 1 or with --accept-proposals" in asked.err
    answered = score(capsys, "--footer-lines", "1")
    assert (answered.status, answered.err) == (0, "t.csv: the reading plan omits 1 line after the records.\n")
    reading = answered.object["tables"]["anonymized"]["reading"]
    assert reading == {"plan": PLAN.to_dict(), "left_out": ["1 line after the records"], "notes": []}


@pytest.mark.usefixtures("total")
def test_an_encoding_does_not_overrule_a_file_that_proves_to_be_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    for name, encoding in (("t.csv", "cp1252"), ("o.csv", "utf-8")):
        (Path.cwd() / name).write_text("name,age\nZoë,31\nRené,42\n", encoding=encoding)
    (Path.cwd() / "r.yaml").write_text("quasi_identifiers: [name, age]\n", encoding="utf-8")
    found = score(capsys, "--original", "o.csv", "--encoding", "cp1252")
    assert (found.status, found.err) == (0, "o.csv: read as UTF-8, which its bytes prove, and not as cp1252.\n")
    assert found.object["metrics"]["granularity"]["value"] == 1
    assert found.object["tables"]["original"]["reading"]["plan"]["encoding"] == "utf-8"


@pytest.mark.usefixtures("total")
def test_unnamed_and_repeated_columns_are_noted_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    (Path.cwd() / "t.csv").write_text(",age,age\n1,2,a\n2,3,b\n", encoding="utf-8")
    (Path.cwd() / "r.yaml").write_text("quasi_identifiers: [age]\n", encoding="utf-8")
    noted = score(capsys)
    notes = ['1 column without a name: "column 1"', '1 repeated name made unique: "age (2)"']
    assert (noted.status, noted.err) == (0, f"t.csv: {'; '.join(notes)}.\n")
    assert noted.object["tables"]["anonymized"]["reading"]["notes"] == notes


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.usefixtures("total")
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
@pytest.mark.usefixtures("total")
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
@pytest.mark.usefixtures("total")
def test_a_reading_plan_that_is_invalid_or_does_not_fit_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], content: str, problem: str
) -> None:
    Path("plan.json").write_text(content, encoding="utf-8")
    refused = score(capsys, "--read-plan", "plan.json")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert problem in refused.err


@pytest.mark.usefixtures("total")
def test_a_header_without_the_first_name_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.csv").write_text("q,s\n11,a,x\n12,a,y\n13,b,x\n", encoding="utf-8")
    assert "answer as proposed with --names " in score(capsys).err
    done = score(capsys, "--names", "column 1", "q", "s")
    assert done.object["tables"]["anonymized"]["reading"]["plan"]["names"] == ["column 1", "q", "s"]
    assert score(capsys, "--names", "row", "q", "s", "--omit-columns", "1").status == 0


@pytest.mark.usefixtures("total")
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
