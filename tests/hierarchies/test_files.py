"""Which file belongs to which column, and whether hierarchies cover the tables."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from metrics import Hierarchy, InputError, Roles, read_hierarchies
from metrics.hierarchies.files import check_coverage, column_of_file, read_hierarchy
from metrics.petworks import PETValidation
from metrics.petworks.attributetypes import QUASI_IDENTIFIER
from tests.support.command_line import Run, call
from tests.support.small_tables import table, written


@pytest.mark.parametrize(
    "content",
    [
        "value;group;all\n1;low;*\n2;low;*\n3;high;*\n",
        "level 0;level 1\n1;any\n2;any\n",
        "Level0,Level1\n1,any\n2,any\n",
    ],
)
def test_a_hierarchy_file_with_a_header_is_refused(content: str) -> None:
    with pytest.raises(InputError, match="seems to be a header") as refused:
        read_hierarchy(content.encode(), name="age.csv")
    assert refused.value.row == 1


@pytest.mark.parametrize("content", ["1;low\n2;high\n3;high\n", "a\n*\n", "1;low;*\n2;low;*\n"])
def test_a_first_leaf_with_a_root_of_its_own_stays(content: str) -> None:
    assert "1" in read_hierarchy(content.encode()).leaf_index or "a" in read_hierarchy(content.encode()).leaf_index


@pytest.mark.parametrize(
    ("name", "columns", "expected"),
    [
        ("age.csv", None, "age"),
        ("age.csv.gz", None, "age"),
        ("adult_hierarchy_age.csv", None, "age"),
        ("hierarchy_native-country.csv", None, "native-country"),
        ("adult_hierarchy_hierarchy_x.csv", None, "hierarchy_x"),
        ("adult_hierarchy_hierarchy_x.csv", ["x"], "x"),
        ("my_hierarchy_age.csv", ["my_hierarchy_age"], "my_hierarchy_age"),
        ("my_hierarchy_age.csv", ["age"], "age"),
        ("a_hierarchy_b_hierarchy_c.csv", ["c"], "c"),
        ("folder/sub/age.csv", None, "age"),
        ("年齡.csv", None, "年齡"),
        ("v1.2.csv", None, "v1.2"),
    ],
)
def test_the_column_of_a_hierarchy_is_found_from_its_file_name(
    name: str, columns: list[str] | None, expected: str
) -> None:
    assert column_of_file(name, columns) == expected


def test_a_folder_is_read_by_column(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("34;3*;*\n51;5*;*\n")
    (tmp_path / "my_hierarchy_zip.csv").write_bytes("\ufeff10115, 101**\n10117, 101**\n".encode())
    (tmp_path / "notes.txt").write_text("no hierarchy")
    found = read_hierarchies(tmp_path)
    assert set(found) == {"age", "zip"}
    assert found["age"].rows == (("34", "3*", "*"), ("51", "5*", "*"))
    assert found["zip"].rows == (("10115", "101**"), ("10117", "101**"))
    assert found["zip"].name == "my_hierarchy_zip.csv"


def test_files_of_other_columns_are_left_unread(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("34,*\n")
    (tmp_path / "other.csv").write_text("a,b\nc\n")
    assert set(read_hierarchies(tmp_path, ["age", "zip"])) == {"age"}
    with pytest.raises(InputError, match=r"other\.csv, line 2"):
        read_hierarchies(tmp_path)


def test_a_hierarchy_is_read_from_bytes() -> None:
    assert read_hierarchy("甲;*\n乙;*\n".encode("utf-16"), name="名.csv").rows == (("甲", "*"), ("乙", "*"))


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, r"the folder holds no \.csv file"),
        ({"age.csv": "1,*\n", "x_hierarchy_age.csv": "1,*\n"}, "belong to the same column"),
        ({"age.csv": "1,a,*\n2,b,*\n1,b,*\n"}, "age.csv, line 3: a value of level 0 has a different parent"),
        ({"age.csv": "1,a,*\n\n\n2,b\n"}, "age.csv, line 4: the row has 2 levels"),
    ],
)
def test_a_hierarchy_folder_with_unusable_files_is_refused_with_the_reason(
    tmp_path: Path, files: dict[str, str], problem: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=problem):
        read_hierarchies(tmp_path)


def test_a_hierarchy_folder_that_does_not_exist_or_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("1,*\n")
    for path in (tmp_path / "absent", tmp_path / "age.csv"):
        with pytest.raises(InputError, match="the hierarchy folder does not exist"):
            read_hierarchies(path)


# Coverage

ANONYMIZED = written("q s\n1* flu\n* cold\n2* flu", "anonymized.csv")


ORIGINAL = written("q s\n10 flu\n11 cold\n20 flu", "original.csv")


ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])


Q = Hierarchy([["10", "1*"], ["11", "1*"], ["20", "2*"]], name="q.csv")


S = Hierarchy([["flu", "ill"], ["cold", "ill"]], name="s.csv")


def test_hierarchies_that_cover_everything_are_fine() -> None:
    check_coverage({"q": Q, "s": S, "unknown": S}, ROLES, ANONYMIZED, ORIGINAL)


@pytest.mark.parametrize(
    ("hierarchies", "file", "row", "column"),
    [
        ({"q": Hierarchy(Q.rows[1:], name="q.csv")}, "original.csv", 2, "q"),
        ({"q": Hierarchy([["10", "1x"], ["11", "1x"], ["20", "2*"]], name="q.csv")}, "anonymized.csv", 2, "q"),
        ({"q": Hierarchy([["10", "1*"], ["11", "1*"], ["20", "2x"]], name="q.csv")}, "anonymized.csv", 4, "q"),
        ({"s": Hierarchy([["cold", "ill"]], name="s.csv")}, "anonymized.csv", 2, "s"),
    ],
)
def test_a_value_that_is_missed_is_reported_by_its_place(
    hierarchies: dict[str, Hierarchy], file: str, row: int, column: str
) -> None:
    with pytest.raises(InputError, match=f"the hierarchy {column}.csv lacks a value of this row") as raised:
        check_coverage(hierarchies, ROLES, ANONYMIZED, ORIGINAL)
    assert (raised.value.file, raised.value.row, raised.value.column) == (file, row, column)


def test_a_hierarchy_may_lack_values_that_no_score_needs() -> None:
    incomplete = Hierarchy([["10", "1*"]], name="q.csv")
    check_coverage({"q": incomplete}, ROLES, ANONYMIZED)
    check_coverage({"s": incomplete}, ROLES, ANONYMIZED, None, ["s"])
    numbers = table({"q": ["a", "b"], "s": ["1", "2"]})
    check_coverage({"s": incomplete}, ROLES, numbers)


def test_suppressed_records_need_no_leaf_for_their_sensitive_value() -> None:
    suppressed = written("q s\n* *\n1* flu\n1* cold", "anonymized.csv")
    check_coverage({"s": S}, ROLES, suppressed)
    kept = written("q s\n* *\n1* flu\n1* *\n1* gout", "anonymized.csv")
    with pytest.raises(InputError, match="lacks a value of this row and 1 more") as raised:
        check_coverage({"s": S}, ROLES, kept)
    assert raised.value.row == 4
    numbers = written("q s\n* *\n1* 1\n1* 2")
    check_coverage({"s": S}, ROLES, numbers)


def test_a_generalized_sensitive_attribute_is_one_of_which_t_closeness_says_that_it_has_no_distance() -> None:
    tree = Hierarchy([["flu", "lungs", "*"], ["cold", "lungs", "*"], ["ulcer", "stomach", "*"]])
    for cells in ("lungs", "stomach"), ("*", "*"), ("flu", "lungs"):
        check_coverage({"s": tree}, ROLES, written(f"q s\n1* {cells[0]}\n1* {cells[1]}"))
    with pytest.raises(InputError, match="lacks a value of this row"):
        check_coverage({"s": tree}, ROLES, written("q s\n1* lungs\n1* gout"))


AGE = b"34;thirties;*\n36;thirties;*\n51;fifties;*\n"


CITY = b"Porto;Portugal;*\nBraga;Portugal;*\nTaipei;Taiwan;*\n"


TYPES = dict.fromkeys(("age", "city"), QUASI_IDENTIFIER)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pair of tables, the YAML file beside them, and the folder that it names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("age;city;ill\n51;Taipei;cold\n34;Porto;flu\n36;Braga;flu\n")
    (tmp_path / "b.csv").write_text("age;city;ill\n51;Taipei;cold\nthirties;Portugal;flu\nthirties;Portugal;flu\n")
    (tmp_path / "b.yaml").write_text("DATASET: {ATTRIBUTE_TYPE: {QUASI_IDENTIFIER: [age, city]}, HIERARCHY: h}\n")
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "a_hierarchy_age.csv").write_bytes(AGE)
    (tmp_path / "h" / "a_hierarchy_city.csv").write_bytes(CITY)
    return tmp_path


def in_place_of_age(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Put other files in the place of the hierarchy for age; None makes a folder."""
    (folder / "h" / "a_hierarchy_age.csv").unlink()
    for name, content in files.items():
        path = folder / "h" / name
        path.mkdir() if content is None else path.write_bytes(content)


