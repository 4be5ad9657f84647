"""Records of two tables in one engine matched: by position where it keeps their order, else by a key column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.counts import Combinations
from metrics.encoding import BLANKS, text_array
from metrics.engines.vocabulary import encoded, grouped
from metrics.errors import InputError
from metrics.matching_records import uneven
from metrics.matching_rule import MatchingRule
from metrics.rollup import ordered
from metrics.table import SUPPRESSED, Codes, Column, Integers, quoted

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

_KEY = "key"


Sides = Callable[[str, str], nw.LazyFrame[Any]]


class LazyPairing:
    """Original and anonymized records side by side in an engine; implements `Pairing`."""

    def __init__(self, original: LazyTable, anonymized: LazyTable, sides: Sides) -> None:
        """`sides` gives one column of each record and of its original: `o3` the original's `c3`, `a5` its own `c5`."""
        self.deleted = original.rows - anonymized.rows
        self._original = original
        self._anonymized = anonymized
        self._sides = sides

    def count_pair(self, column: str) -> Combinations:
        """Combinations of (original, anonymized) values over matched records, deleted ones as suppressed."""
        before, after = self._original.vocabulary(column), self._anonymized.vocabulary(column)
        places = [f"o{self._original.names.index(column)}", f"a{self._anonymized.names.index(column)}"]
        batches = self._anonymized.engine.batches(grouped(self._sides(*places), places))
        columns, counts = encoded(batches, 2)
        codes = [values.codes_of(cells) for values, cells in zip((before, after), columns, strict=True)]
        anonymized = after.column
        if self.deleted:
            star = anonymized.code_of.get(SUPPRESSED, anonymized.distinct)
            if star == anonymized.distinct:
                values = pa.concat_arrays([anonymized.values, text_array([SUPPRESSED])])
                anonymized = Column(anonymized.name, anonymized.codes, values, anonymized.decimal)
            over = self._left_over(column, codes[0], counts)
            left = np.flatnonzero(over).astype(np.int32)
            codes = [np.append(codes[0], left), np.append(codes[1], np.full(len(left), star, dtype=np.int32))]
            counts = np.append(counts, over[left])
        sorted_codes, sums = ordered(codes, [before.width, max(anonymized.distinct, 1)], counts)
        return Combinations((before.column, anonymized), sorted_codes, sums)

    def _left_over(self, name: str, codes: Codes, counts: Integers) -> Integers:
        """Records of each original value that have no counterpart."""
        whole = self._original.count([name])
        over = -np.bincount(codes, weights=counts, minlength=self._original.vocabulary(name).width).astype(np.int64)
        over[whole.codes[0]] += whole.counts
        return over


def pair(original: LazyTable, anonymized: LazyTable, rule: MatchingRule) -> LazyPairing:
    """Put each original record beside its anonymized one. Raises InputError where they cannot be matched."""
    if rule.remedies:
        raise InputError(
            f"records are left out of the comparison ({' and '.join(rule.remedies)}) in memory only, not in an engine",
            remedy="remove such records from the files, or leave that choice out",
            file=anonymized.name,
        )
    if rule.key:
        return _by_key(original, anonymized, rule.key)
    both = anonymized.engine.beside(_renamed(original, "o"), _renamed(anonymized, "a"))
    if both is None:
        raise InputError(
            f"records have no order in the engine {anonymized.engine.kind}, so they cannot be matched by position",
            remedy="tag a column that identifies records in both tables as key, or leave the original out",
            file=anonymized.name,
        )
    if original.rows != anonymized.rows:
        raise uneven(original, anonymized)
    return LazyPairing(original, anonymized, both.select)


def _renamed(table: LazyTable, letter: str) -> nw.LazyFrame[Any]:
    return table.frame.rename({f"c{place}": f"{letter}{place}" for place in range(len(table.names))})


def _keyed(
    original: LazyTable, anonymized: LazyTable, key: Sequence[str]
) -> tuple[nw.LazyFrame[Any], nw.LazyFrame[Any]]:
    """Both tables with the key's columns once more: as trimmed text, or as they are where both hold whole numbers.

    A cell that names nobody is null there, as it is in memory no key.
    """
    frames = [original.frame, anonymized.frame]
    for number, name in enumerate(key):
        kinds = [table.frame.collect_schema()[table.place(name)] for table in (original, anonymized)]
        whole = all(kind.is_integer() for kind in kinds)
        for at, table in enumerate((original, anonymized)):
            cells = nw.col(table.place(name))
            if whole:
                cells = cells.cast(nw.Int64)
            else:
                cells = _trimmed(cells.cast(nw.String), table)
                cells = nw.when(~cells.is_in(["", SUPPRESSED, *table.missing])).then(cells)
            frames[at] = frames[at].with_columns(cells.alias(f"{_KEY}{number}"))
    return frames[0], frames[1]


def _trimmed(cells: nw.Expr, table: LazyTable) -> nw.Expr:
    """Text without the blanks around it; Ibis knows no trimming of chosen characters, but patterns."""
    if table.frame.implementation.is_ibis():
        return cells.str.replace_all(f"^[{BLANKS}]+|[{BLANKS}]+$", "")
    return cells.str.strip_chars(BLANKS)


def _by_key(original: LazyTable, anonymized: LazyTable, key: Sequence[str]) -> LazyPairing:
    first, second = _keyed(original, anonymized, key)
    keys = [f"{_KEY}{number}" for number in range(len(key))]
    one = key[0] if len(key) == 1 else None
    for table, frame in ((original, first), (anonymized, second)):
        engine = table.engine
        repeated = frame.group_by(keys).agg(nw.len().alias("records"))
        missing = nw.any_horizontal(*(nw.col(name).is_null() for name in keys), ignore_nulls=True)
        wrong = repeated.filter((nw.col("records") > 1) | missing).select(nw.len())
        if _number(engine.batches(wrong)):
            what = "column holds a value" if one is not None else f"columns ({quoted(key)}) hold a combination"
            raise InputError(
                f"the key {what} more than once, or has missing cells",
                remedy="choose a column whose values are all there and all different, or name a further one",
                file=table.name,
                column=one,
            )
    strange = second.select(keys).join(first.select(keys), on=keys, how="anti").select(nw.len())
    if _number(anonymized.engine.batches(strange)):
        raise InputError(
            f"a record's key does not occur in {original.name}",
            remedy="remove the record or choose another key column",
            file=anonymized.name,
            column=one,
        )

    def sides(before: str, after: str) -> nw.LazyFrame[Any]:
        """One column of each, joined by the key."""
        left = first.select(*keys, nw.col(f"c{before[1:]}").alias(before))
        right = second.select(*keys, nw.col(f"c{after[1:]}").alias(after))
        return left.join(right, on=keys, how="inner").select(before, after)

    return LazyPairing(original, anonymized, sides)


def _number(batches: Any) -> int:
    return int(pa.Table.from_batches(batches).column(0)[0].as_py())
