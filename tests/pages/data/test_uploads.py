"""Files through the widgets: tables, hierarchies and roles, good and bad."""

import gzip
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.workspace import LOADING, Slot, Workspace
from metrics.errors import InputError
from pages.data.columns import apply_roles
from pages.data.uploads import add_hierarchy
from tests.dashboard.application import (
    choose,
    csv,
    go,
    loaded,
    metric,
    opened,
    press,
    sound,
    state_of,
    upload,
)

CELL = "Quetzalcoatl"
ORIGINAL = csv(
    ["id", "zip", "age", "disease"],
    [1, "12345", "31", "flu"],
    [2, "12346", "32", "cold"],
    [3, "12351", "47", "flu"],
    [4, "12352", "48", CELL],
)
CANDIDATE = csv(
    ["id", "zip", "age", "disease"],
    [1, "1234*", "30-39", "flu"],
    [2, "1234*", "30-39", "cold"],
    [3, "1235*", "40-49", "flu"],
    [4, "1235*", "40-49", CELL],
)
ROLES = {"id": "identifier", "zip": "quasi-identifier", "age": "quasi-identifier", "disease": "sensitive"}


def pair() -> Workspace:
    """A small pair of tables, tagged."""
    return loaded(ORIGINAL, CANDIDATE, **ROLES)


def errors(app: AppTest) -> list[str]:
    return [error.value.replace("\\", "") for error in app.error]


def locked_workbook() -> bytes:
    """What Excel writes for a workbook with a password: an OLE container, not a ZIP file."""
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + f"EncryptedPackage{CELL}".encode("utf-16-le")


def broken_workbook() -> bytes:
    book, sink = openpyxl.Workbook(), io.BytesIO()
    assert book.active is not None
    book.active.append(["a", CELL])
    book.save(sink)
    return sink.getvalue()[:-200]


def foreign_zip() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("notes.txt", CELL)
    return sink.getvalue()


BAD: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "empty": ("t.csv", b"", ("empty",)),
    "header only": ("t.csv", b"zip,age\n", ("record",)),
    "ragged": ("t.csv", f"zip,age\n{CELL},1\n{CELL},2\n{CELL}\n{CELL},4\n{CELL},5\n".encode(), ("line 4",)),
    "binary": ("t.csv", bytes(range(256)) * 40 + CELL.encode(), ()),
    "open quote": ("t.csv", f'zip,age\n"{CELL},1\n2,3\n'.encode(), ("line 2", "quote")),
    "broken gzip": ("t.csv.gz", gzip.compress(CELL.encode() * 999)[:-9], ()),
    "password": ("t.xlsx", locked_workbook(), ("password",)),
    "broken workbook": ("t.xlsx", broken_workbook(), ()),
    "no workbook": ("t.xlsx", foreign_zip(), ()),
    "no parquet": ("t.parquet", f"PAR1{CELL}".encode(), ()),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_table_is_refused_in_one_sentence_and_loaded_tables_remain(case: str) -> None:
    name, content, parts = BAD[case]
    state = pair()
    before, card = list(state.tables.loaded()), state.card("c0.csv")
    for slot in (Slot.ORIGINAL, Slot.ANONYMIZED):
        state.tables.try_add(slot, name, content)
        sentence = str(state.tables.imports[-1].review().error)
        assert sentence.startswith(name)
        assert sentence.count(";") >= 1, "no remedy"
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert all(part in sentence for part in parts), sentence
        assert CELL not in sentence
        assert list(state.tables.loaded()) == before
        assert state.card("c0.csv") is card


def test_each_of_several_files_is_taken_or_reported_until_it_is_dismissed() -> None:
    app = opened(pair())
    good, short = CANDIDATE.replace(b"1235", b"12"), CANDIDATE.rsplit(b"\n", 3)[0] + b"\n"
    other = csv(["id", "zip", "age", "extra"], *([1, 2, 3, 4],) * 4)
    upload(app, "upload_anonymized", {"bad.csv": b"", "good.csv": good, "short.csv": short, "other.csv": other})
    assert list(state_of(app).tables.versions) == ["c0.csv", "good.csv", "short.csv", "other.csv"]
    short_one, *others = [warning.value.replace("\\", "") for warning in app.warning]
    assert short_one.startswith("short.csv: the table has 2 records but original.csv has 4")
    assert any('"extra"' in text for text in others)
    (sentence,) = errors(app)
    assert sentence.startswith("bad.csv: the file is empty")
    assert metric(go(app, "verdict"), "k-anonymity") == "2"
    assert errors(go(app, "data")) == [sentence]
    press(app, "import_anonymized_bad.csv_cancel")
    upload(app, "upload_original", {"bad.csv": b""})
    assert errors(app) == [sentence]
    press(app, "import_original_bad.csv_cancel")
    assert not app.error


NATIVE = b"quasi_identifiers: [zip]\nsensitive: [age, disease]\nidentifiers: [id]\n"
PETWORKS = b"""DATASET:
  ATTRIBUTE_TYPE:
    QUASI_IDENTIFIER: [zip]
    SENSITIVE_ATTRIBUTE: [age, disease]
    IDENTIFIER: [id]
"""


TAGGED = {"id": "identifier", "zip": "quasi-identifier", "age": "sensitive", "disease": "sensitive"}


@pytest.mark.parametrize("content", [NATIVE, PETWORKS], ids=["native", "PETWorks"])
def test_roles_are_taken_from_a_role_file_of_either_form(content: bytes) -> None:
    state = pair()
    apply_roles(state, "roles.yaml", content)
    assert state.roles == TAGGED


