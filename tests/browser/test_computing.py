"""What takes long is computed when asked for: with progress, and only as long as it is wanted."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import open_page, settled, upload
from tests.browser.serving import Server

COLUMNS = [f"q{number}" for number in range(20)]


def open_wide(page: Page, tmp_path: Path) -> None:
    """The risk page on a table whose subsets of columns take many seconds to go through."""
    chosen = np.random.default_rng(0).integers(0, 300, (len(COLUMNS), 60_000))
    names = np.array([str(number) for number in range(300)])
    pq.write_table(
        pa.table({name: names[cells] for name, cells in zip(COLUMNS, chosen, strict=True)}), tmp_path / "t.parquet"
    )
    (tmp_path / "all.yaml").write_text(json.dumps({"quasi_identifiers": COLUMNS}))
    (tmp_path / "few.yaml").write_text(json.dumps({"quasi_identifiers": COLUMNS[:3]}))
    open_page(page, "/")
    upload(page, "upload_anonymized", [tmp_path / "t.parquet"])
    upload(page, "upload_roles_0", [tmp_path / "all.yaml"])
    open_page(page, "/risk")


# In one look: the progress may be drawn anew, or be gone, right after it was waited for.
_PROGRESS = """(least) => {
    const shown = document.querySelector('[data-testid=stProgress]')?.innerText.match(/\\d+/);
    return shown && Number(shown[0]) >= least && { percent: Number(shown[0]) };
}"""


def button(page: Page, what: str) -> Locator:
    """The button that asks for the metric, or cancels it."""
    return page.locator(f".st-key-{what}_minimal_sample_uniques button")


def share(page: Page, least: int = 1) -> int:
    """The progress in percent, once it is at least that."""
    shown = page.wait_for_function(_PROGRESS, arg=least)
    return int(shown.json_value()["percent"])


def processor_seconds(server: Server) -> float:
    """What the server has computed since its start."""
    fields = Path(f"/proc/{server.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def computes(server: Server) -> bool:
    """Whether a thread of the server runs, or would run if a processor were free."""
    for thread in Path(f"/proc/{server.process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # one that has ended meanwhile
            if (thread / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "R":
                return True
    return False


def seconds_until_idle(page: Page, server: Server) -> float:
    """Wait until twenty looks in a row find no thread of the server at work; what it has computed until then."""
    begun, quiet = processor_seconds(server), 0
    while quiet < 20:
        quiet = 0 if computes(server) else quiet + 1
        page.wait_for_timeout(20)
    return processor_seconds(server) - begun


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells what a process has computed")
def test_work_is_cancelled_begun_anew_and_finished(page: Page, server: Server, tmp_path: Path) -> None:
    open_wide(page, tmp_path)
    before = processor_seconds(server)
    button(page, "compute").click()
    done = share(page)
    used = processor_seconds(server) - before
    # A click elsewhere is obeyed at once, and the work goes on.
    page.locator(".st-key-risk_threshold input[type=range]").press("ArrowRight")
    expect(page.get_by_text("limit 21%")).to_be_visible()
    share(page)
    button(page, "cancel").click()
    expect(button(page, "compute")).to_be_visible()
    # Far less than the rest of it would have taken.
    assert seconds_until_idle(page, server) < used * (100 - done) / done / 2
    settled(page)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    button(page, "compute").click()
    assert share(page, 0) < 50
    expect(button(page, "cancel")).to_be_visible()
    # Whoever leaves the page stops it, too.
    page.locator('[data-testid="stSidebarNavLink"][href$="/"]').first.click()
    expect(page.get_by_role("heading", name="Data")).to_be_visible()
    assert seconds_until_idle(page, server) < used * (100 - done) / done / 2
    settled(page)
    upload(page, "upload_roles_0", [tmp_path / "few.yaml"])
    open_page(page, "/risk")
    button(page, "compute").click()
    expect(page.get_by_test_id("stMain").get_by_text("unique in 3 columns or fewer")).to_be_visible()
    settled(page)
    expect(button(page, "compute")).to_have_count(0)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells what a process has computed")
def test_clicks_do_not_pile_up_and_work_ends_with_the_tab(page: Page, server: Server, tmp_path: Path) -> None:
    records = np.random.default_rng(0).normal(50, 15, (5, 40_000)).round(3)
    names = [f"q{number}" for number in range(5)]
    for file, noise in (("original", 0.0), ("anonymized", 1.0)):
        cells = [(column + noise * np.sin(column)).round(3).astype(str) for column in records]
        pq.write_table(pa.table(dict(zip(names, cells, strict=True))), tmp_path / f"{file}.parquet")
    (tmp_path / "roles.yaml").write_text(json.dumps({"quasi_identifiers": names}))
    open_page(page, "/")
    for file in ("original", "anonymized"):
        upload(page, f"upload_{file}", [tmp_path / f"{file}.parquet"])
    upload(page, "upload_roles_0", [tmp_path / "roles.yaml"])
    other = page.context.new_page()
    open_page(other, "/")
    seconds_until_idle(other, server)
    for number in range(8):
        path = ("/scorecard", "/risk")[number % 2]
        page.locator(f'[data-testid="stSidebarNavLink"][href$="{path}"]').click()
        page.wait_for_timeout(500)
    page.close()
    assert seconds_until_idle(other, server) < 4  # of some 20, eight times
