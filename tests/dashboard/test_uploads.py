"""Files through the widgets: tables, hierarchies and roles, good and bad."""

import gzip
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.settings import settings_of
from dashboard.workspace import Slot
from metrics.policy.settings_file import parse_settings
from tests.dashboard.application import choose, csv, go, metric, press, sound, start, state_of, tag, upload

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


def pair() -> AppTest:
    """A session with a small pair of tables, tagged."""
    app = upload(start(), "upload_original", {"original.csv": ORIGINAL})
    upload(app, "upload_anonymized", {"candidate.csv": CANDIDATE})
    return tag(app, ROLES)


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


@pytest.mark.parametrize("slot", ["original", "anonymized"])
def test_a_bad_table_gets_one_sentence_and_what_was_loaded_stays(slot: str) -> None:
    app = pair()
    before = list(state_of(app).tables())
    for name, content, parts in BAD.values():
        upload(app, f"upload_{slot}", {name: content})
        (sentence,) = [error.value.replace("\\", "") for error in app.error]
        assert sentence.startswith(name)
        assert sentence.count(";") >= 1, "no remedy"
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert all(part in sentence for part in parts), sentence
        assert CELL not in sentence
        assert list(state_of(app).tables()) == before
        assert state_of(app).chosen_roles().quasi_identifiers == ("zip", "age")
        go(app, "scorecard")
        assert metric(app, "k-anonymity") == "2"
        go(app, "data")
        assert len(app.error) == 1
        press(app, f"import_{slot}_{name}_cancel")
        assert not app.error


def test_several_files_at_once_are_judged_one_by_one() -> None:
    app = upload(pair(), "upload_anonymized", {"bad.csv": b"", "good.csv": CANDIDATE.replace(b"1235", b"12")})
    assert len(app.error) == 1
    assert list(state_of(app).candidates) == ["candidate.csv", "good.csv"]


def test_tables_that_do_not_fit_are_reported_and_stay() -> None:
    app = upload(pair(), "upload_anonymized", {"short.csv": CANDIDATE.rsplit(b"\n", 3)[0] + b"\n"})
    assert len(app.warning) == 1
    assert "short.csv" in app.warning[0].value.replace("\\", "")
    upload(app, "upload_anonymized", {"other.csv": csv(["id", "zip", "age", "extra"], *([1, 2, 3, 4],) * 4)})
    assert any("extra" in warning.value for warning in app.warning)
    assert len(state_of(app).candidates) == 3


NATIVE = b"quasi_identifiers: [zip]\nsensitive: [age, disease]\nidentifiers: [id]\n"
PETWORKS = b"""DATASET:
  ATTRIBUTE_TYPE:
    QUASI_IDENTIFIER: [zip]
    SENSITIVE_ATTRIBUTE: [age, disease]
    IDENTIFIER: [id]
"""


@pytest.mark.parametrize("content", [NATIVE, PETWORKS], ids=["native", "PETWorks"])
def test_roles_from_a_file(content: bytes) -> None:
    app = upload(pair(), "upload_roles_0", {"roles.yaml": content})
    assert not app.error
    wanted = {"id": "identifier", "zip": "quasi-identifier", "age": "sensitive", "disease": "sensitive"}
    assert {column: app.get_by_key(f"role_{column}").value for column in wanted} == wanted


@pytest.mark.parametrize(
    "content",
    [b"quasi_identifiers: [absent]\n", b"quasi_identifiers: [zip", b"\xff\xfe\x00", b"- zip\n", b"sensitive: 3\n"],
)
def test_a_bad_roles_file_gets_one_sentence_and_changes_nothing(content: bytes) -> None:
    app = upload(pair(), "upload_roles_0", {"roles.yaml": content})
    (sentence,) = [error.value.replace("\\", "") for error in app.error]
    assert sentence.startswith("roles.yaml")
    assert {column: app.get_by_key(f"role_{column}").value for column in ROLES} == ROLES
    upload(app, "upload_roles_0", {"roles.yaml": NATIVE})
    assert not app.error


def test_the_roles_of_a_published_table(seed_tables: Path) -> None:
    folder = seed_tables / "patient"
    app = upload(start(), "upload_anonymized", {"p.csv": (folder / "patient_anonymized.csv").read_bytes()})
    upload(app, "upload_roles_0", {"p.yaml": (folder / "patient_anonymized.yaml").read_bytes()})
    assert not app.error
    assert app.get_by_key("role_ZIPCode").value == "quasi-identifier"
    assert app.get_by_key("role_Disease").value == "sensitive"


HIERARCHY = b"12345;1234*;*\n12346;1234*;*\n12351;1235*;*\n12352;1235*;*\n"


def test_hierarchies_are_taken_shown_and_used() -> None:
    app = upload(pair(), "upload_hierarchies", {"some_hierarchy_zip.csv": HIERARCHY})
    assert not app.error
    assert not app.warning
    assert [box.label for box in app.expander if "levels" in box.label] == ["**zip** · 4 values on 3 levels"]
    assert state_of(app).aggregates("candidate.csv").hierarchies == state_of(app).hierarchies


BAD_HIERARCHIES = {
    "ragged": ("zip.csv", b"12345;1234*;*\n12346;*\n", ("zip.csv", "line 2")),
    "two parents": ("zip.csv", b"1;a;*\n2;a;*\n1;b;*\n", ("zip.csv", "line 3")),
    "another column": ("salary.csv", b"1;*\n", ("salary.csv", '"salary"', "rename")),
    "empty": ("zip.csv", b"", ("zip.csv",)),
}


