"""Hierarchies of categories: groups made by hand, neighbours of an ordered list, suppression alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul

from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.hierarchies.builders.leaves import build_hierarchy, check_merge, hierarchy_name, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.intervals import joined_intervals
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.table import SUPPRESSED, Column

Grouping = Mapping[str, Sequence[str]]
"""Values, or labels of the level below, by the label of their group."""


def suppression(column: Column) -> Hierarchy:
    """Two levels: each value, and `*`.

    Parameters
    ----------
    column : Column
        Of a table.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.
    """
    return Hierarchy([[value, SUPPRESSED] for value in values_of(column)], name=hierarchy_name(column))


def groups(column: Column, *levels: Grouping, rest: str | None = None) -> Hierarchy:
    """Groups made by hand.

    Parameters
    ----------
    column : Column
        Of a table.
    *levels : mapping of str to sequence of str
        Members by the label of their group: the first mapping groups values, each further one the labels of the level
        below. Grouped values that the column does not hold get a leaf too. "" represents missing cells, which stay
        apart until the root unless they are grouped.
    rest : str, optional
        On the first level the label of what stands in no group, which stays unchanged by default, and on all further
        levels.

    Returns
    -------
    Hierarchy
        One leaf per distinct or grouped value.

    Raises
    ------
    InputError
        If a group has no name, a value stands in two groups of a level, a level groups what the level below has not, or
        a group bears the name of a value or label outside it.
    """
    leaves = list(dict.fromkeys([*values_of(column), *(value for group in levels[:1] for value in _members(group))]))
    rows = [[leaf] for leaf in leaves]
    for number, level in enumerate(levels, 1):
        parent = _parents(level, number, column)
        labels = {row[-1] for row in rows}
        if number > 1 and not labels.issuperset(parent):
            raise InputError(
                f"level {number} groups a label that does not occur on level {number - 1}",
                remedy="correct it",
                column=column.name,
            )
        if rest is not None and number == 1:
            parent = {label: parent.get(label, rest if label else "") for label in labels}
        ungrouped = labels.difference(parent)
        if ungrouped.intersection(parent.values()):
            raise InputError(
                f"a group on level {number} has the same name as a value outside it",
                remedy="put the value into the group or rename the group",
                column=column.name,
            )
        rows = [[*row, parent.get(row[-1], row[-1])] for row in rows]
    return Hierarchy([[*row, SUPPRESSED] for row in rows], name=hierarchy_name(column))


def ordered_groups(
    column: Column, size: int, *, merge: Sequence[int] = (), order: Sequence[str] | None = None
) -> Hierarchy:
    """Neighbours in an ordered list, `size` to a group named "first - last"; levels above join `merge[i]` groups.

    A group of intervals is named by the interval from its first to its last: `[20-30)` and `[30-40)` give `[20-40)`.
    A level that would hold one group is left out, save the first.

    Parameters
    ----------
    column : Column
        Of a table.
    size : int
        Values of a group, at least 2.
    merge : sequence of int
        For each level above the first, how many groups of the level below it joins, at least 2.
    order : sequence of str, optional
        Every value of the column once; by default the reading order.

    Returns
    -------
    Hierarchy
        One leaf per value of the order.

    Raises
    ------
    InputError
        If a value of the column is not in the order, one stands there twice, a group would hold fewer than 2, or more
        than 30 levels are asked for.
    """
    check_merge(merge, column)
    if size < 2:
        raise InputError("a group would have fewer than 2 values", remedy="choose 2 or more", column=column.name)
    ordered_values = [value for value in values_of(column) if value] if order is None else _checked_order(order, column)
    labels_of_value: dict[str, list[str]] = {value: [] for value in ordered_values}
    for group_size in accumulate(merge, mul, initial=size):
        chunks = [ordered_values[i : i + group_size] for i in range(0, len(ordered_values), group_size)]
        if len(chunks) == 1 and group_size > size:
            break
        for chunk in chunks:
            interval_label = joined_intervals(chunk[0], chunk[-1], column.decimal) or f"{chunk[0]} - {chunk[-1]}"
            label = chunk[0] if len(chunk) == 1 else interval_label
            for value in chunk:
                labels_of_value[value].append(label)
    return build_hierarchy(column, labels_of_value, False, "value of the order")


def _checked_order(order: Sequence[str], column: Column) -> list[str]:
    """The order without blanks around its values. Raises InputError if a value is missing or occurs twice."""
    values = [value.strip(BLANKS) for value in order]
    if len(set(values)) != len(values):
        raise InputError("the order names a value twice", remedy="name each once", column=column.name)
    missing = {value for value in values_of(column) if value} - set(values)
    if missing:
        raise InputError(
            f"the order lacks {pluralize(len(missing), 'value')} of the column", remedy="add them", column=column.name
        )
    return values


def _members(level: Grouping) -> list[str]:
    return [value for members in level.values() for member in members if (value := member.strip(BLANKS)) != SUPPRESSED]


def _parents(level: Grouping, number: int, column: Column) -> dict[str, str]:
    parents: dict[str, str] = {}
    for label, members in level.items():
        if not label.strip(BLANKS):
            raise InputError(f"a group on level {number} has no name", remedy="name it", column=column.name)
        for member in (member.strip(BLANKS) for member in members):
            if parents.setdefault(member, label.strip(BLANKS)) != label.strip(BLANKS):
                raise InputError(
                    f"a value is in two groups on level {number}", remedy="keep it in one group", column=column.name
                )
    return parents
