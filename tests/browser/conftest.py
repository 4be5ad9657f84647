"""Fixtures of the browser tests: Chromium, the dashboard, and a page that fails on what users must not meet."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dashboard import environment
from tests.browser.actions import count_runs, load_sample, open_page
from tests.browser.serving import TRACEBACK, Server, start_server

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
)


# The package is the session of these tests: Playwright's event loop must not outlive them, since code under
# test elsewhere may start one of its own in this thread.
@pytest.fixture(scope="package")
def chromium_path() -> str | None:
    """Path of the machine's Chromium, installed if need be; None for Playwright's own."""
    found = _installed_chromium()
    if found is None and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        if _succeeds("apt-get", "update"):
            _succeeds("apt-get", "install", "-y", "chromium")
        found = _installed_chromium()
    if found is None and not _succeeds(sys.executable, "-m", "playwright", "install", "chromium"):
        line = "No Chromium on this machine, and none can be installed: install it, then run the tests again."
        if os.environ.get("CI") == "true":
            pytest.fail(line, pytrace=False)
        pytest.skip(line)
    return found


@pytest.fixture(scope="package")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    """Chromium without a window."""
    # A busy machine takes long; a test that fails may take as long.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=list(CHROMIUM_ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, as `python3 -m dashboard --no-browser` starts it, on a free port."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with start_server(environment.ROOT / "dashboard" / "app.py", log) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of a fresh session; the test fails on an outside request, a page error or a server traceback."""
    yield from watched_page(browser, server)


def watched_page(browser: Browser, server: Server, width: int = 1280, height: int = 1000) -> Iterator[Page]:
    """Body of the `page` fixture, for fixtures with another server or viewport."""
    already_logged = len(server.logged())
    with browser.new_context(
        base_url=server.url, viewport={"width": width, "height": height}, accept_downloads=True
    ) as context:
        count_runs(context)
        asked: list[str] = []
        failures: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        context.on("weberror", lambda error: failures.append(str(error.error)))
        context.on("console", lambda said: failures.append(said.text) if POLICY in said.text else None)
        opened = context.new_page()
        opened.on("websocket", lambda socket: asked.append(socket.url))
        yield opened
    outside = sorted({url for url in asked if _is_outside(url)})
    assert not outside, f"The page asked other hosts: {outside}"
    assert not failures, f"Uncaught errors in the page: {failures}"
    log = server.logged(already_logged)
    assert TRACEBACK not in log, f"The server logged a traceback:\n{log}"


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[Page]:
    """A page with the sample for tests of a file that each choose candidate and page first; limits are taken back."""
    for page in watched_page(browser, server):
        open_page(page, "/")
        load_sample(page)
        yield page


def _is_outside(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in OWN_HOSTS


def _installed_chromium() -> str | None:
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
