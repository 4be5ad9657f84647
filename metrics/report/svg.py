"""The figures of a report as static drawings: versions by risk and information, records by class size and by cost.

Plain SVG elements with the page's own style classes: no script, no font to fetch, sharp on paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import ClassSizes
from metrics.drawing.label_placement import Label
from metrics.drawing.risk_plane import RiskPlane, information_axis, mark_name, risk_text
from metrics.drawing.version_styles import short_names
from metrics.economics.profitability import amounts_of
from metrics.formatting import format_number, percent
from metrics.policy.policy import Status
from metrics.tables.table import Floats, Integers
from metrics.texts import text

_EDGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000)
_MAX_BARS = 8
_SHARES = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of the most frequent value at which bars begin."""
_WIDTH, _HEIGHT = 380, 314
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 16, 44
_TWO_LINES = 30
"""Space above the first figure, for the name of its upright axis and for the limit."""
_CHAR_WIDTH_PX = 7.2
"""Width of a character of a label, on average, in the drawing's units."""
_TICK_CHAR_WIDTH_PX = 8.2
"""Width of digits and signs in a wide typeface: what is cut off changes what a label says."""
_ABOVE, _BELOW = 11, 4
"""How far the letters of a label reach above and below its baseline."""


@dataclass(frozen=True)
class Mark:
    """One version in the first figure."""

    label: str
    x: float
    y: float
    is_subject: bool
    """Whether it is the version that the report is about."""
    status: str
    name: Label | None
    """Place of its name; None where there is no room, and pointing at the mark alone shows it."""
    leader: tuple[float, float] | None
    """Where a line from the mark meets its name; None where the name is near enough without one."""


