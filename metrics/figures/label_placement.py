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


def place_labels(
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
    vertical_thresholds = np.array([share * width for share, _ in thresholds if share is not None])
    points = [item.points[np.isfinite(item.points).all(axis=1)] * size for item in series]
    labels = []
    for index, item in enumerate(series):
        if not item.name:
            continue
        own_points = _few(points[index], _MAX_POINTS)
        others = [_few(points[i], _MAX_OTHER_POINTS) for i in range(len(series)) if i != index and series[i].name]
        other_points = np.vstack([np.zeros((0, 2)), *others])
        boxes = _free(grid, item.name)
        placement = _beside(boxes, own_points, other_points) or _joined(
            boxes, own_points, other_points, vertical_thresholds
        )
        if placement is None:
            return None
        at, anchor, leader_end = placement
        labels.append(
            Placed(item.name, _share(at, size), anchor, None if leader_end is None else _share(leader_end, size))
        )
        left = at[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * _CHAR_WIDTH_PX * len(item.name)
        ends = (left, left + _CHAR_WIDTH_PX * len(item.name)) if width < _HALF_PAGE_PX else (0, width)
        _fill(grid, (ends[0], at[1] - _LINE_HEIGHT_PX / 2), (ends[1], at[1] + _LINE_HEIGHT_PX / 2))
    return labels


def _share(point: Floats, size: Floats) -> tuple[float, float]:
    x, y = (point / size).tolist()
    return x, y


def _few(points: Floats, max_points: int) -> Floats:
    """At most `max_points` of the points, evenly spaced."""
    indices = np.unique(np.linspace(0, max(len(points) - 1, 0), max_points).astype(int))
    sample: Floats = points[indices[indices < len(points)]]
    return sample


def _grid(series: Sequence[Series], size: Floats) -> Flags:
    """Cells, by row from below and column, in which something is drawn."""
    columns, rows = (size // _CELL_PX).astype(int)  # no cell reaches beyond the frame
    grid = np.zeros((rows, columns), dtype=bool)
    for item in series:
        filled = item.filled[np.isfinite(item.filled).all(axis=1)] * np.tile(size, 2)
        if not item.radius and np.array_equal(filled[:, :2], filled[:, 2:]):
            cells = (filled / _CELL_PX).astype(int)
            grid[cells[:, 1].clip(0, rows - 1), cells[:, 0].clip(0, columns - 1)] = True
            continue
        for left, bottom, right, top in filled.tolist():
            _fill(grid, (left - item.radius, bottom - item.radius), (right + item.radius, top + item.radius))
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
    n_filled = total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    bottom, left = np.nonzero(n_filled == 0)
    return np.column_stack([left, bottom, left + width, bottom + height]).astype(float) * _CELL_PX


def _gaps(boxes: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Pixels between boxes and points, to the side and up or down; 0 where a point lies within the box's span."""
    x, y = points[:, 0], points[:, 1]
    horizontal = np.maximum(boxes[:, [0]] - x, x - boxes[:, [2]]).clip(0)
    vertical = np.maximum(boxes[:, [1]] - y, y - boxes[:, [3]]).clip(0)
    return horizontal, vertical


def _nearest(boxes: Floats, points: Floats) -> Floats:
    """Pixels from each box to the nearest point; without any, as far as can be."""
    nearest: Floats = np.hypot(*_gaps(boxes, points)).min(axis=1, initial=np.inf)
    return nearest


def _beside(boxes: Floats, own_points: Floats, other_points: Floats) -> tuple[Floats, str, Floats | None] | None:
    """The box beside, above or below an own point that is farthest from the others; None if none is near enough."""
    if not len(own_points):
        return None
    horizontal, vertical = _gaps(boxes, own_points)
    centred = np.abs((boxes[:, [0]] + boxes[:, [2]]) / 2 - own_points[:, 0]) <= _CELL_PX
    level = np.abs((boxes[:, [1]] + boxes[:, [3]]) / 2 - own_points[:, 1]) <= _CELL_PX
    fits = (centred & (vertical <= _MAX_GAP_PX)) | (level & (horizontal <= _MAX_GAP_PX) & (horizontal > 0))
    gaps = np.where(fits, horizontal + vertical, np.inf).min(axis=1)
    candidates = np.flatnonzero(np.isfinite(gaps))
    clearance = _nearest(boxes[candidates], other_points)
    scores = np.where(
        clearance >= gaps[candidates] + _MIN_SEPARATION_PX,
        clearance.clip(max=4 * _MIN_SEPARATION_PX) - gaps[candidates],
        -np.inf,
    )
    if scores.max(initial=-np.inf) == -np.inf:
        return None
    best = int(candidates[np.argmax(scores)])
    left, bottom, right, top = boxes[best]
    point = own_points[int(np.argmin(np.where(fits[best], horizontal[best] + vertical[best], np.inf)))]
    middle = (bottom + top) / 2
    if point[0] < left:
        return np.array([left, middle]), "left", None
    if point[0] > right:
        return np.array([right, middle]), "right", None
    return np.array([(left + right) / 2, middle]), "center", None


def _joined(
    boxes: Floats, own_points: Floats, other_points: Floats, vertical_thresholds: Floats
) -> tuple[Floats, str, Floats | None] | None:
    """The box nearest to an own point that is far from the others, with that point; None if there is none.

    A box on the point's side of every vertical threshold is taken before one on the other side.
    """
    if not len(boxes) or not len(own_points):
        return None
    penalties = np.where(
        _nearest(boxes, _few(other_points, _MAX_POINTS)) < _nearest(boxes, own_points), _MAX_EXTRA_LEADER_PX, 0
    )
    if len(other_points):
        separation = (
            np.hypot(own_points[:, [0]] - other_points[:, 0], own_points[:, [1]] - other_points[:, 1])
            .min(axis=1)
            .clip(max=4 * _MIN_SEPARATION_PX)
        )
        own_points = own_points[separation >= _MIN_DISTANCE_SHARE * separation.max()]
    horizontal, vertical = _gaps(boxes, own_points)
    distances = np.hypot(horizontal, vertical)
    # A line that leads to the side starts at the end of the text, so it must not run below or above the text.
    lengths = np.where((distances >= _MIN_LEADER_PX) & (horizontal > 0), distances, np.inf)
    centres = (boxes[:, [0]] + boxes[:, [2]]) / 2
    crossing_penalties = sum(
        ((centres < line) != (own_points[:, 0] < line)) * _MAX_EXTRA_LEADER_PX for line in vertical_thresholds.tolist()
    )
    best, point_index = np.unravel_index(
        int(np.argmin(lengths + penalties[:, None] + crossing_penalties)), lengths.shape
    )
    if not np.isfinite(lengths[best, point_index]):
        return None
    left, bottom, right, top = boxes[best]
    point, middle = own_points[point_index], (bottom + top) / 2
    return (np.array([left, middle]), "left", point) if point[0] < left else (np.array([right, middle]), "right", point)
