"""Changes by hand: other groups, one more level, one less, intervals as labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.table import SUPPRESSED
from metrics.tables.values import parse_number


def regrouped(hierarchy: Hierarchy, level: int, members: Collection[str], label: str) -> Hierarchy:
    """The hierarchy with labels of the level below `level` put together under `label`.

    Parameters
    ----------
    hierarchy : Hierarchy
        Stays as it is.
    level : int
        Between leaves and root.
    members : collection of str
        Labels of the level below.
    label : str
        A label that the level has already takes the members in; a new one stands where the first member's group stood.

    Returns
    -------
    Hierarchy
        With as many leaves and levels.

    Raises
    ------
    InputError
        If the level is neither between leaves and root, the label is blank, a member does not stand below the level, or
        the label is that of a value outside the group.
    """
    label = label.strip(BLANKS)
    _check_level(hierarchy, level)
    if not label:
        raise InputError("the group has no name", remedy="name it", file=hierarchy.name)
    chosen = set(members)
    if not chosen or not chosen.issubset(hierarchy.labels(level - 1)):
        raise InputError("some of the values are not on the level below", remedy="choose again", file=hierarchy.name)
    member_rows = [row for row in hierarchy.rows if row[level - 1] in chosen]
    label_rows = [row for row in hierarchy.rows if row[level] == label]
    if label not in chosen and label_rows and all(row[level - 1] == label for row in label_rows):
        raise InputError(
            "the group would have the same name as a value outside it",
            remedy="add that value to the group or choose another name",
            file=hierarchy.name,
        )
    labels_above = (label_rows or member_rows)[0][level + 1 :]
    rows = [(*row[:level], label, *labels_above) if row[level - 1] in chosen else row for row in hierarchy.rows]
    return Hierarchy(rows, name=hierarchy.name)


def with_level(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The hierarchy with one more level, where every label of the level below stays unchanged.

    Parameters
    ----------
    hierarchy : Hierarchy
        Stays as it is.
    level : int
        The level that the new one comes before, from 1 to the root's.

    Returns
    -------
    Hierarchy
        One level higher.

    Raises
    ------
    InputError
        If there is no such level.
    """
    if not 1 <= level <= hierarchy.height:
        raise InputError(
            "there is no level before which one can be inserted", remedy="choose another", file=hierarchy.name
        )
    return Hierarchy([(*row[:level], *row[level - 1 :]) for row in hierarchy.rows], name=hierarchy.name)


def without_level(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The hierarchy without a level between leaves and root.

    Parameters
    ----------
    hierarchy : Hierarchy
        Stays as it is.
    level : int
        The level to leave out.

    Returns
    -------
    Hierarchy
        One level lower.

    Raises
    ------
    InputError
        If the level is not between leaves and root.
    """
    _check_level(hierarchy, level)
    return Hierarchy([row[:level] + row[level + 1 :] for row in hierarchy.rows], name=hierarchy.name)


def with_intervals(hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy of numbers with each label replaced by the interval of the values below it, the root by `*`.

    Parameters
    ----------
    hierarchy : Hierarchy
        Stays as it is.

    Returns
    -------
    Hierarchy
        With the same groups on each level.

    Raises
    ------
    InputError
        If a value is not a number, or two groups of a level overlap.
    """
    numbers = {row[0]: parse_number(row[0], hierarchy.decimal) for row in hierarchy.rows}
    if None in numbers.values():
        raise InputError("some values are not numbers", remedy="rename the labels by hand", file=hierarchy.name)
    rows = [[row[0], *[SUPPRESSED] * hierarchy.height] for row in hierarchy.rows]
    for level in range(1, hierarchy.height):
        groups: dict[str, list[str]] = {}
        for row in sorted(hierarchy.rows, key=lambda row: numbers[row[0]] or 0.0):
            groups.setdefault(row[level], []).append(row[0])
        ends = [numbers[leaf] or 0.0 for group in groups.values() for leaf in (group[0], group[-1])]
        if ends != sorted(ends):
            raise InputError("groups of a level overlap", remedy="rename the labels by hand", file=hierarchy.name)
        for row, new_row in zip(hierarchy.rows, rows, strict=True):
            new_row[level] = _interval(groups[row[level]])
    return Hierarchy(rows, name=f"{hierarchy.name}, with intervals as labels")


def _interval(leaves: Sequence[str]) -> str:
    """The label from the first to the last of these numbers."""
    first, last = leaves[0], leaves[-1]
    if first == last:
        return first
    return f"{first}-{last}" if first.isdecimal() and last.isdecimal() else f"[{first}, {last}]"


def _check_level(hierarchy: Hierarchy, level: int) -> None:
    if not 1 <= level < hierarchy.height:
        raise InputError(
            "the level is not between the values and the root", remedy="choose another", file=hierarchy.name
        )
