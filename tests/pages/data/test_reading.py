"""The import dialog: asked only where more than one reading is plausible, and open again at any time."""

import io

import openpyxl
from streamlit.testing.v1 import AppTest

from dashboard.loading import ReadOptions
from dashboard.workspace import Slot, Workspace
from tests.dashboard.application import app_of_part, choose, choose_all, opened, press, state_of, upload
from tests.dashboard.import_files import CLEAN, IRIS, IRIS_LIKE, NAMES, WESTERN
from tests.support.small_tables import columns_of

IRIS_KEY = "import_original_iris.csv"


def part() -> None:
    """What the data page says of files and how they are read."""
    import streamlit as st

    from pages.data.reading import pending_imports
    from pages.data.uploads import table_uploaders

    state = st.session_state["workspace"]
    table_uploaders(state)
    pending_imports(state)


def uploaded(name: str, content: bytes) -> AppTest:
    """That part after the upload of an original."""
    return upload(app_of_part(part, Workspace()), "upload_original", {name: content})


def names(app: AppTest) -> tuple[str, ...]:
    """The columns of the original."""
    original = state_of(app).tables.original
    assert original is not None
    return original.table.names


def captions(app: AppTest) -> str:
    return "\n".join(element.value.replace("\\", "") for element in [*app.caption, *app.markdown])


def errors(app: AppTest) -> list[str]:
    return [element.value.replace("\\", "") for element in app.error]


def test_a_clean_file_is_read_at_once() -> None:
    app = uploaded("clean.csv", CLEAN)
    assert names(app) == ("name", "city", "age")
    assert not app.radio
    assert not app.text_area
    assert "CSV with commas, UTF-8" in captions(app)


def test_a_file_without_a_header_is_asked_about_and_read_as_proposed() -> None:
    app = uploaded("iris.csv", IRIS)
    assert state_of(app).tables.empty
    (question,) = app.radio
    assert question.value == 0
    assert question.options[0].endswith("(proposed)")
    assert "5.1,3.5,1.4,0.2,Iris-setosa" in app.code[0].value
    assert list(app.dataframe[0].value.columns) == list(NAMES)
    press(app, f"{IRIS_KEY}_read")
    assert names(app) == NAMES
    assert not app.radio
    assert "no header" in captions(app)


def test_an_answer_changes_the_preview_before_anything_is_read() -> None:
    app = uploaded("iris.csv", IRIS)
    choose(app, f"{IRIS_KEY}_question_header", 1)
    assert list(app.dataframe[0].value.columns)[-1] == "Iris-setosa"
    assert state_of(app).tables.empty
    press(app, f"{IRIS_KEY}_read")
    assert names(app)[-1] == "Iris-setosa"


def test_a_second_file_of_the_same_form_is_not_asked_about() -> None:
    app = upload(opened(Workspace()), "upload_original", {"iris.csv": IRIS})
    upload(app, "upload_anonymized", {"released.csv": IRIS_LIKE})
    assert len(app.radio) == 1
    assert "The answers also apply to released.csv" in captions(app)
    press(app, f"{IRIS_KEY}_read")
    assert state_of(app).tables.versions["released.csv"].table.names == NAMES
    assert [info.value.replace("\\", "").partition(".csv has")[0] for info in app.info] == ["released"]
    upload(app, "upload_anonymized", {"later.csv": IRIS_LIKE.replace(b"5.0", b"5.5")})
    assert not app.radio
    assert "later.csv" in state_of(app).tables.versions


def test_encodings_show_the_lines_that_differ() -> None:
    app = uploaded("places.csv", WESTERN)
    (question,) = app.radio
    assert question.options[0].replace("\\", "").startswith("Windows-1252")
    samples = [caption.replace("\\", "") for caption in question.proto.captions]
    assert "Köln" in samples[0]
    assert len(set(samples)) > 1
    press(app, "import_original_places.csv_read")
    original = state_of(app).tables.original
    assert original is not None
    assert columns_of(original.table)["city"] == ["Köln", "Málaga", "Orléans", "Berlin"]


