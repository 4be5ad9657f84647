"""Measurements in processes of their own: memory that nothing else has used, figures as JSON, progress told."""

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
    """What a module prints when it is run with these arguments; raises TimeoutExpired after `limit` seconds.

    A parent that has used much memory shows in the peaks of its children: measure before importing much.
    """
    command = [python, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=limit)
    printed: Figures = json.loads(done.stdout)
    return printed


def peak_megabytes() -> float:
    """Largest resident size of this process so far."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1e6 if sys.platform == "darwin" else kilobytes * 1024 / 1e6


def resident_megabytes(process: int) -> tuple[float, float]:
    """What another process holds in memory now, and the most it has held (Linux)."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    now, most = (int(found[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))
    return now, most


def say(line: str) -> None:
    """Tell on standard error what is being done, with the time since the start."""
    minutes, seconds = divmod(int(perf_counter() - _STARTED), 60)
    print(f"{minutes:2}:{seconds:02} {line}", file=sys.stderr, flush=True)
