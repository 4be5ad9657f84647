"""Places for labels in a plot: on nothing that is drawn, beside the series that they name or joined to it by a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.tables.table import Flags, Floats

NARROW, _HALF_PAGE_PX = 290, 430
"""Pixels of a plot on a page of 390 pixels, and of one that has half of a wide page; labels take less of wider ones."""
_CELL_PX = 6
"""Pixels of a cell of the grid on which places are sought."""
_CHAR_WIDTH_PX, _LINE_HEIGHT_PX = 7, 16
"""Pixels of a letter and of a line."""
_MAX_GAP_PX, _MIN_SEPARATION_PX = 12, 14
"""Pixels up to which a label lies beside what it names, and by which it must be nearer to it than to all else."""
_MAX_POINTS, _MAX_OTHER_POINTS = 80, 400
"""Points of a series that are examined for its label, and of each other."""
_MAX_EXTRA_LEADER_PX = 60
"""Pixels by which a line may be longer so that its label is nearer to what it names than to all else."""
_MIN_DISTANCE_SHARE = 0.7
"""Share of its largest distance from the others that a point must have for a line to lead to it."""
_MIN_LEADER_PX = 14
"""Pixels of the shortest line between a label and what it names."""


@dataclass(frozen=True)
class Series:
    """A drawn series: points that a label may lie beside, and filled rectangles, as shares of the plot."""

    name: str
    """Text of its label; an empty one needs none."""
    points: Floats
    filled: Floats
    """Left, bottom, right and top of each rectangle; along a line, each is a point."""
    radius: float
    """Pixels that a mark extends from its point."""


@dataclass(frozen=True)
class Placed:
    """A label's place, as shares of the plot."""

    text: str
    at: tuple[float, float]
    anchor: str
    """The end of the label that lies there: "left", "center" or "right"."""
    leader_end: tuple[float, float] | None
    """End of a line from the label; None for a label beside the series that it names."""


def place(
    series: Sequence[Series],
    height: float,
    thresholds: Iterable[tuple[float | None, float | None]],
    narrow: int = NARROW,
) -> list[Placed] | None:
    """A place for each series with a name, in a plot `height` pixels high; None if one has no room or no points.

    `thresholds` are lines across the plot: the share of the width, or of the height. `narrow` is the plot's width where
    it is narrowest.
    """
    lines = list(thresholds)
    # What fits a narrow page fits every page. Otherwise labels may cross the lines there, but never each other, and a
    # label across a threshold is better than none.
    attempts = (
        _place_all(series, width, height, lines, may_cross=may_cross)
        for width in (narrow, _HALF_PAGE_PX)
        for may_cross in (False, True)
    )
    return next(filter(None, attempts), None)


