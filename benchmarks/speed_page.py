"""The page on speed and memory, `docs/speed.md`, written from what was measured."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from benchmarks import report
from benchmarks.growth import MILLION, ratio
from benchmarks.report import Run, shown
from benchmarks.score import CALLS
from benchmarks.tables import FEW

BEGIN = "<!-- python -m benchmarks --docs writes from here -->"
END = "<!-- to here -->"
CHART = "![Quasi beside its peers, and how its time grows with records and with classes](benchmarks.png)"


def update(path: Path, runs: Mapping[str, Run]) -> None:
    """Replace the text between the two marks in a file. Raises ValueError if it lacks them."""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path.name} lacks {BEGIN} or {END}")
    path.write_text(f"{before}{BEGIN}\n\n{part(runs)}\n\n{END}{after}", encoding="utf-8")


def part(runs: Mapping[str, Run]) -> str:
    """The chart, a table of peers, and sentences about the other benchmarks; what was not run is left out."""
    chart = CHART if {"peers", "growth"} <= runs.keys() else ""
    prose = " ".join([*_scoring(runs), *_start(runs), "[Measurements](benchmarks.md) has more."])
    return "\n\n".join(filter(None, (chart, _peers(runs), textwrap.fill(prose, 120, break_on_hyphens=False))))


def _peers(runs: Mapping[str, Run]) -> str:
    points = report.points(runs, "peers")
    if not points:
        return ""
    max_records = max(point["records"] for point in points)
    points = sorted((point for point in points if point["records"] == max_records), key=lambda point: point["seconds"])
    heading = f"k, l and t of {points[0]['classes']:,.0f} classes, {max_records:,} records, from CSV"
    rows = [
        f"| {point['peer']} | {shown(point['seconds'])} s | {shown(point['ratio'])} | {point['megabytes']:,.0f} MB |"
        for point in points
    ]
    return "\n".join([f"| {heading} | time | times Quasi's | peak memory |", "|---|---|---|---|", *rows])


def _scoring(runs: Mapping[str, Run]) -> list[str]:
    sentences = []
    for point in report.points(runs, "growth"):
        if point["variant"] == FEW.name and point["records"] >= MILLION:
            sentences.append(
                f"{point['records']:,} records: {shown(point['seconds'])} s and {point['megabytes']:,.0f} MB, "
                f"{shown(ratio(point))} times the read."
            )
    if not sentences:
        return []
    about = (
        "Two CSV files of nine columns are read and scored by the default call (`metrics.score` without a choice of "
        "metrics, every one that is not on demand), compared with the time that pyarrow needs just to read them."
    )
    return [about, *sentences, *_calls(runs)]


def _calls(runs: Mapping[str, Run]) -> list[str]:
    """The calls beside the default one, of a million records."""
    return [
        f"{CALLS[point['call']].capitalize()}: {shown(point['seconds'])} s and {point['megabytes']:,.0f} MB, "
        f"{shown(ratio(point))} times the read."
        for point in report.points(runs, "score")
        if point["call"] != "default" and point["variant"] == FEW.name and point["kind"] == "csv"
    ]


def _start(runs: Mapping[str, Run]) -> list[str]:
    figures: dict[str, float] = {}
    for benchmark in ("fresh", "start"):
        for point in report.points(runs, benchmark):
            figures |= point
    sentences = {
        "import_ms": "`import metrics` takes {import_ms:,.0f} ms.",
        "ready_s": "A dashboard whose environment is ready answers after {ready_s:.3g} s.",
        "nothing_s": "From a fresh clone to the dashboard it takes {nothing_s:.3g} s, of which pip {pip_s:.3g} s.",
    }
    return [sentence.format(**figures) for figure, sentence in sentences.items() if figure in figures]
