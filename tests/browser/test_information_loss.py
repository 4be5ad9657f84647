"""The page on information loss as its reader uses it: figures, the column to follow, data to download, the working."""

import io
import re
from collections.abc import Iterator

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.actions import (
    choose_option,
    download,
    figure,
    figure_data,
    load_sample,
    metric_value,
    open_page,
    rerun,
    show_view,
    upload,
)
from tests.browser.conftest import watched_page
from tests.browser.serving import Server
from tests.support.reference_data import reference

NARROW = 390
VIEWS = {"combinations": "Combinations per record", "value_flow": "Which values became what"}
LABELS = ".ytick text, .y2tick text"
# A point of the screen where no other band lies on top of this one.
UNCOVERED = """(band) => {
    const box = band.getBoundingClientRect();
    for (let i = 1; i < 60; i++)
        for (let j = 1; j < 60; j++) {
            const x = box.x + box.width * i / 60, y = box.y + box.height * j / 60;
            if (document.elementFromPoint(x, y) === band) return [x, y];
        }
    throw new Error('the band is covered');
}"""


def boxes(elements: Locator) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each element."""
    found = [element.bounding_box() for element in elements.all()]
    return [(box["x"], box["y"], box["width"], box["height"]) for box in found if box is not None]


def wait_until_drawn(flow: Locator) -> None:
    """Wait until a flow's nodes have come to rest: Plotly moves them to their new places."""
    nodes, before = flow.locator(".sankey-node .node-rect"), None
    for _ in range(50):
        now = boxes(nodes)
        if now and now == before:
            return
        before = now
        flow.page.wait_for_timeout(200)
    raise AssertionError("the flow does not come to rest")


def choose(page: Page, key: str, option: str) -> None:
    """Choose in the select box with a key, by keyboard."""
    page.locator(f".st-key-{key} input").click()
    page.keyboard.type(option)
    expect(page.get_by_role("option", name=option).first).to_be_visible()
    with rerun(page):
        page.keyboard.press("Enter")


def frame(content: bytes) -> pd.DataFrame:
    """A CSV file."""
    return pd.read_csv(io.BytesIO(content), keep_default_na=False)


def data_of(page: Page, key: str) -> pd.DataFrame:
    """The data of the figure with a key."""
    return frame(figure_data(page, key))


