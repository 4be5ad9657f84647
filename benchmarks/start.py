"""How long until one can work: `import metrics`, a ready environment to a healthy page, and from nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from benchmarks.processes import say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT, RUN_REQUIREMENTS, is_ready
from tests.browser.serving import end, free_port

IMPORT_MS = 400.0
READY_S = 2.5
NOTHING_S = 60.0
REPETITIONS = 5
_MAX_S = 600.0
_IMPORT = "from time import perf_counter as now; start = now(); import metrics; print(now() - start)"


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """Imports and starts of this checkout, in turns; no starts where its environment is not ready."""
    ready = is_ready(ROOT, RUN_REQUIREMENTS)
    imports, starts = [], []
    import_seconds(ROOT)  # the first run compiles what has changed
    for turn in range(repetitions):
        say(f"start: {turn + 1} of {repetitions}")
        imports.append(import_seconds(ROOT))
        if ready:
            starts.append(start_seconds(ROOT, {}))
    point = {"import_ms": median(imports) * 1000}
    lines = [Line("import metrics", point["import_ms"], "ms", IMPORT_MS)]
    if starts:
        point["ready_s"] = median(starts)
        lines.append(Line("python3 -m dashboard, ready environment: to a healthy page", point["ready_s"], "s", READY_S))
    how = (
        f"Median of {repetitions} processes, bytecode compiled. `import metrics` without the interpreter's own start; "
        "the dashboard from the command to the answers 200 of its health check and its page."
    )
    if not ready:
        how += " The environment in .venv is not ready, so no dashboard was started: run python3 -m dashboard once."
    return [Section("Start", how, lines, [point])]


def measure_from_nothing(repetitions: int = REPETITIONS) -> list[Section]:
    """A fresh clone of what is committed, without pip's cache, once; then its ready environment, several times."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        say("fresh: cloning, installing, starting")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        log = Path(folder) / "pip.txt"
        seconds = start_seconds(clone, {"PIP_LOG": str(log), "PIP_CACHE_DIR": str(Path(folder) / "cache")})
        point = {"nothing_s": seconds, "pip_s": pip_seconds(log.read_text(encoding="utf-8"))}
        starts = []
        for turn in range(repetitions):
            say(f"fresh: ready environment, {turn + 1} of {repetitions}")
            starts.append(start_seconds(clone, {}))
    point["ready_s"] = median(starts)
    lines = [
        Line("fresh clone to a healthy page", point["nothing_s"], "s", NOTHING_S),
        Line("of which pip", point["pip_s"], "s"),
        Line("the same clone, environment ready: to a healthy page", point["ready_s"], "s", READY_S),
    ]
    how = (
        "python3 -m dashboard in a fresh clone, nothing installed and pip's cache empty, once: pip's share depends on "
        f"the index and the line to it. Then the ready environment, median of {repetitions}."
    )
    return [Section("Start from nothing", how, lines, [point])]


def import_seconds(root: Path) -> float:
    """Seconds that `import metrics` takes in a new process."""
    command = [sys.executable, "-c", _IMPORT]
    completed = subprocess.run(
        command, cwd=root, env=_variables({}), stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=_MAX_S
    )
    return float(completed.stdout)


def start_seconds(root: Path, variables: Mapping[str, str]) -> float:
    """Seconds from `python3 -m dashboard` in a checkout to its page; raises RuntimeError if it ends before."""
    port = free_port()
    command = [sys.executable, "-m", "dashboard", "--no-browser", "--port", str(port)]
    start = perf_counter()
    process = subprocess.Popen(
        command, cwd=root, env=_variables(variables), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for path in ("_stcore/health", ""):
            while not _answers(f"http://127.0.0.1:{port}/{path}"):
                if process.poll() is not None or perf_counter() - start > _MAX_S:
                    raise RuntimeError("the dashboard did not start")
                sleep(0.02)
        return perf_counter() - start
    finally:
        end(process)


def pip_seconds(log: str) -> float:
    """Seconds between the first and the last entry of pip's log."""
    times = [
        datetime.fromisoformat(timestamp) for timestamp in re.findall(r"^\d{4}-\d\d-\d\dT[\d:]+,\d+", log, re.MULTILINE)
    ]
    return (max(times) - min(times)).total_seconds()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def _variables(variables: Mapping[str, str]) -> dict[str, str]:
    """This process's environment, but for what would keep Python from keeping bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | dict(variables)
