"""The page on information loss as its reader uses it: figures, the column to follow, data to download."""

import io
import re

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    choose_option,
    download,
    figure,
    figure_data,
    open_page,
    rerun,
    settled,
    show_view,
    unchanging,
)

NARROW = 390
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
BOXES = """(elements) => elements.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
})"""


def boxes(elements: Locator) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each element, all at once: those of the former drawing leave one by one."""
    return [(x, y, width, height) for x, y, width, height in elements.evaluate_all(BOXES)]


def wait_until_drawn(flow: Locator) -> None:
    """Wait until a flow's nodes have come to rest: Plotly moves them to their new places."""
    nodes = flow.locator(".sankey-node .node-rect")
    unchanging(flow.page, lambda: boxes(nodes))


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


def test_the_cursor_tells_a_bar_that_selects_its_column_from_the_rest(shared: Page) -> None:
    open_page(shared, "/information-loss")
    settled(shared)
    plot = shared.locator(".st-key-loss_by_column .nsewdrag")
    left, top, width, height = max(boxes(shared.locator(".st-key-loss_by_column .point path")), key=lambda box: box[2])
    shared.mouse.move(left + width / 2, top + height / 2)
    expect(plot).to_have_css("cursor", "pointer")
    x, y, width, height = boxes(plot)[0]
    shared.mouse.move(x + width - 8, y + height - 4)
    expect(plot).to_have_css("cursor", "default")


def test_figures_are_drawn_and_their_data_downloads(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/information-loss")
    for key in ("loss_by_column", "changed_cells", "value_flow"):
        expect(figure(shared, key).locator(".main-svg").first).to_be_visible()
    levels = data_of(shared, "loss_by_column")
    show_view(shared, "loss", "Column by column")
    table = frame(download(shared, "Download columns (CSV)"))
    assert levels["loss (bits)"].sum() == pytest.approx(table["loss (bits)"].sum())
    assert table["generalized"].tolist() == [10_000] * 4 + [0, 0]
    assert data_of(shared, "changed_cells")["kept"].sum() == 20_000
    show_view(shared, "loss", "Which values became what")
    flow = figure(shared, "value_flow")
    expect(flow.locator(".sankey-link")).to_have_count(12)
    choose(shared, "loss_column", "occupation")
    expect(flow).to_have_attribute("aria-label", "occupation: 100% generalized")
    choose(shared, "loss_value", "Manual")
    rows = data_of(shared, "value_flow")
    assert set(rows["anonymized"]) == {"Manual"}
    expect(flow.locator(".sankey-link")).to_have_count(len(rows))


def test_each_band_of_the_flow_has_a_hover_text(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, "/information-loss")
    show_view(shared, "loss", "Which values became what")
    choose(shared, "loss_column", "sex")
    flow = figure(shared, "value_flow")
    expect(flow).to_have_attribute("aria-label", re.compile(r"^sex: .*% kept, .*% suppressed"))
    wait_until_drawn(flow)
    flow.scroll_into_view_if_needed()
    labels = set()
    for band in flow.locator(".sankey-link").all():
        x, y = band.evaluate(UNCOVERED)
        shared.mouse.move(x, y)
        label = flow.locator(".hoverlayer .hovertext")
        expect(label).to_contain_text("records")
        labels.add(label.text_content())
        shared.mouse.move(0, 0)
        expect(label).to_have_count(0)
    assert {str(text).partition("records")[0].rstrip("0123456789, ") for text in labels} == {
        "Male → MaleKept: unchanged",
        "Female → FemaleKept: unchanged",
        "Male → *Suppressed: only * is left, or the record is deleted",
        "Female → *Suppressed: only * is left, or the record is deleted",
    }


def test_labels_stand_at_their_nodes_and_all_fits_a_narrow_page(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/information-loss")
    show_view(shared, "loss", "Which values became what")
    choose(shared, "loss_column", "age")
    flow = figure(shared, "value_flow")
    wait_until_drawn(flow)
    nodes = boxes(flow.locator(".sankey-node .node-rect"))
    labels = boxes(flow.locator(LABELS))
    assert len(nodes) == len(labels) > 10
    for x, y, width, height in nodes:
        beside = [box for box in labels if abs(box[1] + box[3] / 2 - y - height / 2) < 4]
        gaps = [max(box[0] - x - width, x - box[0] - box[2]) for box in beside]
        assert 0 <= min(gaps) < 12
    size = shared.viewport_size
    assert size is not None
    shared.set_viewport_size({"width": NARROW, "height": size["height"]})
    settled(shared)
    wait_until_drawn(flow)
    for x, _, width, _ in boxes(flow.locator(LABELS)):
        assert x >= 0
        assert x + width <= NARROW
    for key in ("value_flow", "loss_by_column", "changed_cells", "combinations"):
        if key == "combinations":
            show_view(shared, "loss", "Combinations per record")
        chart = figure(shared, key)
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW
    shared.set_viewport_size(size)


@pytest.mark.parametrize(("kind", "begins"), [("PNG", b"\x89PNG"), ("SVG", b"<svg")])
def test_a_chart_is_saved_as_an_image_under_its_finding(shared: Page, kind: str, begins: bytes) -> None:
    open_page(shared, "information-loss")
    shared.locator(".st-key-menu_loss_by_column button:visible").click()
    with shared.expect_download() as caught:
        shared.get_by_role("button", name=f"Image as {kind}").click()
    image = caught.value.path().read_bytes()
    assert image.startswith(begins)
    assert caught.value.suggested_filename.endswith(f".{kind.lower()}")
    finding = shared.locator(".st-key-heading_loss_by_column h2").inner_text()
    assert caught.value.suggested_filename.startswith(finding.split("%")[0])
    if kind == "SVG":
        assert finding.split()[0] in image.decode()
