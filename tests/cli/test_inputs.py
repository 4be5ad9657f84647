"""Bad input at the command line: status 2, one line that says where and what to do, and no cell of a table."""

from dataclasses import dataclass, field
from pathlib import Path

import openpyxl
import pytest

from tests.support.command_line import call

SECRET = "TOPSECRET"
GOOD = f"zip,age,illness\n10115,34,{SECRET}\n10117,36,flu\n20095,51,{SECRET}\n"
ROLES = "quasi_identifiers: [zip, age]\nsensitive: [illness]\n"
HIERARCHY = f"flu,cold\n{SECRET},cold\n"


@dataclass(frozen=True)
class Case:
    """Files put beside or over the good ones, and what the one line must hold."""

    name: str
    printed: list[str]
    files: dict[str, str | bytes] = field(default_factory=dict)
    anonymized: str = "a.csv"
    options: tuple[str, ...] = ()


def table(name: str, content: str | bytes, *printed: str) -> Case:
    """A bad anonymized table."""
    return Case(name, ["a.csv", *printed], {"a.csv": content})


def roles(name: str, content: str | bytes, *printed: str) -> Case:
    return Case(name, list(printed), {"r.yaml": content})


def pair(name: str, original: str, *printed: str) -> Case:
    return Case(name, list(printed), {"o.csv": original}, options=("--original", "o.csv"))


def hierarchy(name: str, files: dict[str, str], *printed: str) -> Case:
    made = {f"h/{path}": text for path, text in files.items()}
    return Case(name, list(printed), {"o.csv": GOOD, **made}, options=("--original", "o.csv", "--hierarchies", "h"))


