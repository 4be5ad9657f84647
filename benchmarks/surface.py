"""How far away the answer is: heights of the pages, and clicks from an empty start to what users come for.

Run it as `python -m benchmarks.surface`. Heights are of the sample, at the width of a desk and of a telephone. The
clicks are those of a straight path with adult where its files are at hand, otherwise with the sample's files: each
press of a button, a link or a role counts as one, and so does each file dialog.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from benchmarks.browser import Data, chromium, usual_data
from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from tests.browser.actions import load_sample, open_page, prepare, rerun, settled, upload
from tests.browser.serving import start_server

DESK, TELEPHONE = (1440, 900), (390, 844)


def main() -> None:
    """Print a line per page and width, then the way to the first figure."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        start_server(ROOT / "dashboard" / "app.py", Path(folder) / "log.txt") as server,
    ):
        for size in (DESK, TELEPHONE):
            page = _opened(browser, server.url, size)
            load_sample(page)
            for spec in PAGES:
                print(f"{size[0]:>5} px  /{spec.path:<17} {height(page, f'/{spec.path}'):>6,.0f} px")
            page.context.close()
        page = _opened(browser, server.url, DESK)
        seconds = first_figure(page)
        print(f"sample: 1 click and {seconds:.1f} s from the start to the first figure")
        page.context.close()
        name, data, _ = usual_data()
        for walk in (to_first_figure, partial(to_better_table, trees=hierarchies(data))):
            page = _opened(browser, server.url, DESK)
            for milestone in walk(page, data):
                print(f"{name}: {milestone.clicks:>2} clicks and {milestone.seconds:>4.1f} s to {milestone.name}")
            page.context.close()
        print(f"load average {os.getloadavg()[0]:.1f}")


def height(page: Page, path: str) -> float:
    """Pixels of a page's content, with all of it drawn."""
    open_page(page, path)
    box = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert box is not None
    return box["height"]


def first_figure(page: Page) -> float:
    """Seconds from the click on the sample until the verdict's figure is drawn."""
    start = time.perf_counter()
    page.locator(".st-key-load_sample button").click()
    page.locator(".st-key-verdict_figure .main-svg").first.wait_for()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Reached:
    """What a straight path has reached, after how many clicks and seconds."""

    name: str
    clicks: int
    seconds: float


@dataclass
class _Path:
    """Counts what a user presses, and the time since the start."""

    page: Page
    clicks: int = 0
    began: float = field(default_factory=time.perf_counter)

    def begin(self, data: Data) -> None:
        """Give both tables, and choose the roles that differ from those suggested."""
        self.choose_files("upload_original", [data.original])
        self.choose_files("upload_anonymized", [data.anonymized])
        for column in data.quasi_identifiers:
            self.choose_role(column, "quasi-identifier")
        for column in data.sensitive:
            self.choose_role(column, "sensitive")

    def press(self, place: Locator, *, runs: bool = True) -> None:
        """Click; unless it is a download, the page is then drawn again."""
        self.clicks += 1
        with rerun(self.page) if runs else nullcontext():
            place.click()

    def choose_files(self, key: str, files: list[Path]) -> None:
        self.clicks += 1
        upload(self.page, key, files)

    def choose_role(self, column: str, role: str) -> None:
        choice = self.page.locator(f".st-key-role_{column}").get_by_role("radio", name=role, exact=True)
        if choice.get_attribute("aria-checked") != "true":
            self.press(choice)

    def reached(self, name: str) -> Reached:
        settled(self.page)
        return Reached(name, self.clicks, time.perf_counter() - self.began)


def hierarchies(data: Data) -> list[Path]:
    """The hierarchy files beside the original."""
    folders = (data.original.parent / name for name in ("adult_hierarchy_intervals", "hierarchies"))
    return sorted(path for folder in folders if folder.is_dir() for path in folder.glob("*.csv"))


def to_first_figure(page: Page, data: Data) -> Iterator[Reached]:
    """From the empty start to the verdict's figure."""
    path = _Path(page)
    path.begin(data)
    path.press(page.locator(".st-key-see_verdict button"))
    page.locator(".st-key-verdict_figure .main-svg").first.wait_for()
    yield path.reached("the first figure")


def to_better_table(page: Page, data: Data, trees: list[Path]) -> Iterator[Reached]:
    """From the empty start to a kept better candidate, and on to the report on it."""
    path = _Path(page)
    path.begin(data)
    path.choose_files("upload_hierarchies", trees)
    path.press(page.locator('[data-testid="stSidebarNavLink"][href$="/explore"]'))
    path.press(page.locator(".st-key-explore_search button"))
    page.locator(".st-key-front_table").wait_for(timeout=240_000)
    settled(page)
    path.press(page.locator(".st-key-explore_keep button"))
    yield path.reached("a kept better candidate")
    path.press(page.locator('[data-testid="stSidebarNavLink"][href$="/report"]'))
    with page.expect_download() as caught:
        path.press(page.locator(".st-key-report_download button:visible").first, runs=False)
    assert "generalized" in caught.value.suggested_filename
    yield path.reached("a report on it")


def _opened(browser: Browser, url: str, size: tuple[int, int]) -> Page:
    context = browser.new_context(base_url=url, viewport={"width": size[0], "height": size[1]})
    prepare(context)
    page = context.new_page()
    open_page(page, "/")
    return page


if __name__ == "__main__":
    main()
