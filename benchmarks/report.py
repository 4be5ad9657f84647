"""Measurements as tables: on standard output, and as JSON and Markdown files."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

_LIBRARIES = ("pyarrow", "numpy", "pandas", "streamlit", "plotly")

Point = Mapping[str, Any]
"""Figures of one run by name, as the chart and the page on speed take them."""


@dataclass(frozen=True)
class Line:
    """One figure. `target`: the most it may be; None if it is for information only."""

    what: str
    value: float
    unit: str
    target: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the target is met."""
        if self.target is None:
            return ""
        return "MISSED" if self.missed else "met"

    @property
    def missed(self) -> bool:
        """Whether it is above its target."""
        return self.target is not None and not self.value <= self.target


@dataclass(frozen=True)
class Section:
    """The figures of one benchmark, and how they were measured."""

    title: str
    how: str
    lines: Sequence[Line]
    points: Sequence[Point] = ()


@dataclass(frozen=True)
class Run:
    """What one benchmark found, and what that depends on."""

    machine: Mapping[str, str | int]
    sections: Sequence[Section]


def machine() -> dict[str, str | int]:
    """What the figures depend on: cores, Python and libraries; no name and no path."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"cores": cores, "python": platform.python_version(), **libraries}


def points(runs: Mapping[str, Run], benchmark: str) -> list[Point]:
    """All points of a benchmark; none where it was not run."""
    return [point for section in runs[benchmark].sections for point in section.points] if benchmark in runs else []


def markdown(runs: Mapping[str, Run]) -> str:
    """All runs as Markdown tables."""
    parts = []
    for environment, environment_runs in groupby(runs.values(), key=lambda run: run.machine):
        parts.append(f"Measured with {', '.join(f'{name} {value}' for name, value in environment.items())}.")
        parts += [_table(section) for run in environment_runs for section in run.sections]
    return "\n\n".join(parts) + "\n"


def _table(section: Section) -> str:
    heading = [f"### {section.title}", "", section.how]
    if not section.lines:
        return "\n".join(heading)
    rows = [("figure", "value", "unit", "target", "")]
    rows += [
        (line.what, shown(line.value), line.unit, "" if line.target is None else f"≤ {line.target:g}", line.verdict)
        for line in section.lines
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    table_lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    table_lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join([*heading, "", *table_lines])


def shown(value: float) -> str:
    """A figure for reading."""
    return f"{value:,.3g}" if value < 100 else f"{value:,.0f}"


def read(path: Path) -> dict[str, Run]:
    """The runs that a JSON file holds, by benchmark; none if there is no such file."""
    if not path.is_file():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    return {
        benchmark: Run(
            run["machine"],
            [
                Section(**section | {"lines": [Line(**line) for line in section["lines"]]})
                for section in run["sections"]
            ],
        )
        for benchmark, run in content.items()
    }


def write(runs: Mapping[str, Run], out: Path) -> None:
    """Write OUT.json and OUT.md, with whatever suffix OUT has replaced."""
    content = {benchmark: asdict(run) for benchmark, run in runs.items()}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.with_suffix(".json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    out.with_suffix(".md").write_text(markdown(runs), encoding="utf-8")
