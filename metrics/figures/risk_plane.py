"""The plane of highest risk and information kept, as page and report draw it: positions, ticks, labels kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import log10
from typing import NamedTuple

import numpy as np

from metrics.figures.candidate_styles import name_ending
from metrics.formatting import within_sentence
from metrics.tables.table import Flags, Floats

_TICKS = (0.0001, 0.001, 0.01, 0.05, 0.2, 1.0)
HIGHEST, HIGHEST_RISK = 1.06, 1.3
"""Upper ends of the axes of information and of risk, so that a mark at 100% is inside."""
_LINE_HEIGHT_PX = 15
"""Height of a line of text."""
_CHAR_WIDTH_PX, _BOLD_CHAR_WIDTH_PX = 7.2, 7.9
"""Width of a character, on average in a wide typeface."""
_MIN_NAME_LENGTH = 8
"""Letters that a name keeps, whatever room it has."""
_RADIUS_PX, _GAP_PX = 8, 10
"""Radius of a mark, and pixels from its centre to a label beside it."""

_ON_LINE_PX = 2
"""Pixels up to which a mark is on a limit's line, which it then meets."""
_PENALTY_OVER_LABEL, _PENALTY_OVER_MARK, _PENALTY_ACROSS_LEADER = 5, 10, 15
"""How bad it is for a label to lie on another, on a mark, or for a line to it to cross either, compared with a line."""
_PENALTY_OTHER_SIDE, _PENALTY_OUTSIDE = 1, 20
"""How bad it is for a label to be on the other side of a limit or outside the plot, compared with being on a line."""
_LIMIT_LINE_HALF_WIDTH_PX = 8
"""Half of the width that a limit's line takes, so wide that crossing it is worse than lying on a line."""

_SHIFTS_PX = (0, -7, 7, -14, 14, -20, 20)
"""How far a label beside a mark may be moved up or down, in the order tried."""
_MAX_LINES_AWAY, _SIDE_OFFSET_PX = 6, 40
"""Lines by which a label may be above or below its mark, and pixels by which it may be beside it there."""
_PENALTY_PER_PX = 3
"""How bad each pixel is by which a label is above or below its mark: a name far away is not read as that mark's."""
_PENALTY_SWAPPED, _CLOSE_PX = 2_000, 60
"""How bad it is if labels are in another order than their marks, which are within these pixels to the side."""
_LEADER_FROM_PX = 25
"""Pixels by which a label is so far above or below its mark that a line joins them."""
_LEADER_HALF_WIDTH_PX, _LEADER_BOXES = 3, 8
"""Half of the width that such a line takes, and the number of boxes along it."""
_INSET_PX = 4
"""Pixels between the left end and a label, so that a wide typeface does not reach the ticks there."""
_ANCHOR_SHARE = {"start": 0, "middle": 0.5, "end": 1}
"""Share of a label's width that is to the left of its anchor."""


class Box(NamedTuple):
    """A part of the plane that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The area that the two have in common."""
        width = min(self.right, other.right) - max(self.left, other.left)
        return max(width, 0.0) * max(min(self.bottom, other.bottom) - max(self.top, other.top), 0.0)


class Label(NamedTuple):
    """Position of a text: its baseline, and which end of it `x` is, as SVG's `text-anchor` says."""

    x: float
    y: float
    anchor: str


