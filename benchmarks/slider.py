"""How long after a slider press the page shows the new number, in Chromium, the dashboard started as users start it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import Line, Section
from benchmarks.tables import MANY, QUASI_IDENTIFIERS, SENSITIVE, write_tables
from dashboard.environment import ROOT
from tests.browser.actions import count_runs, open_page, rerun, settled, upload
from tests.browser.conftest import CHROMIUM_ARGUMENTS
from tests.browser.serving import start_server

PRESSES = 24
MILLISECONDS = 100
MILLISECONDS_MANY = 200

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
class Data:
    """A pair of tables and what is tagged in it."""

    original: Path
    anonymized: Path
    quasi_identifiers: Sequence[str]
    sensitive: Sequence[str]


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


# Those of profitability's sliders that change the payout at every press: the adversary's only cross a threshold
# at times.
_MONEY = tuple(
    Watched("/profitability", slider, card="Publisher's payout") for slider in ("publisher_benefit", "publisher_loss")
)
# With a gate shut the score stays 0 whatever the weights: what it would be is what moves.
_SHUT = Watched("/p29", "w_l", text="score if no gate were shut", selector=".st-key-p29_if_open")
_OPEN = (Watched("/p29", "w_k", card="P_29"), Watched("/p29", "w_l", card="P_29"))


def measure() -> list[Section]:
    """With adult (or the sample, where the reference data are absent), and with about 300,000 classes."""
    name, all_columns, one_column = usual_data()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        written = write_tables(Path(folder), MANY)
        many = Data(written.original, written.anonymized, QUASI_IDENTIFIERS, SENSITIVE)
        usual = [
            *_lines(browser, Path(folder), all_columns, (*_MONEY, _SHUT), MILLISECONDS),
            *_lines(browser, Path(folder), one_column, _OPEN, MILLISECONDS),
        ]
        large = _lines(browser, Path(folder), many, (*_MONEY, _SHUT), MILLISECONDS_MANY)
    how = (
        f"{PRESSES} presses of an arrow key on each slider: milliseconds from the key to the changed text in the page, "
        "Streamlit's server, the browser and this script sharing the cores. "
    )
    return [
        Section(f"Sliders, {name}", how + "P_29's score is above 0 with a single quasi-identifier.", usual),
        Section(f"Sliders, {written.classes:,} classes", how + "A million records; P_29's gates are shut.", large),
    ]


def usual_data() -> tuple[str, Data, Data]:
    """A name, the data with all their quasi-identifiers, and with the one that leaves P_29 above 0."""
    adult = Path(os.environ.get("REFERENCE_DATA") or ROOT.parent / "shared" / "reference") / "petworks" / "adult"
    if adult.is_dir():
        files = (adult / "adult.csv", adult / "adult_anonymized.csv")
        everything = (
            "age",
            "education",
            "marital-status",
            "native-country",
            "occupation",
            "race",
            "salary-class",
            "sex",
        )
        return "adult", Data(*files, everything, ("workclass",)), Data(*files, ("sex",), ("workclass",))
    sample = ROOT / "sample_data"
    files = (sample / "hospital.csv", sample / "candidate_strict.csv")
    columns = ("sex", "age", "zip_code", "marital_status", "occupation", "admission")
    return "sample", Data(*files, columns, ("diagnosis",)), Data(*files, ("sex",), ("diagnosis",))


def _lines(browser: Browser, folder: Path, data: Data, watched: Sequence[Watched], target: float) -> list[Line]:
    lines = []
    with _dashboard(browser, folder, data) as page:
        for one in watched:
            times = press(page, one)
            lines += [
                Line(f"{one.what}, median", median(times), "ms", target),
                Line(f"{one.what}, 95th percentile", quantiles(times, n=20)[-1], "ms"),
            ]
    return lines


def press(page: Page, watched: Watched, presses: int = PRESSES) -> list[float]:
    """Milliseconds of each press; the next one waits until the page is at rest. Fails if a press changes nothing."""
    open_page(page, watched.path)
    slider = f'.st-key-{watched.slider} input[type="range"]'
    expect(page.locator(slider)).to_have_count(1)
    page.evaluate(_WATCH, [slider, watched.card, watched.selector])
    page.locator(slider).focus()
    for done in range(presses):
        with rerun(page):
            page.keyboard.press("ArrowRight")
            page.wait_for_function("(done) => window.presses.length > done", arg=done, timeout=30_000)
    times: list[float] = page.evaluate("() => window.presses")
    return times


@contextmanager
def chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def _dashboard(browser: Browser, folder: Path, data: Data) -> Iterator[Page]:
    """A page of a server of its own, with tables uploaded and columns tagged as a user does."""
    with (
        start_server(ROOT / "dashboard" / "app.py", folder / "log.txt") as server,
        browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 1000}) as context,
    ):
        count_runs(context)
        page = context.new_page()
        open_page(page, "/")
        upload(page, "upload_original", [data.original])
        # As a user would, see the first table's columns before choosing the next file.
        expect(page.locator('[class*="st-key-role_"] [aria-checked="true"]').last).to_be_visible()
        upload(page, "upload_anonymized", [data.anonymized])
        tags = page.locator('[class*="st-key-role_"]')
        columns = [
            next(name for name in classes.split() if name.startswith("st-key-role_")).removeprefix("st-key-role_")
            for classes in tags.evaluate_all("(tags) => tags.map((tag) => tag.className)")
        ]
        for column in columns:
            role = "insensitive"
            if column in data.quasi_identifiers:
                role = "quasi-identifier"
            elif column in data.sensitive:
                role = "sensitive"
            _tag(page, column, role)
        yield page


def _tag(page: Page, column: str, role: str) -> None:
    button = page.locator(f".st-key-role_{column}").get_by_role("radio", name=role, exact=True)
    if button.get_attribute("aria-checked") != "true":
        with rerun(page):
            button.click()
    settled(page)
    expect(button).to_have_attribute("aria-checked", "true")