@pytest.mark.parametrize("case", BAD_HIERARCHIES)
def test_a_bad_hierarchy_gets_one_sentence_until_a_good_one_comes(case: str) -> None:
    name, content, parts = BAD_HIERARCHIES[case]
    app = upload(pair(), "upload_hierarchies", {"age.csv": b"30-39;*\n40-49;*\n31;*\n32;*\n47;*\n48;*\n"})
    before = dict(state_of(app).hierarchies)
    upload(app, "upload_hierarchies", {name: content})
    (sentence,) = [error.value.replace("\\", "") for error in app.error]
    assert all(part in sentence for part in parts), sentence
    assert state_of(app).hierarchies == before
    upload(app, "upload_hierarchies", {"zip.csv": HIERARCHY})
    assert not app.error
    assert set(state_of(app).hierarchies) == {"age", "zip"}


def test_values_that_a_hierarchy_misses_are_reported_by_their_line() -> None:
    app = upload(pair(), "upload_hierarchies", {"zip.csv": b"12345;1234*;*\n12346;1234*;*\n12351;1235*;*\n"})
    (sentence,) = [warning.value.replace("\\", "") for warning in app.warning if "line" in warning.value]
    assert sentence.startswith('original.csv, line 5, column "zip": the hierarchy zip.csv lacks a value of this row')
    assert "12352" not in sentence
    assert any("misses 1 value" in box.label for box in app.expander)


def test_records_can_be_matched_by_a_column() -> None:
    shuffled = csv(
        ["id", "zip", "age", "disease"],
        [4, "1235*", "40-49", CELL],
        [2, "1234*", "30-39", "cold"],
        [3, "1235*", "40-49", "flu"],
    )
    app = upload(start(), "upload_original", {"original.csv": ORIGINAL})
    upload(app, "upload_anonymized", {"candidate.csv": shuffled})
    tag(app, ROLES)
    assert len(app.warning) == 1, "three records cannot be matched with four by position"
    assert metric(go(app, "scorecard"), "Non-uniform entropy") == "—"
    go(app, "data")
    choose(app, "match_by_candidate.csv", ["id"])
    assert not app.warning
    assert metric(go(app, "scorecard"), "Non-uniform entropy") != "—"
    go(app, "data")
    assert app.get_by_key("match_by_candidate.csv").value == ["id"]


def test_uploads_beside_the_sample_keep_their_roles() -> None:
    app = press(pair(), "load_sample")
    original = state_of(app).original
    assert original is not None
    assert original.name == "original.csv"
    assert "would replace original" in app.info[0].value
    app = press(app, "load_sample")
    go(app, "data")
    assert app.get_by_key("role_disease").value == "sensitive"
    assert app.get_by_key("role_diagnosis").value == "sensitive"
    assert "candidate.csv" in state_of(app).candidates


def test_the_same_bytes_again_are_reported() -> None:
    app = pair()
    candidate = next(iter(state_of(app).candidates.values()))
    state_of(app).try_add(Slot.ANONYMIZED, "again.csv", candidate.file.unpacked())
    sound(app.run())
    assert "holds the same bytes as" in app.info[0].value
    assert list(state_of(app).candidates) == ["candidate.csv"]


def test_values_in_another_form_are_offered_and_taken_back() -> None:
    app = start()
    state = state_of(app)
    state.add(Slot.ORIGINAL, "original.csv", b"age,city\n1,Berlin\n2,Rome\n4,Rome\n")
    state.add(Slot.ANONYMIZED, "candidate.csv", b"Age,city\n1.0,berlin\n02,ROME\n4,Oslo\n")
    sound(app.run())
    press(app, "rename_anonymized_candidate.csv_0")
    for _ in ("1.0", "02", "berlin and ROME"):
        press(app, "same_anonymized_candidate.csv_0")
    table = state.candidates["candidate.csv"].table
    assert table.head(3) == [["1", "Berlin"], ["2", "Rome"], ["4", "Oslo"]]
    kept = parse_settings(settings_of(state).to_json().encode(), "s.json").anonymized[0].reading
    assert kept.renamed == (("Age", "age"),)
    assert ("city", "ROME", "Rome") in kept.same_values
    press(app, "take_back_anonymized_candidate.csv")
    assert state.candidates["candidate.csv"].table.head(1) == [["1.0", "berlin"]]


def test_forgetting_lets_the_same_file_come_again() -> None:
    app = press(pair(), "forget_data")
    assert not state_of(app).columns
    keys = [uploader.key for uploader in app.file_uploader]
    assert keys[:2] == ["upload_original_1", "upload_anonymized_1"]
    assert all(str(key).endswith("_1") for key in keys)
    upload(app, "upload_original_1", {"original.csv": ORIGINAL})
    assert state_of(app).original is not None


def test_reading_with_other_names_keeps_the_page_alive() -> None:
    app = pair()
    choose(app, "match_by_candidate.csv", ["id"])
    labels = ("original_original.csv", "anonymized_candidate.csv")
    for label in labels:
        press(app, f"change_{label}")
        choose(app, f"import_{label}_names", "a\nb\nc\nd")
        press(app, f"import_{label}_read")
    assert app.get_by_key("match_by_candidate.csv").value == []
    assert state_of(app).chosen_roles().key is None
    # Read as before, the tables are matched as before.
    for label in labels:
        press(app, f"change_{label}")
        press(app, f"import_{label}_reset")
        press(app, f"import_{label}_read")
    assert app.get_by_key("match_by_candidate.csv").value == ["id"]
    assert state_of(app).roles_for("candidate.csv").key == "id"
