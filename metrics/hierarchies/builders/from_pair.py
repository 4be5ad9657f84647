"""The hierarchy that explains what became what, also where values were generalized to several levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metrics.counting.counts import Combinations, count_keys
from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import hierarchy_name, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import covered_by_form
from metrics.tables.table import SUPPRESSED, Column


def suggest_from_pair(original: Column, anonymized: Column) -> Hierarchy:
    """`from_pair` for two columns whose records stand in the same order.

    Parameters
    ----------
    original, anonymized : Column
        The same column of both tables.

    Returns
    -------
    Hierarchy
        One leaf per distinct value of the original.

    Raises
    ------
    InputError
        If the columns do not have equally many records, labels overlap, or a value became blank.
    """
    if len(original.codes) != len(anonymized.codes):
        raise InputError(
            f"the columns have {len(original.codes):,} and {len(anonymized.codes):,} records",
            remedy="give columns whose records match by position",
            column=original.name,
        )
    width = max(anonymized.distinct, 1)
    keys, counts = count_keys(original.codes.astype(np.int64) * width + anonymized.codes, original.distinct * width)
    codes = ((keys // width).astype(np.int32), (keys % width).astype(np.int32))
    return from_pair(Combinations((original, anonymized), codes, counts))


def from_pair(pair: Combinations) -> Hierarchy:
    """Levels read off which original values became which labels: the label above another covers all of its values.

    An interval, mask or set covers, besides the values that became it, those it represents, unless this made labels
    overlap. An anonymized value that is itself an original one, and a suppressed one, tell nothing. What became nothing
    else stays unchanged below the root.

    Parameters
    ----------
    pair : Combinations
        The counted pairs of original and anonymized values of a column.

    Returns
    -------
    Hierarchy
        One leaf per distinct value of the original.

    Raises
    ------
    InputError
        If labels overlap, so that no hierarchy has them all, or a value became blank.
    """
    original, _ = pair.columns
    values = values_of(original)
    positions_by_label = _seen(pair, {value: i for i, value in enumerate(values)})
    extended = _by_form(positions_by_label, pair, values)
    nesting = _nest_labels(extended, len(values)) or _nest_labels(positions_by_label, len(values))
    if nesting is None:
        raise InputError(
            "some of its generalized values overlap, so no hierarchy can contain them all",
            remedy="make one by hand, or upload the one that was used",
            column=original.name,
        )
    parent, narrowest_labels = nesting
    level = _levels(parent)
    height = max(level.values(), default=0)
    rows = [
        [*_labels_by_level(value, label, parent, level, height), SUPPRESSED]
        for value, label in zip(values, narrowest_labels, strict=True)
    ]
    return Hierarchy(rows, name=hierarchy_name(original))


def _seen(pair: Combinations, position: Mapping[str, int]) -> dict[str, set[int]]:
    """By label the positions of the original values that became it."""
    original, anonymized = pair.columns
    positions_by_label: dict[str, set[int]] = {}
    for before, after in zip(*pair.codes, strict=True):
        value, label = original.labels[before] or "", anonymized.labels[after] or ""
        if label == SUPPRESSED or value == SUPPRESSED or label in position:
            continue
        if not label:
            raise InputError(
                "the anonymized column has blank cells where the original has none",
                remedy=f"write {SUPPRESSED} for suppressed cells",
                column=original.name,
            )
        positions_by_label.setdefault(label, set()).add(position[value])
    return positions_by_label


def _by_form(
    positions_by_label: Mapping[str, set[int]], pair: Combinations, values: Sequence[str]
) -> dict[str, set[int]]:
    """Add to each label's values those that it represents as an interval, a mask or a set."""
    original, anonymized = pair.columns
    position = {value: i for i, value in enumerate(values)}
    by_form = covered_by_form(anonymized, original, original)
    return {
        label: members.union(
            position[value] for code in by_form.get(label, ()) if (value := original.labels[code] or "") in position
        )
        for label, members in positions_by_label.items()
    }


def _nest_labels(
    positions_by_label: Mapping[str, set[int]], n_values: int
) -> tuple[dict[str, str | None], list[str | None]] | None:
    """The label above each label, and the narrowest one of each value; None if two labels overlap."""
    parent: dict[str, str | None] = {}
    narrowest_labels: list[str | None] = [None] * n_values
    for label in sorted(positions_by_label, key=lambda label: (-len(positions_by_label[label]), label)):
        enclosing = {narrowest_labels[i] for i in positions_by_label[label]}
        if len(enclosing) > 1:
            return None
        parent[label] = enclosing.pop()
        for i in positions_by_label[label]:
            narrowest_labels[i] = label
    return parent, narrowest_labels


def _levels(parent: Mapping[str, str | None]) -> dict[str, int]:
    """Level of each label: 1, or one above the highest label directly below it. `parent` names the wider ones first."""
    level = dict.fromkeys(parent, 1)
    for label in reversed(list(parent)):
        wider = parent[label]
        if wider is not None:
            level[wider] = max(level[wider], level[label] + 1)
    return level


def _labels_by_level(
    value: str, narrowest: str | None, parent: Mapping[str, str | None], level: Mapping[str, int], height: int
) -> list[str]:
    """A value's labels up to `height`: on each level the widest label that is no higher."""
    label_at: dict[int, str] = {0: value}
    label = narrowest
    while label is not None:
        label_at[level[label]] = label
        label = parent[label]
    row: list[str] = []
    for i in range(height + 1):
        row.append(label_at[i] if i in label_at else row[-1])
    return row
