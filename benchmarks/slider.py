"""How long after a slider press the page shows the new number, in Chromium, the dashboard started as users start it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import Data, chromium, dashboard, load, made_data, usual_data
from benchmarks.report import Line, Section
from benchmarks.tables import MANY, write_tables
from tests.browser.actions import open_page, rerun

PRESSES = 50
MILLISECONDS = 50
MILLISECONDS_AT_WORST = 120
MILLISECONDS_MANY = 100

# The clock starts when the page gets the key, and stops when what is watched has another text in the document.
_WATCH = """([slider, card, selector]) => {
    const cards = () => [...document.querySelectorAll('[data-testid="stMetric"]')];
    const label = (metric) => metric.querySelector('[data-testid="stMetricLabel"]')?.textContent.trim();
    const number = () => cards().find((metric) => label(metric) === card)
        ?.querySelector('[data-testid="stMetricValue"]')?.textContent ?? '';
    const text = () => [...document.querySelectorAll(selector)].map((place) => place.textContent).join(' ');
    const read = card ? number : text;
    let pressed = null, before = null;
    window.presses = [];
    window.watching?.disconnect();
    window.watching = new MutationObserver(() => {
        const now = read();
        if (pressed === null || now === before || now === '') return;
        window.presses.push(performance.now() - pressed);
        pressed = null;
    });
    window.watching.observe(document.body, { subtree: true, childList: true, characterData: true });
    document.querySelector(slider).addEventListener('keydown', () => {
        pressed = performance.now();
        before = read();
    }, { capture: true });
}"""


@dataclass(frozen=True)
class Watched:
    """A slider, and the number that every press must change: a metric card by its title, or a text by selector."""

    path: str
    slider: str
    card: str = ""
    text: str = ""
    selector: str = ""

    @property
    def what(self) -> str:
        """Both in words."""
        return f"{self.path[1:]}: {self.slider} → {self.card or self.text}"


_MONEY = tuple(
    Watched("/profitability", slider, text="what follows", selector=".st-key-finding")
    for slider in ("publisher_benefit", "publisher_loss")
)
# While a condition fails the score stays 0 whatever the weights: what it would be is what moves.
_FAILING = Watched("/p29", "w_l", text="score if no condition failed", selector="[data-testid=stMetricDelta]")
_PASSING = (Watched("/p29", "w_k", card="P_29"), Watched("/p29", "w_l", card="P_29"))


def measure() -> list[Section]:
    """With adult (or the sample, where the reference data are absent), and with about 300,000 classes."""
    name, all_columns, one_column = usual_data()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        files = write_tables(Path(folder), MANY)
        usual_lines = [
            *_lines(browser, Path(folder), all_columns, (*_MONEY, _FAILING), MILLISECONDS, MILLISECONDS_AT_WORST),
            *_lines(browser, Path(folder), one_column, _PASSING, MILLISECONDS, MILLISECONDS_AT_WORST),
        ]
        large_lines = _lines(browser, Path(folder), made_data(files), (*_MONEY, _FAILING), MILLISECONDS_MANY)
    how = (
        f"{PRESSES} presses of an arrow key on each slider: milliseconds from the key to the changed text in the page, "
        "Streamlit's server, the browser and this script sharing the cores. "
    )
    return [
        Section(f"Sliders, {name}", how + "P_29's score is above 0 with a single quasi-identifier.", usual_lines),
        Section(
            f"Sliders, {files.classes:,} classes", how + "A million records; a condition of P_29 fails.", large_lines
        ),
    ]


def _lines(
    browser: Browser,
    folder: Path,
    data: Data,
    watched: Sequence[Watched],
    usual_limit: float,
    worst_limit: float | None = None,
) -> list[Line]:
    lines = []
    with dashboard(browser, folder) as page:
        load(page, data)
        for watch in watched:
            times = press(page, watch)
            lines += [
                Line(f"{watch.what}, median", median(times), "ms", usual_limit),
                Line(f"{watch.what}, 95th percentile", quantiles(times, n=20)[-1], "ms", worst_limit),
            ]
    return lines


def press(page: Page, watched: Watched, presses: int = PRESSES) -> list[float]:
    """Milliseconds of each press; the next one waits until the page is at rest. Fails if a press changes nothing."""
    open_page(page, watched.path)
    slider = f'.st-key-{watched.slider} input[type="range"]'
    expect(page.locator(slider)).to_have_count(1)
    page.evaluate(_WATCH, [slider, watched.card, watched.selector])
    page.locator(slider).focus()
    for n_presses in range(presses):
        with rerun(page):
            page.keyboard.press("ArrowRight")
            page.wait_for_function("(done) => window.presses.length > done", arg=n_presses, timeout=30_000)
    times: list[float] = page.evaluate("() => window.presses")
    return times
