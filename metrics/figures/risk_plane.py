"""The plane of highest risk and information kept, as page and report draw it: positions, ticks, labels kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

from metrics.figures.candidate_styles import short_name

_MAX_NAME = 26
"""Characters of a candidate's name that are shown."""
_TICKS = (0.0001, 0.001, 0.01, 0.05, 0.2, 1.0)
HIGHEST = 1.06
"""Upper end of both axes, as a multiple of 1."""
_LINE = 15
"""Height of a line of text."""
_LETTER, _BOLD_LETTER = 6.4, 7.2
"""Width of a character, on average."""
_RADIUS = 8
"""Radius of a mark."""


_LIMIT_WIDTH = 58
_ON_LINE = 2
"""Pixels up to which a mark is on a limit's line, which it then meets."""
_ON_MARK = 3
"""How bad it is for a label to lie on a mark, compared with a line."""
_OTHER_SIDE = 0.2
"""How bad it is for a label to be on the other side of a limit, compared with being on something."""
_LIMIT_LINE = 8
"""Half of the width that a limit's line takes, so wide that crossing it is worse than lying on a mark."""

_SHIFTS = (0, -7, 7, -14, 14, -20, 20)
"""How far a label beside a mark may be moved up or down, in the order tried."""


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
    def of(cls, risks: Iterable[float], limit: float | None, width: float, height: float) -> RiskPlane:
        """The plane that holds these risks and the limit."""
        return cls(min([*risks, *([limit] if limit else [])]) / 8, width, height)

    @property
    def risk_range(self) -> tuple[float, float]:
        """Ends of the risk axis, as decimal logarithms."""
        return log10(self.lowest), log10(HIGHEST)

    @property
    def ticks(self) -> list[float]:
        """Risks that the axis names."""
        return [tick for tick in _TICKS if tick >= self.lowest]

    def across(self, risk: float) -> float:
        """Pixels from the left end."""
        low, high = self.risk_range
        return self.width * (log10(risk) - low) / (high - low)

    def down(self, information: float) -> float:
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
        marks = [Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in places]
        occupied = [*marks * _ON_MARK, *taken]
        found = []
        for place, text, strong in zip(places, texts, bold, strict=True):
            width = (_BOLD_LETTER if strong else _LETTER) * len(text)
            label, box = self._free(place, width, occupied, self._side(place[0], limit))
            occupied.append(box)
            found.append(label)
        return found

    def _side(self, x: float, limit: float | None) -> Box:
        """The part of the plane that a mark's label may take."""
        line = None if limit is None else self.across(limit)
        left = 0.0 if line is None or x <= line + _ON_LINE else line
        right = self.width + _RADIUS if line is None or left else line + _ON_LINE
        return Box(left, 0, right, self.height + 4)

    def _free(self, place: tuple[float, float], width: float, occupied: Sequence[Box], side: Box) -> tuple[Label, Box]:
        """Beside the mark, a little higher or lower if need be, else above or below, at the edge if that is near."""
        x, y = place
        options = [
            Label(x + side, y + 4 + shift, anchor)
            for shift in _SHIFTS
            for side, anchor in ((10, "start"), (-10, "end"))
        ]
        for lines in (1, 2, 3, 4):
            for baseline in (y - _RADIUS - 4 - _LINE * (lines - 1), y + _RADIUS + _LINE * lines):
                options += [Label(x, baseline, anchor) for anchor in ("middle", "start", "end")]
                # At the edge, if the label still reaches its mark.
                options += [Label(0, baseline, "start")] if width > x else []
                options += [Label(self.width + _RADIUS, baseline, "end")] if self.width + _RADIUS - width < x else []
        plane = Box(0, 0, self.width + _RADIUS, self.height + 4)
        boxes = []
        for option in options:
            left = option.x - width * {"start": 0, "middle": 0.5, "end": 1}[option.anchor]
            boxes.append(Box(left, option.y - _LINE + 4, left + width, option.y + 3))

        def covered(box: Box) -> float:
            """The part of a label that is not free: outside the plane or, less bad, its side of it, or on something."""
            beyond = box.shared(box) - box.shared(plane) + _OTHER_SIDE * (box.shared(plane) - box.shared(side))
            return beyond + sum(box.shared(other) for other in occupied)

        number = min(range(len(boxes)), key=lambda i: covered(boxes[i]))
        return options[number], boxes[number]


def limit_boxes(plane: RiskPlane, limit: float) -> list[Box]:
    """Box the limit's line and its label at the foot: a name across it would seem to be on both sides."""
    x = plane.across(limit)
    return [
        Box(x - _LIMIT_LINE, 0, x + _LIMIT_LINE, plane.height),
        Box(x, plane.height - _LINE, x + _LIMIT_WIDTH, plane.height),
    ]


def mark_name(label: str, overstated: bool, *, fails: bool = False) -> str:
    """A candidate's name beside its mark; its information is an upper bound if perturbed values count as kept."""
    return f"{'✗ ' if fails else ''}{short_name(label, _MAX_NAME)}{' (≤)' if overstated else ''}"


def risk_text(risk: float) -> str:
    """A tick of the axis."""
    return f"{100 * risk:.10g}%"
