"""The t-closeness page as its reader uses it: the limit by keyboard, a class by clicking, another ground distance."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import metric_value, open_page, rerun, settled, upload
from tests.reference_data import reference


def figure(page: Page, key: str) -> Locator:
    """The figure with a key; its accessible name is its title."""
    return page.locator(f".st-key-{key}").get_by_test_id("stPlotlyChart")


def press(page: Page, key: str, times: int = 1) -> None:
    """Press a key on the limit's slider, which waits for each run."""
    page.locator('.st-key-t_limit input[type="range"]').focus()
    for _ in range(times):
        with rerun(page):
            page.keyboard.press(key)


def choose(page: Page, key: str, option: str) -> None:
    """Choose in the select box with a key."""
    page.locator(f".st-key-{key} input").click()
    with rerun(page):
        page.get_by_role("option", name=option).click()


def click_cell(page: Page, number: int) -> None:
    """Click the middle of a heatmap's cell: Plotly listens on a layer above the cells."""
    cell = page.locator(".st-key-closeness_heatmap .barlayer .trace").first.locator(".point path").nth(number)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with rerun(page):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture
def patient(page: Page) -> Page:
    """The page on patient_anonymized with its hierarchies."""
    folder = reference("petworks", "patient")
    open_page(page, "/")
    upload(page, "upload_anonymized", [folder / "patient_anonymized.csv"])
    for column in ("ZIPCode", "Age", "Salary", "Disease"):
        role = "quasi-identifier" if column in ("ZIPCode", "Age") else "sensitive"
        tag = page.locator(f".st-key-role_{column}").get_by_role("radio", name=role, exact=True)
        settled(page)
        if tag.get_attribute("aria-checked") != "true":
            with rerun(page):
                tag.click()
        expect(tag).to_have_attribute("aria-checked", "true")
    upload(page, "upload_hierarchies", sorted((folder / "patient_hierarchy").glob("*.csv")))
    open_page(page, "/t-closeness")
    return page


def test_the_limit_by_keyboard_moves_the_counts_and_stays(page: Page) -> None:
    open_page(page, "/")
    with rerun(page):
        page.locator(".st-key-load_sample button").click()
    open_page(page, "/t-closeness")
    assert metric_value(page, "t-closeness") == "0.8798"
    assert metric_value(page, "Classes beyond the limit") == "2,288"
    press(page, "ArrowRight", 3)
    expect(page.get_by_text("than the limit t = 0.23.")).to_be_visible()
    at_23 = int(metric_value(page, "Classes beyond the limit").replace(",", ""))
    assert 0 < at_23 < 2_288
    press(page, "End")
    assert metric_value(page, "Classes beyond the limit") == "0"
    expect(page.get_by_text("No class lies beyond the limit.")).to_be_visible()
    press(page, "Home")
    assert metric_value(page, "Classes beyond the limit") == "2,293"
    press(page, "ArrowRight", 2)
    open_page(page, "/p29")
    open_page(page, "/t-closeness")
    expect(page.get_by_text("than the limit t = 0.02.")).to_be_visible()
    assert "t_limit=0.02" in page.url


def test_a_click_opens_a_class_and_an_attribute(patient: Page) -> None:
    assert metric_value(patient, "t-closeness") == "0.2963"
    expect(patient.get_by_text("ZIPCode = 4790*, Age = >40: 3 records")).to_be_visible()
    click_cell(patient, 2)
    expect(patient.get_by_text(re.compile(r"ZIPCode = 4760\*, Age = .*40: 3 records"))).to_be_visible()
    expect(figure(patient, "moved_mass")).to_have_accessible_name(
        "Disease: of t = 0.1852, 0.1111 is moved under respiratory&digestive disease"
    )
    click_cell(patient, 3)
    expect(patient.get_by_text("ZIPCode = 4790*, Age = >40: 3 records")).to_be_visible()
    expect(figure(patient, "closeness_distribution")).to_have_accessible_name(re.compile("values of Salary"))
    expect(figure(patient, "moved_mass")).to_have_accessible_name(re.compile("the area between the lines"))
    open_page(patient, "/scorecard")
    open_page(patient, "/t-closeness")
    expect(figure(patient, "closeness_distribution")).to_have_accessible_name(re.compile("values of Salary"))


def test_another_ground_distance_changes_figure_and_number(patient: Page) -> None:
    expect(figure(patient, "moved_mass")).to_have_accessible_name(re.compile(r"Disease: of t.=.0\.2963"))
    choose(patient, "t_distance_Disease", "equal")
    assert metric_value(patient, "t-closeness") == "0.5556"
    expect(figure(patient, "moved_mass")).to_have_accessible_name(
        re.compile("records would have to change their Disease")
    )
    choose(patient, "t_distance_Disease", "ordered")
    expect(patient.get_by_text("Kept as it was")).to_contain_text("have no order")
    assert metric_value(patient, "t-closeness") == "0.5556"
    expect(patient.locator(".st-key-t_distance_Disease input")).to_have_value("equal")
    choose(patient, "t_distance_Disease", "automatic (hierarchical)")
    assert metric_value(patient, "t-closeness") == "0.2963"


def test_the_tables_and_figures_download(patient: Page, tmp_path: Path) -> None:
    for key, rows in (("classes_beyond_t", 2), ("classes_by_t", 3), ("beyond_by_t", 4), ("moved_mass", 11)):
        with patient.expect_download() as download:
            patient.locator(f".st-key-data_{key} button").click()
        download.value.save_as(tmp_path / key)
        assert len((tmp_path / key).read_text(encoding="utf-8").splitlines()) == rows + 1
