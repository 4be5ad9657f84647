"""What one session holds stays with it, in memory only, and goes when it goes."""

import json
import os
import random
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dashboard import environment
from tests.browser.actions import (
    choose_option,
    download,
    forget,
    load_sample,
    open_page,
    settled,
    tag,
    upload,
)
from tests.browser.conftest import new_context, watched_page
from tests.browser.observing import Observed, observed_server
from tests.browser.serving import Server, start_server
from tests.browser.test_computing import open_wide
from tests.browser.test_pages import PATHS
from tests.dashboard.application import csv

TIME_TO_COME_BACK_S = 3
UNREACHABLE = "The connection to Quasi is lost: its server has stopped or cannot be reached."
LOST = "your tables are no longer in its memory"
KEPT = ("Workspace", "Import", "LoadedTable", "TableAggregates", "Scorecard")
"""Not `Table`: the small examples of a page have some, too."""
# Lets a test cut the connection as a failing network does.
KEEP_SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); window.sockets.push(this); }
};"""
STORED = """async () => {
    const databases = await indexedDB.databases();
    const caches_ = typeof caches === 'undefined' ? [] : await caches.keys();
    return JSON.stringify([{...localStorage}, {...sessionStorage}, databases, caches_, document.cookie, location.href,
        history.state]);
}"""


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """A server that is watched from inside, and waits for lost tabs for a few seconds only."""
    folder = tmp_path_factory.mktemp("observed")
    with observed_server(folder, server_disconnected_session_ttl=str(TIME_TO_COME_BACK_S)) as running:
        yield running


@contextmanager
def visitor(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A tab, which the context manager's end closes."""
    with watched_page(context, server) as opened:
        opened.add_init_script(KEEP_SOCKETS)
        yield opened


def secret_table(mark: str, seed: int, records: int = 60) -> bytes:
    """Columns and cells that have a mark, which occurs nowhere else."""
    chosen = random.Random(seed)
    names = [f"{mark} place", f"{mark} age", f"{mark} illness"]
    rows = [
        [f"{mark}{chosen.randrange(3)}", f"{mark}{chosen.randrange(4)}", f"{mark}{record % 5}"]
        for record in range(records)
    ]
    return csv(names, *rows)


def load_secret(page: Page, folder: Path, mark: str, seed: int = 1, records: int = 60) -> None:
    """Load a pair of marked tables and tag their columns by a file."""
    content = secret_table(mark, seed, records)
    roles = {"quasi_identifiers": [f"{mark} place", f"{mark} age"], "sensitive": [f"{mark} illness"]}
    for name, written in ((f"{mark}.csv", content), (f"{mark}_roles.yaml", json.dumps(roles).encode())):
        (folder / name).write_bytes(written)
    open_page(page, "/")
    upload(page, "upload_original", [folder / f"{mark}.csv"])
    upload(page, "upload_anonymized", [folder / f"{mark}.csv"])
    upload(page, "upload_roles_0", [folder / f"{mark}_roles.yaml"])


def seen_of(page: Page) -> str:
    """Everything a page holds for its user: its text, its markup, and what screen readers get."""
    return page.content() + page.get_by_test_id("stApp").inner_text()


