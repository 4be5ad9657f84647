"""What a user does and sees, in the terms of the dashboard, for browser tests."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
_NOTE_RUNS = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const note = () => { if (app.dataset.testScriptState !== 'notRunning') window.runBegan = true; };
    window.runBegan = false;
    note();
    new MutationObserver(note).observe(app, {attributeFilter: ['data-test-script-state']});
}"""


def settled(page: Page) -> None:
    """Wait until the script has run and nothing on the page is stale.

    Right after an action the run has not begun yet: use `rerun`, or assert the resulting value first.
    """
    page.locator(SETTLED).wait_for(timeout=60_000)
    expect(page.locator('[data-stale="true"]')).to_have_count(0, timeout=60_000)


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait until a run that the actions inside set off has begun and ended."""
    page.evaluate(_NOTE_RUNS)
    yield
    page.wait_for_function("() => window.runBegan", timeout=60_000)
    settled(page)


def open_page(page: Page, path: str) -> None:
    """Go to a page by its URL path: by the navigation when the dashboard is open, which keeps the session."""
    if page.url == "about:blank":
        page.goto(path)
        settled(page)
        return
    link = page.locator(f'[data-testid="stSidebarNavLink"][href$="{path}"]')
    if not link.is_visible() and page.get_by_test_id("stExpandSidebarButton").is_visible():
        page.get_by_test_id("stExpandSidebarButton").click()
    with rerun(page):
        link.click()
    expect(page).to_have_url(re.compile(re.escape(path) + r"(\?.*)?$"))


def upload(page: Page, key: str, paths: Sequence[Path]) -> None:
    """Give files to the uploader with a widget key, and wait for the run that reads them."""
    with rerun(page):
        page.locator(f".st-key-{key} input[type=file]").set_input_files([str(path) for path in paths])
        expect(page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0, timeout=60_000)


def metric_value(page: Page, label: str) -> str:
    """The value that the st.metric card with a label shows."""
    labelled = page.get_by_test_id("stMetricLabel").get_by_text(label, exact=True)
    card = page.get_by_test_id("stMetric").filter(has=labelled)
    return card.get_by_test_id("stMetricValue").inner_text().strip()


def screenshot(page: Page, path: Path) -> Path:
    """Picture of the whole page, not only of what fits the window."""
    size = page.viewport_size
    assert size is not None
    content = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert content is not None
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], round(content["height"]) + 80)})
    settled(page)
    page.screenshot(path=path)
    page.set_viewport_size(size)
    return path
