"""Scoring two files of a million records, against what pyarrow needs just to read them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from benchmarks.processes import Figures, figures_of, say
from benchmarks.report import Line, Section
from benchmarks.run_once import SEEDS

CALLS = {
    "default": "the default call",
    "seeds": f"{len(SEEDS)} metrics without attacks",
    "every": "every metric, those on demand included",
}
"""What is scored: the steps of `run_once`, with their names."""
TIMES_THE_READ = {"default": 1.6, "seeds": 1.3}
TIMES_THE_READ_OF_MANY_CLASSES = {"default": 3.0}
SECONDS = {"every": 3.0}
MEGABYTES = {"default": 450.0}
REPETITIONS = 5
VARIANTS = ("few", "many")


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """Both variants; the steps take turns, so that a busy moment of the machine hits all alike."""
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for variant in VARIANTS:
            say(f"score: making the tables with {variant} classes")
            # In a separate process, because what this one uses shows in the peaks of the others.
            tables = figures_of("benchmarks.tables", folder, variant)
            runs: dict[str, list[Figures]] = {}
            for repetition in range(repetitions):
                say(f"score: {variant} classes, {repetition + 1} of {repetitions}")
                for kind in ("csv", "parquet"):
                    for step in ("limit", *CALLS):
                        runs.setdefault(f"{step} {kind}", []).append(_once(Path(folder) / variant, step, kind))
            sections.append(_section(variant, tables, runs, repetitions))
    return sections


def _once(directory: Path, step: str, kind: str) -> Figures:
    files = (str(directory / f"{name}.{kind}") for name in ("original", "anonymized"))
    return figures_of("benchmarks.run_once", step, *files, str(directory / "hierarchies"))


def _section(variant: str, tables: Figures, runs: dict[str, list[Figures]], repetitions: int) -> Section:
    def middle(step: str, figure: str) -> float:
        return median(run[figure] for run in runs[step])

    few = variant == "few"
    times = TIMES_THE_READ if few else TIMES_THE_READ_OF_MANY_CLASSES
    classes = runs["default csv"][0]["classes"]
    lines, points = [], []
    for kind, title in (("csv", "CSV"), ("parquet", "Parquet")):
        limit = middle(f"limit {kind}", "seconds")
        lines += [
            Line(f"{title}: pyarrow reads both files", limit, "s"),
            Line(f"{title}: peak memory of pyarrow", _peak(runs[f"limit {kind}"]), "MB"),
            Line(f"{title}: Quasi reads both files", middle(f"default {kind}", "read"), "s"),
        ]
        # Targets are those of CSV files; Parquet is for information.
        has_target = kind == "csv"
        for step, call in CALLS.items():
            seconds = middle(f"{step} {kind}", "seconds")
            peak = _peak(runs[f"{step} {kind}"])
            lines += [
                Line(f"{title}, {call}: Quasi reads and scores", seconds, "s", _of(SECONDS, step, has_target and few)),
                Line(f"{title}, {call}: of which scoring", middle(f"{step} {kind}", "score"), "s"),
                Line(f"{title}, {call}: Quasi / pyarrow", seconds / limit, "times", _of(times, step, has_target)),
                Line(f"{title}, {call}: peak memory", peak, "MB", _of(MEGABYTES, step, has_target and few)),
            ]
            points.append(
                {
                    "call": step,
                    "variant": variant,
                    "kind": kind,
                    "records": tables["rows"],
                    "classes": classes,
                    "metrics": runs[f"{step} {kind}"][0]["metrics"],
                    "seconds": seconds,
                    "limit": limit,
                    "megabytes": peak,
                }
            )
    how = (
        f"{tables['rows']:,} records, {classes:,} classes, {tables['suppressed']:,} records suppressed; nine "
        f"columns, seven of them quasi-identifiers, two sensitive; the metrics of each call, the JSON object and the "
        f"table of classes. CSV files of {tables['megabytes']:,.0f} MB together. Seconds: median of {repetitions} "
        "processes that take turns, imports excluded; memory: the largest of them, everything included."
    )
    return Section(f"Scoring, {classes:,} classes", how, lines, points)


def _of(targets: Mapping[str, float], step: str, applies: bool) -> float | None:
    return targets.get(step) if applies else None


def _peak(runs: list[Figures]) -> float:
    return max(run["peak_megabytes"] for run in runs)
