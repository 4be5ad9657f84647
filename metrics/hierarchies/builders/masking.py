"""Hierarchies of codes: characters hidden from one end, more on each level."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate

from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import build_hierarchy, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED, Column


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
        Characters that each level hides beyond the level below; by default one.
    side : Side
        Which end is hidden first.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        If a step is below 1.
    """
    values = [value for value in values_of(column) if value]
    max_length = max(map(len, values), default=1)
    hidden_counts = list(accumulate([1] * (max_length - 1) if steps is None else steps))
    if steps is not None and any(step < 1 for step in steps):
        raise InputError("a level would hide no more characters", remedy="hide 1 or more", column=column.name)
    levels = [n_hidden for n_hidden in hidden_counts if n_hidden < max_length]
    labels_of_value = {value: [_masked_value(value, n_hidden, side) for n_hidden in levels] for value in values}
    return build_hierarchy(column, labels_of_value, False, "code")


def _masked_value(value: str, n_hidden: int, side: Side) -> str:
    n_stars = min(n_hidden, len(value) - 1)
    stars = SUPPRESSED * n_stars
    return value[: len(value) - n_stars] + stars if side is Side.SUFFIX else stars + value[n_stars:]
