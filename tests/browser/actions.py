"""What a user does and sees, in the terms of the dashboard, for browser tests."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import BrowserContext, Locator, Page, TimeoutError, expect

T = TypeVar("T")

PATIENCE_MS = 120_000
"""How long to wait for what a page must show: a busy machine takes long, and a test that fails may take as long."""
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
# Counts the runs whose end the server announces. The state in the page is not enough: a run of a few milliseconds
# begins and ends between two drawings and never shows there. The loop walks the top-level fields of Streamlit's
# ForwardMsg (protobuf): field 6 is `script_finished`; its value 2 means that another run follows at once.
_COUNT_RUNS = """(() => {
    const ends = (bytes) => {
        let at = 0;
        const varint = () => {
            let value = 0, scale = 1, byte;
            do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte & 128);
            return value;
        };
        while (at < bytes.length) {
            const tag = varint();
            const wire = tag % 8;
            const value = wire === 0 || wire === 2 ? varint() : 0;
            if (tag === 6 * 8) return value !== 2;
            at += wire === 2 ? value : wire === 1 ? 8 : wire === 5 ? 4 : 0;
        }
        return false;
    };
    window.runsEnded = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...parameters) {
            super(...parameters);
            this.addEventListener('message', (message) => {
                if (ends(new Uint8Array(message.data))) window.runsEnded += 1;
            });
        }
    };
})()"""
# React draws in tasks of its own, a busy machine long after the message: two drawings, then a pause without a change.
_DRAWN = """() => new Promise((done) => {
    let quiet;
    const begun = performance.now();
    const stop = () => { observer.disconnect(); done(); };
    const wait = () => {
        clearTimeout(quiet);
        if (performance.now() - begun > 5000) stop();
        else quiet = setTimeout(stop, 60);
    };
    const observer = new MutationObserver(wait);
    observer.observe(document.body, {subtree: true, childList: true, characterData: true});
    requestAnimationFrame(() => requestAnimationFrame(wait));
})"""
# Expanders unfold over a third of a second: what is in them moves, and a list that is opened meanwhile closes again.
# Animations of what is not drawn, such as what scrolled away, do not end.
_STILL = """() => Promise.race([
    Promise.all(document.getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
        .map((animation) => animation.finished.catch(() => null))),
    new Promise((done) => setTimeout(done, 2000)),
])"""
# Where an element is once it has stood still for fifteen frames: what loads late moves what is below it.
_AT_REST = """(element) => new Promise((done) => {
    element.scrollIntoView({ block: 'center' });
    let before = null, still = 0;
    const look = () => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const now = [x, y, width, height].join();
        still = now === before ? still + 1 : 0;
        before = now;
        still < 15 ? requestAnimationFrame(look) : done({ x, y, width, height });
    };
    look();
})"""
# A table tells screen readers its cells a fifth of a second after it has drawn them.
_QUIET_MS = 300
_SIDEBAR_STANDS = 768
"""Width in pixels from which Streamlit shows the sidebar beside the page, unless it remembers that it was folded."""
_FORGET = "() => localStorage.clear()"


def prepare(context: BrowserContext) -> None:
    """Make the pages of a context fit for the other functions here; call before the first page opens."""
    expect.set_options(timeout=PATIENCE_MS)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(_COUNT_RUNS)


def settled(page: Page) -> None:
    """Wait until the first run has ended and nothing on the page is running, stale or still to be drawn.

    Right after an action its run has not begun yet: use `rerun`, or assert the resulting value first.
    """
    page.wait_for_function("() => window.runsEnded > 0")
    page.evaluate(_DRAWN)
    page.locator(SETTLED).wait_for()
    expect(page.locator('[data-stale="true"]')).to_have_count(0)


def show_view(page: Page, key: str, name: str) -> None:
    """Show one of the parts that stand below a page's answer, unless it is shown already."""
    part = page.locator(f".st-key-{key}_view").get_by_role("radio", name=name, exact=True)
    if part.get_attribute("aria-checked") != "true":
        with rerun(page):
            part.click()


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait until a run that the actions inside set off has ended."""
    ended = page.evaluate("() => window.runsEnded")
    yield
    page.wait_for_function("(ended) => window.runsEnded > ended", arg=ended)
    settled(page)


def open_page(page: Page, path: str) -> None:
    """Go to a page by its URL path: by the navigation when the dashboard is open, which keeps the session."""
    if page.url == "about:blank":
        page.goto(path)
        settled(page)
        return
    link = page.locator(f'[data-testid="stSidebarNavLink"][href$="{path}"]')
    # By the width, not by what is drawn: the sidebar folds and unfolds some time after the window has changed.
    size = page.viewport_size
    folded = size is not None and size["width"] < _SIDEBAR_STANDS
    expand = page.get_by_test_id("stExpandSidebarButton")
    if folded:
        expand.click()
    with rerun(page):
        link.click()
    expect(page).to_have_url(re.compile(re.escape(path) + r"(\?.*)?$"))
    if folded:
        expect(expand).to_be_visible()
        page.evaluate(_FORGET)


def upload(page: Page, key: str, paths: Sequence[Path]) -> None:
    """Give files to the uploader with a widget key, and wait for the run that reads them."""
    chooser = page.locator(f".st-key-{key} input[type=file]")
    # As opening the file dialog does: otherwise choosing the same file again is no change to Chromium.
    chooser.evaluate("(input) => { input.value = ''; }")
    with rerun(page):
        chooser.set_input_files([str(path) for path in paths])
        expect(page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0)


def at_rest(element: Locator) -> dict[str, float]:
    """Scroll to an element; its box once it no longer moves, for what the mouse does at a point of it."""
    box: dict[str, float] = element.evaluate(_AT_REST)
    return box


def expand(page: Page, label: str | re.Pattern[str], number: int = 0) -> None:
    """Unfold the expander with a label, of several the one with that number from 0 on."""
    page.get_by_test_id("stExpander").locator("summary").filter(has_text=label).nth(number).click()
    page.evaluate(_STILL)
    settled(page)


def load_sample(page: Page) -> None:
    """Load the sample, on the data page; its verdict opens."""
    with rerun(page):
        page.locator(".st-key-load_sample button").click()
        expect(page).to_have_url(re.compile(r"/scorecard(\?.*)?$"))


def forget(page: Page) -> None:
    """Delete all that the session holds, on the data page."""
    with rerun(page):
        page.locator(".st-key-forget_data button:visible").click()


def tag(page: Page, roles: Mapping[str, str]) -> None:
    """Choose the roles of columns by their controls."""
    for column, role in roles.items():
        choice = page.locator(f".st-key-role_{column}").get_by_role("radio", name=role, exact=True)
        if choice.get_attribute("aria-checked") != "true":
            with rerun(page):
                choice.click()


def choose_option(page: Page, key: str, option: str) -> None:
    """Choose from the selectbox with a key, unless it is chosen already."""
    field = page.locator(f".st-key-{key} input")
    if field.input_value() == option:
        return
    pick(page, field, option)


def pick(page: Page, field: Locator, option: str) -> None:
    """Choose from the list of a field; a list that is open while the page scrolls or is drawn closes again."""
    wanted = page.get_by_role("option", name=option, exact=True)
    with rerun(page):
        for _ in range(10):
            if not wanted.is_visible():
                field.click()
            with suppress(TimeoutError):
                wanted.click(timeout=5_000)
                return
        raise AssertionError(f"The list does not offer {option}")


def set_limit(page: Page, identifier: str, limit: str) -> None:
    """Set a limit of the policy in the sidebar; an empty text removes it."""
    field = page.locator(f'[class*="st-key-limit_{identifier}"] input')
    page.mouse.move(0, 0)  # a tooltip of what moved under the pointer would cover the button
    page.locator(".st-key-policy_edit").get_by_test_id("stPopoverButton").click()
    with rerun(page):
        field.fill(limit)
        field.press("Enter")
    page.keyboard.press("Escape")
    field.wait_for(state="hidden")


def press_slider(page: Page, key: str, press: str, times: int = 1) -> None:
    """Move the slider with a key by the keyboard."""
    slider = page.locator(f".st-key-{key} input[type=range]")
    slider.focus()
    for _ in range(times):
        with rerun(page):
            slider.press(press)


def slider_value(page: Page, key: str) -> float:
    """The value that the slider with a key shows."""
    return float(page.locator(f".st-key-{key}").get_by_test_id("stSliderThumbValue").inner_text())


def metric_card(page: Page, label: str) -> Locator:
    """The st.metric card with a label, which may begin with a mark; not one that a run is about to replace."""
    labelled = page.get_by_test_id("stMetricLabel").get_by_text(re.compile(f"^[✓✗]? ?{re.escape(label)}$"))
    return page.locator('[data-testid="stMetric"]:not([data-stale="true"] *)').filter(has=labelled)


def metric_value(page: Page, label: str) -> str:
    """The value that the st.metric card with a label shows, or the row of the verdict page."""
    if page.locator(".metric-row").count():
        row = verdict_row(page, label)
        return row.locator(".metric-value").inner_text().strip() if row.count() else "—"
    return metric_card(page, label).get_by_test_id("stMetricValue").inner_text().strip()


def scores(page: Page) -> dict[str, Any]:
    """The scores of the chosen candidate in full, as the report page gives them out."""
    open_page(page, "/report")
    found: dict[str, Any] = json.loads(download(page, "Scores as JSON"))
    return found


def verdict_row(page: Page, title: str) -> Locator:
    """The row of a metric on the verdict page."""
    return page.locator(".metric-row").filter(has=page.locator(".metric-name").get_by_text(title, exact=True))


def table_named(page: Page, name: str) -> Locator:
    """The table with an accessible name."""
    return page.get_by_test_id("stDataFrame").filter(has=page.locator(f'button[aria-label$=": {name}"]'))


def row_texts(page: Page, name: str, row: int) -> list[str]:
    """The cells of a row, counted from 1, as screen readers get them; waits until they no longer change."""
    cells = table_named(page, name).locator(f'[role=row][aria-rowindex="{row + 1}"] [role=gridcell]')
    expect(cells).not_to_have_count(0)
    return unchanging(page, cells.all_inner_texts)


def unchanging(page: Page, read: Callable[[], list[T]]) -> list[T]:
    """What is read from the page once it is there and no longer changes."""
    before: list[T] = []
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        page.wait_for_timeout(_QUIET_MS)
        now = read()
        if now and now == before:
            return now
        before = now
    raise AssertionError("the page does not come to rest")


def figure_data(page: Page, key: str) -> bytes:
    """The file behind the menu of the figure with a key."""
    page.locator(f".st-key-menu_{key} button:visible").click()
    button = page.locator(f".st-key-data_{key} button")
    button.wait_for()
    with page.expect_download() as caught:
        button.click()
    content = caught.value.path().read_bytes()  # Before the menu closes: the run that follows may end a download.
    page.keyboard.press("Escape")
    button.wait_for(state="hidden")
    return content


def download(page: Page, label: str) -> bytes:
    """The file behind the download button with a label."""
    with page.expect_download() as caught:
        page.get_by_role("button", name=label).click()
    return caught.value.path().read_bytes()


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


def write(folder: Path, name: str, content: bytes) -> Path:
    """A file with a content, to upload."""
    path = folder / name
    path.write_bytes(content)
    return path


def figure(page: Page, key: str) -> Locator:
    """The figure with a key; its accessible name is its title."""
    return page.locator(f".st-key-{key}").get_by_test_id("stPlotlyChart")
