"""What is taken away: a recipe, applied again to the loaded table, and reports and settings, which are restored."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

import metrics
from dashboard.components.release_file import RELEASE_FILE
from tests.browser.actions import choose_option, download, expand, open_page, rerun, upload
from tests.browser.test_accessibility import violations
from tests.support.command_line import ROOT
from tests.support.small_tables import columns_of


def test_what_explore_made_is_made_again_from_its_recipe(shared: Page, tmp_path: Path) -> None:
    open_page(shared, "/explore")
    made = download(shared, RELEASE_FILE)
    path = tmp_path / "explored.yaml"
    path.write_bytes(download(shared, "Recipe"))
    expand(shared, "Apply a recipe")
    upload(shared, "upload_recipe", [path])
    expect(shared.get_by_text("Applied to hospital.csv: 10,000 records")).to_be_visible()
    assert violations(shared, ".st-key-section_recipe") == []
    with shared.expect_download() as started:
        shared.locator(".st-key-recipe_csv button").first.click()
    assert started.value.path().read_bytes() == made
    mapping = metrics.read_table(download(shared, "Mapping as CSV (confidential)"), name="mapping.csv")
    assert set(columns_of(mapping)["column"]) > {"age", "sex"}
    with rerun(shared):
        shared.locator(".st-key-recipe_keep button").click()
    expect(shared.locator(".st-key-candidate input")).to_have_value("hospital_recipe")
    # The library reads the same file.
    applied = metrics.read_recipe(path).apply(metrics.read_table(ROOT / "sample_data" / "hospital.csv"))
    assert columns_of(metrics.read_table(made, name="made.csv")) == columns_of(applied.table.sorted_by_cells())


def test_the_page_gives_a_report_and_settings_that_come_back(shared: Page, tmp_path: Path) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/report")
    expect(shared.frame_locator("iframe").locator(".headline")).to_contain_text("Fails the policy")
    saved = {}
    titles = (
        "Report", "Technical appendix", "Scores as JSON",
        "Confidential appendix", "Classes as CSV", "Classes as Parquet", "Settings"
    )  # fmt: skip
    for title in titles:
        with shared.expect_download() as started:
            shared.get_by_test_id("stDownloadButton").get_by_role("button", name=title, exact=True).click()
        name = started.value.suggested_filename
        started.value.save_as(tmp_path / name)
        saved[name] = (tmp_path / name).read_bytes()
    assert list(saved) == [
        "report_candidate_light.html",
        "technical-appendix_candidate_light.html",
        "scores_candidate_light.json",
        "confidential-appendix_candidate_light.html",
        "confidential-classes_candidate_light.csv",
        "confidential-classes_candidate_light.parquet",
        "confidential-settings.json",
    ]
    appendix = saved["confidential-appendix_candidate_light.html"]
    assert b"<title>Confidential appendix on candidate_light.csv</title>" in appendix
    assert b"Report on candidate_light.csv" in saved["report_candidate_light.html"]
    assert json.loads(saved["scores_candidate_light.json"])["schema_version"] == 1
    assert json.loads(saved["confidential-settings.json"])["tables"]["original"]["name"] == "hospital.csv"
    expand(shared, "Restore a session")
    upload(shared, "upload_settings", [tmp_path / "confidential-settings.json"])
    expect(shared.get_by_text("Settings restored from confidential-settings.json.")).to_be_visible()
