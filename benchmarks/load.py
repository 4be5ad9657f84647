"""Several users of one server, each loading tables and moving sliders: errors, cross-talk, and memory released."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

from benchmarks.browser import Data, chromium, usual_data, visit
from benchmarks.processes import resident_megabytes
from benchmarks.report import Line, Section
from dashboard.environment import ROOT
from tests.browser.actions import metric_value, open_page, press_slider, slider_value, upload
from tests.browser.serving import TRACEBACK, Server, start_server

SESSIONS = int(os.environ.get("LOAD_SESSIONS", "20"))
MINUTES = float(os.environ.get("LOAD_MINUTES", "10"))
MAX_KEPT = 1.10
"""Largest ratio of the memory after all users have left to the memory before."""
FREED_WITHIN_S = 90
"""A closed tab can reconnect for one minute; memory is freed afterwards."""
_ROUND = 10
"""Actions until the pages are visited again."""
_SLIDERS = {"publisher_benefit": "Publisher's payout", "publisher_loss": "Publisher's payout"}


@dataclass
class Visit:
    """One user: a page, a table name that no other user has, and the errors found."""

    mark: str
    page: Page
    benefit: float = 0.0
    actions: int = 0
    troubles: list[str] = field(default_factory=list)

    def load(self, data: Data, folder: Path) -> None:
        """Upload the tables under the user's own name, and tag their columns with a file."""
        roles = {"quasi_identifiers": list(data.quasi_identifiers), "sensitive": list(data.sensitive)}
        files = {"original": data.original, "anonymized": data.anonymized}
        (folder / self.mark).mkdir()
        for slot, source in files.items():
            copy = folder / self.mark / f"{self.mark}_{slot}.csv"
            shutil.copyfile(source, copy)
            upload(self.page, f"upload_{slot}", [copy])
        (folder / self.mark / "roles.yaml").write_text(json.dumps(roles), encoding="utf-8")
        upload(self.page, "upload_roles_0", [folder / self.mark / "roles.yaml"])
        open_page(self.page, "/profitability")
        self.benefit = slider_value(self.page, "publisher_benefit")

    def act(self, others: list[str]) -> None:
        """Move a slider, or visit another page; only the user's own tables may appear."""
        if self.actions % _ROUND == _ROUND - 1:
            for path in ("/scorecard", "/classes", "/profitability"):
                open_page(self.page, path)
                content = self.page.content()
                self.troubles += [f"{self.mark} sees {other}" for other in others if other in content]
        else:
            slider = list(_SLIDERS)[self.actions % 2]
            key = "ArrowRight" if self.actions % 4 < 2 else "ArrowLeft"
            before = slider_value(self.page, slider), metric_value(self.page, _SLIDERS[slider])
            press_slider(self.page, slider, key)
            after = slider_value(self.page, slider), metric_value(self.page, _SLIDERS[slider])
            if before[0] == after[0] or before[1] == after[1]:
                self.troubles.append(f"{self.mark}: {slider} did not move what it should")
        self.actions += 1


def measure() -> list[Section]:
    """One server: first a single visitor, then all users at once."""
    name, data, _ = usual_data()
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        start_server(ROOT / "dashboard" / "app.py", Path(folder) / "log.txt") as server,
    ):
        with ExitStack() as stack:
            visitor = _visit(browser, server, stack, "warmup")
            visitor.load(data, Path(folder))
            for _ in range(_ROUND):
                visitor.act([])  # what pages import stays with the process, whoever comes
        before = _after_leaving(server)
        troubles, actions, peak_memory, seconds = _crowd(browser, server, data, Path(folder))
        after = _after_leaving(server)
        n_tracebacks = server.logged().count(TRACEBACK)
    lines = [
        Line("errors in pages and cross-talk", len(troubles), "", 0),
        Line("tracebacks in the server's log", n_tracebacks, "", 0),
        Line("actions (slider presses, rounds of pages)", actions, ""),
        Line("actions a second", actions / seconds, "/s"),
        Line("memory before they came", before, "MB"),
        Line("memory, the most while they were there", peak_memory, "MB"),
        Line("memory after they left", after, "MB"),
        Line("after / before", after / before, "times", MAX_KEPT),
    ]
    how = (
        f"{SESSIONS} browser contexts at one server for {MINUTES:g} minutes, browser, server and script sharing the "
        f"cores; memory is read when a closed tab's time to come back is over. {'; '.join(sorted(set(troubles))[:5])}"
    )
    return [Section(f"Load, {name}, {SESSIONS} sessions", how.strip(), lines)]


def _crowd(browser: Browser, server: Server, data: Data, folder: Path) -> tuple[list[str], int, float, float]:
    """All visits: errors, actions, peak memory and seconds."""
    marks = [f"visitor{number:02}x" for number in range(SESSIONS)]
    peak_memory = 0.0
    with ExitStack() as visits:
        visitors = [_visit(browser, server, visits, mark) for mark in marks]
        for visitor in visitors:
            visitor.load(data, folder)
        start = time.monotonic()
        while time.monotonic() - start < MINUTES * 60:
            for visitor in visitors:
                try:
                    visitor.act([mark for mark in marks if mark != visitor.mark])
                except Error as error:
                    visitor.troubles.append(f"{visitor.mark}: {type(error).__name__}")
            peak_memory = max(peak_memory, resident_megabytes(server.process)[0])
        seconds = time.monotonic() - start
    return (
        [trouble for visitor in visitors for trouble in visitor.troubles],
        sum(visitor.actions for visitor in visitors),
        peak_memory,
        seconds,
    )


def _visit(browser: Browser, server: Server, stack: ExitStack, mark: str) -> Visit:
    new_visit = Visit(mark, stack.enter_context(visit(browser, server)))
    new_visit.page.context.on("weberror", lambda error: new_visit.troubles.append(f"{mark}: an error in the page"))
    return new_visit


def _after_leaving(server: Server) -> float:
    time.sleep(FREED_WITHIN_S)
    return resident_megabytes(server.process)[0]
