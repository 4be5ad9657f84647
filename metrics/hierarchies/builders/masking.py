"""Hierarchies of codes: characters hidden from one end, more on each level."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from math import ceil

from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import build_hierarchy, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED, Column

_MAX_BYTES = 2**25
"""Memory that the labels of a hierarchy of masks may take beyond `_FEW` levels."""
_TEXT_BYTES = 50
"""Memory of a text beside its characters."""
_FEW = 16


class Side(StrEnum):
    """Which end is hidden first."""

    SUFFIX = "suffix"
    PREFIX = "prefix"


def masking(column: Column, *, steps: Sequence[int] | None = None, side: Side = Side.SUFFIX) -> Hierarchy:
    """Each level hides more characters by a star each: 47677, 4767*, 476**, …, `*`.

    Below the root every value keeps its last character; levels that would hide the longest value wholly are left out.
    Missing cells stay apart until the root.

    Parameters
    ----------
    column : Column
        Of a table; its values are codes.
    steps : sequence of int, optional
        Characters that each level hides beyond the level below; by default one, or more where the values are so long
        and many that a level per character would take too much memory.
    side : Side
        Which end is hidden first.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        If a step is below 1, or the steps give more levels than the memory should hold.
    """
    values = [value for value in values_of(column) if value]
    max_length = max(map(len, values), default=1)
    level_bytes = sum(len(value) + _TEXT_BYTES for value in values)
    max_levels = max(_MAX_BYTES // max(level_bytes, 1), _FEW)
    step = max(ceil((max_length - 1) / max_levels), 1)
    hidden_counts = range(step, max_length, step) if steps is None else accumulate(steps)
    if steps is not None and any(step < 1 for step in steps):
        raise InputError("a level would hide no more characters", remedy="hide 1 or more", column=column.name)
    levels = [n_hidden for n_hidden in hidden_counts if n_hidden < max_length]
    if len(levels) > max_levels:
        raise InputError(
            f"{len(levels):,} levels of values of up to {max_length:,} characters take too much memory; at most "
            f"{max_levels:,} fit",
            remedy="hide more characters per level",
            column=column.name,
        )
    labels_of_value = {value: [_masked_value(value, n_hidden, side) for n_hidden in levels] for value in values}
    return build_hierarchy(column, labels_of_value, False, "code")


def _masked_value(value: str, n_hidden: int, side: Side) -> str:
    n_stars = min(n_hidden, len(value) - 1)
    stars = SUPPRESSED * n_stars
    return value[: len(value) - n_stars] + stars if side is Side.SUFFIX else stars + value[n_stars:]