@pytest.fixture(scope="module")
def sampled(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with the sample."""
    with watched_page(context, server) as page:
        open_page(page, "/")
        load_sample(page)
        yield page


@pytest.fixture(scope="module")
def adult(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with adult and its hierarchies."""
    folder = reference("petworks", "adult")
    with watched_page(context, server) as page:
        open_page(page, "/")
        upload(page, "upload_anonymized", [folder / "adult_anonymized.csv"])
        upload(page, "upload_original", [folder / "adult.csv"])
        upload(page, "upload_hierarchies", sorted((folder / "adult_hierarchy").glob("*.csv")))
        yield page


def test_the_sample_from_the_verdict_to_the_data(sampled: Page) -> None:
    open_page(sampled, "/information-loss")
    assert metric_value(sampled, "Non-uniform entropy") == "53.8%"
    assert metric_value(sampled, "Ambiguity") == "0.9999"
    assert metric_value(sampled, "Mean combinations") == "1,880"
    assert metric_value(sampled, "Cells changed") == "66.7%"
    expect(sampled.get_by_text(re.compile(r"^53\.8% of the information .* 66\.7% of the cells"))).to_be_visible()
    for key in ("loss_by_column", "changed_cells", "value_flow"):
        expect(figure(sampled, key).locator(".main-svg").first).to_be_visible()
    levels = data_of(sampled, "loss_by_column")
    show_view(sampled, "loss", "Column by column")
    table = frame(download(sampled, "Download as CSV"))
    assert levels["loss (bits)"].sum() == pytest.approx(table["loss (bits)"].sum())
    assert table["generalized"].tolist() == [10_000] * 4 + [0, 0]
    show_view(sampled, "loss", "Combinations per record")
    expect(figure(sampled, "combinations").locator(".main-svg").first).to_be_visible()
    assert data_of(sampled, "combinations")["records"].sum() == 10_000
    assert data_of(sampled, "changed_cells")["kept"].sum() == 20_000


def test_following_a_column_and_one_of_its_values(sampled: Page) -> None:
    open_page(sampled, "/information-loss")
    show_view(sampled, "loss", "Which values became what")
    flow = figure(sampled, "value_flow")
    expect(flow.locator(".sankey-link")).to_have_count(12)
    choose(sampled, "loss_column", "occupation")
    expect(flow).to_have_attribute("aria-label", "occupation: 100% generalized")
    choose(sampled, "loss_value", "Manual")
    rows = data_of(sampled, "value_flow")
    assert set(rows["anonymized"]) == {"Manual"}
    expect(sampled.get_by_text(f"{rows['records'].sum():,} generalized")).to_be_visible()
    expect(flow.locator(".sankey-link")).to_have_count(len(rows))
    open_page(sampled, "/scorecard")
    open_page(sampled, "/information-loss")
    expect(flow.locator(".sankey-link")).to_have_count(len(rows))


@pytest.mark.reference
def test_each_band_of_the_flow_has_a_hover_text(adult: Page) -> None:
    open_page(adult, "/information-loss")
    choose(adult, "loss_column", "sex")
    flow = figure(adult, "value_flow")
    expect(flow).to_have_attribute("aria-label", "sex: 72.7% kept, 27.3% suppressed")
    wait_until_drawn(flow)
    flow.scroll_into_view_if_needed()
    told = set()
    for band in flow.locator(".sankey-link").all():
        x, y = band.evaluate(UNCOVERED)
        adult.mouse.move(x, y)
        label = flow.locator(".hoverlayer .hovertext")
        expect(label).to_contain_text("records")
        told.add(label.text_content())
        adult.mouse.move(0, 0)
        expect(label).to_have_count(0)
    assert {str(text).partition("records")[0].rstrip("0123456789, ") for text in told} == {
        "Male → MaleKept: unchanged",
        "Female → FemaleKept: unchanged",
        "Male → *Suppressed: only * is left, or the record is deleted",
        "Female → *Suppressed: only * is left, or the record is deleted",
    }


@pytest.mark.reference
def test_labels_stand_at_their_nodes(adult: Page) -> None:
    open_page(adult, "/information-loss")
    choose(adult, "loss_column", "education")
    flow = figure(adult, "value_flow")
    expect(flow).to_have_attribute("aria-label", "education: 72.7% kept, 27.3% suppressed")
    wait_until_drawn(flow)
    nodes = boxes(flow.locator(".sankey-node .node-rect"))
    labels = boxes(flow.locator(LABELS))
    assert len(nodes) == len(labels) == 22
    for x, y, width, height in nodes:
        beside = [box for box in labels if abs(box[1] + box[3] / 2 - y - height / 2) < 4]
        gaps = [max(box[0] - x - width, x - box[0] - box[2]) for box in beside]
        assert 0 <= min(gaps) < 12


@pytest.mark.reference
def test_adult_fits_a_narrow_page(adult: Page) -> None:
    open_page(adult, "/scorecard")
    size = adult.viewport_size
    assert size is not None
    adult.set_viewport_size({"width": NARROW, "height": size["height"]})
    open_page(adult, "/information-loss")
    choose_option(adult, "loss_column", "age")
    assert metric_value(adult, "Mean combinations") == "140 million"
    for key in ("loss_by_column", "changed_cells", "combinations", "value_flow"):
        if key in VIEWS:
            show_view(adult, "loss", VIEWS[key])
        chart = figure(adult, key)
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW
    texts = figure(adult, "value_flow").locator(LABELS)
    for text in texts.all():
        box = text.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW
    adult.set_viewport_size(size)


def test_the_working_and_the_definitions(sampled: Page) -> None:
    open_page(sampled, "/information-loss")
    sampled.get_by_text("The definitions").click()
    expect(sampled.get_by_text("but 1.0034 on the adult table, a loss above 100%")).to_be_visible()
    expect(sampled.get_by_text("A table compared with itself has 1 combination per record")).to_be_visible()
    with rerun(sampled):
        sampled.locator(".st-key-working_ambiguity summary").click()
    expect(sampled.get_by_text("Combinations of the record")).to_be_visible()
