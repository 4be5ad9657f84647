"""The user overrules how a file was read: the first records follow, and nothing else that was entered is lost."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import choose_option, expand, metric_value, open_page, rerun, table_named, tag, upload

RECORDS = "1;10115;flu;2;'a,b'\n2;10115;cold;3;NA\n3;20095;flü;4;x\\y\n4;20095;cold;5;1,5\n"
ORIGINAL = f"id;zip;ill;weight;note\n{RECORDS}"
CANDIDATE = ORIGINAL.replace("10115", "101**").replace("20095", "200**")
HIERARCHY = "10115;101**;*\n20095;200**;*\n"
ROLES = {"id": "identifier", "zip": "quasi-identifier", "ill": "sensitive"}
PREVIEW = "The first 10 records"
LINES = ("Lines before the header", "Lines of the header", "Lines after the records")


@pytest.fixture
def loaded(page: Page, tmp_path: Path) -> Page:
    """A pair of tables with roles, weights, a key and a hierarchy; the first file's form is open."""
    for name, text in (("people.txt", ORIGINAL), ("released.txt", CANDIDATE), ("zip.csv", HIERARCHY)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "people.txt"])
    upload(page, "upload_anonymized", [tmp_path / "released.txt"])
    upload(page, "upload_hierarchies", [tmp_path / "zip.csv"])
    tag(page, ROLES)
    expand(page, "survey weights")
    choose_option(page, "survey_weight", "the column “weight”")
    open_form(page)
    return page


def open_form(page: Page) -> None:
    expand(page, "Preview and how it was read")


def form(page: Page) -> Locator:
    """The form of the first table."""
    return page.get_by_test_id("stForm").first


def choose(page: Page, chosen: Mapping[str, str]) -> None:
    """Choose from the lists of the form; nothing is read yet."""
    for label, option in chosen.items():
        form(page).get_by_label(label, exact=True).click()
        page.get_by_role("option", name=option, exact=True).click()


def type_in(page: Page, typed: Mapping[str, str]) -> None:
    """Type into fields of the form; an empty text clears one."""
    for label, text in typed.items():
        field = form(page).get_by_label(label, exact=True)
        field.fill(text)
        field.press("Enter" if text and label not in LINES else "Tab")


def read_again(page: Page) -> None:
    with rerun(page):
        form(page).get_by_role("button", name="Read again").click()


def shows(page: Page, record: int, *cells: str) -> None:
    """Wait until the preview's record has these cells; record 0 is the header."""
    kind = "columnheader" if record == 0 else "gridcell"
    row = table_named(page, PREVIEW).first.locator(f'[role=row][aria-rowindex="{record + 1}"] [role={kind}]')
    expect(row).to_have_text(list(cells))


def entered(page: Page) -> None:
    """All that was entered is there."""
    for column, role in ROLES.items():
        expect(page.locator(f".st-key-role_{column} [aria-checked=true]")).to_have_text(role)
    expect(page.locator(".st-key-survey_weight input")).to_have_value("the column “weight”")
    expect(page.get_by_text("2 values on 3 levels")).to_be_visible()
    expect(page.get_by_text("released.txt · anonymized")).to_be_visible()


def test_each_choice_changes_the_first_records_and_nothing_else(loaded: Page) -> None:
    shows(loaded, 1, "1", "10115", "flu", "2", "'a,b'")
    choose(loaded, {"Quote": "single '", "Escape": "backslash \\", "Decimal sign": "point .", "Encoding": "latin-1"})
    type_in(loaded, {"Cells that mean “missing”": "cold", "Lines after the records": "1"})
    choose(loaded, {"Cells that mean “missing”": "NA"})
    loaded.keyboard.press("Escape")
    read_again(loaded)
    shows(loaded, 1, "1", "10115", "flu", "2", "a,b")
    shows(loaded, 2, "2", "10115", "", "3", "")
    shows(loaded, 3, "3", "20095", "flÃ¼", "4", "xy")
    expect(loaded.get_by_text("3 records, 5 columns; CSV separated by semicolons")).to_contain_text("decimal point")
    entered(loaded)
    # Choices, typed ones too, are there again after another page, and hold for the next reading.
    open_page(loaded, "/risk")
    open_page(loaded, "/")
    open_form(loaded)
    type_in(loaded, {"Lines after the records": "", "Lines of the header": "2"})
    read_again(loaded)
    shows(loaded, 0, "id 1", "zip 10115", "ill flu", "weight 2", "note a,b")
    shows(loaded, 1, "2", "10115", "", "3", "")
    expect(loaded.locator(".st-key-role_id-1")).to_be_visible()
    type_in(loaded, {"Lines of the header": "0", "Lines before the header": "2"})
    choose(loaded, {"Encoding": "as detected"})
    read_again(loaded)
    shows(loaded, 0, "column 1", "column 2", "column 3", "column 4", "column 5")
    shows(loaded, 2, "3", "20095", "flü", "4", "xy")
    type_in(loaded, dict.fromkeys(LINES[:2], ""))
    choose(loaded, dict.fromkeys(("Quote", "Escape", "Decimal sign"), "as detected"))
    form(loaded).get_by_role("button", name="Remove cold").click()
    read_again(loaded)
    shows(loaded, 1, "1", "10115", "flu", "2", "'a,b'")
    shows(loaded, 2, "2", "10115", "cold", "3", "")
    entered(loaded)
    open_page(loaded, "/scorecard")
    assert metric_value(loaded, "k-anonymity") == "2"


def test_a_wrong_choice_gets_one_sentence_and_is_taken_back(loaded: Page) -> None:
    alerts = loaded.get_by_test_id("stAlert")
    for label, wrong, sentence in (
        ("Delimiter", "comma ,", "people.txt, line "),
        ("Encoding", "utf-16", "people.txt"),
    ):
        choose(loaded, {label: wrong})
        read_again(loaded)
        expect(alerts).to_have_count(1)
        expect(alerts).to_contain_text(sentence)
        shows(loaded, 1, "1", "10115", "flu", "2", "'a,b'")
        entered(loaded)
        choose(loaded, {label: "as detected"})
    type_in(loaded, {"Lines before the header": "9"})
    read_again(loaded)
    expect(alerts).to_have_count(1)
    expect(alerts).to_contain_text("no line is left after the 9 that are left out before the header")
    type_in(loaded, {"Lines before the header": "", "Delimiter": ";"})
    read_again(loaded)
    expect(alerts).to_have_count(0)
    shows(loaded, 1, "1", "10115", "flu", "2", "'a,b'")
    entered(loaded)


def test_empty_lines_of_one_column_are_what_the_user_says(page: Page, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("zip\n10115\n10115\n\n20095\n", encoding="utf-8")
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "list.csv"])
    expect(page.get_by_test_id("stAlert")).to_contain_text("list.csv, line 4: the line is empty")
    expand(page, "Read it in another way")
    for option, record in (("nothing", "20095"), ("empty cells", "")):
        choose(page, {"Empty lines of one column": option})
        read_again(page)
        if record:
            open_form(page)
        shows(page, 3, record)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
