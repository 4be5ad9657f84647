"""A hierarchy made on the data page from a column's values, drawn, used, and saved."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from metrics.hierarchies.files import read_hierarchy
from tests.browser.actions import (
    choose_option,
    download,
    expand,
    open_page,
    rerun,
    row_texts,
    upload,
)
from tests.pages.data.test_hierarchy_maker import ORIGINAL

ROLES = b"quasi_identifiers: [zip, age, city]"


@pytest.fixture
def making(page: Page, tmp_path: Path) -> Page:
    """The data page on a table, the maker open."""
    (tmp_path / "original.csv").write_bytes(ORIGINAL)
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "original.csv"])
    (tmp_path / "roles.yaml").write_bytes(ROLES)
    upload(page, "upload_roles_0", [tmp_path / "roles.yaml"])
    expand(page, "Generalization hierarchies")
    with rerun(page):
        page.locator(".st-key-maker_open").get_by_text("Create a hierarchy from a column's values").click()
    return page


def fill(page: Page, key: str, text: str) -> None:
    """Write into the field with a key."""
    field = page.locator(f".st-key-{key} input")
    with rerun(page):
        field.fill(text)
        field.press("Enter")


def test_a_hierarchy_is_made_from_values_used_and_saved(making: Page) -> None:
    choose_option(making, "maker_column", "age")
    fill(making, "maker_width_age", "10")
    fill(making, "maker_join_width_age", "2")
    with rerun(making):
        making.locator(".st-key-maker_written_age").get_by_text("a-b", exact=True).click()
    expect(making.get_by_test_id("stAlert")).to_have_count(0)
    assert row_texts(making, "The 4 levels of the hierarchy", 2) == ["1", "4", "20-29, 30-39, 40-49, 50-59"]
    expect(making.locator(".st-key-maker_tree .js-plotly-plot")).to_be_visible()
    with rerun(making):
        making.locator(".st-key-maker_use button").click()
    expect(making.get_by_text("This is the hierarchy in use.")).to_be_visible()
    saved = download(making, "Download")
    age = read_hierarchy(saved, name="age.csv")
    assert age.rows[14] == ("34", "30-39", "20-39", "*")