def validated(**arguments: Any) -> dict[str, Any]:
    return PETValidation("a.csv", "b.csv", "Precision", **arguments)


def domains(done: Run) -> object:
    """Where each column's domain was taken from."""
    return done.object["metrics"]["granularity"]["details"]["domain_rules"]


SCORED = ["--anonymized", "b.csv", "--original", "a.csv", "--roles", "b.yaml", "--json"]


WAYS: list[dict[str, Any]] = [{}, {"dataHierarchy": "h"}, {"dataHierarchy": "h", "attributeTypes": TYPES}]


def test_a_correct_hierarchy_folder_gives_the_same_precision_everywhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [validated(**way) for way in WAYS] == [{"precision": pytest.approx(2 / 3)}] * 3
    done = call(capsys, "score", *SCORED)
    assert (done.status, done.err) == (0, "")
    assert done.object["metrics"]["precision"]["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a_hierarchy_age.csv": b""}, "a_hierarchy_age.csv: the file is empty"),
        ({"a_hierarchy_age.csv": b"\n\r\n \n"}, "a_hierarchy_age.csv: the file is empty"),
        ({"a_hierarchy_age.txt": AGE}, 'a_hierarchy_age.txt, column "age": '),
        ({"a_hierarchy_age.xlsx": b"PK\x03\x04"}, 'a_hierarchy_age.xlsx, column "age": '),
        ({"age.csv.gz": gzip.compress(AGE, mtime=0)}, 'age.csv.gz, column "age": '),
        ({"age": AGE}, 'age, column "age": '),
        ({"a_hierarchy_Age.csv": AGE}, 'a_hierarchy_Age.csv, column "age": '),
        ({"a_hierarchy_age .csv": AGE}, 'a_hierarchy_age .csv, column "age": '),
        (
            {"age.csv": AGE + "51;fünf\n".encode() + b"52;f\xfcnf\n"},
            "age.csv",
        ),
        ({"age.csv": bytes(range(32)) * 9}, "age.csv: "),
        ({"age.csv": b"PK\x03\x04" + bytes(99)}, "age.csv: "),
        ({"age.csv": None}, "age.csv: "),
        ({"age.csv": AGE + b"52;fifties\n"}, "age.csv, line 4: "),
        ({"age.csv": AGE + b"52;;*\n"}, "age.csv, line 4: "),
        ({"age.csv": AGE, "b_hierarchy_age.csv": AGE}, "b_hierarchy_age.csv, column "),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, dict) else None,
)
def test_a_file_that_cannot_be_used_is_reported_in_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], files: dict[str, bytes | None], message: str
) -> None:
    in_place_of_age(folder, files)
    for way in WAYS:
        with pytest.raises(InputError) as raised:
            validated(**way)
        assert str(raised.value).startswith(message)
    done = call(capsys, "score", *SCORED)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1


