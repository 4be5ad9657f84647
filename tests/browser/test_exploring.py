"""How a reader finds the classes of interest: by a region of the map, by value, along the tree, step by step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    choose_option,
    load_sample,
    metric_value,
    open_page,
    press_slider,
    rerun,
    row_texts,
    slider_value,
)
from tests.browser.test_pages import CLASS_TABLE, click_row

SHOWN = re.compile(r"^[\d,]+ class(es)? with [\d,]+ records?; tick")
ALL = "122 classes with 9,921 records; tick"


@pytest.fixture
def classes(page: Page) -> Page:
    """The page of classes, for the sample's candidate of middling loss."""
    open_page(page, "/")
    load_sample(page)
    choose_option(page, "candidate", "candidate_balanced.csv")
    open_page(page, "/classes")
    expect(caption(page)).to_have_text(re.compile(f"^{ALL}"))
    return page


def caption(page: Page) -> Locator:
    """The line above the table that counts its classes."""
    return page.get_by_test_id("stCaptionContainer").filter(has_text=SHOWN).get_by_text(SHOWN)


def drag(page: Page, plot: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a region on a plot; its corners are shares of the plot's width and height."""
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    (x, y), (right, bottom) = ((box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + right) / 2, (y + bottom) / 2, steps=4)
    page.mouse.move(right, bottom, steps=4)
    page.mouse.up()


def test_a_region_of_the_map_chooses_the_classes_of_the_table(classes: Page) -> None:
    plot = classes.locator("[class*=st-key-class_map_] .vega-embed .background").first
    with rerun(classes):
        drag(classes, plot, (0.02, 0.02), (0.5, 0.98))
    expect(caption(classes)).not_to_have_text(re.compile(f"^{ALL}"))
    shown = int(caption(classes).inner_text().split()[0])
    assert 0 < shown < 122
    click_row(classes, CLASS_TABLE, 1)
    expect(classes.get_by_role("heading", name="The chosen class")).to_be_visible()


def test_a_value_chooses_the_classes_that_hold_it(classes: Page) -> None:
    classes.get_by_text("Filter by quasi-identifier, size or metric").click()
    field = classes.locator(".st-key-class_value_sex input")
    field.scroll_into_view_if_needed()
    with rerun(classes):
        field.press_sequentially("Fem")
        expect(classes.get_by_role("option", name="Female", exact=True)).to_be_visible()
        field.press("Enter")
    expect(classes.get_by_text("Filtered by sex.")).to_be_visible()
    expect(caption(classes)).not_to_have_text(re.compile(f"^{ALL}"))
    assert {row_texts(classes, CLASS_TABLE, row)[0] for row in range(1, 8)} == {"Female"}


def test_the_tree_begins_where_it_is_told(classes: Page) -> None:
    tree = classes.locator(".st-key-class_tree")
    expect(tree.locator(".gtitle")).to_contain_text("records by sex")
    choose_option(classes, "tree_first", "age")
    expect(tree.locator(".gtitle")).to_contain_text("records by age")
    labels = tree.locator(".slicetext").filter(has_text=re.compile(r"^\d+-\d+$"))
    expect(labels.first).to_be_visible()


def test_a_weight_leaves_the_table_of_violations_alone(classes: Page) -> None:
    open_page(classes, "/p29")
    grid = classes.get_by_test_id("stDataFrame").first
    grid.evaluate("(element) => { element.dataset.mine = 'yes'; }")
    press_slider(classes, "w_k", "ArrowRight", times=2)
    assert slider_value(classes, "w_k") == 0.52
    assert sum(slider_value(classes, key) for key in ("w_k", "w_l", "w_t")) == pytest.approx(1, abs=1e-9)
    assert metric_value(classes, "P_29") == "0.0000"
    expect(classes.get_by_test_id("stDataFrame").first).to_have_attribute("data-mine", "yes")


def test_the_working_ends_in_the_figure(classes: Page) -> None:
    open_page(classes, "/profitability")
    figure = metric_value(classes, "Profitability")
    with rerun(classes):
        classes.locator(".st-key-working_profitability summary").click()
    steps = classes.locator(".st-key-working_profitability .stMarkdown strong")
    expect(steps.first).to_contain_text("1.")
    expect(classes.locator(".st-key-working_profitability .katex").first).to_be_visible()
    assert figure == "yes"


def test_what_takes_long_is_computed_on_a_click(classes: Page) -> None:
    open_page(classes, "/risk")
    before = metric_value(classes, "Records at risk")
    press_slider(classes, "risk_threshold", "ArrowLeft", times=12)
    assert metric_value(classes, "Records at risk") != before
    ranking = classes.locator(".st-key-column_ranking .js-plotly-plot")
    expect(ranking).to_have_count(0)
    classes.locator(".st-key-compute_quasi_identifier_ranking button").click()
    expect(ranking).to_be_visible(timeout=60_000)
    expect(classes.locator(".st-key-compute_quasi_identifier_ranking")).to_have_count(0)
    open_page(classes, "/scorecard")
    assert metric_value(classes, "Quasi-identifier ranking") != "—"
    expect(classes.locator(".st-key-compute_classification_accuracy button")).to_be_visible()
