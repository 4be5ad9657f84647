"""Folders of hierarchies that are not as they should be: one sentence names the file and what to do."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from metrics import InputError
from metrics.petworks import PETValidation
from metrics.petworks.attributetypes import QUASI_IDENTIFIER
from tests.support.command_line import Run, call

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
    ("files", "told"),
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
    folder: Path, capsys: pytest.CaptureFixture[str], files: dict[str, bytes | None], told: str
) -> None:
    in_place_of_age(folder, files)
    for way in WAYS:
        with pytest.raises(InputError) as raised:
            validated(**way)
        assert str(raised.value).startswith(told)
    done = call(capsys, "score", *SCORED)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)
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
    told = "h: "
    for way in WAYS:
        with pytest.raises(InputError) as raised:
            validated(**way)
        assert told in str(raised.value)
    done = call(capsys, "score", *SCORED, "--hierarchies", "h")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)
    assert done.err.count("\n") == 1
    if kind != "empty":
        # The YAML file names it, too, and need not bring it along.
        assert call(capsys, "score", *SCORED).err.startswith("b.yaml: ")


def test_files_that_operating_systems_put_into_folders_are_ignored(folder: Path) -> None:
    for name in (".DS_Store", "._a_hierarchy_age.csv", ".~lock.a_hierarchy_age.csv#", "Thumbs.db"):
        (folder / "h" / name).write_bytes(b"\0\1\2")
    (folder / "h" / "a_hierarchy_age.csv").rename(folder / "h" / "a_hierarchy_age.CSV")
    assert [validated(**way) for way in WAYS] == [{"precision": pytest.approx(2 / 3)}] * 3
