"""The import dialog in a browser: asked once, read as proposed, changed at any time, and nothing entered is lost."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import choose_option, open_page, rerun, table_named, upload, write
from tests.dashboard.import_files import CLEAN, IRIS, IRIS_LIKE, WESTERN


def press(page: Page, name: str, number: int = 0) -> None:
    with rerun(page):
        page.get_by_role("button", name=name).nth(number).click()


def header(page: Page, name: str) -> Locator:
    """The names of the columns in a table on the page."""
    return table_named(page, name).locator("[role=columnheader]")


def test_what_is_open_is_asked_once_and_read_as_proposed(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "clean.csv", CLEAN)])
    expect(page.get_by_text("clean.csv · original")).to_be_visible()
    expect(page.get_by_role("button", name="Read with these settings")).to_have_count(0)
    upload(page, "upload_original", [write(tmp_path, "iris.csv", IRIS)])
    expect(page.get_by_role("radio").first).to_be_checked()
    expect(page.get_by_test_id("stCode")).to_contain_text("5.1,3.5,1.4,0.2,Iris-setosa")
    expect(header(page, "First records of iris.csv")).to_have_text([f"column {number}" for number in range(1, 6)])
    with rerun(page):
        page.locator(".st-key-import_original_iris-csv_question_header label").filter(
            has_text="The first line names"
        ).click()
    expect(header(page, "First records of iris.csv").last).to_have_text("Iris-setosa")
    with rerun(page):
        page.locator(".st-key-import_original_iris-csv_question_header label").filter(has_text="proposed").click()
    press(page, "Read with these settings")
    expect(page.get_by_text("6 records, 5 columns")).to_contain_text("no header")
    upload(page, "upload_anonymized", [write(tmp_path, "released.csv", IRIS_LIKE)])
    expect(page.get_by_text("released.csv · anonymized")).to_be_visible()
    expect(page.get_by_role("button", name="Read with these settings")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_contain_text("the same form as iris.csv")


def test_encodings_show_the_lines_that_differ_and_a_failing_choice_loses_nothing(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    upload(page, "upload_anonymized", [write(tmp_path, "places.csv", WESTERN)])
    question = page.locator(".st-key-import_anonymized_places-csv_question_encoding")
    expect(question).to_contain_text("Köln")
    expect(question).to_contain_text(re.compile("J.rgen Gro[^ß]"))
    page.get_by_text("All settings").click()
    key = "import_anonymized_places-csv"
    with rerun(page):
        page.locator(f".st-key-{key}_footer_lines input").fill("1")
        page.locator(f".st-key-{key}_footer_lines input").press("Tab")
    choose_option(page, f"{key}_encoding", "UTF-8")
    read = page.get_by_role("button", name="Read with these settings")
    if read.is_enabled():
        press(page, "Read with these settings")
    alerts = page.get_by_test_id("stAlert")
    expect(alerts).to_have_count(1)
    expect(alerts).to_contain_text("places.csv")
    expect(page.locator(f".st-key-{key}_footer_lines input")).to_have_value("1")
    choose_option(page, f"{key}_encoding", "Windows-1252 (Western European)")
    expect(alerts).to_have_count(0)
    press(page, "Read with these settings")
    expect(page.get_by_text("3 records, 3 columns")).to_be_visible()
    expect(page.get_by_text("1 line after the records")).to_be_visible()


def test_how_a_table_was_read_can_be_changed(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "clean.csv", CLEAN)])
    press(page, "Change how it was read")
    key = "import_original_clean-csv"
    with rerun(page):
        page.locator(f".st-key-{key}_names textarea").fill("who\nwhere\nyears")
        page.locator(f".st-key-{key}_names textarea").press("Control+Enter")
    expect(header(page, "First records of clean.csv")).to_have_text(["who", "where", "years"])
    press(page, "Read with these settings")
    expect(page.locator(".st-key-role_where")).to_be_visible()