def knock(observed: Observed, origin: str) -> bytes:
    """The answer to a WebSocket that a page of some origin opens."""
    address = urlsplit(observed.server.url)
    headers = {
        "Host": address.netloc,
        "Origin": origin,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    lines = ["GET /_stcore/stream HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    with socket.create_connection(("127.0.0.1", address.port or 0), timeout=20) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return connection.recv(200)


def test_a_session_shows_no_table_of_another_and_leaves_none_in_memory(
    tabs: BrowserContext, observed: Observed, tmp_path: Path
) -> None:
    marks = ("Kolophonium", "Schellack")
    with ExitStack() as visits:
        pages = {mark: visits.enter_context(visitor(tabs, observed.server)) for mark in marks}
        for seed, (mark, page) in enumerate(pages.items()):
            load_secret(page, tmp_path, mark, seed)
        for mark, page in pages.items():
            page.bring_to_front()
            (other,) = set(marks) - {mark}
            for path in ("/", "/scorecard", "/classes", "/compare", "/report"):
                open_page(page, path)
                shown = seen_of(page)
                assert other not in shown, path
                assert mark in shown, path
    # The tabs are closed. What lives when the server's imports are frozen is its first visitor's: that of the second
    # must be freed as well.
    observed.wait_until_gone(*KEPT)


# Not on the watched server: a busy machine may take longer to come back than that server waits.
def test_a_visitor_whose_connection_breaks_finds_the_tables_again(
    context: BrowserContext, server: Server, tmp_path: Path
) -> None:
    with visitor(context, server) as page:
        load_secret(page, tmp_path, "Kolophonium")
        page.evaluate("() => window.sockets.at(-1).close()")
        page.wait_for_function("() => window.sockets.length > 1 && window.sockets.at(-1).readyState === 1")
        open_page(page, "/scorecard")
        assert "Kolophonium" in seen_of(page)


def test_a_visitor_who_returns_too_late_is_informed(tabs: BrowserContext, observed: Observed, tmp_path: Path) -> None:
    with visitor(tabs, observed.server) as page:
        load_secret(page, tmp_path, "Kolophonium")
        page.context.set_offline(True)
        page.evaluate("() => window.sockets.at(-1).close()")
        observed.wait_until_gone(*KEPT)
        page.context.set_offline(False)
        # By itself: nothing is pressed.
        expect(page.get_by_text(LOST)).to_be_visible()
        settled(page)
        assert "Kolophonium" not in page.get_by_test_id("stMain").inner_text()


def test_a_page_survives_its_server(browser: Browser, tmp_path: Path) -> None:
    app = environment.ROOT / "dashboard" / "app.py"
    with (
        start_server(app, tmp_path / "first.txt") as first,
        new_context(browser, first) as context,
        visitor(context, first) as page,
    ):
        open_wide(page, tmp_path)
        page.locator(".st-key-compute_minimal_sample_uniques button").click()
        expect(page.get_by_text("Computing: ")).to_be_visible()
        os.kill(first.process, signal.SIGKILL)
        shown_message = page.get_by_role("dialog").locator("h2 + div")
        expect(shown_message).to_be_visible()
        assert UNREACHABLE in shown_message.evaluate("(element) => getComputedStyle(element, '::before').content")
        expect(page.get_by_text("Is Streamlit still running")).to_be_hidden()
        with start_server(app, tmp_path / "second.txt", port=urlsplit(first.url).port):
            expect(page.get_by_text(LOST)).to_be_visible()
            settled(page)
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(page.get_by_text("Computing: ")).to_have_count(0)
            open_page(page, "/")
            load_sample(page)
            expect(page.get_by_text(LOST)).to_have_count(0)


def test_nothing_is_written_sent_or_requested_and_forgetting_frees_the_tables(
    tabs: BrowserContext, observed: Observed, tmp_path: Path
) -> None:
    with visitor(tabs, observed.server) as page:
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        spoken: list[str] = []
        page.on("console", lambda message: spoken.append(message.text))
        # A form larger than a megabyte is usually spooled to disk.
        load_secret(page, tmp_path, "Kolophonium", records=35_000)
        assert (tmp_path / "Kolophonium.csv").stat().st_size > 1_200_000
        kept: list[Any] = []
        for path in PATHS:
            open_page(page, path)
            kept.append(page.evaluate(STORED))
        assert not [url for url in asked if urlsplit(url).path.startswith("/media/") and not url.endswith(".svg")]
        counts = observed.alive()
        assert counts["LoadedTable"] == 2
        assert counts["uploaded bytes"] == 0
        assert counts["TableAggregates"] >= 1
        open_page(page, "/information-loss")
        choose_option(page, "loss_column", "Kolophonium age")
        kept.append(page.evaluate(STORED))
        open_page(page, "/report")
        for label in ("Report", "Scores as JSON", "Classes as CSV", "Classes as Parquet"):
            assert len(download(page, label)) > 100
        open_page(page, "/")
        tag(page, {"Kolophonium-age": "insensitive"})
        kept += [page.evaluate(STORED), json.dumps(page.context.cookies()), json.dumps(page.context.storage_state())]
        forget(page)
        assert "Kolophonium" not in seen_of(page)
        observed.wait_until_gone("LoadedTable", "TableAggregates", "Scorecard")
    for shown_message in (
        *kept,
        *asked,
        *spoken,
        observed.server.logged(),
        observed.events.read_text(encoding="utf-8"),
    ):
        assert "olophonium" not in shown_message.lower()
    assert b" 403 " in knock(observed, "https://outside.invalid")
    assert b" 101 " in knock(observed, observed.server.url)
    assert observed.seen("writes") == []
    assert [path for folder in (observed.home, observed.temporary) for path in folder.rglob("*")] == []
    # Its own address, to listen there; no other name is looked up, nobody is connected to.
    assert [what for what in observed.seen("asks") if "127.0.0.1" not in what and "localhost" not in what] == []
    assert [what for what in observed.seen("asks") if what.startswith("socket.connect")] == []
    # Files are read in processes of their own; no other program is started.
    assert [what for what in observed.seen("starts") if "dashboard.serving.reading_worker" not in what] == []
