"""Kinds of a released column's distinct values: numbers, single values, or labels that represent several."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.hierarchies.covering import covering
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import in_same_form
from metrics.interruption import checkpoint
from metrics.tables.dictionary_codes import flags_of, floats_of, text_array
from metrics.tables.table import SUPPRESSED, Column, Flags, Floats

_NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_CODE = r"^[+-]?0\d"


def plain_numbers(column: Column) -> Floats:
    """The number that each distinct value writes; NaN where it writes none, as codes such as 00123 do.

    It is `parse_number` for a million values at once.
    """
    checkpoint()
    texts = _texts(column)
    is_number = pc.and_(_matches(texts, _NUMBER), pc.invert(_matches(column.values, _CODE)))
    flags = flags_of(is_number)
    numbers = np.full(len(flags), np.nan)
    numbers[flags] = floats_of(pc.cast(pc.utf8_ltrim(texts.filter(is_number), "+"), pa.float64()))
    numbers[np.isinf(numbers)] = np.nan
    return numbers


def _texts(column: Column) -> pa.Array:
    """The values with a point as decimal mark; with a comma as the column's, a value with a point is not a number."""
    if column.decimal == ".":
        return column.values
    has_point = _matches(column.values, r"\.")
    texts = pc.replace_substring(column.values, column.decimal, ".", max_replacements=1)
    return pc.if_else(has_point, pa.scalar("", texts.type), texts)


def _matches(texts: pa.Array, pattern: str) -> pa.Array:
    matches = pc.match_substring_regex(texts, pattern)
    return pc.and_kleene(matches, matches.is_valid())


def holds_numbers(original: Column) -> bool:
    """Whether all values of an original column are numbers, apart from missing and suppressed ones."""
    is_number = ~np.isnan(plain_numbers(original))
    return bool(is_number.any()) and bool((is_number | is_empty(original, SUPPRESSED)).all())


def stand_for_several(original: Column, released: Column, hierarchy: Hierarchy | None) -> Flags:
    """Per distinct released value whether it represents more than one value: generalized or suppressed.

    A single value is an original one, a leaf of the hierarchy, a missing one where the original misses some, or a
    number, code or value in the form of all original ones (a date) that no group of the hierarchy is named by. `*` is
    suppressed, whatever the original holds. Where groups are named as leaves are (42 for 41 to 45), the column is one
    of groups if it holds nothing else, unlike the original.
    """
    is_value = flags_of(pc.is_in(released.values, value_set=original.values))
    looks_like_value = flags_of(_matches(_texts(released), _NUMBER)) | in_same_form(original, released)
    if hierarchy is not None:
        is_value |= flags_of(_among(released, hierarchy.leaf_index))
        looks_like_value &= ~flags_of(_among(released, hierarchy.level_of))
    is_single = (is_value | looks_like_value) & ~flags_of(pc.is_in(released.values, value_set=text_array([SUPPRESSED])))
    if hierarchy is not None:
        groups = {label for row in hierarchy.rows for label in row[1:]}
        if not (is_single & ~flags_of(_among(released, groups))).any() and not pc.all(_among(original, groups)).as_py():
            return np.ones(released.distinct, dtype=bool)
    return ~is_single


def new_categories(original: Column, released: Column, hierarchy: Hierarchy | None) -> Flags:
    """Per distinct released value whether it is a category that the original lacks, beside values that it has.

    The hierarchy does not know it, and by its form it covers no original value. A column of nothing but such words may
    be generalized, so none of them is taken for a category.
    """
    named = ~is_empty(released, SUPPRESSED)
    if not (named & flags_of(pc.is_in(released.values, value_set=original.values))).any():
        return np.zeros(released.distinct, dtype=bool)
    covers = np.isin(np.arange(released.distinct), covering(released, original, None).labels)
    is_known = np.zeros_like(covers) if hierarchy is None else flags_of(_among(released, hierarchy.level_of))
    flags: Flags = named & ~covers & ~is_known
    return flags


def is_empty(column: Column, *more: str) -> Flags:
    """Per distinct value whether it is missing, blank or one of `more`."""
    return flags_of(pc.is_in(column.values, value_set=text_array([None, "", *more])))


def _among(column: Column, labels: Collection[str]) -> pa.Array:
    return pc.is_in(column.values, value_set=text_array(list(labels)))