def _place_all(
    series: Sequence[Series],
    width: int,
    height: float,
    thresholds: Sequence[tuple[float | None, float | None]],
    *,
    may_cross: bool,
) -> list[Placed] | None:
    """Places in a plot of this size, for labels that may or may not lie across a threshold."""
    size = np.array([width, height])
    grid = _grid(series, size)
    if not may_cross:
        _cross(grid, thresholds)
    upright = np.array([share * width for share, _ in thresholds if share is not None])
    points = [one.points[np.isfinite(one.points).all(axis=1)] * size for one in series]
    placed = []
    for number, one in enumerate(series):
        if not one.name:
            continue
        own = _few(points[number], _MAX_POINTS)
        others = [_few(points[i], _MAX_OTHER_POINTS) for i in range(len(series)) if i != number and series[i].name]
        rest = np.vstack([np.zeros((0, 2)), *others])
        boxes = _free(grid, one.name)
        found = _beside(boxes, own, rest) or _joined(boxes, own, rest, upright)
        if found is None:
            return None
        at, anchor, leader_end = found
        placed.append(
            Placed(one.name, _share(at, size), anchor, None if leader_end is None else _share(leader_end, size))
        )
        left = at[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * _CHAR_WIDTH_PX * len(one.name)
        ends = (left, left + _CHAR_WIDTH_PX * len(one.name)) if width < _HALF_PAGE_PX else (0, width)
        _fill(grid, (ends[0], at[1] - _LINE_HEIGHT_PX / 2), (ends[1], at[1] + _LINE_HEIGHT_PX / 2))
    return placed


def _share(point: Floats, size: Floats) -> tuple[float, float]:
    x, y = (point / size).tolist()
    return x, y


def _few(points: Floats, most: int) -> Floats:
    """At most `most` of the points, evenly chosen."""
    chosen = np.unique(np.linspace(0, max(len(points) - 1, 0), most).astype(int))
    few: Floats = points[chosen[chosen < len(points)]]
    return few


def _grid(series: Sequence[Series], size: Floats) -> Flags:
    """Cells, by row from below and column, in which something is drawn."""
    columns, rows = (size // _CELL_PX).astype(int)  # no cell reaches beyond the frame
    grid = np.zeros((rows, columns), dtype=bool)
    for one in series:
        filled = one.filled[np.isfinite(one.filled).all(axis=1)] * np.tile(size, 2)
        if not one.radius and np.array_equal(filled[:, :2], filled[:, 2:]):
            cells = (filled / _CELL_PX).astype(int)
            grid[cells[:, 1].clip(0, rows - 1), cells[:, 0].clip(0, columns - 1)] = True
            continue
        for left, bottom, right, top in filled.tolist():
            _fill(grid, (left - one.radius, bottom - one.radius), (right + one.radius, top + one.radius))
    return grid


def _cross(grid: Flags, thresholds: Iterable[tuple[float | None, float | None]]) -> None:
    rows, columns = grid.shape
    for x_share, y_share in thresholds:
        if x_share is not None and 0 <= x_share <= 1:
            grid[:, min(int(x_share * columns), columns - 1)] = True
        if y_share is not None and 0 <= y_share <= 1:
            grid[min(int(y_share * rows), rows - 1)] = True


def _fill(grid: Flags, low: tuple[float, float], high: tuple[float, float]) -> None:
    left, bottom = (max(int(end // _CELL_PX), 0) for end in low)
    right, top = (int(end // _CELL_PX) + 1 for end in high)
    grid[bottom:top, left:right] = True


def _free(grid: Flags, name: str) -> Floats:
    """Rectangles of the label's size with nothing in them: left, bottom, right and top in pixels, a row each."""
    width, height = -(-_CHAR_WIDTH_PX * len(name) // _CELL_PX), -(-_LINE_HEIGHT_PX // _CELL_PX)
    if grid.shape[0] < height or grid.shape[1] < width:
        return np.zeros((0, 4))
    total = np.pad(grid.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    held = total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    bottom, left = np.nonzero(held == 0)
    return np.column_stack([left, bottom, left + width, bottom + height]).astype(float) * _CELL_PX


def _gaps(boxes: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Pixels between boxes and points, to the side and up or down; 0 where a point lies within the box's span."""
    x, y = points[:, 0], points[:, 1]
    aside = np.maximum(boxes[:, [0]] - x, x - boxes[:, [2]]).clip(0)
    along = np.maximum(boxes[:, [1]] - y, y - boxes[:, [3]]).clip(0)
    return aside, along


def _nearest(boxes: Floats, points: Floats) -> Floats:
    """Pixels from each box to the nearest point; without any, as far as can be."""
    nearest: Floats = np.hypot(*_gaps(boxes, points)).min(axis=1, initial=np.inf)
    return nearest


def _beside(boxes: Floats, own: Floats, others: Floats) -> tuple[Floats, str, Floats | None] | None:
    """The box beside, above or below an own point that is farthest from the others; None if none is near enough."""
    if not len(own):
        return None
    aside, along = _gaps(boxes, own)
    centred = np.abs((boxes[:, [0]] + boxes[:, [2]]) / 2 - own[:, 0]) <= _CELL_PX
    level = np.abs((boxes[:, [1]] + boxes[:, [3]]) / 2 - own[:, 1]) <= _CELL_PX
    fits = (centred & (along <= _MAX_GAP_PX)) | (level & (aside <= _MAX_GAP_PX) & (aside > 0))
    gap = np.where(fits, aside + along, np.inf).min(axis=1)
    near = np.flatnonzero(np.isfinite(gap))
    clear = _nearest(boxes[near], others)
    worth = np.where(
        clear >= gap[near] + _MIN_SEPARATION_PX, clear.clip(max=4 * _MIN_SEPARATION_PX) - gap[near], -np.inf
    )
    if worth.max(initial=-np.inf) == -np.inf:
        return None
    best = int(near[np.argmax(worth)])
    left, bottom, right, top = boxes[best]
    point = own[int(np.argmin(np.where(fits[best], aside[best] + along[best], np.inf)))]
    middle = (bottom + top) / 2
    if point[0] < left:
        return np.array([left, middle]), "left", None
    if point[0] > right:
        return np.array([right, middle]), "right", None
    return np.array([(left + right) / 2, middle]), "center", None


def _joined(boxes: Floats, own: Floats, others: Floats, upright: Floats) -> tuple[Floats, str, Floats | None] | None:
    """The box nearest to an own point that is far from the others, with that point; None if there is none.

    A box on the point's side of every `upright` threshold is taken before one on the other side.
    """
    if not len(boxes) or not len(own):
        return None
    astray = np.where(_nearest(boxes, _few(others, _MAX_POINTS)) < _nearest(boxes, own), _MAX_EXTRA_LEADER_PX, 0)
    if len(others):
        apart = (
            np.hypot(own[:, [0]] - others[:, 0], own[:, [1]] - others[:, 1])
            .min(axis=1)
            .clip(max=4 * _MIN_SEPARATION_PX)
        )
        own = own[apart >= _MIN_DISTANCE_SHARE * apart.max()]
    aside, along = _gaps(boxes, own)
    away = np.hypot(aside, along)
    # A line that leads to the side starts at the end of the text, so it must not run below or above the text.
    lengths = np.where((away >= _MIN_LEADER_PX) & (aside > 0), away, np.inf)
    centres = (boxes[:, [0]] + boxes[:, [2]]) / 2
    over = sum(((centres < line) != (own[:, 0] < line)) * _MAX_EXTRA_LEADER_PX for line in upright.tolist())
    best, chosen = np.unravel_index(int(np.argmin(lengths + astray[:, None] + over)), lengths.shape)
    if not np.isfinite(lengths[best, chosen]):
        return None
    left, bottom, right, top = boxes[best]
    point, middle = own[chosen], (bottom + top) / 2
    return (np.array([left, middle]), "left", point) if point[0] < left else (np.array([right, middle]), "right", point)
