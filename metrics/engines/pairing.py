"""Matches records of two tables in one engine: by position if it keeps their order, else by key columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.counting.counts import Combinations
from metrics.counting.marginal_counts import ordered_combinations
from metrics.engines.backend import Backend
from metrics.engines.vocabulary import Vocabulary, count_by, dictionary_columns
from metrics.errors import InputError
from metrics.matching.records import unequal_lengths
from metrics.tables.dictionary_codes import BLANKS, text_array
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Integers, quoted

_KEY = "key"

SelectColumns = Callable[..., nw.LazyFrame[Any]]


class FrameTable(Described, Protocol):
    """Members of a table in an engine that matching needs; its columns are named `c0`, `c1`, ... in the frame."""

    names: tuple[str, ...]
    frame: nw.LazyFrame[Any]
    engine: Backend
    missing: tuple[str, ...]

    def internal_name(self, name: str) -> str:
        """The internal name of a column."""

    def vocabulary(self, name: str) -> Vocabulary:
        """All values of a column and their codes."""

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of columns, in the canonical order of their values."""


class LazyPairing:
    """Matched original and anonymized records in an engine; implements `Pairing`."""

    def __init__(self, original: FrameTable, anonymized: FrameTable, select_columns: SelectColumns) -> None:
        """`select_columns` selects from the matched records: `o3` is the original's column `c3`, `a5` the own `c5`."""
        self.deleted = original.rows - anonymized.rows
        self._original = original
        self._anonymized = anonymized
        self.select_columns = select_columns

    def count_pair(self, column: str) -> Combinations:
        """Combinations of (original, anonymized) values over matched records; deleted records count as suppressed."""
        before, after = self._original.vocabulary(column), self._anonymized.vocabulary(column)
        frame_columns = [f"o{self._original.names.index(column)}", f"a{self._anonymized.names.index(column)}"]
        batches = self._anonymized.engine.batches(count_by(self.select_columns(*frame_columns), frame_columns))
        columns, counts = dictionary_columns(batches, 2)
        codes = [values.codes_of(cells) for values, cells in zip((before, after), columns, strict=True)]
        anonymized = after.column
        if self.deleted:
            star = anonymized.code_of.get(SUPPRESSED, anonymized.distinct)
            if star == anonymized.distinct:
                values = pa.concat_arrays([anonymized.values, text_array([SUPPRESSED])])
                anonymized = Column(anonymized.name, anonymized.codes, values, anonymized.decimal)
            unmatched = self._unmatched_counts(column, codes[0], counts)
            unmatched_values = np.flatnonzero(unmatched).astype(np.int32)
            stars = np.full(len(unmatched_values), star, dtype=np.int32)
            codes = [np.append(codes[0], unmatched_values), np.append(codes[1], stars)]
            counts = np.append(counts, unmatched[unmatched_values])
        sorted_codes, sums = ordered_combinations(codes, [before.width, max(anonymized.distinct, 1)], counts)
        return Combinations((before.column, anonymized), sorted_codes, sums)

    def _unmatched_counts(self, name: str, codes: Codes, counts: Integers) -> Integers:
        """Records of each original value that have no counterpart."""
        original_counts = self._original.count([name])
        unmatched_counts = -np.bincount(codes, weights=counts, minlength=self._original.vocabulary(name).width).astype(
            np.int64
        )
        unmatched_counts[original_counts.codes[0]] += original_counts.counts
        return unmatched_counts


def pair(original: FrameTable, anonymized: FrameTable, rule: MatchingRule) -> LazyPairing:
    """Match each anonymized record with its original. Raises InputError if they cannot be matched."""
    if rule.remedies:
        raise InputError(
            f"an engine cannot exclude records from the comparison ({' and '.join(rule.remedies)})",
            remedy="remove such records from the files, or remove that setting",
            file=anonymized.name,
        )
    if rule.key:
        return _by_key(original, anonymized, rule.key)
    joined_frame = anonymized.engine.join_by_position(_prefix_columns(original, "o"), _prefix_columns(anonymized, "a"))
    if joined_frame is None:
        raise InputError(
            f"records cannot be matched by position: the engine {anonymized.engine.kind} does not keep their order",
            remedy="set a column that identifies records in both tables as key",
            file=anonymized.name,
        )
    if original.rows != anonymized.rows:
        raise unequal_lengths(original, anonymized)
    return LazyPairing(original, anonymized, joined_frame.select)


