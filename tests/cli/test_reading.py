"""Every command takes every option of reading, and tells a wrong one in one sentence."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pytest

import metrics
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


def assert_told_in_one_line(done: Run, told: str, name: str) -> None:
    assert (done.status, done.out) == (2, ""), name
    assert told in done.err, name
    assert done.err.count("\n") == 1, name
    assert done.err.endswith(".\n"), name
    assert SECRET not in done.err, name


@pytest.mark.parametrize(
    ("options", "told"),
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
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    arguments = commands(folder, Case("good", [], GOOD))["score"]
    assert_told_in_one_line(call(capsys, "score", *arguments, *options), told, "score")


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
