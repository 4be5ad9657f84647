"""The two figures of a report as static drawings: candidates by risk and information, and records by class size.

Plain SVG elements with the page's own style classes: no script, no font to fetch, sharp on paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from metrics.counting.class_sizes import ClassSizes
from metrics.figures.theme import shortened
from metrics.wording import percent, pluralize, visible

_EDGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000)
_MAX_BARS = 8
_LABEL = 24
_WIDTH, _HEIGHT = 380, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 16, 44
_LINE = 15
"""Height of a line of text, in the drawing's units."""
_TEXT_WIDTH, _BOLD_WIDTH = 6.4, 7.2
"""Of a character of a label, on average."""
_RADIUS = 8
_LIMIT_WIDTH = 58


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
    finding: str
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

    places = [(across(point.information), up(point.risk)) for point in points]
    taken = [_Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in places]
    if limit is not None:
        taken.append(_Box(_WIDTH - _RIGHT - _LIMIT_WIDTH, up(limit) - _LINE, _WIDTH, up(limit)))
        taken.append(_Box(_LEFT, up(limit) - 1, _WIDTH - _RIGHT, up(limit) + 1))
    marks: list[Mark] = []
    for point, (x, y) in zip(points, places, strict=True):
        label = shortened(visible(point.label), _LABEL)
        text_x, text_y, anchor, box = _beside(x, y, (_BOLD_WIDTH if point.own else _TEXT_WIDTH) * len(label), taken)
        taken.append(box)
        marks.append(Mark(label, x, y, point.own, point.status, text_x, text_y, anchor))
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    description = "; ".join(
        f"{visible(one.label)} preserves {percent(one.information)} of the information at a highest risk of "
        f"{percent(one.risk)}"
        for one in points
    )
    own = next((one for one in points if one.own), None)
    return Scatter(
        f"{description}.",
        _risk_finding(own, limit),
        tuple(marks),
        tuple((across(step), f"{step:.0%}") for step in steps),
        tuple((up(step), f"{step:.0%}") for step in steps),
        None if limit is None else up(limit),
        "" if limit is None else f"limit {percent(limit)}",
    )


def _risk_finding(own: Point | None, limit: float | None) -> str:
    if own is None or limit is None:
        return "Risk and information kept"
    side = "above" if own.risk > limit else "within"
    return f"The highest risk of {percent(own.risk)} is {side} the limit of {percent(limit)}"


class _Box(NamedTuple):
    """A part of the drawing that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def _beside(x: float, y: float, width: float, taken: Sequence[_Box]) -> tuple[float, float, str, _Box]:
    """Where a mark's label is free of other marks and labels: beside it, else one or more lines above or below."""
    options = [(x + 10, y + 4, "start"), (x - 10, y + 4, "end")]
    for lines in (1, 2, 3):
        for text_y in (y - _RADIUS - 4 - _LINE * (lines - 1), y + _RADIUS + _LINE * lines):
            options += [(x, text_y, "middle"), (x, text_y, "start"), (x, text_y, "end")]
    boxes = []
    for text_x, text_y, anchor in options:
        left = text_x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        boxes.append(_Box(left, text_y - _LINE + 4, left + width, text_y + 3))
    free = (
        place
        for place, box in enumerate(boxes)
        if box.left >= _LEFT
        and box.right <= _WIDTH
        and box.top >= _TOP - _LINE
        and box.bottom <= _HEIGHT - _BOTTOM + 4
        and not any(box.overlaps(other) for other in taken)
    )
    place = next(free, 0)
    return (*options[place], boxes[place])


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
    finding: str
    bars: tuple[Bar, ...]
    width: int
    height: int
    left: int
    limit: float | None


def size_bars(sizes: ClassSizes, k: float | None) -> Bars:
    """How many records stand in classes of which size; `k` is the smallest size accepted, None without a limit."""
    left, row = 84, 28
    records = _records_by_size(sizes, _lows(sizes, k))
    most = max(*(number for _, _, number in records), 1)
    texts = [f"{number:,} ({percent(number / max(sizes.kept, 1))})" for _, _, number in records]
    bar_width = _WIDTH - left - 6 - _BOLD_WIDTH * max(map(len, texts))
    bars = [
        Bar(
            f"{low:,}+" if high is None else f"{low:,}" if low == high else f"{low:,}–{high:,}",
            texts[place],
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
        _size_finding(sizes, k),
        tuple(bars),
        _WIDTH,
        _TOP + 24 + row * len(bars),
        left,
        limit,
    )


def _size_finding(sizes: ClassSizes, k: float | None) -> str:
    if k is None:
        return "Records by the size of their class"
    small = sizes.sizes < k
    records = int(np.dot(sizes.sizes[small], sizes.counts[small]))
    if not records:
        return f"No record is in a class smaller than k = {k:g}"
    return f"{percent(records / sizes.kept)} of the records are in classes smaller than k = {k:g}"


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