def _prefix_columns(table: FrameTable, prefix: str) -> nw.LazyFrame[Any]:
    return table.frame.rename({f"c{position}": f"{prefix}{position}" for position in range(len(table.names))})


def _with_key_columns(
    original: FrameTable, anonymized: FrameTable, key: Sequence[str]
) -> tuple[nw.LazyFrame[Any], nw.LazyFrame[Any]]:
    """Both tables with extra columns for the key: trimmed text, or the values themselves if both are whole numbers.

    Empty, missing and suppressed cells are null, because in memory they are not keys either.
    """
    frames = [original.frame, anonymized.frame]
    for index, name in enumerate(key):
        kinds = [table.frame.collect_schema()[table.internal_name(name)] for table in (original, anonymized)]
        both_integers = all(kind.is_integer() for kind in kinds)
        for side, table in enumerate((original, anonymized)):
            cells = nw.col(table.internal_name(name))
            if both_integers:
                cells = cells.cast(nw.Int64)
            else:
                cells = _trimmed_text(cells.cast(nw.String), table)
                cells = nw.when(~cells.is_in(["", SUPPRESSED, *table.missing])).then(cells)
            frames[side] = frames[side].with_columns(cells.alias(f"{_KEY}{index}"))
    return frames[0], frames[1]


def _trimmed_text(cells: nw.Expr, table: FrameTable) -> nw.Expr:
    """Text without surrounding blanks; Ibis cannot trim chosen characters, but replaces patterns."""
    if table.frame.implementation.is_ibis():
        return cells.str.replace_all(f"^[{BLANKS}]+|[{BLANKS}]+$", "")
    return cells.str.strip_chars(BLANKS)


def _by_key(original: FrameTable, anonymized: FrameTable, key: Sequence[str]) -> LazyPairing:
    original_frame, anonymized_frame = _with_key_columns(original, anonymized, key)
    keys = [f"{_KEY}{index}" for index in range(len(key))]
    key_column = key[0] if len(key) == 1 else None
    for table, frame in ((original, original_frame), (anonymized, anonymized_frame)):
        engine = table.engine
        key_counts = frame.group_by(keys).agg(nw.len().alias("records"))
        has_missing = nw.any_horizontal(*(nw.col(name).is_null() for name in keys), ignore_nulls=True)
        invalid_keys = key_counts.filter((nw.col("records") > 1) | has_missing).select(nw.len())
        if _number(engine.batches(invalid_keys)):
            phrase = (
                "column repeats a value" if key_column is not None else f"columns ({quoted(key)}) repeat a combination"
            )
            raise InputError(
                f"the key {phrase}, or has missing cells",
                remedy="choose a column whose values are complete and unique, or add another key column",
                file=table.name,
                column=key_column,
            )
    unknown_keys = anonymized_frame.select(keys).join(original_frame.select(keys), on=keys, how="anti").select(nw.len())
    if _number(anonymized.engine.batches(unknown_keys)):
        raise InputError(
            f"a record's key does not occur in {original.name}",
            remedy="remove the record or choose another key column",
            file=anonymized.name,
            column=key_column,
        )

    def select_columns(*columns: str) -> nw.LazyFrame[Any]:
        """Columns of both tables, joined by the key."""
        left, right = (
            frame.select(*keys, *(nw.col(f"c{column[1:]}").alias(column) for column in columns if column[0] == prefix))
            for frame, prefix in ((original_frame, "o"), (anonymized_frame, "a"))
        )
        return left.join(right, on=keys, how="inner").select(*columns)

    return LazyPairing(original, anonymized, select_columns)


def _number(batches: Any) -> int:
    return int(pa.Table.from_batches(batches).column(0)[0].as_py())
