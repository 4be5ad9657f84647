"""A hierarchy made on the data page: from values, from what became what, changed by hand, saved, and used."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import metrics
from metrics.hierarchies.files import read_hierarchy
from metrics.policy.thresholds import figure_text
from tests.browser.actions import (
    choose_option,
    download,
    expand,
    metric_value,
    open_page,
    rerun,
    row_texts,
    upload,
)
from tests.dashboard.components.test_hierarchy_maker import CANDIDATE, ORIGINAL

ROLES = b"quasi_identifiers: [zip, age, city]"
EDITED = "The hierarchy's rows, leaf first"


@pytest.fixture
def making(page: Page, tmp_path: Path) -> Page:
    """The data page on a pair of tables, the maker open."""
    (tmp_path / "original.csv").write_bytes(ORIGINAL)
    (tmp_path / "candidate.csv").write_bytes(CANDIDATE)
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "original.csv"])
    upload(page, "upload_anonymized", [tmp_path / "candidate.csv"])
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


def use(page: Page) -> None:
    """Take the hierarchy that is shown."""
    with rerun(page):
        page.locator(".st-key-maker_use button").click()
    expect(page.get_by_text("This is the hierarchy in use.")).to_be_visible()


def test_a_hierarchy_is_made_from_values_used_and_saved(making: Page, tmp_path: Path) -> None:
    choose_option(making, "maker_column", "age")
    fill(making, "maker_width_age", "0")
    expect(making.get_by_test_id("stAlert")).to_contain_text('column "age": the width is not above 0')
    expect(making.locator(".st-key-maker_use")).to_have_count(0)
    fill(making, "maker_width_age", "10")
    fill(making, "maker_join_width_age", "2")
    with rerun(making):
        making.locator(".st-key-maker_written_age").get_by_text("a-b", exact=True).click()
    expect(making.get_by_test_id("stAlert")).to_have_count(0)
    assert row_texts(making, "The 4 levels of the hierarchy", 2) == ["1", "4", "20-29, 30-39, 40-49, 50-59"]
    expect(making.locator(".st-key-maker_tree .js-plotly-plot")).to_be_visible()
    use(making)
    saved = download(making, "Download")
    age = read_hierarchy(saved, name="age.csv")
    assert age.rows[14] == ("34", "30-39", "20-39", "*")
    # The anonymized ages are its labels: what they lost is measured by its levels.
    card = metrics.score(
        metrics.read_table(CANDIDATE, name="candidate.csv"),
        metrics.Roles(quasi_identifiers=["zip", "age", "city"]),
        original=metrics.read_table(ORIGINAL, name="original.csv"),
        hierarchies={"age": age},
    )
    assert card["precision"].details["levels"]["age"] == 4
    open_page(making, "/scorecard")
    assert metric_value(making, card["precision"].metric.title) == figure_text("precision", card["precision"].value)
    open_page(making, "/explore")
    levels = making.locator(".st-key-level_age").get_by_role("radio")
    expect(levels).to_have_count(4)
    for level in (3, 2):
        with rerun(making):
            levels.nth(level).click()
        expect(levels.nth(level)).to_be_checked()
    open_page(making, "/")
    expand(making, "Generalization hierarchies")
    expect(making.locator(".st-key-maker_column input")).to_have_value("age")
    with rerun(making):
        expand(making, "40 values on 4 levels")
        making.locator(".st-key-remove_hierarchy_age button").click()
    (tmp_path / "age.csv").write_bytes(saved)
    upload(making, "upload_hierarchies", [tmp_path / "age.csv"])
    expect(making.get_by_text("This is the hierarchy in use.")).to_be_visible()
