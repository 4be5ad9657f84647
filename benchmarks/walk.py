"""Twenty visitors at once, each loading the sample and walking the pages: how long a page takes, and a health check."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from benchmarks.report import Line, Section
from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from tests.browser.serving import start_server
from tests.support.visitor import HealthChecks, Visitor

VISITORS, ROUNDS = 20, 2
MEDIAN_S, P95_S, HEALTH_MS = 1.0, 5.0, 300.0


def measure() -> list[Section]:
    """Seconds of every page that a visitor opens while the others do the same."""
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "dashboard" / "app.py"
        with start_server(script, Path(folder) / "log.txt") as server:
            _walk(server.url)  # what pages import stays with the process, whoever comes
            with HealthChecks(server.url) as checks, ThreadPoolExecutor(VISITORS) as visitors:
                walks = list(visitors.map(_walk, [server.url] * VISITORS))
    seconds = [duration for walk in walks for duration in walk]
    lines = [
        Line("a page, median", median(seconds), "s", MEDIAN_S),
        Line("a page, 95th percentile", quantiles(seconds, n=20)[-1], "s", P95_S),
        Line("longest health check", max(checks.seconds) * 1000, "ms", HEALTH_MS),
    ]
    how = (
        f"{VISITORS} sessions without browsers, all at once: each loads the sample and opens all {len(PAGES)} pages "
        f"{ROUNDS} times, one after the other without a pause; from the request to the end of the page's run."
    )
    return [Section(f"Walk, {VISITORS} sessions", how, lines)]


def _walk(url: str) -> list[float]:
    """Seconds of loading the sample and of each page."""
    seconds = []
    with Visitor(url).open() as visitor:
        pages = [partial(visitor.visit, page.path) for page in PAGES]
        for step in (partial(visitor.press, "load_sample"), *ROUNDS * pages):
            start = perf_counter()
            step()
            seconds.append(perf_counter() - start)
    return seconds
