"""Scoring two files of a million records, against what pyarrow needs just to read them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.report import Line, Section
from dashboard.environment import ROOT

TIMES_THE_READ = 2.0
MEGABYTES = 600
REPETITIONS = 5
VARIANTS = ("few", "many")

Measured = dict[str, float]


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """Both variants; the steps take turns, so that a busy moment of the machine hits all alike."""
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for variant in VARIANTS:
            made = _make(Path(folder), variant)
            runs: dict[str, list[Measured]] = {}
            for _ in range(repetitions):
                for kind in ("csv", "parquet"):
                    for step in ("limit", "quasi"):
                        runs.setdefault(f"{step} {kind}", []).append(_once(Path(folder) / variant, step, kind))
            sections.append(_section(variant, made, runs, repetitions))
    return sections


def _make(folder: Path, variant: str) -> Measured:
    """Tables are made in a process of their own: what a parent once used shows in its children's peak of memory."""
    return _printed("benchmarks.tables", str(folder), variant)


def _once(place: Path, step: str, kind: str) -> Measured:
    files = (str(place / f"{name}.{kind}") for name in ("original", "anonymized"))
    return _printed("benchmarks.run_once", step, *files, str(place / "hierarchies"))


def _printed(module: str, *arguments: str) -> Measured:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    printed: Measured = json.loads(done.stdout)
    return printed


def _section(variant: str, made: Measured, runs: dict[str, list[Measured]], repetitions: int) -> Section:
    def middle(step: str, figure: str) -> float:
        return median(run[figure] for run in runs[step])

    bound = variant == "few"
    ratio = middle("quasi csv", "seconds") / middle("limit csv", "seconds")
    lines = [
        Line("CSV: pyarrow reads both files", middle("limit csv", "seconds"), "s"),
        Line("CSV: Quasi reads and scores", middle("quasi csv", "seconds"), "s"),
        Line("CSV: of which reading", middle("quasi csv", "read"), "s"),
        Line("CSV: of which scoring", middle("quasi csv", "score"), "s"),
        Line("CSV: Quasi / pyarrow", ratio, "times", TIMES_THE_READ if bound else None),
        Line("CSV: peak memory of Quasi", _peak(runs["quasi csv"]), "MB", MEGABYTES if bound else None),
        Line("CSV: peak memory of pyarrow", _peak(runs["limit csv"]), "MB"),
        Line("Parquet: pyarrow reads both files", middle("limit parquet", "seconds"), "s"),
        Line("Parquet: Quasi reads and scores", middle("quasi parquet", "seconds"), "s"),
        Line("Parquet: of which scoring", middle("quasi parquet", "score"), "s"),
        Line("Parquet: peak memory of Quasi", _peak(runs["quasi parquet"]), "MB"),
    ]
    first = runs["quasi csv"][0]
    how = (
        f"{made['rows']:,} records, {first['classes']:,} classes, {made['suppressed']:,} records suppressed; nine "
        f"columns, seven of them quasi-identifiers, two sensitive. All {first['metrics']} metrics, the JSON object and "
        f"the table of classes. CSV files of {made['megabytes']:,.0f} MB together. Seconds: median of {repetitions} "
        "processes that take turns, imports excluded; memory: the largest of them, everything included."
    )
    return Section(f"Scoring, {first['classes']:,} classes", how, lines)


def _peak(runs: list[Measured]) -> float:
    return max(run["peak_megabytes"] for run in runs)
