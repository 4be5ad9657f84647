"""The plane of highest risk and information kept, as page and report draw it: positions, ticks and names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10

from metrics.drawing.label_placement import GAP_PX, Box, Label, place_labels
from metrics.drawing.version_styles import name_ending
from metrics.formatting import within_sentence

_TICKS = (0.0001, 0.001, 0.01, 0.05, 0.2, 1.0)
HIGHEST, HIGHEST_RISK = 1.06, 1.3
"""Upper ends of the axes of information and of risk, so that a mark at 100% is inside."""
_CHAR_WIDTH_PX, _BOLD_CHAR_WIDTH_PX = 7.2, 7.9
"""Width of a character, on average in a wide typeface."""
_MIN_NAME_LENGTH = 8
"""Letters that a name keeps, whatever room it has."""
_ON_LINE_PX = 2
"""Pixels up to which a mark is on a limit's line, which it then meets."""
_LIMIT_LINE_HALF_WIDTH_PX = 8
"""Half of the width that a limit's line takes: a name across it would seem to be on both sides."""
_INSET_PX = 4
"""Pixels between the left end and a name, so that a wide typeface does not reach the ticks there."""


@dataclass(frozen=True)
class RiskPlane:
    """Risk to the right on a logarithmic axis, information upwards; in pixels from the top left corner.

    Parameters
    ----------
    lowest : float
        The risk at the left end, above 0.
    limit : float or None
        The largest risk accepted.
    width, height : float
        Size of the plot in pixels.
    """

    lowest: float
    limit: float | None
    width: float
    height: float

    @classmethod
    def from_risks(cls, risks: Iterable[float], limit: float | None, width: float, height: float) -> RiskPlane:
        """The plane that holds these risks and the limit."""
        return cls(min([*risks, *([limit] if limit else [])]) / 8, limit or None, width, height)

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
        names: Sequence[str],
        current: int | None = None,
        lines: Sequence[Box] = (),
    ) -> list[Label | None]:
        """Places for the names of marks, first for that of the current one, which is bold; None where none is free.

        A name stays on its mark's side of the limit, if it fits there.
        """
        order = sorted(range(len(places)), key=lambda index: index != current)
        widths = [(_BOLD_CHAR_WIDTH_PX if index == current else _CHAR_WIDTH_PX) * len(names[index]) for index in order]
        marks, frame = [places[index] for index in order], Box(_INSET_PX, 0, self.width, self.height + 4)
        sides = [self._side(x) for x, _ in marks]
        labels = dict(zip(order, place_labels(marks, widths, frame, sides, [*lines, *self._limit_line()]), strict=True))
        return [labels[index] for index in range(len(places))]

    def room(self, x: float) -> float:
        """Pixels beside a mark for its name, on the mark's side of the limit."""
        side = self._side(x)
        line_width = 0 if self.limit is None else _LIMIT_LINE_HALF_WIDTH_PX
        return max(x - max(side.left, _INSET_PX), side.right - x) - GAP_PX - line_width

    def _side(self, x: float) -> Box:
        """The part of the plane that a mark's name may take."""
        line = None if self.limit is None else self.to_x(self.limit)
        left = 0.0 if line is None or x <= line + _ON_LINE_PX else line
        right = self.width if line is None or left else line + _ON_LINE_PX
        return Box(left, 0, right, self.height + 4)

    def _limit_line(self) -> list[Box]:
        if self.limit is None:
            return []
        x = self.to_x(self.limit)
        return [Box(x - _LIMIT_LINE_HALF_WIDTH_PX, 0, x + _LIMIT_LINE_HALF_WIDTH_PX, self.height)]


def information_axis(measure: str, overstated: Iterable[bool]) -> str:
    """The name of the axis of a measure, which explains the sign beside names of overstated versions."""
    return f"{within_sentence(measure)} (≤: upper bound)" if any(overstated) else within_sentence(measure)


def mark_name(name: str, overstated: bool, room: float, *, fails: bool = False) -> str:
    """A version's name beside its mark, shortened to pixels of `room`.

    Its information is an upper bound if perturbed values count as kept.
    """
    before, after = "✗ " if fails else "", " (≤)" if overstated else ""
    fitting = int(room / _BOLD_CHAR_WIDTH_PX) - len(before + after)
    return f"{before}{name_ending(name, max(fitting, _MIN_NAME_LENGTH))}{after}"


def risk_text(risk: float) -> str:
    """A tick of the axis."""
    return f"{100 * risk:.10g}%"
