"""The import dialog in a browser: questions, their preview, and reading a table in another way."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import open_page, rerun, table_named, upload, write
from tests.dashboard.import_files import CLEAN, IRIS


def press(page: Page, name: str, number: int = 0) -> None:
    with rerun(page):
        page.get_by_role("button", name=name).nth(number).click()


def header(page: Page, name: str) -> Locator:
    """The names of the columns in a table on the page."""
    return table_named(page, name).locator("[role=columnheader]")


def test_what_is_open_is_asked_and_how_a_table_was_read_can_be_changed(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "clean.csv", CLEAN)])
    card = page.locator(".st-key-slot_original [class*=st-key-file_original]")
    expect(card).to_contain_text("clean.csv")
    expect(page.locator(".st-key-slot_original").get_by_test_id("stFileChip")).to_be_hidden()
    expect(page.get_by_role("button", name="Read with these settings")).to_have_count(0)
    press(page, "Change how it was read")
    names = page.locator(".st-key-import_original_clean-csv_names textarea")
    with rerun(page):
        names.fill("who\nwhere\nyears")
        names.press("Control+Enter")
    expect(header(page, "First records of clean.csv")).to_have_text(["who", "where", "years"])
    press(page, "Read with these settings")
    expect(page.locator(".st-key-role_where")).to_be_visible()
    upload(page, "upload_original", [write(tmp_path, "iris.csv", IRIS)])
    expect(page.get_by_role("radio").first).to_be_checked()
    expect(page.get_by_test_id("stCode")).to_contain_text("5.1,3.5,1.4,0.2,Iris-setosa")
    expect(header(page, "First records of iris.csv")).to_have_text([f"column {number}" for number in range(1, 6)])
    with rerun(page):
        page.locator(".st-key-import_original_iris-csv_question_header label").filter(
            has_text="The first line names"
        ).click()
    expect(header(page, "First records of iris.csv").last).to_have_text("Iris-setosa")
    press(page, "Read with these settings")
    expect(page.get_by_text("5 records, 5 columns")).to_be_visible()