@dataclass(frozen=True)
class RiskPlane:
    """Risk to the right on a logarithmic axis, information upwards; in pixels from the top left corner.

    Parameters
    ----------
    lowest : float
        The risk at the left end, above 0.
    width, height : float
        Size of the plot in pixels.
    """

    lowest: float
    width: float
    height: float

    @classmethod
    def from_risks(cls, risks: Iterable[float], limit: float | None, width: float, height: float) -> RiskPlane:
        """The plane that holds these risks and the limit."""
        return cls(min([*risks, *([limit] if limit else [])]) / 8, width, height)

    @property
    def risk_range(self) -> tuple[float, float]:
        """Ends of the risk axis, as decimal logarithms."""
        return log10(self.lowest), log10(HIGHEST_RISK)

    @property
    def ticks(self) -> list[float]:
        """Risks that the axis names."""
        return [tick for tick in _TICKS if tick >= self.lowest]

    def to_x(self, risk: float) -> float:
        """Pixels from the left end."""
        low, high = self.risk_range
        return self.width * (log10(risk) - low) / (high - low)

    def to_y(self, information: float) -> float:
        """Pixels from the upper end."""
        return self.height * (1 - information / HIGHEST)

    def labels(
        self,
        places: Sequence[tuple[float, float]],
        texts: Sequence[str],
        bold: Sequence[bool],
        taken: Iterable[Box],
        limit: float | None = None,
    ) -> list[Label]:
        """Place the labels of the marks at `places`, free of marks, of each other and of what is taken.

        A label stays on its mark's side of the limit on risk, if it fits there.
        """
        marks = [Box(x - _RADIUS_PX, y - _RADIUS_PX, x + _RADIUS_PX, y + _RADIUS_PX) for x, y in places]
        mark_boxes = _array(marks)
        label_options = []
        for place, text, is_bold in zip(places, texts, bold, strict=True):
            width = (_BOLD_CHAR_WIDTH_PX if is_bold else _CHAR_WIDTH_PX) * len(text)
            label_options.append(self._options(place, width, _array(taken), mark_boxes, self._side(place[0], limit)))

        @cache
        def on_other(index: int, other_index: int, choice: int) -> Floats:
            options, other = label_options[index], label_options[other_index]
            (x, y), (other_x, other_y) = places[index], places[other_index]
            swapped = (options.baselines - other.baselines[choice]) * (y - other_y) < 0
            order_penalty: Floats = _PENALTY_SWAPPED * (swapped & (abs(x - other_x) <= _CLOSE_PX))
            return options.covered(other.taken(choice), _PENALTY_OVER_LABEL) + order_penalty

        choices: dict[int, int] = {}
        # Twice more, as the first labels were placed without knowledge of the last.
        for index in [*range(len(label_options))] * 3:
            penalties = [
                on_other(index, other_index, choice) for other_index, choice in choices.items() if other_index != index
            ]
            choices[index] = int(np.argmin(sum(penalties, label_options[index].cost)))
        return [options.labels[choices[index]] for index, options in enumerate(label_options)]

    def room(self, x: float, limit: float | None) -> float:
        """Pixels beside a mark for its label, on the mark's side of the limit on risk."""
        side = self._side(x, limit)
        line_width = 0 if limit is None else _LIMIT_LINE_HALF_WIDTH_PX
        return max(x - max(side.left, _INSET_PX), side.right - x) - _GAP_PX - line_width

    def _side(self, x: float, limit: float | None) -> Box:
        """The part of the plane that a mark's label may take."""
        line = None if limit is None else self.to_x(limit)
        left = 0.0 if line is None or x <= line + _ON_LINE_PX else line
        right = self.width if line is None or left else line + _ON_LINE_PX
        return Box(left, 0, right, self.height + 4)

    def _options(self, place: tuple[float, float], width: float, taken: Floats, marks: Floats, side: Box) -> _Options:
        """Beside the mark, a little higher or lower if need be, else above or below, at the edge if that is near."""
        x, y = place
        labels = [
            Label(x + offset, y + 4 + shift, anchor)
            for shift in _SHIFTS_PX
            for offset, anchor in ((_GAP_PX, "start"), (-_GAP_PX, "end"))
        ]
        for n_lines in range(1, _MAX_LINES_AWAY + 1):
            for baseline in (
                y - _RADIUS_PX - 4 - _LINE_HEIGHT_PX * (n_lines - 1),
                y + _RADIUS_PX + _LINE_HEIGHT_PX * n_lines,
            ):
                labels += [Label(x, baseline, anchor) for anchor in ("middle", "start", "end")]
                labels += [Label(x - _SIDE_OFFSET_PX, baseline, "end"), Label(x + _SIDE_OFFSET_PX, baseline, "start")]
                # At the edge, if the label still reaches its mark.
                ends = (width + _INSET_PX, self.width)
                labels += [_reaching(x, end - width, end, baseline) for end in ends if end - width < x < end]
        x_positions, baselines = np.array([label[:2] for label in labels]).T
        left = x_positions - width * np.array([_ANCHOR_SHARE[label.anchor] for label in labels])
        boxes = np.column_stack([left, baselines - _LINE_HEIGHT_PX + 4, left + width, baselines + 3])
        has_line = np.array([has_leader(place, label) for label in labels])
        options = _Options(
            labels, boxes, _leaders(place, np.column_stack([x_positions, baselines - 4]), has_line), np.zeros(0)
        )
        inside, on_side = (
            _shared(boxes, _array([box]))[:, 0] for box in (Box(_INSET_PX, 0, self.width, self.height + 4), side)
        )
        # Outside the plane or, less bad, its side of it; on a line, which the line to a label may cross; on a mark.
        outside_penalty = _PENALTY_OUTSIDE * (width * (_LINE_HEIGHT_PX - 1) - inside) + _PENALTY_OTHER_SIDE * (
            inside - on_side
        )
        cost = outside_penalty + _shared(boxes, taken).sum(axis=1) + options.covered(marks, _PENALTY_OVER_MARK)
        cost += _PENALTY_PER_PX * np.abs(y + 4 - baselines)
        return replace(options, cost=cost)


