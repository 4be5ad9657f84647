"""A table whose records stay in an engine: it receives group-by queries and returns counts only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial, reduce
from operator import and_, or_
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.config.matching_rule import MatchingRule
from metrics.counting.counts import Combinations, Counts, GroupedCounts, Pairing, PartitionCounts, Relation
from metrics.counting.rollup import counts_within, ordered_combinations, roll_up
from metrics.engines.backend import Backend
from metrics.engines.decimals import detect_decimal
from metrics.engines.pairing import pair
from metrics.engines.ranges import between, has_value, has_value_pair
from metrics.engines.spans import Level, Span, distinct_counts, distinct_counts_by, persisted, spans
from metrics.engines.vocabulary import CellFormat, Vocabulary, count_by, dictionary_columns, sum_counts, vocabulary
from metrics.errors import InputError
from metrics.tables.encoding import BLANKS
from metrics.tables.names import unique_names
from metrics.tables.read_plan import MEMORY, ReadPlan
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Integers, Source, quoted

Frame = nw.LazyFrame[Any]

MAX_CELLS = 2**21
"""Counted cells that are fetched and sorted at once; more are fetched in ranges of classes."""
_PREFIXES_PER_QUERY = 32
"""Prefixes per query: each one makes its filter condition longer."""


class LazyTable:
    """A table of any lazy frame; implements `EngineTable`.

    Its columns have internal names (`c0`, `c1`, ... in their order): some engines ignore the case of names, or refuse
    names that differ in case only.
    """

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        frame: Frame,
        engine: Backend,
        *,
        decimal: str | None = None,
        missing: Sequence[str] = (),
        plan: ReadPlan | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        """`names` are the names of the frame's columns `c0`, `c1`, ...; repeated names are numbered, as in memory."""
        self.name = name
        unique, changed = unique_names(list(names))
        self.names = tuple(unique)
        self._plan = plan or ReadPlan(MEMORY)
        self._notes = tuple(dict.fromkeys((*notes, *changed)))
        self.frame = frame
        self.engine = engine
        self.missing = tuple(marker.strip(BLANKS) for marker in missing)
        self._decimal = decimal
        self._vocabularies: dict[str, Vocabulary] = {}
        self._counted: dict[tuple[str, ...], Combinations] = {}
        self._persisted: tuple[tuple[str, ...], Frame] | None = None
        self._distinct_counts: dict[tuple[str, ...], int] = {}
        self._planned: tuple[str, ...] = ()
        self._excluded: frozenset[str] = frozenset()

    @cached_property
    def rows(self) -> int:
        """Number of records."""
        (batch,) = pa.Table.from_batches(self.engine.batches(self.frame.select(nw.len()))).to_batches()
        return int(batch.column(0)[0].as_py())

    @cached_property
    def cell_format(self) -> CellFormat:
        """The decimal separator, detected from some values of text columns unless given, and missing markers."""
        return CellFormat(self._decimal or self._detected_decimal(), self.missing)

    @cached_property
    def source(self) -> Source:
        """The reading plan."""
        return Source(replace(self._plan, decimal=self.cell_format.decimal, missing=self.missing), self._notes)

    def _detected_decimal(self) -> str:
        places = [self.place(name) for name in self.names if name not in self._excluded]
        return detect_decimal(self.frame, places, self.engine)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Column:
        """The column's values, without codes. Raises InputError if there is no such column."""
        return self.vocabulary(name).column

    def distinct_above(self, name: str, limit: int) -> bool:
        """Whether a column has more than `limit` distinct values; often decided from the first records alone."""
        if name not in self._vocabularies:
            place = self.place(name)
            seen = self.frame.select(place).head(4 * limit).select(nw.col(place).n_unique())
            if self._number(seen) > limit:
                return True
        return self[name].distinct > limit

    def plan_counts(self, groups: Sequence[str], columns: Sequence[str], excluded: Sequence[str]) -> None:
        """Announce the columns that will be counted, so that they can be counted in one query if that is cheap.

        The values of `excluded` columns, which identify people, are never fetched.
        """
        self._planned = tuple(dict.fromkeys((*groups, *columns)))
        self._excluded = frozenset(excluded)

    def relation(self, pairing: Pairing | None = None) -> Relation:
        """The relation that counts its records."""
        return LazyRelation(self, pairing)

    def match(self, original: Described, rule: MatchingRule) -> Pairing:
        """Match its records with the original's. Raises InputError if they cannot be matched."""
        if not isinstance(original, LazyTable):
            raise TypeError("the original is not a table of an engine")
        return pair(original, self, rule)

    def place(self, name: str) -> str:
        """The internal name of a column. Raises InputError if there is no such column."""
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
            planned = self._planned
            if set(names) <= set(planned) and names != planned and (planned in self._counted or self._is_cheap()):
                self._counted[names] = roll_up(self.count(planned), names)
            else:
                self._counted[names] = self._fetch(names)
        return self._counted[names]

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of a column within each combination of `groups`, numbered as `count(groups)` orders them."""
        names = tuple(dict.fromkeys((*groups, column)))
        of_groups = self._counted.get(tuple(groups))
        if of_groups is not None and names not in self._counted:
            cells = np.cumsum(np.minimum(of_groups.counts, self.vocabulary(column).width))
            if len(cells) and cells[-1] > MAX_CELLS:
                return self._by_ranges(of_groups, groups, column, cells)
        return counts_within(self.count(names), groups, column)

    def with_values(self, values: Mapping[str, Integers]) -> LazyTable:
        """The records whose value in each of these columns is one of the given codes; codes stay the same."""
        conditions = []
        for name, codes in values.items():
            words = self.vocabulary(name)
            conditions.append(has_value(self.place(name), words, np.isin(np.arange(words.width), codes)))
        chosen = reduce(and_, conditions)
        held = self._with_frame(self.frame.filter(chosen))
        held._vocabularies = self._vocabularies
        held._persisted = None if self._persisted is None else (self._persisted[0], self._persisted[1].filter(chosen))
        return held

    def with_labels(self, labels: Mapping[str, Sequence[str | None]]) -> LazyTable:
        """The records with new labels for a column's values, in the order of their codes; equal labels are merged."""
        table = self._with_frame(self.frame)
        table._vocabularies = self._vocabularies | {
            name: self.vocabulary(name).relabelled(labels[name]) for name in labels
        }
        return table

    def with_suppressed_pairs(
        self, original: Described, rule: MatchingRule, pairs: Mapping[str, tuple[Codes, Codes]]
    ) -> LazyTable:
        """The records with `*` in place of given pairs of values: by column, codes of (original, anonymized)."""
        if not isinstance(original, LazyTable):
            raise TypeError("the original is not a table of an engine")
        original_places = {name: f"o{original.names.index(name)}" for name in pairs}
        own_places = {name: f"a{position}" for position, name in enumerate(self.names)}
        records = pair(original, self, rule).select_columns(*original_places.values(), *own_places.values())
        cells = [nw.col(own_places[name]).alias(self.place(name)) for name in self.names]
        for name, codes in pairs.items():
            values = (original.vocabulary(name), self.vocabulary(name))
            starred = has_value_pair((original_places[name], own_places[name]), values, codes)
            text = nw.col(own_places[name]).cast(nw.String)
            kept = nw.when(starred).then(nw.lit(SUPPRESSED)).otherwise(text)
            cells[self.names.index(name)] = kept.alias(self.place(name))
        table = self._with_frame(records.select(*cells))
        table._vocabularies = {name: known for name, known in self._vocabularies.items() if name not in pairs}
        return table

    def _with_frame(self, frame: Frame) -> LazyTable:
        """A table of other records with the same columns and cell format."""
        cell_format = self.cell_format
        return LazyTable(
            self.name,
            self.names,
            frame,
            self.engine,
            decimal=cell_format.decimal,
            missing=cell_format.missing,
            plan=self._plan,
            notes=self._notes,
        )

    def estimate_distinct(self, sets: Sequence[Sequence[str]]) -> list[int]:
        """Approximate number of distinct combinations of each set of columns."""
        unknown = [tuple(names) for names in sets if tuple(names) not in self._distinct_counts]
        if unknown:
            frames = distinct_counts(self.frame, [[self.place(name) for name in names] for names in unknown])
            numbers = [number for frame in frames for number in self._numbers(frame)]
            self._distinct_counts.update(zip(unknown, numbers, strict=True))
        return [self._distinct_counts[tuple(names)] for names in sets]

    @contextmanager
    def partitions(
        self, groups: Sequence[str], columns: Sequence[str], max_combinations: int
    ) -> Iterator[PartitionCounts]:
        """Counts of groups and columns in partitions of about `max_combinations`; a group is never divided.

        An engine that can persist all counts does so in the meantime, and answers from them.
        """
        names = tuple(dict.fromkeys((*groups, *columns)))
        if self.rows <= max_combinations or self.estimate_distinct([names])[0] <= max_combinations:
            yield [self.count(names)]
            return
        with persisted(self._grouped_frame(names)) as held:
            self._persisted = None if held is None else (names, held)
            try:
                yield LazyPartitions(self, groups, names, max_combinations)
            finally:
                self._persisted = None

    def count_span(self, groups: Sequence[str], names: Sequence[str], span: Span) -> Combinations:
        """Combinations of columns whose groups, which come first, lie in a span."""
        return self._fetch(names, between(*self._places_and_vocabularies(groups), span.first, span.last))

    def extend_prefixes(
        self, groups: Sequence[str], names: Sequence[str], prefixes: Sequence[tuple[int, ...]]
    ) -> Level:
        """The prefixes longer by one group, and how many combinations of `names` each represents."""
        leading = groups[: len(prefixes[0]) + 1]
        places, vocabularies = self._places_and_vocabularies(leading)
        codes, numbers = [], []
        for first in range(0, len(prefixes), _PREFIXES_PER_QUERY):
            chosen = [between(places, vocabularies, one, one) for one in prefixes[first : first + _PREFIXES_PER_QUERY]]
            conditions = [one for one in chosen if one is not None]
            frame = self.frame if self._persisted is None else self._persisted[1]
            frame = frame.filter(reduce(or_, conditions)) if conditions else frame
            # The persisted frame is counted already: each of its rows is another combination.
            all_places = [self.place(name) for name in names]
            counted = count_by(frame, places) if self._persisted else distinct_counts_by(frame, places, all_places)
            combinations = self._combinations_of(
                leading, *dictionary_columns(self.engine.batches(counted), len(places))
            )
            codes.append(combinations.codes)
            numbers.append(combinations.counts)
        return tuple(np.concatenate(arrays) for arrays in zip(*codes, strict=True)), np.concatenate(numbers)

    def _places_and_vocabularies(self, names: Sequence[str]) -> tuple[list[str], list[Vocabulary]]:
        return [self.place(name) for name in names], [self.vocabulary(name) for name in names]

    def _is_cheap(self) -> bool:
        """Whether counting all planned columns in one query is sure to take little memory."""
        whole = self._planned
        unknown = [self.place(name) for name in whole if name not in self._vocabularies]
        widths = [self._vocabularies[name].width for name in whole if name in self._vocabularies]
        if unknown and math.prod(widths) <= MAX_CELLS:
            widths += self._numbers(self.frame.select(*(nw.col(place).n_unique() for place in unknown)))
        if math.prod(widths) <= MAX_CELLS:
            return True
        known = next((one for columns, one in self._counted.items() if set(columns) < set(whole)), None)
        if known is None:
            return False
        counted = {column.name for column in known.columns}
        rest = math.prod(self.vocabulary(name).width for name in whole if name not in counted)
        return int(np.minimum(known.counts, rest).sum()) <= MAX_CELLS

    def _fetch(self, names: Sequence[str], chosen: nw.Expr | None = None) -> Combinations:
        """Count combinations of columns, among the chosen records if a condition is given."""
        if chosen is not None:
            self._places_and_vocabularies(names)
        columns, counts = dictionary_columns(self.engine.batches(self._grouped_frame(names, chosen)), len(names))
        for name, cells in zip(names, columns, strict=True):
            if name not in self._vocabularies:
                self._vocabularies[name] = vocabulary(self.name, name, cells, self.cell_format)
        return self._combinations_of(names, columns, counts)

    def _grouped_frame(self, names: Sequence[str], chosen: nw.Expr | None = None) -> Frame:
        """The lazy frame that counts combinations of columns, based on the persisted counts if there are any."""
        places = [self.place(name) for name in names]
        held = self._persisted is not None and set(names) <= set(self._persisted[0])
        frame = self._persisted[1] if held and self._persisted is not None else self.frame
        frame = frame if chosen is None else frame.filter(chosen)
        return sum_counts(frame, places) if held else count_by(frame, places)

    def _combinations_of(
        self, names: Sequence[str], columns: Iterable[pa.ChunkedArray], counts: Integers
    ) -> Combinations:
        vocabularies = [self._vocabularies[name] for name in names]
        codes = [one.codes_of(cells) for one, cells in zip(vocabularies, columns, strict=True)]
        sorted_codes, sums = ordered_combinations(codes, [one.width for one in vocabularies], counts)
        return Combinations(tuple(one.column for one in vocabularies), sorted_codes, sums)

    def _by_ranges(self, groups: Combinations, names: Sequence[str], column: str, cells: Integers) -> GroupedCounts:
        """Count a column within groups, fetched in ranges of groups, and held in small integers."""
        found = []
        first = 0
        while first < len(cells):
            before = int(cells[first - 1]) if first else 0
            last = max(int(np.searchsorted(cells, before + MAX_CELLS, side="right")), first + 1)
            found.append(self._range(groups, names, column, first, last))
            first = last
        group, code, count = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return GroupedCounts(self.vocabulary(column).column, group, code, count)

    def _range(
        self, groups: Combinations, names: Sequence[str], column: str, first: int, last: int
    ) -> tuple[Counts, Counts, Counts]:
        """Group, code and count of the cells of the groups from `first` up to `last`, exclusive, in small integers."""
        low, high = (tuple(int(code[place]) for code in groups.codes) for place in (first, last - 1))
        every = tuple(dict.fromkeys((*names, column)))
        part = counts_within(self.count_span(names, every, Span(low, high, last - first)), names, column)
        return (
            (part.group + first).astype(np.min_scalar_type(len(groups.counts))),
            part.code.astype(np.min_scalar_type(self.vocabulary(column).width)),
            part.count.astype(np.uint32 if self.rows < 2**32 else np.int64),
        )

    def _number(self, frame: Frame) -> int:
        return self._numbers(frame)[0]

    def _numbers(self, frame: Frame) -> list[int]:
        table = pa.Table.from_batches(self.engine.batches(frame))
        return [int(column[0].as_py()) for column in table.columns]


class LazyRelation:
    """Counts of a table in an engine, alone or matched with its original; implements `Relation`."""

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
            raise ValueError("the table is not matched with an original")
        return self._pairing.count_pair(column)


class LazyPartitions:
    """Counts of a table, one span of its groups at a time; implements `PartitionCounts`."""

    def __init__(self, table: LazyTable, groups: Sequence[str], names: Sequence[str], max_combinations: int) -> None:
        """Divide the combinations of `names`, of which the groups come first."""
        self._table, self._groups, self._names = table, groups, names
        self._spans = spans(partial(table.extend_prefixes, groups, names), len(groups), max_combinations)

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[Combinations]:
        return (self._table.count_span(self._groups, self._names, span) for span in self._spans)
