"""Runs measurements in separate processes, so that their memory is their own, and prints progress."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from dashboard.environment import ROOT

Figures = dict[str, float]

LIMIT_S = 600.0
_STARTED = perf_counter()


def figures_of(module: str, *arguments: str, python: str = sys.executable, limit: float = LIMIT_S) -> Figures:
    """The JSON object that a module prints if run with these arguments. Raises TimeoutExpired after `limit` seconds.

    The memory of the parent counts in the peaks of its children: measure before importing large modules.
    """
    command = [python, "-m", module, *arguments]
    completed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=limit)
    figures: Figures = json.loads(completed.stdout)
    return figures


def peak_megabytes() -> float:
    """Largest resident size of this process so far."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1e6 if sys.platform == "darwin" else kilobytes * 1024 / 1e6


def resident_megabytes(process: int) -> tuple[float, float]:
    """Current and peak resident memory of another process (Linux)."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    current, peak = (int(fields[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))
    return current, peak


def say(line: str) -> None:
    """Print a line of progress on standard error, with the time since the start."""
    minutes, seconds = divmod(int(perf_counter() - _STARTED), 60)
    print(f"{minutes:2}:{seconds:02} {line}", file=sys.stderr, flush=True)
