"""A table whose records stay in an engine: only group-bys travel there, and only counts come back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial, reduce
from operator import and_, or_
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.counts import Combinations, Counts, GroupedCounts, Pairing, Parts, Relation
from metrics.encoding import BLANKS, arrow_of
from metrics.engines.asking import Engine
from metrics.engines.pairing import pair
from metrics.engines.ranges import any_of, between
from metrics.engines.spans import Level, Span, kept, numbers_by, numbers_of, spans
from metrics.engines.vocabulary import Vocabulary, Writing, added_up, encoded, grouped, vocabulary
from metrics.errors import InputError
from metrics.matching_rule import MatchingRule
from metrics.reading.assembly import check_names, decimal_sign
from metrics.rollup import ordered, rolled_up, within
from metrics.table import Column, Described, Integers, Source, quoted

Frame = nw.LazyFrame[Any]

MOST_CELLS = 2**21
"""Counted cells that are fetched and sorted at once; more are fetched by ranges of classes."""
_SAMPLE = 2**16
_AT_ONCE = 4
_CROWDED_AT_ONCE = 32
"""Combinations that are looked into by one question: each makes its condition longer."""
_TEXTS = (nw.String, nw.Categorical, nw.Enum)


class LazyTable:
    """A table of any lazy frame; implements `EngineTable`.

    Its columns go by internal names (`c0`, `c1`, ... in their order): engines match names without case or refuse two
    that differ in it alone.
    """

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        frame: Frame,
        engine: Engine,
        *,
        decimal: str | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        """`frame` has the columns `c0`, `c1`, ... that `names` (blanks around them are dropped) are the names of."""
        self.name = name
        self.names = tuple(check_names(list(names), name, None))
        self.frame = frame
        self.engine = engine
        self.missing = tuple(marker.strip(BLANKS) for marker in missing)
        self._decimal = decimal
        self._vocabularies: dict[str, Vocabulary] = {}
        self._counted: dict[tuple[str, ...], Combinations] = {}
        self._kept: tuple[tuple[str, ...], Frame] | None = None
        self._numbers_of: dict[tuple[str, ...], int] = {}
        self._foreseen: tuple[str, ...] = ()
        self._never: frozenset[str] = frozenset()

    @cached_property
    def rows(self) -> int:
        """Number of records."""
        (batch,) = pa.Table.from_batches(self.engine.batches(self.frame.select(nw.len()))).to_batches()
        return int(batch.column(0)[0].as_py())

    @cached_property
    def writing(self) -> Writing:
        """The decimal sign, told by some values of its columns of text unless it was given, and missing markers."""
        return Writing(self._decimal or self._sign(), self.missing)

    @cached_property
    def source(self) -> Source:
        """Which engine holds it, and how its cells are understood."""
        return Source(self.engine.kind, decimal=self.writing.decimal, missing=self.missing)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Column:
        """The column's values, without codes; raises InputError if the table has none of that name."""
        return self.vocabulary(name).column

    def distinct_above(self, name: str, most: int) -> bool:
        """Whether a column holds more than `most` different values; of an identifier, few records are looked at."""
        if name not in self._vocabularies:
            place = self.place(name)
            seen = self.frame.select(place).head(4 * most).select(nw.col(place).n_unique())
            if self._number(seen) > most:
                return True
        return self[name].distinct > most

    def foresee(self, groups: Sequence[str], columns: Sequence[str], never: Sequence[str]) -> None:
        """Which columns will be counted within which groups: where it is little more work, all at once.

        Values of those in `never`, which name people, stay where they are.
        """
        self._foreseen = tuple(dict.fromkeys((*groups, *columns)))
        self._never = frozenset(never)

    def relation(self, pairing: Pairing | None = None) -> Relation:
        """What answers questions about its records."""
        return LazyRelation(self, pairing)

    def beside(self, original: Described, rule: MatchingRule) -> Pairing:
        """Its records matched with the original's; raises InputError where they cannot be."""
        if not isinstance(original, LazyTable):
            raise TypeError("the original is not a table of an engine")
        return pair(original, self, rule)

    def place(self, name: str) -> str:
        """The internal name of a column; raises InputError if the table has none of that name."""
        if name not in self.names:
            raise InputError(
                "the table has no such column",
                remedy=f"its columns are {quoted(self.names)}",
                file=self.name,
                column=name,
            )
        return f"c{self.names.index(name)}"

    def vocabulary(self, name: str) -> Vocabulary:
        """All values of a column and their codes."""
        if name not in self._vocabularies:
            self._counted[(name,)] = self._fetch([name])
        return self._vocabularies[name]

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of columns, in the canonical order of their values."""
        names = tuple(columns)
        if names not in self._counted:
            whole = self._foreseen
            if set(names) <= set(whole) and names != whole and (whole in self._counted or self._worthwhile(names)):
                self._counted[names] = rolled_up(self.count(whole), names)
            else:
                self._counted[names] = self._fetch(names)
        return self._counted[names]

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of a column within each combination of `groups`, numbered as `count(groups)` orders them."""
        names = tuple(dict.fromkeys((*groups, column)))
        of_groups = self._counted.get(tuple(groups))
        if of_groups is not None and names not in self._counted:
            cells = np.cumsum(np.minimum(of_groups.counts, self.vocabulary(column).width))
            if len(cells) and cells[-1] > MOST_CELLS:
                return self._by_ranges(of_groups, groups, column, cells)
        return within(self.count(names), groups, column)

    def holding(self, values: Mapping[str, Integers]) -> LazyTable:
        """The records that hold one of these values in each of these columns: values by code, which stay the same."""
        conditions = []
        for name, codes in values.items():
            of = self.vocabulary(name)
            conditions.append(any_of(self.place(name), of, np.isin(np.arange(of.width), codes)))
        chosen = reduce(and_, conditions)
        writing = self.writing
        held = LazyTable(
            self.name,
            self.names,
            self.frame.filter(chosen),
            self.engine,
            decimal=writing.decimal,
            missing=writing.missing,
        )
        held._vocabularies = self._vocabularies
        held._kept = None if self._kept is None else (self._kept[0], self._kept[1].filter(chosen))
        return held

    def numbers(self, sets: Sequence[Sequence[str]]) -> list[int]:
        """About how many different combinations each of these sets of columns has."""
        asked = [tuple(names) for names in sets if tuple(names) not in self._numbers_of]
        if asked:
            frames = numbers_of(self.frame, [[self.place(name) for name in names] for names in asked])
            told = [number for frame in frames for number in self._numbers(frame)]
            self._numbers_of.update(zip(asked, told, strict=True))
        return [self._numbers_of[tuple(names)] for names in sets]

    @contextmanager
    def parts(self, groups: Sequence[str], columns: Sequence[str], most: int) -> Iterator[Parts]:
        """Counts of groups and columns, about `most` combinations at a time, those of one group in one part.

        Meanwhile an engine that can holds them all, and answers from there.
        """
        names = tuple(dict.fromkeys((*groups, *columns)))
        if self.rows <= most or self.numbers([names])[0] <= most:
            yield [self.count(names)]
            return
        with kept(self._counting(names)) as held:
            self._kept = None if held is None else (names, held)
            try:
                yield LazyParts(self, groups, names, most)
            finally:
                self._kept = None

    def count_span(self, groups: Sequence[str], names: Sequence[str], span: Span) -> Combinations:
        """Combinations of columns whose first ones, the groups, lie in a span."""
        return self._fetch(names, between(*self._told(groups), span.first, span.last))

    def longer(self, groups: Sequence[str], names: Sequence[str], crowded: Sequence[tuple[int, ...]]) -> Level:
        """Combinations of one group more that begin with the crowded ones, and in how many of `names` they stand."""
        told = groups[: len(crowded[0]) + 1]
        places, vocabularies = self._told(told)
        codes, numbers = [], []
        for first in range(0, len(crowded), _CROWDED_AT_ONCE):
            chosen = [between(places, vocabularies, one, one) for one in crowded[first : first + _CROWDED_AT_ONCE]]
            conditions = [one for one in chosen if one is not None]
            frame = self.frame if self._kept is None else self._kept[1]
            frame = frame.filter(reduce(or_, conditions)) if conditions else frame
            # What the engine holds is counted already: each row is another combination.
            by = grouped(frame, places) if self._kept else numbers_by(frame, places, [*map(self.place, names)])
            found = self._combined(told, *encoded(self.engine.batches(by), len(places)))
            codes.append(found.codes)
            numbers.append(found.counts)
        joined = tuple(np.concatenate(parts) for parts in zip(*codes, strict=True))
        return joined, np.concatenate(numbers)

    def _told(self, names: Sequence[str]) -> tuple[list[str], list[Vocabulary]]:
        return [self.place(name) for name in names], [self.vocabulary(name) for name in names]

    def _worthwhile(self, names: tuple[str, ...]) -> bool:
        """Whether counting all foreseen columns at once surely takes little memory."""
        whole = self._foreseen
        unknown = [self.place(name) for name in whole if name not in self._vocabularies]
        widths = [self._vocabularies[name].width for name in whole if name in self._vocabularies]
        if unknown and math.prod(widths) <= MOST_CELLS:
            widths += self._numbers(self.frame.select(*(nw.col(place).n_unique() for place in unknown)))
        if math.prod(widths) <= MOST_CELLS:
            return True
        known = next((one for of, one in self._counted.items() if set(of) < set(whole)), None)
        if known is None:
            return False
        counted = {column.name for column in known.columns}
        rest = math.prod(self.vocabulary(name).width for name in whole if name not in counted)
        return int(np.minimum(known.counts, rest).sum()) <= MOST_CELLS

    def _fetch(self, names: Sequence[str], chosen: nw.Expr | None = None) -> Combinations:
        """Combinations of columns; where records are chosen, the columns' values must be known."""
        if chosen is not None:
            self._told(names)
        columns, counts = encoded(self.engine.batches(self._counting(names, chosen)), len(names))
        for name, cells in zip(names, columns, strict=True):
            if name not in self._vocabularies:
                self._vocabularies[name] = vocabulary(self.name, name, cells, self.writing)
        return self._combined(names, columns, counts)

    def _counting(self, names: Sequence[str], chosen: nw.Expr | None = None) -> Frame:
        """Combinations of columns with their records, not yet asked for: of what the engine holds, where it does."""
        places = [self.place(name) for name in names]
        held = self._kept is not None and set(names) <= set(self._kept[0])
        frame = self._kept[1] if held and self._kept is not None else self.frame
        frame = frame if chosen is None else frame.filter(chosen)
        return added_up(frame, places) if held else grouped(frame, places)

    def _combined(self, names: Sequence[str], columns: Iterable[pa.ChunkedArray], counts: Integers) -> Combinations:
        of = [self._vocabularies[name] for name in names]
        codes = [one.codes_of(cells) for one, cells in zip(of, columns, strict=True)]
        sorted_codes, sums = ordered(codes, [one.width for one in of], counts)
        return Combinations(tuple(one.column for one in of), sorted_codes, sums)

    def _by_ranges(self, groups: Combinations, names: Sequence[str], column: str, cells: Integers) -> GroupedCounts:
        """The same, fetched range by range of groups, and held in few bytes."""
        found = []
        first = 0
        while first < len(cells):
            before = int(cells[first - 1]) if first else 0
            last = max(int(np.searchsorted(cells, before + MOST_CELLS, side="right")), first + 1)
            found.append(self._range(groups, names, column, first, last))
            first = last
        group, code, count = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return GroupedCounts(self.vocabulary(column).column, group, code, count)

    def _range(
        self, groups: Combinations, names: Sequence[str], column: str, first: int, last: int
    ) -> tuple[Counts, Counts, Counts]:
        """Group, code and count of the cells of the groups from `first` to before `last`, in few bytes each."""
        low, high = (tuple(int(code[place]) for code in groups.codes) for place in (first, last - 1))
        every = tuple(dict.fromkeys((*names, column)))
        part = within(self.count_span(names, every, Span(low, high, last - first)), names, column)
        return (
            (part.group + first).astype(np.min_scalar_type(len(groups.counts))),
            part.code.astype(np.min_scalar_type(self.vocabulary(column).width)),
            part.count.astype(np.uint32 if self.rows < 2**32 else np.int64),
        )

    def _sign(self) -> str:
        """The decimal sign that some values of the columns of text show, as reading tells it.

        Identifiers are not looked at.
        """
        schema = self.frame.collect_schema()
        if any(kind.is_float() or kind.is_decimal() for kind in schema.values()):
            return "."
        looked_at = [self.place(name) for name in self.names if name not in self._never]
        texts = [place for place in looked_at if schema[place] in _TEXTS]
        seen = []
        for first in range(0, len(texts), _AT_ONCE):
            seen += self._some_values(texts[first : first + _AT_ONCE])
        return decimal_sign(seen)

    def _some_values(self, places: Sequence[str]) -> list[Column]:
        """Values of the first records of a few columns, in one question: some engines take a second for each."""
        parts = [
            grouped(self.frame.select(nw.col(place).cast(nw.String).alias("value")).head(_SAMPLE), ["value"])
            for place in places
        ]
        numbered = [part.with_columns(nw.lit(number).alias("column")) for number, part in enumerate(parts)]
        found = pa.Table.from_batches(self.engine.batches(nw.concat(numbered).select("column", "value")))
        of_column = found.column("column").to_numpy()
        values = found.column("value")
        return [Column.from_arrow(place, values.filter(arrow_of(of_column == at))) for at, place in enumerate(places)]

    def _number(self, frame: Frame) -> int:
        return self._numbers(frame)[0]

    def _numbers(self, frame: Frame) -> list[int]:
        table = pa.Table.from_batches(self.engine.batches(frame))
        return [int(column[0].as_py()) for column in table.columns]


class LazyRelation:
    """Counts over a table in an engine, alone or beside its original; implements `Relation`."""

    def __init__(self, table: LazyTable, pairing: Pairing | None) -> None:
        self._table = table
        self._pairing = pairing

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of anonymized columns, in the canonical order of their values."""
        return self._table.count(columns)

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of `column` within each combination of `groups`, numbered as `count(groups)` orders them."""
        return self._table.count_within(groups, column)

    def count_pair(self, column: str) -> Combinations:
        """Combinations of (original, anonymized) values of one column over matched records."""
        if self._pairing is None:
            raise ValueError("there is no matched original")
        return self._pairing.count_pair(column)


class LazyParts:
    """Counts of a table in spans of its groups; implements `Parts`."""

    def __init__(self, table: LazyTable, groups: Sequence[str], names: Sequence[str], most: int) -> None:
        """Divides the combinations of `names`, of which the groups come first."""
        self._table, self._groups, self._names = table, groups, names
        self._spans = spans(partial(table.longer, groups, names), len(groups), most)

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[Combinations]:
        return (self._table.count_span(self._groups, self._names, span) for span in self._spans)
