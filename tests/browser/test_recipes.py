"""Recipes in the browser: saved on Explore and Repair, applied again to the loaded table."""

from pathlib import Path

from playwright.sync_api import Page, expect

import metrics
from dashboard.components.release_file import RELEASE_FILE
from tests.browser.actions import download, expand, load_sample, open_page, rerun, upload
from tests.browser.test_accessibility import violations
from tests.support.command_line import ROOT
from tests.support.small_tables import columns_of


def test_what_explore_made_is_made_again_from_its_recipe(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/explore")
    made = download(page, RELEASE_FILE)
    path = tmp_path / "explored.yaml"
    path.write_bytes(download(page, "Recipe"))
    expand(page, "Apply a recipe")
    upload(page, "upload_recipe", [path])
    expect(page.get_by_text("Applied to hospital.csv: 10,000 records")).to_be_visible()
    assert violations(page) == []
    with page.expect_download() as started:
        page.locator(".st-key-recipe_csv button").first.click()
    assert started.value.path().read_bytes() == made
    mapping = metrics.read_table(download(page, "Mapping as CSV (confidential)"), name="mapping.csv")
    assert set(columns_of(mapping)["column"]) > {"age", "sex"}
    with rerun(page):
        page.locator(".st-key-recipe_keep button").click()
    expect(page.locator(".st-key-candidate input")).to_have_value("hospital_recipe")
    # The library reads the same file.
    applied = metrics.read_recipe(path).apply(metrics.read_table(ROOT / "sample_data" / "hospital.csv"))
    assert columns_of(metrics.read_table(made, name="made.csv")) == columns_of(applied.table.sorted_by_cells())
