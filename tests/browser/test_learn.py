"""The worked examples in a browser: open without data, change a cell, see the number move."""

from contextlib import suppress

from playwright.sync_api import BrowserContext, Page, TimeoutError, expect

from tests.browser.actions import at_rest, metric_value, open_page, rerun
from tests.browser.conftest import watched_page
from tests.browser.serving import Server

_ROW = 31
"""Height in pixels of a row of Streamlit's tables, which are drawn on a canvas: there is no cell to ask for."""


def write_cell(page: Page, key: str, row: int, share: float, text: str) -> None:
    """Type into a cell of an editable table: the row from 0, and where it lies across the table, 0 to 1."""
    box = at_rest(page.locator(f".st-key-{key} canvas").first)
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


def test_a_link_opens_its_example_where_changed_cells_change_the_number_and_stay_text(page: Page) -> None:
    open_page(page, "/learn?example=t-closeness")
    assert metric_value(page, "Salary, 197*") == "0.375"
    # A second edit on top of the first: neither is lost.
    write_cell(page, "learn_t-closeness_0_table", 0, 0.5, "8000")
    write_cell(page, "learn_t-closeness_0_table", 4, 0.5, "3000")
    assert metric_value(page, "Salary, 197*") == "0.175"
    # Whatever is typed stays text in the formulas.
    nasty = r"\frac{1}{0}$$_^~%&#\href{x}"
    for row in (0, 4):
        write_cell(page, "learn_t-closeness_0_table", row, 0.85, nasty)
    write_cell(page, "learn_t-closeness_0_Disease", 1, 0.25, nasty)
    write_cell(page, "learn_t-closeness_0_Disease", 1, 0.6, r"\par } {-- $x$")
    write_cell(page, "learn_t-closeness_0_Disease", 2, 0.6, r"\par } {-- $x$")
    assert metric_value(page, "Disease, 197*") == "0.15"
    with rerun(page):
        page.locator(".st-key-learn_0_t_closeness_column").get_by_role("combobox").click()
        page.get_by_role("option", name="Disease", exact=True).click()
    shown = page.locator(".katex-html", has_text="par")
    expect(shown.first).to_be_visible()
    assert r"\par}{--$x$" in "".join(shown.first.inner_text().split())
    assert page.locator(".katex-error").count() == 0


def test_every_example_fits_a_narrow_page(context: BrowserContext, server: Server) -> None:
    with watched_page(context, server, width=390, height=900) as page:
        open_page(page, "/learn")
        for title in ("Information kept", "Ambiguity", "t-closeness", "Profitability", "P_29"):
            if title != "Information kept":
                choose(page, title)
            expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
            expect(page.locator(".katex").nth(2)).to_be_visible()
            assert page.locator(".katex-error").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") == 390