def test_a_file_of_no_column_makes_no_quasi_identifier_unseen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_place_of_age(folder, {"a_hierarchy_years.csv": AGE})
    # The names of files alone say here what the quasi-identifiers are.
    with pytest.raises(InputError, match="years"):
        validated(dataHierarchy="h")
    done = call(capsys, "score", *SCORED)
    assert done.status == 0
    assert done.err.startswith("a_hierarchy_years.csv: ")
    assert domains(done) == {"age": "integers", "city": "hierarchy"}


def test_a_column_without_a_hierarchy_file_has_no_hierarchy(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_place_of_age(folder, {})
    assert [validated(**way) for way in (WAYS[0], WAYS[2])] == [{"precision": pytest.approx(1 / 2)}] * 2
    done = call(capsys, "score", *SCORED)
    assert (done.status, done.err) == (0, "")
    assert domains(done) == {"age": "integers", "city": "hierarchy"}


@pytest.mark.parametrize("kind", ["absent", "a file", "empty"])
def test_an_absent_or_empty_hierarchy_folder_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    for path in (folder / "h").iterdir():
        path.unlink()
    if kind != "empty":
        (folder / "h").rmdir()
    if kind == "a file":
        (folder / "h").write_bytes(AGE)
    message = "h: "
    for way in WAYS:
        with pytest.raises(InputError) as raised:
            validated(**way)
        assert message in str(raised.value)
    done = call(capsys, "score", *SCORED, "--hierarchies", "h")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1
    if kind != "empty":
        # The YAML file names it, too, and need not bring it along.
        assert call(capsys, "score", *SCORED).err.startswith("b.yaml: ")


def test_files_that_operating_systems_put_into_folders_are_ignored(folder: Path) -> None:
    for name in (".DS_Store", "._a_hierarchy_age.csv", ".~lock.a_hierarchy_age.csv#", "Thumbs.db"):
        (folder / "h" / name).write_bytes(b"\0\1\2")
    (folder / "h" / "a_hierarchy_age.csv").rename(folder / "h" / "a_hierarchy_age.CSV")
    assert [validated(**way) for way in WAYS] == [{"precision": pytest.approx(2 / 3)}] * 3
