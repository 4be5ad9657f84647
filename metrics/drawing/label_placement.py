"""Places for names beside marks: on no mark, no other name and no line, in pixels from a plot's upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from metrics.tables.table import Flags, Floats

RADIUS_PX, GAP_PX = 8, 10
"""Radius of a mark, and pixels from its centre to a name beside it."""
_LINE_HEIGHT_PX, _ABOVE_PX, _BELOW_PX = 15, 11, 3
"""Height of a line of text, and how far its letters reach above and below its baseline."""
_SHIFTS_PX = (0, -7, 7, -14, 14, -20, 20)
"""How far a name beside a mark may be moved up or down, in the order tried."""
_MAX_LINES_AWAY, _SIDE_OFFSET_PX = 6, 40
"""Lines by which a name may be above or below its mark, and pixels by which it may be beside it there."""
_LEADER_FROM_PX, _LEADER_HALF_WIDTH_PX, _LEADER_BOXES = 25, 3, 8
"""Pixels above or below a mark from which a line joins it and its name, and the boxes that such a line takes."""
_CLOSE_PX = 60
"""Marks so near to each other to the side have names in their own order."""


class Box(NamedTuple):
    """A part of the plot."""

    left: float
    top: float
    right: float
    bottom: float


class Label(NamedTuple):
    """Place of a name: its baseline, and which end of it `x` is, as SVG's `text-anchor` says."""

    x: float
    y: float
    anchor: str
    joined: bool
    """Whether it is so far above or below its mark that a line must join them."""


def place_labels(
    marks: Sequence[tuple[float, float]],
    widths: Sequence[float],
    frame: Box,
    sides: Sequence[Box],
    lines: Sequence[Box] = (),
) -> list[Label | None]:
    """For each mark the nearest free place of its name, of these widths in pixels, 0 for none; None without a place.

    Names stay within the frame, and if possible within their `sides` of it and off the `lines`. The first marks choose
    first; those that find no place choose before the others in a second attempt.
    """
    order = list(range(len(marks)))
    first = _in_order(order, marks, widths, frame, sides, lines)
    order.sort(key=lambda index: first[index] is not None)
    second = first if None not in first else _in_order(order, marks, widths, frame, sides, lines)
    return min(first, second, key=lambda labels: labels.count(None))


def _in_order(
    order: Sequence[int],
    marks: Sequence[tuple[float, float]],
    widths: Sequence[float],
    frame: Box,
    sides: Sequence[Box],
    lines: Sequence[Box],
) -> list[Label | None]:
    """The nearest place of each name that those before it in the order have left free."""
    labels: list[Label | None] = [None] * len(marks)
    points = np.array(marks).reshape(-1, 2)
    mark_boxes, taken = np.hstack([points - RADIUS_PX, points + RADIUS_PX]), np.zeros((0, 4))
    for index in filter(lambda index: widths[index], order):
        mark, width = marks[index], widths[index]
        options = list(_options(mark, width, frame))
        boxes = np.array([_box(label, width) for label in options])
        leaders = np.array([_leader(mark, label) for label in options])
        others = np.vstack([np.delete(mark_boxes, index, axis=0), taken])
        free = ~_overlaps(boxes, np.vstack([mark_boxes, taken])) & _within(boxes, frame)
        free &= ~_overlaps(leaders.reshape(-1, 4), others).reshape(len(options), _LEADER_BOXES).any(axis=1)
        off_lines = free & ~_overlaps(boxes, np.array(lines).reshape(-1, 4))
        ordered = off_lines & [_in_order_of_marks(label, mark, labels, marks) for label in options]
        for allowed in (ordered & _within(boxes, sides[index]), ordered, off_lines, free):
            if allowed.any():
                best = int(allowed.argmax())
                labels[index] = options[best]
                taken = np.vstack([taken, boxes[[best]], leaders[best]])
                break
    return labels


def _in_order_of_marks(
    label: Label, mark: tuple[float, float], labels: Sequence[Label | None], marks: Sequence[tuple[float, float]]
) -> bool:
    """Whether a name is above those names of marks close by that are below its own mark, and the other way round."""
    return all(
        mark[1] == y or (label.y - other.y) * (mark[1] - y) > 0
        for other, (x, y) in zip(labels, marks, strict=True)
        if other is not None and abs(x - mark[0]) <= _CLOSE_PX
    )


def _options(mark: tuple[float, float], width: float, frame: Box) -> Iterator[Label]:
    """Beside the mark, a little higher or lower, then above or below, the nearest first."""
    x, y = mark
    for shift in _SHIFTS_PX:
        for offset, anchor in ((GAP_PX, "start"), (-GAP_PX, "end")):
            yield Label(x + offset, y + 4 + shift, anchor, joined=False)
    centred = min(max(x, frame.left + width / 2), frame.right - width / 2)
    for n_lines in range(1, _MAX_LINES_AWAY + 1):
        for baseline in (
            y - RADIUS_PX - 4 - _LINE_HEIGHT_PX * (n_lines - 1),
            y + RADIUS_PX + _LINE_HEIGHT_PX * n_lines,
        ):
            joined = abs(y + 4 - baseline) >= _LEADER_FROM_PX
            yield Label(centred, baseline, "middle", joined)
            for offset in (0, _SIDE_OFFSET_PX):
                yield Label(x + offset, baseline, "start", joined)
                yield Label(x - offset, baseline, "end", joined)


def _box(label: Label, width: float) -> Box:
    left = label.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    return Box(left, label.y - _ABOVE_PX, left + width, label.y + _BELOW_PX)


def _leader(mark: tuple[float, float], label: Label) -> Floats:
    """Boxes along the line from a mark to its label; without an area where no line joins them."""
    vector = np.array([label.x, label.y - 4]) - mark
    start = (RADIUS_PX + _LEADER_HALF_WIDTH_PX) / max(float(np.hypot(*vector)), RADIUS_PX + _LEADER_HALF_WIDTH_PX)
    points = mark + np.linspace(start, 1, _LEADER_BOXES)[:, None] * vector
    half_width = _LEADER_HALF_WIDTH_PX if label.joined else 0
    return np.hstack([points - half_width, points + half_width])


def _overlaps(boxes: Floats, others: Floats) -> Flags:
    """Which boxes have an area in common with any of the others."""
    low, high = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    flags: Flags = np.any((high > low).all(axis=2), axis=1)
    return flags


def _within(boxes: Floats, frame: Box) -> Flags:
    return np.asarray((boxes[:, :2] >= frame[:2]).all(axis=1) & (boxes[:, 2:] <= frame[2:]).all(axis=1))
