"""How time and memory grow with records and with classes, from CSV."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.processes import Figures, figures_of, say
from benchmarks.report import Line, Point, Section
from benchmarks.tables import FEW, HUNDRED_THOUSAND, MANY, TWENTY_THOUSAND

MILLION = 1_000_000
TIMES_THE_READ = 1.6
MEGABYTES = 1500.0
EXPONENT = 1.1
"""Largest exponent by which time may grow with records or classes; 1 is linear."""
REPETITIONS = 5
CASES = (
    *((variant.name, rows) for rows in (MILLION // 10, MILLION, 10 * MILLION) for variant in (FEW, MANY)),
    *((variant.name, MILLION) for variant in (TWENTY_THOUSAND, HUNDRED_THOUSAND)),
)


def measure(cases: Sequence[tuple[str, int]] = CASES, repetitions: int = REPETITIONS) -> list[Section]:
    """Measure one pair of tables at a time, because they are large; pyarrow and Quasi take turns."""
    points = [_point(variant, rows, repetitions) for variant, rows in cases]
    lines = []
    for point in sorted(points, key=lambda point: (point["records"], point["classes"])):
        name = f"{point['records']:,} records, {point['classes']:,.0f} classes"
        has_target = point["variant"] == FEW.name and point["records"] == 10 * MILLION
        lines += [
            Line(f"{name}: Quasi reads and scores", point["seconds"], "s"),
            Line(f"{name}: of which scoring", point["score"], "s"),
            Line(f"{name}: Quasi / pyarrow's read", ratio(point), "times", TIMES_THE_READ if has_target else None),
            Line(f"{name}: peak memory", point["megabytes"], "MB", MEGABYTES if has_target else None),
        ]
    for variant in (FEW.name, MANY.name):
        ends = [point for point in points if point["variant"] == variant and point["records"] >= MILLION]
        if len(ends) > 1:
            span = f"from {ends[0]['records']:,} to {ends[-1]['records']:,} records, {ends[-1]['classes']:,.0f} classes"
            lines.append(Line(f"{span}: exponent of the time", exponent(ends, "records", "seconds"), "", EXPONENT))
    by_classes = sorted(
        (point for point in points if point["records"] == MILLION and point["variant"] != FEW.name),
        key=lambda point: point["classes"],
    )
    if len(by_classes) > 1:
        span = f"from {by_classes[0]['classes']:,.0f} to {by_classes[-1]['classes']:,.0f} classes, a million records"
        lines.append(Line(f"{span}: exponent of scoring", exponent(by_classes, "classes", "score"), "", EXPONENT))
    how = (
        "Original and anonymized tables of nine columns from CSV, as many classes at any number of records from a "
        "million on; the default call as in *Scoring*, in another session. An exponent "
        f"of 1 is linear growth. Seconds: median of {repetitions} processes that take turns with pyarrow's, imports "
        "excluded; memory: the largest of them, everything included."
    )
    return [Section("Growth", how, lines, points)]


def ratio(point: Point) -> float:
    """Time to read and score, divided by the time pyarrow needs to read."""
    return float(point["seconds"]) / float(point["limit"])


def exponent(points: Sequence[Point], size: str, time: str) -> float:
    """The exponent by which time grows with size from the first point to the last."""
    first, last = points[0], points[-1]
    return math.log(float(last[time]) / float(first[time])) / math.log(float(last[size]) / float(first[size]))


def _point(variant: str, rows: int, repetitions: int) -> Point:
    runs: dict[str, list[Figures]] = {"limit": [], "default": []}
    with tempfile.TemporaryDirectory() as folder:
        say(f"growth: making tables of {rows:,} records, {variant} classes")
        figures_of("benchmarks.tables", folder, variant, str(rows), "csv")
        directory = Path(folder) / variant
        files = [str(directory / name) for name in ("original.csv", "anonymized.csv", "hierarchies")]
        for turn in range(repetitions):
            say(f"growth: {turn + 1} of {repetitions}")
            for step, step_runs in runs.items():
                step_runs.append(figures_of("benchmarks.run_once", step, *files))
    return {
        "variant": variant,
        "records": rows,
        "classes": runs["default"][0]["classes"],
        **{figure: median(run[figure] for run in runs["default"]) for figure in ("read", "score", "seconds")},
        "limit": median(run["seconds"] for run in runs["limit"]),
        "megabytes": max(run["peak_megabytes"] for run in runs["default"]),
    }
