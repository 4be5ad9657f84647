"""Time until a page is drawn in Chromium: after a click on its link, and after uploading a million records."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.browser import Data, chromium, dashboard, load, made_data, usual_data, visit
from benchmarks.processes import resident_megabytes, say
from benchmarks.report import Line, Section
from benchmarks.tables import FEW, MANY, Files, write_tables
from dashboard.environment import ROOT
from tests.browser.actions import open_page, upload
from tests.browser.serving import start_server

SWITCH_MS = 400.0
SCORECARD_S = 3.0
SIGN_S = 0.5
SESSIONS = 2
MEGABYTES = 1000.0
ROUNDS = 5
PATHS = ("/scorecard", "/classes", "/profitability", "/p29", "/information-loss", "/t-closeness")

# The clock starts with the click or the chosen file. What counts as the end is the last change of the document and the
# server's word that the run is over, whichever is later; the waiting until nothing changes any more does not count.
_WATCH = """() => {
    if (window.clock) { window.clock = {}; return; }
    window.clock = {};
    const start = () => { window.clock.start ??= performance.now(); };
    for (const event of ['click', 'change']) document.addEventListener(event, start, { capture: true });
    // What stands in a canvas is for screen readers, who get a table a fifth of a second after it is drawn.
    const shown = (change) => !(change.target.closest ?? (() => null)).call(change.target, 'canvas');
    new MutationObserver((changes) => {
        if (window.clock.start === undefined || !changes.some(shown)) return;
        window.clock.first ??= performance.now();
        window.clock.changed = performance.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    let runs = window.runsEnded;
    Object.defineProperty(window, 'runsEnded', {
        get: () => runs,
        set: (value) => { runs = value; window.clock.ended = performance.now(); },
    });
}"""
_READ = """() => {
    const { start, first, changed, ended } = window.clock;
    return [first - start, Math.max(changed, ended) - start];
}"""


@dataclass(frozen=True)
class Wait:
    """Seconds from an action to the first change in the page, and to the last."""

    sign: float
    rest: float


def measure() -> list[Section]:
    """Switches with adult (or the sample) and with many classes; then uploads of a million records, and memory."""
    name, data, _ = usual_data()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        directory = Path(folder)
        few, many = write_tables(directory, FEW, kinds=("csv",)), write_tables(directory, MANY, kinds=("csv",))
        return [
            _switches(browser, directory, name, data, SWITCH_MS),
            _switches(browser, directory, f"a million records, {many.classes:,} classes", made_data(many), SWITCH_MS),
            _uploads(browser, directory, few),
            _uploads(browser, directory, many),
        ]


def _switches(browser: Browser, folder: Path, name: str, data: Data, target: float) -> Section:
    say(f"pages: switches, {name}")
    lines = []
    with dashboard(browser, folder) as page:
        load(page, data)
        first_visits = {path: _timed(open_page, page, path).rest for path in PATHS}
        later_visits: dict[str, list[float]] = {path: [] for path in PATHS}
        for _ in range(ROUNDS):
            for path in PATHS:
                later_visits[path].append(_timed(open_page, page, path).rest)
    for path in PATHS:
        lines += [
            Line(f"{path[1:]}, first visit", first_visits[path] * 1000, "ms"),
            Line(f"{path[1:]}, again", median(later_visits[path]) * 1000, "ms", target),
        ]
    how = (
        f"From the click in the navigation to the last change of the page; again: median of {ROUNDS} rounds through "
        "the pages, in a window of 1,280 x 1,000. The first visit computes what the page shows. What lies more than "
        "200 pixels below the window on classes, t-closeness and profitability is drawn when the reader comes near."
    )
    return Section(f"Page switches, {name}", how, lines)


def _uploads(browser: Browser, folder: Path, files: Files) -> Section:
    say(f"pages: uploads, {files.classes:,} classes")
    data = made_data(files)
    roles = folder / "roles.yaml"
    settings = {"quasi_identifiers": list(data.quasi_identifiers), "sensitive": list(data.sensitive)}
    roles.write_text(json.dumps(settings), encoding="utf-8")
    waits: dict[str, list[Wait]] = {"original": [], "anonymized": [], "scorecard": []}
    with start_server(ROOT / "dashboard" / "app.py", folder / "log.txt") as server, ExitStack() as visits:
        for _ in range(SESSIONS):
            page = visits.enter_context(visit(browser, server))
            waits["original"].append(_timed(upload, page, "upload_original", [data.original]))
            upload(page, "upload_roles_0", [roles])
            waits["anonymized"].append(_timed(upload, page, "upload_anonymized", [data.anonymized]))
            waits["scorecard"].append(_timed(open_page, page, "/scorecard"))
        time.sleep(5)
        resident, peak = resident_megabytes(server.process)
    scorecard = max(
        upload_wait.rest + card_wait.rest
        for upload_wait, card_wait in zip(waits["anonymized"], waits["scorecard"], strict=True)
    )
    lines = [
        Line(f"{action}: {kind}", max(getattr(wait, attribute) for wait in action_waits), "s", target)
        for action, action_waits in waits.items()
        for kind, attribute, target in (("first sign", "sign", SIGN_S), ("at rest", "rest", None))
    ]
    lines += [
        Line(
            "the anonymized file chosen, and the scorecard's link clicked: to the scorecard",
            scorecard,
            "s",
            SCORECARD_S,
        ),
        Line(f"memory of the server with {SESSIONS} sessions", resident, "MB", MEGABYTES),
        Line("the same, peak", peak, "MB"),
    ]
    how = (
        f"Two CSV files of a million records, {files.classes:,} classes, uploaded in {SESSIONS} sessions one after the "
        "other that both stay; the slower one's seconds."
    )
    return Section(f"First scorecard of a million records, {files.classes:,} classes", how, lines)


def _timed(action: Callable[..., None], page: Page, *arguments: object) -> Wait:
    page.evaluate(_WATCH)
    action(page, *arguments)
    sign, rest = page.evaluate(_READ)
    return Wait(sign / 1000, rest / 1000)
