"""The user overrules how a file was read: the first records follow, and nothing else that was entered is lost."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.actions import (
    choose_option,
    expand,
    metric_value,
    open_anew,
    open_page,
    rerun,
    table_named,
    tag,
    upload,
)
from tests.browser.conftest import watched_page
from tests.browser.serving import Server

pytestmark = pytest.mark.journey

RECORDS = "1;10115;flu;2;'a,b'\n2;10115;cold;3;NA\n3;20095;flü;4;x\\y\n4;20095;cold;5;1,5\n"
ORIGINAL = f"id;zip;ill;weight;note\n{RECORDS}"
CANDIDATE = ORIGINAL.replace("10115", "101**").replace("20095", "200**")
HIERARCHY = "10115;101**;*\n20095;200**;*\n"
ROLES = {"id": "identifier", "zip": "quasi-identifier", "ill": "sensitive"}
PREVIEW = "The first 10 records"
LINES = ("Lines before the header", "Lines of the header", "Lines after the records")


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[Page]:
    """A page on which each test begins a session of its own."""
    yield from watched_page(browser, server)


def load(page: Page, tmp_path: Path) -> None:
    """Load a pair of tables with roles, weights and a hierarchy, and open the first file's form."""
    for name, text in (("people.txt", ORIGINAL), ("released.txt", CANDIDATE), ("zip.csv", HIERARCHY)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    open_anew(page, "/")
    upload(page, "upload_original", [tmp_path / "people.txt"])
    upload(page, "upload_anonymized", [tmp_path / "released.txt"])
    upload(page, "upload_hierarchies", [tmp_path / "zip.csv"])
    tag(page, ROLES)
    expand(page, "survey weights")
    choose_option(page, "survey_weight", "the column “weight”")
    open_form(page)


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


def test_a_wrong_choice_is_taken_back_and_each_other_changes_only_the_first_records(
    shared: Page, tmp_path: Path
) -> None:
    load(shared, tmp_path)
    shows(shared, 1, "1", "10115", "flu", "2", "'a,b'")
    alerts = shared.get_by_test_id("stAlert")
    for label, wrong, sentence in (
        ("Delimiter", "comma ,", "people.txt, line "),
        ("Encoding", "utf-16", "people.txt"),
    ):
        choose(shared, {label: wrong})
        read_again(shared)
        expect(alerts).to_have_count(1)
        expect(alerts).to_contain_text(sentence)
        shows(shared, 1, "1", "10115", "flu", "2", "'a,b'")
        entered(shared)
        choose(shared, {label: "as detected"})
    type_in(shared, {"Lines before the header": "9"})
    read_again(shared)
    expect(alerts).to_have_count(1)
    expect(alerts).to_contain_text("no line is left after the 9 that are left out before the header")
    type_in(shared, {"Lines before the header": "", "Delimiter": ";"})
    read_again(shared)
    expect(alerts).to_have_count(0)
    shows(shared, 1, "1", "10115", "flu", "2", "'a,b'")
    entered(shared)
    # What is chosen well changes the first records and nothing else.
    choose(shared, {"Delimiter": "as detected"})
    choose(shared, {"Quote": "single '", "Escape": "backslash \\", "Decimal sign": "point .", "Encoding": "latin-1"})
    type_in(shared, {"Cells that mean “missing”": "cold", "Lines after the records": "1"})
    choose(shared, {"Cells that mean “missing”": "NA"})
    shared.keyboard.press("Escape")
    read_again(shared)
    shows(shared, 1, "1", "10115", "flu", "2", "a,b")
    shows(shared, 2, "2", "10115", "", "3", "")
    shows(shared, 3, "3", "20095", "flÃ¼", "4", "xy")
    expect(shared.get_by_text("3 records, 5 columns; CSV separated by semicolons")).to_contain_text("decimal point")
    entered(shared)
    # Choices, typed ones too, are there again after another page, and hold for the next reading.
    open_page(shared, "/risk")
    open_page(shared, "/")
    open_form(shared)
    type_in(shared, {"Lines after the records": "", "Lines of the header": "2"})
    read_again(shared)
    shows(shared, 0, "id 1", "zip 10115", "ill flu", "weight 2", "note a,b")
    shows(shared, 1, "2", "10115", "", "3", "")
    expect(shared.locator(".st-key-role_id-1")).to_be_visible()
    type_in(shared, {"Lines of the header": "0", "Lines before the header": "2"})
    choose(shared, {"Encoding": "as detected"})
    read_again(shared)
    shows(shared, 0, "column 1", "column 2", "column 3", "column 4", "column 5")
    shows(shared, 2, "3", "20095", "flü", "4", "xy")
    type_in(shared, dict.fromkeys(LINES[:2], ""))
    choose(shared, dict.fromkeys(("Quote", "Escape", "Decimal sign"), "as detected"))
    form(shared).get_by_role("button", name="Remove cold").click()
    read_again(shared)
    shows(shared, 1, "1", "10115", "flu", "2", "'a,b'")
    shows(shared, 2, "2", "10115", "cold", "3", "")
    entered(shared)
    open_page(shared, "/scorecard")
    assert metric_value(shared, "k-anonymity") == "2"


def test_empty_lines_of_one_column_are_what_the_user_says(shared: Page, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("zip\n10115\n10115\n\n20095\n", encoding="utf-8")
    open_anew(shared, "/")
    upload(shared, "upload_original", [tmp_path / "list.csv"])
    expect(shared.get_by_test_id("stAlert")).to_contain_text("list.csv, line 4: the line is empty")
    expand(shared, "Read it in another way")
    for option, record in (("nothing", "20095"), ("records of empty cells", "")):
        choose(shared, {"Empty lines": option})
        read_again(shared)
        if record:
            open_form(shared)
        shows(shared, 3, record)
    expect(shared.get_by_test_id("stAlert")).to_have_count(0)
