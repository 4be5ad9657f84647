"""Marks of candidates: one colour, dash and symbol each, identical in every figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from metrics.formatting import visible

COLOURS: Final = ("#AA4499", "#2A9D9D", "#8A8A2E", "#6A7FDB", "#CC6677", "#A5673F")
"""None of them means anything elsewhere; contrast above 3:1 on white and on dark pages."""
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "star")

_MAX_NAME_LENGTH = 30
_LEGEND_LINE = 19
_LINES_THAT_FIT = 3


@dataclass(frozen=True)
class CandidateStyle:
    """A candidate's colour, and its dash and symbol for those who do not see colours."""

    colour: str
    dash: str
    symbol: str


Styles = Mapping[str, CandidateStyle]


def short_name(label: str) -> str:
    """A candidate's name, shortened in its middle where it is long: names of one origin differ at their ends."""
    name = visible(label)
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    tail = (_MAX_NAME_LENGTH - 1) * 2 // 3
    return f"{name[: _MAX_NAME_LENGTH - 1 - tail]}…{name[-tail:]}"


def legend_room(candidates: int) -> int:
    """Pixels by which a plot must be higher to lose nothing to its legend: on a narrow page a line per candidate."""
    return _LEGEND_LINE * max(0, candidates - _LINES_THAT_FIT)


def candidate_styles(labels: Iterable[str]) -> dict[str, CandidateStyle]:
    """A style for each candidate by its position: 36 different ones, then from the first again.

    Pass all candidates, even where a figure draws only some, so that each keeps its style.
    """
    styles = {}
    for index, label in enumerate(labels):
        variant = (index + index // len(COLOURS)) % len(DASHES)
        styles[label] = CandidateStyle(COLOURS[index % len(COLOURS)], DASHES[variant], SYMBOLS[variant])
    return styles
