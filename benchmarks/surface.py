"""How far away the answer is: heights of the pages, and clicks from an empty start to the first figure.

Run it as `python -m benchmarks.surface`. Heights are of the sample, at the width of a desk and of a telephone.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from tests.browser.actions import count_runs, load_sample, open_page, see_all
from tests.browser.conftest import CHROMIUM_ARGUMENTS
from tests.browser.serving import start_server

DESK, TELEPHONE = (1440, 900), (390, 844)


def main() -> None:
    """Print a line per page and width, then the way to the first figure."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _chromium() as browser,
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


def height(page: Page, path: str) -> float:
    """Pixels of a page's content, with all of it drawn."""
    open_page(page, path)
    see_all(page)
    box = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert box is not None
    return box["height"]


def first_figure(page: Page) -> float:
    """Seconds from the click on the sample until the verdict's figure is drawn."""
    began = time.perf_counter()
    page.locator(".st-key-load_sample button").click()
    page.locator(".st-key-verdict_figure .main-svg").first.wait_for()
    return time.perf_counter() - began


def _opened(browser: Browser, url: str, size: tuple[int, int]) -> Page:
    context = browser.new_context(base_url=url, viewport={"width": size[0], "height": size[1]})
    count_runs(context)
    page = context.new_page()
    open_page(page, "/")
    return page


@contextmanager
def _chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
