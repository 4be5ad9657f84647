"""How a reader finds the classes of interest: by a region of the map, by value, along the tree, step by step."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.actions import (
    at_rest,
    choose_option,
    load_sample,
    metric_value,
    open_page,
    press_slider,
    rerun,
    table_named,
)
from tests.browser.conftest import watched_page
from tests.browser.serving import Server
from tests.browser.test_pages import CLASS_TABLE, click_row

ALL = "122 classes, 9,921 records"


@pytest.fixture(scope="module")
def sampled(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with the sample's candidate of middling loss, for tests that each change other things."""
    with watched_page(context, server) as page:
        open_page(page, "/")
        load_sample(page)
        choose_option(page, "candidate", "candidate_balanced.csv")
        yield page


def heading(page: Page) -> Locator:
    """The heading above the table that counts its classes."""
    return page.get_by_role("heading", name=re.compile(r"^[\d,]+ class(es)?, [\d,]+ records?$"))


def drag(page: Page, plot: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a region on a plot; its corners are shares of the plot's width and height."""
    box = at_rest(plot)
    (x, y), (right, bottom) = ((box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + right) / 2, (y + bottom) / 2, steps=4)
    page.mouse.move(right, bottom, steps=4)
    page.mouse.up()


def test_a_region_of_the_map_or_a_value_chooses_the_classes_of_the_table(sampled: Page) -> None:
    open_page(sampled, "/classes")
    expect(sampled.get_by_text("No class fails k ≥ 5, l ≥ 2 or t ≤ 0.5; all classes are listed.")).to_be_visible()
    shown = sampled.locator(".st-key-class_filter").get_by_role("radio", name="all", exact=True)
    expect(shown).to_have_attribute("aria-checked", "true")
    expect(heading(sampled)).to_have_text(ALL)
    filters = sampled.get_by_role("button", name="More filters")
    filters.click()
    field = sampled.locator(".st-key-class_value_sex input")
    with rerun(sampled):
        field.press_sequentially("Fem")
        expect(sampled.get_by_role("option", name="Female", exact=True)).to_be_visible()
        field.press("Enter")
    # The list of the filters lies over the page while it is open.
    sampled.keyboard.press("Escape")
    sampled.keyboard.press("Escape")
    field.wait_for(state="hidden")
    expect(sampled.get_by_text("Filtered by sex.")).to_be_visible()
    expect(heading(sampled)).not_to_have_text(ALL)
    rows = table_named(sampled, CLASS_TABLE)
    for row in range(1, 5):
        cells = rows.locator(f'[role=row][aria-rowindex="{row + 1}"] [role=gridcell]')
        expect(cells.last).to_have_text(re.compile("^Female · "))
    before = int(heading(sampled).inner_text().split()[0])
    with rerun(sampled):
        drag(sampled, sampled.locator("[class*=st-key-class_map_] .nsewdrag"), (0.02, 0.02), (0.5, 0.98))
    inside = heading(sampled).inner_text()
    assert 0 < int(inside.split()[0]) < before
    # The rectangle stays while a class is shown in place of the map.
    click_row(sampled, CLASS_TABLE, 1)
    expect(heading(sampled)).to_have_text(inside)
    with rerun(sampled):
        sampled.locator(".st-key-class_close button").click()
    expect(heading(sampled)).to_have_text(inside)
    with rerun(sampled):
        sampled.locator(".st-key-class_map_clear button").click()
    assert int(heading(sampled).inner_text().split()[0]) == before


def test_the_tree_begins_with_the_chosen_column(sampled: Page) -> None:
    open_page(sampled, "/classes")
    with rerun(sampled):
        sampled.locator(".st-key-classes_view").get_by_role("radio", name="By quasi-identifier").click()
    finding = sampled.get_by_role("heading", level=2)
    expect(finding.filter(has_text="records by sex")).to_be_visible()
    choose_option(sampled, "tree_first", "age")
    expect(finding.filter(has_text="records by age")).to_be_visible()
    labels = sampled.locator(".st-key-class_tree .slicetext").filter(has_text=re.compile(r"^\d+-\d+$"))
    expect(labels.first).to_be_visible()


def test_what_takes_long_is_computed_on_a_click(sampled: Page) -> None:
    open_page(sampled, "/risk")
    before = metric_value(sampled, "Records at risk")
    press_slider(sampled, "risk_threshold", "ArrowLeft", times=12)
    assert metric_value(sampled, "Records at risk") != before
    ranking = sampled.locator(".st-key-column_ranking .js-plotly-plot")
    expect(ranking).to_have_count(0)
    sampled.locator(".st-key-compute_quasi_identifier_ranking button").click()
    expect(ranking).to_be_visible()
    expect(sampled.locator(".st-key-compute_quasi_identifier_ranking")).to_have_count(0)
    open_page(sampled, "/scorecard")
    assert metric_value(sampled, "Quasi-identifier ranking") != "—"
    sampled.locator(".st-key-not_measured summary").click()
    expect(sampled.locator(".st-key-compute_classification_accuracy button")).to_be_visible()