@dataclass(frozen=True)
class Scatter:
    """Risk against information kept, in the units of the drawing."""

    alternative: str
    finding: str
    marks: tuple[Mark, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    limit: float | None
    """Position of the risk limit; versions to the right of it fail."""
    limit_label: str
    axis: str
    """Name of the upright axis."""
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _WIDTH - _RIGHT
    top: int = _TWO_LINES
    bottom: int = _HEIGHT - _BOTTOM


@dataclass(frozen=True)
class Point:
    """A version's figures, both shares from 0 to 1."""

    label: str
    information: float
    risk: float
    is_subject: bool
    status: str
    overstated: bool = False
    """Whether perturbed values count as kept, so that the information is lower than drawn."""


def scatter(points: Sequence[Point], limit: float | None, measure: str = "Information kept") -> Scatter:
    """Place the versions by a measure of information; `limit` is the highest risk that the policy accepts, if any."""
    plane = RiskPlane.from_risks(
        (point.risk for point in points), limit, _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TWO_LINES - _BOTTOM
    )

    def to_x(x: float) -> float:
        return round(_LEFT + x, 1)

    def to_y(y: float) -> float:
        return round(_TWO_LINES + y, 1)

    positions = [(plane.to_x(point.risk), plane.to_y(point.information)) for point in points]
    texts = _mark_names(plane, points, [x for x, _ in positions])
    subject_at = next((index for index, point in enumerate(points) if point.is_subject), None)
    labels = plane.labels(positions, texts, subject_at)
    marks = tuple(
        Mark(
            label=text,
            x=to_x(x),
            y=to_y(y),
            is_subject=point.is_subject,
            status=point.status,
            name=label and label._replace(x=to_x(label.x), y=to_y(label.y)),
            leader=(to_x(label.x), to_y(_edge(y, label))) if label and label.joined else None,
        )
        for point, text, (x, y), label in zip(points, texts, positions, labels, strict=True)
    )
    subject = next((point for point in points if point.is_subject), None)
    return Scatter(
        f"{'; '.join(map(_point_description, points))}.",
        _risk_finding(subject, limit),
        marks,
        tuple((to_x(plane.to_x(tick)), risk_text(tick)) for tick in plane.ticks),
        tuple((to_y(plane.to_y(step)), f"{step:.0%}") for step in (0.0, 0.25, 0.5, 0.75, 1.0)),
        to_x(plane.to_x(limit)) if limit else None,
        f"limit {percent(limit)}" if limit else "",
        information_axis(measure, (point.overstated for point in points)),
    )


def _mark_names(plane: RiskPlane, points: Sequence[Point], places: Sequence[float]) -> list[str]:
    """The versions' names, as short as their places need."""
    names = short_names(point.label for point in points)
    return [
        mark_name(names[point.label], point.overstated, plane.room(x), fails=point.status == Status.FAILS)
        for point, x in zip(points, places, strict=True)
    ]


def _edge(y: float, label: Label) -> float:
    """The edge of a label that faces its mark at this height."""
    return label.y + _BELOW if label.y < y else label.y - _ABOVE


def _point_description(point: Point) -> str:
    share = text("loss.at_most", share=point.information) if point.overstated else percent(point.information)
    return text("charts.risk_and_information.version", version=point.label, share=share, risk=point.risk)


def _risk_finding(subject: Point | None, limit: float | None) -> str:
    if subject is None or limit is None:
        return text("charts.risk_and_information.no_limit")
    if subject.risk > limit:
        return text("charts.risk_and_information.above", risk=subject.risk, limit=limit)
    if subject.status == Status.FAILS:
        return text("charts.risk_and_information.within_but_fails", risk=subject.risk, limit=limit)
    return text("charts.risk_and_information.within", risk=subject.risk, limit=limit)


@dataclass(frozen=True)
class Bar:
    """The records in classes of some sizes."""

    label: str
    text: str
    y: float
    width: float
    below: bool
    """Whether these classes are below the limit on k, or reveal a value."""


@dataclass(frozen=True)
class Bars:
    """Records by a property of their class, in the units of the drawing."""

    alternative: str
    finding: str
    what: str
    """Meaning of the labels of the bars."""
    bars: tuple[Bar, ...]
    width: int
    height: int
    left: float
    limit: float | None


def size_bars(sizes: ClassSizes, k: float | None) -> Bars:
    """Draw the records by the size of their class; `k` is the smallest size accepted, None without a limit."""
    groups = [
        (f"{low:,}+" if high is None else f"{low:,}" if low == high else f"{low:,}–{high:,}", number, _is_below(low, k))
        for low, high, number in _records_by_size(sizes, _lows(sizes, k))
    ]
    longest, number, _ = max(groups, key=lambda group: group[1])
    share = _share_text(number, sizes.kept)
    alternative = text("charts.records_by_class.sizes", kept=sizes.kept, sizes=longest, share=share)
    return _bars("class size", _size_finding(sizes, k), alternative, groups, sizes.kept, with_limit=True)


def share_bars(shares: Floats, sizes: Integers, column: str, records: str) -> Bars:
    """How many records stand in classes in which the most frequent value of a column has which share.

    `shares` and `sizes` have one entry per class, whose records are called `records`. Classes of a single value are
    marked.
    """
    is_certain, n_records = shares == 1, int(sizes.sum())
    groups = [("100%", int(sizes[is_certain].sum()), True)]
    for low, high in reversed(list(pairwise((0.0, *_SHARES, 1.0)))):
        number = int(sizes[(shares >= low) & (shares < high)].sum())
        if number:
            groups.append((f"{low:.0%} to <{high:.0%}" if low else f"below {high:.0%}", number, False))
    longest, number, _ = max(groups, key=lambda group: group[1])
    share = _share_text(number, n_records)
    alternative = text("charts.records_by_class.same_value", kept=n_records, part=longest, column=column, share=share)
    least = 1.0 if is_certain.any() else _SHARES[-1]
    exposed = sizes[shares >= least].sum() / max(n_records, 1)
    if is_certain.any():
        finding = text("charts.records_by_class.revealed", share=exposed, records=records, column=column)
    else:
        finding = text(
            "charts.records_by_class.nearly_revealed",
            share=exposed,
            records=records,
            least=f"{least:.0%}",
            column=column,
        )
    return _bars("largest share", finding, alternative, groups, n_records)


def cost_bars(sizes: ClassSizes, amounts: ProfitabilityParameters, most: int = _MAX_BARS) -> Bars | None:
    """The records on which attacks pay, by the attacker's cost: the chosen one, the break-even, and at `most` others.

    None where nothing can be won.
    """
    gain, chosen = amounts.adversary_gain, amounts.adversary_cost
    if not gain or not sizes.kept:
        return None
    last = gain / sizes.smallest
    power = math.floor(math.log10(last))
    round_costs = [factor * 10.0**step for step in (power - 2, power - 1, power) for factor in (1, 2, 5)]
    costs = sorted({*[cost for cost in round_costs if cost < last][1 - most :], last, *([chosen] if chosen else [])})

    def attacked(cost: float) -> int:
        return int(np.dot(sizes.sizes, np.where(sizes.sizes * cost < gain, sizes.counts, 0)))

    groups = [
        (f"{format_number(cost)}{' (chosen)' if cost == chosen else ''}", attacked(cost), cost < last) for cost in costs
    ]
    alternative = text("charts.profitability.chosen", cost=chosen, attacked=attacked(chosen), records=sizes.kept)
    finding = text("charts.profitability.by_cost_for", amounts=amounts_of(amounts), gain=gain, cost=last)
    return _bars("attacker's cost", finding, alternative, groups, sizes.kept, with_limit=True)


def _bars(
    what: str,
    finding: str,
    alternative: str,
    records: Sequence[tuple[str, int, bool]],
    kept: int,
    *,
    with_limit: bool = False,
) -> Bars:
    """One bar for each label with its number of records, and whether these fail a limit, drawn as a line if asked."""
    left, row_height = max(84.0, 12 + _TICK_CHAR_WIDTH_PX * max(len(label) for label, *_ in records)), 28
    largest = max(*(number for _, number, _ in records), 1)
    texts = [_share_text(number, kept) for _, number, _ in records]
    width = _WIDTH - left - 6 - _CHAR_WIDTH_PX * max(map(len, texts))
    bars = tuple(
        Bar(label, share_text, _TOP + 10 + index * row_height, round(width * number / largest, 1), below)
        for index, ((label, number, below), share_text) in enumerate(zip(records, texts, strict=True))
    )
    limits = [bar.y - 4 for before, bar in pairwise(bars) if with_limit and before.below and not bar.below]
    return Bars(
        alternative, finding, what, bars, _WIDTH, _TOP + 24 + row_height * len(bars), left, next(iter(limits), None)
    )


def _share_text(number: int, kept: int) -> str:
    return f"{number:,} ({percent(number / max(kept, 1))})"


def _is_below(size: int, k: float | None) -> bool:
    return k is not None and size < k


def _size_finding(sizes: ClassSizes, k: float | None) -> str:
    if k is None:
        return text("charts.records_by_class.no_limit")
    is_small = sizes.sizes < k
    records = int(np.dot(sizes.sizes[is_small], sizes.counts[is_small]))
    if not records:
        return text("charts.records_by_class.none_below", k=f"{k:g}")
    return text("charts.records_by_class.below", share=records / sizes.kept, k=f"{k:g}")


def _records_by_size(sizes: ClassSizes, lows: Sequence[int]) -> list[tuple[int, int | None, int]]:
    """The least and the largest class size of each bar (None: no largest), and the records in these classes."""
    groups = []
    for low, high in zip(lows, [*(low - 1 for low in lows[1:]), None], strict=True):
        in_group = (sizes.sizes >= low) & (True if high is None else sizes.sizes <= high)
        groups.append((low, high, int(np.dot(sizes.sizes[in_group], sizes.counts[in_group]))))
    return groups


def _lows(sizes: ClassSizes, k: float | None) -> list[int]:
    """The least size of each bar: at the limit on k a new one begins."""
    edges = sorted({*_EDGES, *(() if k is None else (int(np.ceil(k)),))})
    lows = [edge for edge in edges if edge <= sizes.largest]
    first = max((edge for edge in lows if edge <= sizes.smallest), default=1)
    lows = [edge for edge in lows if edge >= first]
    while len(lows) > _MAX_BARS:
        removable = [edge for edge in lows[1:] if k is None or edge != int(np.ceil(k))]
        lows.remove(removable[-1])
    return lows