@pytest.mark.parametrize(
    "content",
    [b"quasi_identifiers: [absent]\n", b"quasi_identifiers: [zip", b"\xff\xfe\x00", b"- zip\n", b"sensitive: 3\n"],
)
def test_a_bad_role_file_is_refused_in_one_sentence_and_changes_nothing(content: bytes) -> None:
    state = pair()
    with pytest.raises(InputError, match=r"^roles\.yaml"):
        apply_roles(state, "roles.yaml", content)
    assert state.roles == ROLES


def test_the_role_file_of_the_patient_table_is_accepted(seed_tables: Path) -> None:
    folder = seed_tables / "patient"
    state = loaded(None, (folder / "patient_anonymized.csv").read_bytes())
    apply_roles(state, "p.yaml", (folder / "patient_anonymized.yaml").read_bytes())
    assert state.roles["ZIPCode"] == "quasi-identifier"
    assert state.roles["Disease"] == "sensitive"


HIERARCHY = b"12345;1234*;*\n12346;1234*;*\n12351;1235*;*\n12352;1235*;*\n"
BAD_HIERARCHIES = {
    "ragged": ("zip.csv", b"12345;1234*;*\n12346;*\n", ("zip.csv", "line 2")),
    "two parents": ("zip.csv", b"1;a;*\n2;a;*\n1;b;*\n", ("zip.csv", "line 3")),
    "another column": ("salary.csv", b"1;*\n", ("salary.csv", '"salary"', "rename")),
    "empty": ("zip.csv", b"", ("zip.csv",)),
}


@pytest.mark.parametrize("case", BAD_HIERARCHIES)
def test_a_bad_hierarchy_is_refused_in_one_sentence_and_changes_nothing(case: str) -> None:
    name, content, parts = BAD_HIERARCHIES[case]
    state = pair()
    with pytest.raises(InputError) as message:
        add_hierarchy(state, name, content)
    assert all(part in str(message.value) for part in parts), message.value
    assert not state.hierarchies


def test_errors_of_role_and_hierarchy_files_remain_until_a_valid_file_is_uploaded() -> None:
    app = opened(pair())
    for key, name, good in (
        ("upload_roles_0", "roles.yaml", NATIVE),
        ("upload_hierarchies", "some_hierarchy_zip.csv", HIERARCHY.rsplit(b"\n", 2)[0]),
    ):
        upload(app, key, {name: b""})
        (sentence,) = errors(app)
        assert sentence.startswith(name)
        upload(app, key, {name: good})
        assert not app.error
    assert {column: app.get_by_key(f"role_{column}").value for column in ROLES} == TAGGED
    (sentence,) = [warning.value.replace("\\", "") for warning in app.warning if "line" in warning.value]
    assert sentence.startswith('original.csv, line 5, column "zip": the hierarchy some_hierarchy_zip.csv lacks a value')
    assert "12352" not in sentence
    assert "**zip** · 3 values on 3 levels · 1 value missing" in [box.label for box in app.expander]
    upload(app, "upload_hierarchies", {"age.csv": b"31;20-29;*\n"})
    assert any("outside the interval" in box.label for box in app.expander)
    assert any("31 under 20-29" in warning.value.replace("\\", "") for warning in app.warning)
    press(app, "remove_hierarchy_age")
    upload(app, "upload_hierarchies", {"zip.csv": HIERARCHY})
    assert not app.warning
    assert "**zip** · 4 values on 3 levels" in [box.label for box in app.expander]
    assert state_of(app).aggregates("c0.csv").hierarchies == state_of(app).hierarchies


def test_hierarchies_take_back_the_request_for_them() -> None:
    state = pair()
    content = b"DATASET: {ATTRIBUTE_TYPE: {QUASI_IDENTIFIER: [zip, age]}, HIERARCHY: trees}"
    apply_roles(state, "roles.yaml", content)
    app = opened(state)
    assert ["names a folder of hierarchies" in info.value for info in app.info] == [True]
    upload(app, "upload_hierarchies", {"age.csv": b"31,30-39\n32,30-39\n47,40-49\n48,40-49\n"})
    assert list(state_of(app).hierarchies) == ["age"]
    assert not app.info


def test_the_same_bytes_again_are_reported() -> None:
    state = pair()
    state.tables.try_add(Slot.ANONYMIZED, "again.csv", CANDIDATE)
    assert "has the same content as c0.csv" in state.tables.messages[LOADING][0]
    assert list(state.tables.versions) == ["c0.csv"]


def test_a_file_can_be_uploaded_again_after_all_data_is_forgotten() -> None:
    app = press(opened(pair()), "forget_data")
    assert not state_of(app).columns
    keys = [uploader.key for uploader in app.file_uploader]
    assert keys[:2] == ["upload_original_1", "upload_anonymized_1"]
    assert all(str(key).endswith("_1") for key in keys)
    upload(app, "upload_original_1", {"original.csv": ORIGINAL})
    assert state_of(app).tables.original is not None


def test_reading_with_other_names_keeps_the_page_alive() -> None:
    app = choose(opened(pair()), "match_by_c0.csv", ["id"])
    state = state_of(app)

    def read_again(**settings: object) -> None:
        for slot, label, _ in list(state.tables.loaded()):
            state.tables.change(slot, label)
            chosen = state.tables.imports[-1]
            chosen.reset()
            for name, value in settings.items():
                chosen.set(name, value)
            state.tables.confirm(chosen)
        sound(app.run())

    read_again(names=("a", "b", "c", "d"))
    assert app.get_by_key("match_by_c0.csv").value == []
    assert state.chosen_roles().key is None
    # Read as before, the tables are matched as before.
    read_again()
    assert app.get_by_key("match_by_c0.csv").value == ["id"]
    assert state.roles_for("c0.csv").key == "id"
