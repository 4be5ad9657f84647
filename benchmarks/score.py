"""Scoring two files of a million records, against what pyarrow needs just to read them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from benchmarks.processes import Figures, figures_of, say
from benchmarks.report import Line, Section
from benchmarks.run_once import SCORED_METRICS

TIMES_THE_READ = 1.3
TIMES_THE_READ_OF_PARQUET = 3.0
MEGABYTES = 500
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
                    for step in ("limit", "quasi"):
                        runs.setdefault(f"{step} {kind}", []).append(_once(Path(folder) / variant, step, kind))
            sections.append(_section(variant, tables, runs, repetitions))
    return sections


def _once(directory: Path, step: str, kind: str) -> Figures:
    files = (str(directory / f"{name}.{kind}") for name in ("original", "anonymized"))
    return figures_of("benchmarks.run_once", step, *files, str(directory / "hierarchies"))


def _section(variant: str, tables: Figures, runs: dict[str, list[Figures]], repetitions: int) -> Section:
    def middle(step: str, figure: str) -> float:
        return median(run[figure] for run in runs[step])

    has_target = variant == "few"
    first = runs["quasi csv"][0]
    lines, points = [], []
    for kind, title, limit in (("csv", "CSV", TIMES_THE_READ), ("parquet", "Parquet", TIMES_THE_READ_OF_PARQUET)):
        read_step, score_step = f"limit {kind}", f"quasi {kind}"
        ratio = middle(score_step, "seconds") / middle(read_step, "seconds")
        lines += [
            Line(f"{title}: pyarrow reads both files", middle(read_step, "seconds"), "s"),
            Line(f"{title}: Quasi reads and scores", middle(score_step, "seconds"), "s"),
            Line(f"{title}: of which reading", middle(score_step, "read"), "s"),
            Line(f"{title}: of which scoring", middle(score_step, "score"), "s"),
            Line(f"{title}: Quasi / pyarrow", ratio, "times", limit if has_target else None),
            Line(f"{title}: peak memory of Quasi", _peak(runs[score_step]), "MB", MEGABYTES if has_target else None),
            Line(f"{title}: peak memory of pyarrow", _peak(runs[read_step]), "MB"),
        ]
        points.append(
            {
                "variant": variant,
                "kind": kind,
                "records": tables["rows"],
                "classes": first["classes"],
                "metrics": first["metrics"],
                "seconds": middle(score_step, "seconds"),
                "limit": middle(read_step, "seconds"),
                "megabytes": _peak(runs[score_step]),
            }
        )
    how = (
        f"{tables['rows']:,} records, {first['classes']:,} classes, {tables['suppressed']:,} records suppressed; nine "
        f"columns, seven of them quasi-identifiers, two sensitive. {SCORED_METRICS}, the JSON object and the table of "
        f"classes. CSV files of {tables['megabytes']:,.0f} MB together. Seconds: median of {repetitions} processes "
        "that take turns, imports excluded; memory: the largest of them, everything included."
    )
    return Section(f"Scoring, {first['classes']:,} classes", how, lines, points)


def _peak(runs: list[Figures]) -> float:
    return max(run["peak_megabytes"] for run in runs)
