"""The two figures of a report as static drawings: candidates by risk and information, and records by class size.

Plain SVG elements with the page's own style classes: no script, no font to fetch, sharp on paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from metrics.counting.class_sizes import ClassSizes
from metrics.figures.theme import shortened
from metrics.wording import pluralize, visible

_EDGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000)
_MAX_BARS = 8
_LABEL = 24
_WIDTH, _HEIGHT = 380, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 16, 44
_LINE = 15
"""Least distance between two labels, in the drawing's units."""
_TEXT_WIDTH = 6.4


@dataclass(frozen=True)
class Mark:
    """One candidate in the first figure."""

    label: str
    x: float
    y: float
    own: bool
    """Whether it is the candidate that the report is about."""
    status: str
    text_x: float
    text_y: float
    anchor: str


@dataclass(frozen=True)
class Scatter:
    """Risk against information kept, in the units of the drawing."""

    alternative: str
    marks: tuple[Mark, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    limit: float | None
    """Where the risk limit lies; what is above it fails."""
    limit_label: str
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = _HEIGHT - _BOTTOM


@dataclass(frozen=True)
class Point:
    """A candidate's figures, both shares from 0 to 1."""

    label: str
    information: float
    risk: float
    own: bool
    status: str


def scatter(points: Sequence[Point], limit: float | None) -> Scatter:
    """Where the candidates lie; `limit` is the highest risk that the policy accepts, None without one."""
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def across(share: float) -> float:
        return round(_LEFT + wide * share, 1)

    def up(share: float) -> float:
        return round(_TOP + high * (1 - share), 1)

    marks: list[Mark] = []
    taken: list[float] = []
    for point in sorted(points, key=lambda one: one.risk):
        label = shortened(visible(point.label), _LABEL)
        x, y = across(point.information), up(point.risk)
        fits = x + 10 + _TEXT_WIDTH * len(label) <= _WIDTH
        text_y = min(y + 4, *(other - _LINE for other in taken)) if taken and min(taken) - y < _LINE else y + 4
        taken.append(text_y)
        marks.append(
            Mark(label, x, y, point.own, point.status, x + 10 if fits else x - 10, text_y, "start" if fits else "end")
        )
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    told = "; ".join(
        f"{visible(one.label)} keeps {one.information:.0%} of the information at a highest risk of {one.risk:.1%}"
        for one in points
    )
    return Scatter(
        f"{told}.",
        tuple(marks),
        tuple((across(step), f"{step:.0%}") for step in steps),
        tuple((up(step), f"{step:.0%}") for step in steps),
        None if limit is None else up(limit),
        "" if limit is None else f"limit {limit:.0%}",
    )


@dataclass(frozen=True)
class Bar:
    """The records in classes of some sizes."""

    label: str
    text: str
    y: float
    width: float
    below: bool
    """Whether these classes are below the limit on k."""


@dataclass(frozen=True)
class Bars:
    """Records by the size of their class, in the units of the drawing."""

    alternative: str
    bars: tuple[Bar, ...]
    width: int
    height: int
    left: int
    limit: float | None
    limit_label: str


def size_bars(sizes: ClassSizes, k: float | None) -> Bars:
    """How many records stand in classes of which size; `k` is the smallest size accepted, None without a limit."""
    left, row, bar_width = 84, 28, 200
    records = _records_by_size(sizes, _lows(sizes, k))
    most = max(*(number for _, _, number in records), 1)
    bars = [
        Bar(
            f"{low:,}+" if high is None else f"{low:,}" if low == high else f"{low:,}–{high:,}",
            f"{number:,} ({number / max(sizes.kept, 1):.1%})",
            _TOP + 10 + place * row,
            round(bar_width * number / most, 1),
            k is not None and low < k,
        )
        for place, (low, high, number) in enumerate(records)
    ]
    limit = next((bar.y - 4 for before, bar in pairwise(bars) if before.below and not bar.below), None)
    longest = max(bars, key=lambda bar: bar.width)
    return Bars(
        f"Of {pluralize(sizes.kept, 'record')}, most are in classes of {longest.label} records: {longest.text}.",
        tuple(bars),
        _WIDTH,
        _TOP + 24 + row * len(bars),
        left,
        limit,
        "" if k is None else f"k = {k:g}",
    )


def _records_by_size(sizes: ClassSizes, lows: Sequence[int]) -> list[tuple[int, int | None, int]]:
    """The least and the largest class size of each bar (None: no largest), and the records in these classes."""
    found = []
    for low, high in zip(lows, [*(low - 1 for low in lows[1:]), None], strict=True):
        inside = (sizes.sizes >= low) & (True if high is None else sizes.sizes <= high)
        found.append((low, high, int(np.dot(sizes.sizes[inside], sizes.counts[inside]))))
    return found


def _lows(sizes: ClassSizes, k: float | None) -> list[int]:
    """The least size of each bar: at the limit on k a new one begins."""
    edges = sorted({*_EDGES, *(() if k is None else (int(np.ceil(k)),))})
    used = [edge for edge in edges if edge <= sizes.largest]
    first = max((edge for edge in used if edge <= sizes.smallest), default=1)
    used = [edge for edge in used if edge >= first]
    while len(used) > _MAX_BARS:
        spare = [edge for edge in used[1:] if k is None or edge != int(np.ceil(k))]
        used.remove(spare[-1])
    return used