def test_a_choice_that_fails_keeps_what_was_entered() -> None:
    app = uploaded("places.csv", WESTERN)
    key = "import_original_places.csv"
    choose(app, f"{key}_missing", ["31"])
    choose(app, f"{key}_encoding", "UTF-8")
    if not app.get_by_key(f"{key}_read").disabled:
        press(app, f"{key}_read")
    assert state_of(app).tables.empty
    (sentence,) = errors(app)
    assert sentence.startswith("places.csv")
    assert "rgen" not in sentence
    assert app.get_by_key(f"{key}_missing").value == ["31"]
    assert app.get_by_key(f"{key}_encoding").value == "UTF-8"
    choose(app, f"{key}_encoding", "Windows-1252 (Western European)")
    assert not app.error
    press(app, f"{key}_read")
    original = state_of(app).tables.original
    assert original is not None
    assert columns_of(original.table)["age"] == [None, "45", "28", "52"]


def test_how_a_table_was_read_can_be_changed_at_any_time() -> None:
    app = uploaded("t.csv", b"a;b,c\n1;2,NA\n3;4,?\n5;6,x\n")
    if state_of(app).tables.original is None:
        choose(app, "import_original_t.csv_delimiter", "semicolon ;")
        press(app, "import_original_t.csv_read")
    key = "import_original_t.csv"
    press(app, "change_original_t.csv")
    assert app.get_by_key(f"{key}_delimiter").value == "semicolon ;"
    choose(app, f"{key}_delimiter", "comma ,")
    choose(app, f"{key}_missing", ["NA", "?"])
    assert names(app) == ("a", "b,c"), "nothing is read before it is confirmed"
    press(app, f"{key}_read")
    original = state_of(app).tables.original
    assert original is not None
    assert columns_of(original.table) == {"a;b": ["1;2", "3;4", "5;6"], "c": [None, None, "x"]}
    assert "missing where “NA” or “?”" in captions(app)
    press(app, "change_original_t.csv")
    assert app.get_by_key(f"{key}_missing").value == ["NA", "?"]
    press(app, f"{key}_cancel")
    assert state_of(app).tables.original is original
    assert state_of(app).tables.imports == []


def test_lines_and_columns_that_are_left_out_are_reported_on_the_card() -> None:
    app = uploaded("clean.csv", CLEAN)
    key = "import_original_clean.csv"
    press(app, "change_original_clean.csv")
    choose_all(app, {f"{key}_omitted_columns": [1], f"{key}_footer_lines": 1, f"{key}_names": "who\nwhere\nyears"})
    press(app, f"{key}_read")
    original = state_of(app).tables.original
    assert original is not None
    assert columns_of(original.table) == {"where": ["Berlin"], "years": ["52"]}
    assert "Left out:** 1 line after the records, column 1." in captions(app)
    press(app, "change_original_clean.csv")
    press(app, f"{key}_reset")
    press(app, f"{key}_read")
    assert names(app) == ("name", "city", "age")


def test_notes_on_the_reading_are_shown_on_the_card_of_the_table() -> None:
    app = uploaded("t.csv", b"zip,,zip\n1,2,3\n4,5,9\n")
    assert names(app) == ("zip", "column 2", "zip (2)")
    (note,) = [line for line in captions(app).splitlines() if line.startswith("**Note:**")]
    assert "column 2" in note
    assert "zip (2)" in note


def test_a_sheet_can_be_chosen() -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2]):
        book.worksheets[0].append(row)
    second = book.create_sheet("Second")
    for row in (["c", "d"], [1, 2], [3, 4]):
        second.append(row)
    target = io.BytesIO()
    book.save(target)
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, "t.xlsx", target.getvalue(), ReadOptions(sheet="Sheet"))
    app = press(app_of_part(part, state), "change_original_t.xlsx")
    choose(app, "import_original_t.xlsx_question_sheet", 1)
    press(app, "import_original_t.xlsx_read")
    assert names(app) == ("c", "d")
    assert "sheet Second" in captions(app)


def test_cancelling_an_import_discards_the_file() -> None:
    app = uploaded("iris.csv", IRIS)
    press(app, f"{IRIS_KEY}_cancel")
    assert state_of(app).tables.imports == []
    assert not app.radio
