"""The worked examples in a browser: open without data, change a cell, see the number move."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from tests.browser.actions import metric_value, open_anew, rerun
from tests.browser.conftest import watched_page
from tests.browser.serving import Server

_ROW = 31
"""Height in pixels of a row of Streamlit's tables, which are drawn on a canvas: there is no cell to ask for."""


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[Page]:
    """A page on which each test begins a session of its own."""
    yield from watched_page(browser, server)


_AT_REST = """(element) => new Promise((done) => {
    element.scrollIntoView({ block: 'center' });
    let before = null, still = 0;
    const look = () => {
        const { x, y, width } = element.getBoundingClientRect();
        const now = [x, y, width].join();
        still = now === before ? still + 1 : 0;
        before = now;
        still < 15 ? requestAnimationFrame(look) : done({ x, y, width });
    };
    look();
})"""
"""Where an element is once it has stood still for fifteen frames: formulas that load late move what is below them."""


def write_cell(page: Page, key: str, row: int, share: float, text: str) -> None:
    """Type into a cell of an editable table: the row from 0, and where it lies across the table, 0 to 1."""
    box = page.locator(f".st-key-{key} canvas").first.evaluate(_AT_REST)
    editor = page.locator("#portal textarea")

    def opened() -> bool:
        # Not a double click of the canvas: the layer that scrolls lies above it.
        page.mouse.dblclick(box["x"] + box["width"] * share, box["y"] + (row + 1.5) * _ROW)
        with suppress(TimeoutError):
            editor.wait_for(timeout=2_000)
        return editor.is_visible()

    # The table loses a click that reaches it while another one gives up the keyboard.
    assert any(opened() for _ in range(5))
    editor.fill(text)
    with rerun(page):
        editor.press("Enter")


def choose(page: Page, title: str) -> None:
    """Choose an example by its title."""
    with rerun(page):
        page.get_by_test_id("stButtonGroup").get_by_text(title, exact=True).click()


def test_a_changed_cell_changes_the_number(shared: Page) -> None:
    open_anew(shared, "/learn")
    expect(shared.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    assert metric_value(shared, "Non-uniform entropy") == "0.4056"
    write_cell(shared, "learn_entropy_0_table", 3, 0.75, "1988")
    assert metric_value(shared, "Non-uniform entropy") == "0.75"
    # A second edit on top of the first: neither is lost.
    write_cell(shared, "learn_entropy_0_table", 2, 0.75, "1983")
    assert metric_value(shared, "Non-uniform entropy") == "1"
    assert shared.locator(".katex-error").count() == 0
    choose(shared, "Ambiguity")
    choose(shared, "Non-uniform entropy")
    assert metric_value(shared, "Non-uniform entropy") == "1"
    with rerun(shared):
        shared.get_by_role("button", name="Reset the example").click()
    assert metric_value(shared, "Non-uniform entropy") == "0.4056"


def test_a_link_opens_its_example_and_a_broken_cell_is_a_sentence(shared: Page) -> None:
    open_anew(shared, "/learn?example=t-closeness")
    assert metric_value(shared, "Salary, 197*") == "0.375"
    write_cell(shared, "learn_t-closeness_0_table", 0, 0.5, "a lot")
    expect(shared.get_by_text("record 1 does not hold a number")).to_be_visible()
    write_cell(shared, "learn_t-closeness_0_table", 0, 0.5, "8000")
    write_cell(shared, "learn_t-closeness_0_table", 4, 0.5, "3000")
    assert metric_value(shared, "Salary, 197*") == "0.175"


def test_whatever_is_typed_stays_text_in_the_formulas(shared: Page) -> None:
    open_anew(shared, "/learn?example=t-closeness")
    nasty = r"\frac{1}{0}$$_^~%&#\href{x}"
    for row in (0, 4):
        write_cell(shared, "learn_t-closeness_0_table", row, 0.85, nasty)
    write_cell(shared, "learn_t-closeness_0_Disease", 1, 0.25, nasty)
    write_cell(shared, "learn_t-closeness_0_Disease", 1, 0.6, r"\par } {-- $x$")
    write_cell(shared, "learn_t-closeness_0_Disease", 2, 0.6, r"\par } {-- $x$")
    assert metric_value(shared, "Disease, 197*") == "0.15"
    with rerun(shared):
        shared.locator(".st-key-learn_0_t_closeness_column").get_by_role("combobox").click()
        shared.get_by_role("option", name="Disease", exact=True).click()
    shown = shared.locator(".katex-html", has_text="par")
    expect(shown.first).to_be_visible()
    assert r"\par}{--$x$" in "".join(shown.first.inner_text().split())
    assert shared.locator(".katex-error").count() == 0


def test_every_example_fits_a_narrow_page(browser: Browser, server: Server) -> None:
    for page in watched_page(browser, server, width=390, height=900):
        for title in ("Non-uniform entropy", "Ambiguity", "t-closeness", "Profitability", "P_29"):
            open_anew(page, f"/learn?example={title}")
            expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
            expect(page.locator(".katex").nth(2)).to_be_visible()
            assert page.locator(".katex-error").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") == 390
