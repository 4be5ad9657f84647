"""Values that a hierarchy misses, the leaf each is most like, and how to add them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.intervals import parse_interval
from metrics.hierarchies.masks import masked_labels
from metrics.tables.table import SUPPRESSED, Column
from metrics.tables.values import parse_number

_MAX_COMPARED = 300_000
"""Pairs of texts compared letter by letter; beyond them only exact readings are looked for."""
_ALIKE: Final = 0.6
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class UncoveredValue:
    """A value that is not a leaf.

    Attributes
    ----------
    value : str or None
        None for missing cells.
    records : int
        Records that hold it.
    like : str or None
        The leaf it is most like, if any.
    how : str
        In what the two agree: "the same number", "the same label above", "spelling", …; "" without a match.
    """

    value: str | None
    records: int
    like: str | None
    how: str


def values_without_leaf(hierarchy: Hierarchy, column: Column) -> tuple[UncoveredValue, ...]:
    """The column's values that are not leaves, suppressed ones left out, the most frequent first.

    The nearest leaf is, first that applies: the same number (1, 1.0, 01); the same text but for its Unicode form, upper
    and lower case, or blanks and punctuation; one whose interval or mask on level 1 also holds the value; for words,
    one spelt alike.

    Parameters
    ----------
    hierarchy : Hierarchy
        The hierarchy to check.
    column : Column
        The column that it is for.

    Returns
    -------
    tuple of UncoveredValue
        One per value; empty where every value is a leaf.
    """
    counts = column.counts()
    order = sorted(range(column.distinct), key=lambda code: (-int(counts[code]), int(column.rank[code])))
    leaves = hierarchy.leaves_of(column)
    codes = [code for code in order if leaves[code] < 0 and column.labels[code] != SUPPRESSED]
    values = [column.labels[code] or "" for code in codes]
    matches = _matches(hierarchy, values, column.decimal)
    return tuple(
        UncoveredValue(column.labels[code], int(counts[code]), *matches.get(value, (None, "")))
        for code, value in zip(codes, values, strict=True)
    )


def with_values(hierarchy: Hierarchy, added: Mapping[str, str | None]) -> Hierarchy:
    """The hierarchy with more leaves.

    Parameters
    ----------
    hierarchy : Hierarchy
        Stays as it is.
    added : mapping of str to str or None
        By value to add, the leaf whose labels it gets. A value mapped to None becomes a branch of its own that stays as
        it is up to the root; "" represents missing cells.

    Returns
    -------
    Hierarchy
        With a leaf for each.

    Raises
    ------
    InputError
        If a value is a leaf already, what it should be like is none, or it would occur on a level under another label.
    """
    rows = list(hierarchy.rows)
    for value, like in added.items():
        if value in hierarchy.leaf_index:
            raise InputError("a value to add is already a leaf", remedy="leave it out", file=hierarchy.name)
        if like is None:
            rows.append((*[value] * hierarchy.height, rows[0][-1]) if hierarchy.height else (value,))
            continue
        leaf = hierarchy.leaf_index.get(like)
        if leaf is None:
            raise InputError(
                "a value is to be treated like one that is not a leaf", remedy="name a leaf", file=hierarchy.name
            )
        rows.append((value, *hierarchy.rows[leaf][1:]))
    return Hierarchy(rows, name=hierarchy.name)


def _matches(hierarchy: Hierarchy, values: Sequence[str], decimal: str) -> dict[str, tuple[str, str]]:
    """By value the leaf it is most like, and in what the two agree."""
    leaves = [row[0] for row in hierarchy.rows if row[0] and row[0] != SUPPRESSED]
    matches = _equal_but_for_form(leaves, values, decimal)
    unmatched = [value for value in values if value and value not in matches]
    if hierarchy.height > 1:
        matches |= {
            value: (leaf, "the same label above")
            for value, leaf in _first_leaf_by_value(hierarchy, unmatched, decimal).items()
        }
    words = [value for value in unmatched if value not in matches and any(map(str.isalpha, value))]
    if len(words) * len(leaves) <= _MAX_COMPARED:
        matches |= {word: (leaf, "spelling") for word, leaf in _spelt_alike(leaves, words).items()}
    return matches


def _equal_but_for_form(leaves: Sequence[str], values: Sequence[str], decimal: str) -> dict[str, tuple[str, str]]:
    """By value the first leaf that is the same number, or the same text written differently."""
    keys: list[tuple[str, Callable[[str], str]]] = [
        ("the same number", lambda text: _number_key(text, decimal)),
        ("except for the Unicode form", lambda text: unicodedata.normalize("NFKC", text)),
        ("except for letter case", lambda text: unicodedata.normalize("NFKC", text).casefold()),
        (
            "except for blanks and punctuation",
            lambda text: _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold()),
        ),
    ]
    matches: dict[str, tuple[str, str]] = {}
    for agreement, key in keys:
        leaf_by_key = _first_by(key, leaves)
        for value in values:
            if value and value not in matches and (value_key := key(value)) and value_key in leaf_by_key:
                matches[value] = (leaf_by_key[value_key], agreement)
    return matches


def _spelt_alike(leaves: Sequence[str], words: Sequence[str]) -> dict[str, str]:
    """By word the leaf whose spelling is closest, where one is close enough."""
    leaf_by_spelling = _first_by(str.casefold, leaves)
    close_matches = {word: get_close_matches(word.casefold(), leaf_by_spelling, n=1, cutoff=_ALIKE) for word in words}
    return {word: leaf_by_spelling[matches[0]] for word, matches in close_matches.items() if matches}


def _first_by(key: Callable[[str], str], leaves: Sequence[str]) -> dict[str, str]:
    """The first leaf with each key."""
    return {key(leaf): leaf for leaf in reversed(leaves)}


def _number_key(text: str, decimal: str) -> str:
    """Make a key that is equal for texts of one number, without letters; "" for other texts."""
    number = parse_number(text, decimal)
    return "" if number is None else repr(number + 0.0)


def _first_leaf_by_value(hierarchy: Hierarchy, values: Sequence[str], decimal: str) -> dict[str, str]:
    """For values that an interval or mask of level 1 represents, the first leaf under it."""
    leaf_by_label: dict[str, str] = {}
    for row in hierarchy.rows:
        leaf_by_label.setdefault(row[1], row[0])
    leaf_of_value: dict[str, str] = {}
    masks = [label for label in leaf_by_label if SUPPRESSED in label and label.strip(SUPPRESSED)]
    for mask, positions in masked_labels(masks, values).items():
        leaf_of_value |= {values[i]: leaf_by_label[mask] for i in positions}
    intervals = [
        (interval, leaf) for label, leaf in leaf_by_label.items() if (interval := parse_interval(label, decimal))
    ]
    for value in values:
        number = parse_number(value, decimal)
        if number is not None:
            leaf_of_value.update((value, leaf) for interval, leaf in intervals if interval.contains(number))
    return leaf_of_value
