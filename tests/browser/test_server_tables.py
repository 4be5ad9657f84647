"""Tables on the server, as its owner offers them: scored like uploads, and their place told nobody."""

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dashboard.environment import TABLES_FOLDER
from tests.browser.actions import choose_option, open_page, rerun, scores, settled, tag
from tests.browser.observing import Observed, observed_server
from tests.browser.test_isolation import visitor
from tests.engines.alike import COUNTED

ROLES = {"KolophoniumAge": "quasi-identifier", "KolophoniumZip": "quasi-identifier", "KolophoniumIll": "sensitive"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pair of tables, and a large one."""
    folder = tmp_path_factory.mktemp("Kolophonium")
    before = {
        "KolophoniumAge": [str(number % 40) for number in range(300)],
        "KolophoniumZip": [f"Kolophonium{number % 7}" for number in range(300)],
        "KolophoniumIll": [f"Kolophonium{number % 3}" for number in range(300)],
    }
    after = before | {
        "KolophoniumAge": [f"{int(age) // 10 * 10}-{int(age) // 10 * 10 + 9}" for age in before["KolophoniumAge"]]
    }
    many = [f"Kolophonium{number}" for number in range(400_000)]
    for name, columns in (("original", before), ("released", after), ("many", dict.fromkeys(before, many))):
        pq.write_table(pa.table(columns), folder / f"Kolophonium {name}.parquet")
    return folder


@pytest.fixture(scope="module")
def observed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """A watched server whose owner offers that folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(TABLES_FOLDER, str(folder))
        with observed_server(tmp_path_factory.mktemp("observed"), server_disconnected_session_ttl="3") as running:
            yield running


def choose_on_server(page: Page, key: str, name: str) -> None:
    """Choose a table of the server, and leave the field, which closes its list."""
    choose_option(page, key, name)
    page.keyboard.press("Tab")


def test_tables_on_the_server_are_scored_and_their_place_is_reported_to_nobody(
    tabs: BrowserContext, observed: Observed
) -> None:
    with visitor(tabs, observed.server) as page:
        addresses: list[str] = []
        page.context.on("request", lambda request: addresses.append(request.url))
        open_page(page, "/")
        choose_on_server(page, "server_original", "Kolophonium original.parquet")
        choose_on_server(page, "server_anonymized", "Kolophonium released.parquet")
        tag(page, ROLES)
        found = scores(page)["metrics"]
        assert len([name for name in COUNTED if found[name]["value"] is not None]) > 20
        assert observed.alive()["DuckDB"] == 1
    for message in (*addresses, observed.server.logged(), observed.events.read_text(encoding="utf-8")):
        assert "olophonium" not in message.lower()
    assert observed.seen("writes") == []
    assert [path for folder in (observed.home, observed.temporary) for path in folder.rglob("*")] == []
    observed.wait_until_gone("DuckDB", "ServerTable", "Workspace", "Scorecard")


def test_counting_is_shown_and_can_be_stopped(tabs: BrowserContext, observed: Observed) -> None:
    with visitor(tabs, observed.server) as page:
        open_page(page, "/")
        choose_on_server(page, "server_anonymized", "Kolophonium many.parquet")
        tag(page, ROLES)
        page.locator('[data-testid="stSidebarNavLink"][href$="/scorecard"]').click()
        cancel = page.locator(".st-key-cancel_count button")
        expect(cancel).to_be_visible()
        expect(page.get_by_text(re.compile(r"\d+ counts? on the server, \d+ s"))).to_be_visible()
        with rerun(page):
            cancel.click()
        expect(page.get_by_text("Counting was stopped")).to_be_visible()
        settled(page)
        assert page.get_by_test_id("stMetric").count() == 0
        page.locator(".st-key-count_again button").click()
        expect(cancel).to_be_visible()
    # The tab is closed in the middle of it.
    observed.wait_until_gone("DuckDB", "ServerTable", "Workspace")
