"""The response time of the health check while a session uploads a hostile file, and the cost of small files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter, sleep

from benchmarks.processes import say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT
from dashboard.serving.reading_process import ReadingProcesses
from metrics.reading import read_table
from tests.browser.serving import start_server
from tests.support.hostile_files import HOSTILE_FILES
from tests.support.visitor import HealthChecks, Visitor

HEALTH_MS = 300.0
SMALL_MS = 200.0
_WARM_UP_S = 5.0
_REPETITIONS = 5


def measure() -> list[Section]:
    """The slowest health check during each hostile file, and the seconds that the file took."""
    lines, points = [], []
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "dashboard" / "app.py"
        with start_server(script, Path(folder) / "log.txt") as server:
            with Visitor(server.url).open():
                sleep(_WARM_UP_S)
            for name, make_content in HOSTILE_FILES.items():
                say(f"health: {name}")
                content = make_content()
                with Visitor(server.url).open() as visitor, HealthChecks(server.url) as checks:
                    start = perf_counter()
                    visitor.upload("upload_anonymized", "hostile.csv", content)
                    seconds = perf_counter() - start
                longest_ms = max(checks.seconds) * 1000
                lines.append(Line(f"{name}: longest health check", longest_ms, "ms", HEALTH_MS))
                lines.append(Line(f"{name}: until the page has taken it in or refused it", seconds, "s"))
                points.append({"file": name, "longest_ms": longest_ms, "seconds": seconds})
    lines.append(Line("the sample's original: more than in the server's own process", _added_ms(), "ms", SMALL_MS))
    how = (
        "One session uploads the file, another visitor asks for the health check all the while, each time on a new "
        "connection with 20 ms in between. The sample is read in turns, by a process that is ready and by the own one."
    )
    return [Section("Health", how, lines, points)]


def _added_ms() -> float:
    content = (ROOT / "sample_data" / "hospital.csv").read_bytes()
    processes = ReadingProcesses()
    processes.start(lambda: True)
    processes.call(read_table, content, name="hospital.csv")
    process_seconds, own_seconds = [], []
    for _ in range(_REPETITIONS):
        start = perf_counter()
        processes.call(read_table, content, name="hospital.csv")
        middle = perf_counter()
        read_table(content, name="hospital.csv")
        process_seconds.append(middle - start)
        own_seconds.append(perf_counter() - middle)
    processes.end()
    return (min(process_seconds) - min(own_seconds)) * 1000
