"""Measurements as tables: on standard output, and as JSON and Markdown files."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

_LIBRARIES = ("pyarrow", "numpy", "pandas", "streamlit", "plotly")


@dataclass(frozen=True)
class Line:
    """One figure. `target`: the most it may be; None where it is for information only."""

    what: str
    value: float
    unit: str
    target: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the target is met."""
        if self.target is None:
            return ""
        return "met" if self.value <= self.target else "MISSED"


@dataclass(frozen=True)
class Section:
    """The figures of one benchmark, and how they were measured."""

    title: str
    how: str
    lines: Sequence[Line]


def machine() -> dict[str, str | int]:
    """What the figures depend on: cores, Python and libraries; no name and no path."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"cores": cores, "python": platform.python_version(), **libraries}


def markdown(sections: Sequence[Section]) -> str:
    """All sections as Markdown tables."""
    about = ", ".join(f"{name} {value}" for name, value in machine().items())
    parts = [f"Measured with {about}."]
    for section in sections:
        rows = [("figure", "value", "unit", "target", "")]
        rows += [
            (line.what, f"{line.value:,.4g}" if line.value < 1000 else f"{line.value:,.0f}", line.unit,
             "" if line.target is None else f"≤ {line.target:g}", line.verdict)
            for line in section.lines
        ]  # fmt: skip
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        lined = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
                 for row in rows]  # fmt: skip
        lined.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
        parts.append("\n".join([f"### {section.title}", "", section.how, "", *lined]))
    return "\n\n".join(parts) + "\n"


def write(sections: Sequence[Section], out: Path) -> None:
    """Write OUT.json and OUT.md, with whatever suffix OUT has replaced."""
    content = {"machine": machine(), "sections": [asdict(section) for section in sections]}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    out.with_suffix(".md").write_text(markdown(sections), encoding="utf-8")
