"""Fixtures of the browser tests: Chromium, the dashboard, and a page that fails on what users must not meet."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from dashboard import environment
from maintenance.test_programs import chromium
from tests.browser.actions import load_sample, open_page, prepare
from tests.browser.observing import Observed
from tests.browser.serving import TRACEBACK, Server, start_server
from tests.support.missing import missing

POLICY = "Content Security Policy"
"""What Chromium's console says where the page does something that the server's policy forbids."""
OWN_HOSTS = ("localhost", "127.0.0.1")
# No fetching from the browser's maker: every request seen is then the dashboard's.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A page reuses what the ones before it have compiled, which takes longer than most tests.
    "--process-per-site",
)


# The package is the session of these tests: Playwright's event loop must not outlive them, since code under
# test elsewhere may start one of its own in this thread.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window: the machine's, or Playwright's own."""
    with sync_playwright() as playwright:
        path = chromium() or playwright.chromium.executable_path
        if not Path(path).exists():
            missing("No Chromium on this machine: install it, or let `python3 -m dashboard test` do so.")
        opened = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, as `python3 -m dashboard --no-browser` starts it, on a free port."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with start_server(environment.ROOT / "dashboard" / "app.py", log) as running:
        yield running


@contextmanager
def new_context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """What pages on one server share: cookies, and the process that has compiled the dashboard's scripts."""
    with browser.new_context(base_url=server.url, accept_downloads=True) as context:
        prepare(context)
        yield context


@pytest.fixture(scope="package")
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One for all tests on the dashboard; every page in it is a session of its own."""
    with new_context(browser, server) as opened:
        opened.new_page()  # keeps the process between tests
        yield opened


@pytest.fixture(scope="module")
def tabs(browser: Browser, observed: Observed) -> Iterator[BrowserContext]:
    """A browser on the watched server of a module; every tab of it is a session of its own."""
    with new_context(browser, observed.server) as context:
        context.new_page()  # keeps the process between tests
        yield context


@pytest.fixture
def page(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page of a fresh session; the test fails on an outside request, a page error or a server traceback."""
    with watched_page(context, server) as opened:
        yield opened


@contextmanager
def watched_page(context: BrowserContext, server: Server, width: int = 1280, height: int = 1000) -> Iterator[Page]:
    """What the `page` fixture does, for fixtures with another server or viewport."""
    already_logged = len(server.logged())
    asked: list[str] = []
    failures: list[str] = []
    with context.new_page() as opened:
        opened.set_viewport_size({"width": width, "height": height})
        # Streamlit remembers there that a telephone folds the menu away.
        opened.add_init_script("if (window === top) localStorage.clear()")
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("websocket", lambda socket: asked.append(socket.url))
        opened.on("pageerror", lambda error: failures.append(str(error)))
        opened.on("console", lambda said: failures.append(said.text) if POLICY in said.text else None)
        yield opened
    outside = sorted({url for url in asked if _is_outside(url)})
    log = server.logged(already_logged)
    found = [f"The page asked another host: {url}" for url in outside]
    found += [f"Uncaught in the page: {failure}" for failure in failures]
    found += [f"The server logged a traceback:\n{log}"] if TRACEBACK in log else []
    assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def shared(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with the sample for tests of a file that each choose candidate and page first; limits are taken back."""
    with watched_page(context, server) as page:
        open_page(page, "/")
        load_sample(page)
        yield page


def _is_outside(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in OWN_HOSTS