@dataclass(frozen=True)
class _Options:
    """Labels that a mark may have, the nearest first."""

    labels: list[Label]
    boxes: Floats
    leaders: Floats
    """Boxes along the line to each label, in a third dimension."""
    cost: Floats
    """How bad each is, whatever the other labels are."""

    @cached_property
    def baselines(self) -> Floats:
        """How far down each label is, in pixels."""
        return np.array([label.y for label in self.labels])

    def taken(self, index: int) -> Floats:
        """Return the boxes that a label and the line to it take."""
        return np.vstack([self.boxes[index], self.leaders[index]])

    def covered(self, others: Floats, weight: float) -> Floats:
        """How bad it is for each label, by the weight, and for the line to it to lie on others."""
        leader_overlap = (
            _shared(self.leaders.reshape(-1, 4), others).sum(axis=1).reshape(len(self.labels), -1).sum(axis=1)
        )
        penalty: Floats = weight * _shared(self.boxes, others).sum(axis=1) + _PENALTY_ACROSS_LEADER * leader_overlap
        return penalty


def _array(boxes: Iterable[Box]) -> Floats:
    """A row per box."""
    return np.array([*boxes], dtype=np.float64).reshape(-1, 4)


def has_leader(place: tuple[float, float], label: Label) -> bool:
    """Whether a label is so far above or below its mark that a line must join them."""
    return abs(place[1] + 4 - label.y) >= _LEADER_FROM_PX


def _reaching(x: float, left: float, right: float, baseline: float) -> Label:
    """A label from left to right whose line begins where it is nearest to the mark."""
    ends = {"start": left, "middle": (left + right) / 2, "end": right}
    anchor = min(ends, key=lambda anchor: abs(ends[anchor] - x))
    return Label(ends[anchor], baseline, anchor)


def _leaders(place: tuple[float, float], ends: Floats, has_line: Flags) -> Floats:
    """Boxes along the line from a mark to each end; without an area where no line joins them."""
    vectors = ends - place
    start = (_RADIUS_PX + _LEADER_HALF_WIDTH_PX) / np.hypot(*vectors.T).clip(_RADIUS_PX + _LEADER_HALF_WIDTH_PX)
    points = place + np.linspace(start, 1, _LEADER_BOXES, axis=1)[:, :, None] * vectors[:, None]
    half_width = _LEADER_HALF_WIDTH_PX * has_line[:, None, None]
    return np.concatenate([points - half_width, points + half_width], axis=2)


def _shared(boxes: Floats, others: Floats) -> Floats:
    """The area that each of some boxes has in common with each of the others."""
    low, high = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    areas: Floats = (high - low).clip(0).prod(axis=2)
    return areas


def limit_box(plane: RiskPlane, limit: float) -> Box:
    """What the limit's line takes: a name across it would seem to be on both sides."""
    x = plane.to_x(limit)
    return Box(x - _LIMIT_LINE_HALF_WIDTH_PX, 0, x + _LIMIT_LINE_HALF_WIDTH_PX, plane.height)


def information_axis(measure: str, overstated: Iterable[bool]) -> str:
    """The name of the axis of a measure, which explains the sign beside names of overstated candidates."""
    return f"{within_sentence(measure)} (≤: upper bound)" if any(overstated) else within_sentence(measure)


def mark_name(name: str, overstated: bool, room: float, *, fails: bool = False) -> str:
    """A candidate's name beside its mark, shortened to pixels of `room`.

    Its information is an upper bound if perturbed values count as kept.
    """
    before, after = "✗ " if fails else "", " (≤)" if overstated else ""
    fitting = int(room / _BOLD_CHAR_WIDTH_PX) - len(before + after)
    return f"{before}{name_ending(name, max(fitting, _MIN_NAME_LENGTH))}{after}"


def risk_text(risk: float) -> str:
    """A tick of the axis."""
    return f"{100 * risk:.10g}%"
