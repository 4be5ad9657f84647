"""k, l and t of every class by Quasi and its peers, in the same run and with the same figures."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.processes import Figures, figures_of, say
from benchmarks.report import Line, Section
from benchmarks.tables import DELIMITER, QUASI_IDENTIFIERS, RELEASED, SENSITIVE

RECORDS = (100_000, 1_000_000)
REPETITIONS = 5
LONG_S = 20.0
"""Seconds; a slower peer is measured once."""
MAX_S = 300.0
"""Seconds; a slower peer is stopped."""
PYCANON = "1.3.6"
PEERS = {
    "quasi": "Quasi",
    "pandas": "pandas groupby",
    "notebook": "the notebook's loop",
    "pycanon": f"pyCANON {PYCANON}",
}
_TIMES = {"seconds", "read", "score", "peak_megabytes"}

Run = Callable[[str], Figures]


def measure(records: Sequence[int] = RECORDS, repetitions: int = REPETITIONS) -> list[Section]:
    """A section per number of records; without pyCANON where it cannot be installed."""
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        say("peers: installing pyCANON")
        python = pycanon_environment(Path(folder) / "environment")
        runs: dict[str, Run] = {peer: partial(_run, peer) for peer in PEERS if peer != "pycanon"}
        if python is not None:
            runs["pycanon"] = partial(_run_pycanon, python)
        for rows in records:
            say(f"peers: making a table of {rows:,} records")
            directory = Path(folder) / str(rows)
            figures_of("benchmarks.tables", str(directory), RELEASED.name, str(rows), "csv")
            path = str(directory / RELEASED.name / "anonymized.csv")
            sections.append(_section(rows, take_turns(runs, path, repetitions), repetitions))
    return sections


def pycanon_environment(folder: Path) -> Path | None:
    """The Python of an environment made for pyCANON alone; None if that cannot be made."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", f"pycanon=={PYCANON}"]
    for command in ([sys.executable, "-m", "venv", str(folder)], [str(python), *install]):
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=MAX_S)
        except (subprocess.SubprocessError, OSError):
            say("peers: pyCANON cannot be installed and is left out")
            return None
    return python


def take_turns(runs: Mapping[str, Run], path: str, repetitions: int) -> dict[str, list[Figures]]:
    """Run the peers in turns. Raises AssertionError unless their figures agree.

    A peer with none was stopped; one with a single one is too slow for more.
    """
    figures_by_peer: dict[str, list[Figures]] = {peer: [] for peer in runs}
    for turn in range(repetitions):
        for peer, run in runs.items():
            if turn and (not figures_by_peer[peer] or figures_by_peer[peer][0]["seconds"] > LONG_S):
                continue
            say(f"peers: {PEERS[peer]}, {turn + 1} of {repetitions}")
            try:
                figures_by_peer[peer].append(run(path))
            except subprocess.TimeoutExpired:
                say(f"peers: {PEERS[peer]} was stopped after {MAX_S:g} s")
    for peer, peer_figures in figures_by_peer.items():
        for figures in peer_figures:
            require_alike(PEERS[peer], figures, figures_by_peer["quasi"][0])
    return figures_by_peer


def require_alike(peer: str, figures: Figures, expected: Figures) -> None:
    """Raise AssertionError if the figures of a peer differ from those of Quasi; times and memory may differ."""
    for name in sorted(figures.keys() - _TIMES):
        if not math.isclose(figures[name], expected[name], rel_tol=1e-9, abs_tol=1e-12):
            raise AssertionError(f"{peer} finds {name} = {figures[name]!r}, Quasi {expected[name]!r}")


def _run(peer: str, path: str) -> Figures:
    return figures_of("benchmarks.peer_runs", peer, path, limit=MAX_S)


def _run_pycanon(python: Path, path: str) -> Figures:
    columns = (json.dumps(QUASI_IDENTIFIERS), json.dumps(SENSITIVE))
    return figures_of("benchmarks.pycanon_run", path, DELIMITER, *columns, python=str(python), limit=MAX_S)


def _section(rows: int, runs: Mapping[str, list[Figures]], repetitions: int) -> Section:
    own_runs = runs["quasi"]
    lines, points = [], []
    for peer, peer_runs in runs.items():
        if not peer_runs:
            continue
        seconds, score_seconds = (median(run[figure] for run in peer_runs) for figure in ("seconds", "score"))
        peak = max(run["peak_megabytes"] for run in peer_runs)
        name = (
            PEERS[peer] if len(peer_runs) == repetitions else f"{PEERS[peer]} ({len(peer_runs)} of {repetitions} runs)"
        )
        lines += [
            Line(f"{name}: from the file to the figures", seconds, "s"),
            Line(f"{name}: of which k, l and t", score_seconds, "s"),
            Line(f"{name}: peak memory", peak, "MB"),
        ]
        ratio, score_ratio = (
            value / median(run[figure] for run in own_runs)
            for value, figure in ((seconds, "seconds"), (score_seconds, "score"))
        )
        if peer != "quasi":
            lines.append(Line(f"{name} / Quasi, from the file", ratio, "times"))
            lines.append(Line(f"{name} / Quasi, k, l and t alone", score_ratio, "times"))
        points.append(
            {
                "peer": PEERS[peer],
                "records": rows,
                "classes": own_runs[0]["classes"],
                "runs": len(peer_runs),
                "seconds": seconds,
                "score": score_seconds,
                "ratio": ratio,
                "megabytes": peak,
            }
        )
    notes = [f"{PEERS[peer]} was stopped after {MAX_S:g} s." for peer, peer_runs in runs.items() if not peer_runs]
    if "pycanon" not in runs:
        notes.append("pyCANON could not be installed.")
    how = (
        f"{rows:,} records without the suppressed ones, {own_runs[0]['classes']:,.0f} classes by "
        f"{len(QUASI_IDENTIFIERS)} quasi-identifiers, {len(SENSITIVE)} sensitive attributes; each reads the CSV file "
        "its own way. Size, distinct values, normalized entropy and variational distance of every class; pyCANON "
        "runs in its own environment and gives only k, l and t of the table. All results agree to 1e-9. "
        f"Seconds: median of {repetitions} processes that take turns, imports excluded (a peer above {LONG_S:g} s runs "
        "once); memory: the largest of them, everything included."
    )
    return Section(f"Peers, {rows:,} records", " ".join([how, *notes]), lines, points)
