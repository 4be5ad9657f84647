"""The form that overrules how a file was read: what it offers again, and what it can undo."""

import io

import openpyxl

from dashboard.workspace import Slot
from metrics.settings import ReadOptions
from tests.dashboard.application import sound, start, state_of, upload
from tests.dashboard.test_uploads import reading_form
from tests.tables import columns_of


def test_what_was_typed_or_came_from_a_settings_file_is_offered_again() -> None:
    app = start()
    content = b"a;b\n1;-99\n3;NA\n5;x'y\n"
    chosen = ReadOptions(encoding="mac_roman", missing=("NA", "-99"), quote="'", skip_lines=0, header_lines=1)
    state_of(app).add(Slot.ORIGINAL, "t.csv", content, chosen)
    sound(app.run())
    control, submit = reading_form(app, "original_t.csv")
    assert control("Cells that mean “missing”").value == ["NA", "-99"]  # type: ignore[attr-defined]
    assert control("Encoding").value == "mac_roman"  # type: ignore[attr-defined]
    submit()
    original = state_of(app).original
    assert original is not None
    assert original.options == chosen
    assert columns_of(original.table) == {"a": ["1", "3", "5"], "b": [None, None, "x'y"]}


def test_a_sheet_can_be_chosen_where_the_first_cannot_be_read() -> None:
    book = openpyxl.Workbook()
    for row in (["a", "a"], [1, 2]):
        book.worksheets[0].append(row)
    second = book.create_sheet("Second")
    for row in (["a", "b"], [1, 2], [3, 4]):
        second.append(row)
    target = io.BytesIO()
    book.save(target)
    app = upload(start(), "upload_original", {"t.xlsx": target.getvalue()})
    assert len(app.error) == 1
    for name in ("Absent", "Second"):
        _, submit = reading_form(app, "failed_original_t.xlsx")
        next(field for field in app.text_input if field.label == "Sheet").set_value(name)
        submit()
        if name == "Absent":
            (sentence,) = [error.value.replace("\\", "") for error in app.error]
            assert 'its sheets are "Sheet", "Second"' in sentence
    assert not app.error
    original = state_of(app).original
    assert original is not None
    assert original.table.names == ("a", "b")


def test_numbers_of_lines_from_a_settings_file_fit_the_form() -> None:
    app = start()
    state_of(app).add(Slot.ORIGINAL, "t.csv", b"x\n" * 2000 + b"a,b\n1,2\n", ReadOptions(skip_lines=2000))
    sound(app.run())
    assert [field.value for field in app.number_input if field.label == "Lines before the header"] == [2000]