CASES = [
    table("empty file", b"", "the file is empty"),
    table("blank lines only", "\n\n\n", "the file is empty"),
    table("header only", "zip,age,illness\n", "no records"),
    table("short row", f"zip,age,illness\n1,2,flu\n{SECRET},1\n1,2,flu\n1,3,flu\n", "line 3", "2 fields", "3"),
    table("long row", f"zip,age,illness\n1,2,{SECRET}\n1,2,3,{SECRET}\n1,2,flu\n1,3,flu\n", "line 3", "4 fields"),
    table("ragged row after blank lines", f"zip,age,illness\n\n\n1,2,{SECRET}\n1,{SECRET}\n", "line 5"),
    table("open quote", f'zip,age,illness\n1,2,flu\n1,2,"{SECRET}\n1,2,flu\n', "line 3", "quote"),
    table("binary junk", bytes(range(256)) * 40),
    table("an image", b"\x89PNG\r\n\x1a\n" + bytes(200) + SECRET.encode()),
    Case("another encoding than told", ["a.csv, line 5", "UTF-8"], {"a.csv": GOOD.encode() + b"1,2,\xe9\n"},
         options=("--encoding", "utf-8")),
    table("damaged gzip", b"\x1f\x8b\x08\x00" + SECRET.encode(), "gzip"),
    table("packed otherwise", b"BZh91AY&SY\x00\xff" + SECRET.encode(), "NUL bytes"),
    table("damaged Parquet", b"PAR1\x00\x01\x02" + SECRET.encode() + b"PAR1"),
    Case("broken workbook", ["a.xlsx", "damaged"], {"a.xlsx": b"PK\x03\x04" + SECRET.encode()}, "a.xlsx"),
    Case(
        "workbook with a password",
        ["a.xlsx", "protected by a password"],
        {"a.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99) + "EncryptedPackage".encode("utf-16-le")},
        "a.xlsx",
    ),
    Case("old workbook", ["a.xls", ".xlsx"], {"a.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99)}, "a.xls"),
    Case("no such sheet", ["a.xlsx", '"Data"'], {}, "a.xlsx", options=("--sheet", "Other")),
    pair("original without a quasi-identifier", GOOD.replace("zip", "PLZ"), "o.csv", 'column "zip"', '"PLZ"'),
    pair("empty original", "", "o.csv", "the file is empty"),
    roles("absent quasi-identifier", "quasi_identifiers: [zip, sex]", "a.csv", 'column "sex"', "r.yaml"),
    roles("absent sensitive attribute", "quasi_identifiers: [zip]\nsensitive: [x]", "a.csv", 'column "x"'),
    roles("absent insensitive column", "quasi_identifiers: [zip]\ninsensitive: [x]", "a.csv", 'column "x"'),
    roles("absent key", "quasi_identifiers: [zip]\nkey: id", "a.csv", 'column "id"'),
    roles("no quasi-identifier", "sensitive: [illness]", "r.yaml", "no quasi-identifier is chosen"),
    roles("an empty list", "quasi_identifiers: []", "r.yaml", "no quasi-identifier is chosen"),
    roles("a column of two roles", "quasi_identifiers: [zip]\nsensitive: [zip]", "r.yaml", 'column "zip"'),
    roles("a role that does not exist", "quasi: [zip]", "r.yaml", 'no role "quasi"', "quasi_identifiers"),
    roles("no YAML", "quasi_identifiers: [zip\nsensitive: }", "r.yaml", "line 2", "not valid YAML"),
    roles("a list", "- zip", "r.yaml", "no roles"),
    roles("nothing", "", "r.yaml", "no roles"),
    roles("no text", b"\xff\xfe\x00\x81", "r.yaml", "not UTF-8"),
    hierarchy("hierarchy without an original value", {"zip.csv": f"10115,1*\n10117,1*\n{SECRET},2*\n"},
              "o.csv, line 4", 'column "zip"', "zip.csv", "as a leaf"),
    hierarchy("two values missed", {"age.csv": "34,3*\n"}, "line 3", 'column "age"', "and 1 more"),
    hierarchy("hierarchy without a sensitive value", {"illness.csv": "flu,cold\n"},
              "a.csv, line 2", 'column "illness"', "illness.csv"),
    hierarchy("two parents", {"illness.csv": f"flu,cold\n{SECRET},cold\nflu,{SECRET}\n"},
              "illness.csv, line 3", "parent", "line 1"),
    hierarchy("uneven rows", {"illness.csv": f"flu,cold\n{SECRET}\n"}, "illness.csv, line 2", "1 level"),
    hierarchy("a blank label", {"illness.csv": f"flu,cold,*\n{SECRET},,*\n"}, "illness.csv, line 2", "level 1"),
    hierarchy("an empty hierarchy", {"illness.csv": ""}, "illness.csv"),
    hierarchy("two files of one column", {"illness.csv": HIERARCHY, "my_hierarchy_illness.csv": HIERARCHY},
              "my_hierarchy_illness.csv", 'column "illness"', "illness.csv"),
    hierarchy("a hierarchy of binary junk", {"illness.csv": "\x00\x01\x02" + SECRET}, "illness.csv"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "r.yaml").write_text(ROLES)
    (tmp_path / "h").mkdir()
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Data"
    for row in GOOD.splitlines():
        book.worksheets[0].append(row.split(","))
    book.save(tmp_path / "a.xlsx")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arguments(folder: Path, case: Case) -> list[str]:
    for path, content in case.files.items():
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return ["--anonymized", case.anonymized, "--roles", "r.yaml", *case.options]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_is_reported_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str], case: Case) -> None:
    done = call(capsys, "score", *arguments(folder, case), "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "defect" not in done.err
    for part in case.printed:
        assert part in done.err
    assert SECRET not in done.err
    assert ";" in done.err, "the remedy"
    assert done.err.endswith(".\n")


@pytest.mark.parametrize("case", CASES[::9], ids=lambda case: case.name)
def test_classes_reports_bad_input_in_the_same_line_as_score(
    folder: Path, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    given = arguments(folder, case)
    inputs = [str(folder / part) if (folder / part).exists() else part for part in given]
    printed = call(capsys, "score", *inputs).err
    done = call(capsys, "classes", *inputs, "--out", folder / "out.csv")
    assert (done.status, done.out, done.err) == (2, "", printed)
    assert not (folder / "out.csv").exists()


def test_the_valid_files_of_these_tests_are_scored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "o.csv").write_text(GOOD)
    (folder / "h" / "illness.csv").write_text(HIERARCHY)
    for table in ("a.csv", "a.xlsx"):
        given = ["--anonymized", table, "--roles", "r.yaml", "--original", "o.csv", "--hierarchies", "h"]
        done = call(capsys, "score", *given, "--json")
        assert (done.status, done.err) == (0, "")
        assert SECRET not in done.out
        done = call(capsys, "score", *given)
        assert SECRET not in done.out
