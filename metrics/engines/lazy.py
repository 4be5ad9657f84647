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

from metrics.counting.counts import Combinations, Counts, GroupedCounts, Pairing, PartitionCounts
from metrics.counting.marginal_counts import counts_within, marginal_counts, ordered_combinations
from metrics.engines.backend import Backend
from metrics.engines.decimals import detect_decimal
from metrics.engines.pairing import pair
from metrics.engines.ranges import between, has_value, has_value_pair
from metrics.engines.spans import Level, Span, distinct_counts, distinct_counts_by, persisted, spans
from metrics.engines.vocabulary import CellFormat, Vocabulary, count_by, dictionary_columns, sum_counts, vocabulary
from metrics.errors import InputError
from metrics.reading import as_table
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.names import unique_names
from metrics.tables.read_plan import MEMORY, ReadPlan
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Integers, Source, Table, quoted

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
        numbered_names, name_notes = unique_names(list(names))
        self.names = tuple(numbered_names)
        self._plan = plan or ReadPlan(MEMORY)
        self._notes = tuple(dict.fromkeys((*notes, *name_notes)))
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
        columns = [self.internal_name(name) for name in self.names if name not in self._excluded]
        return detect_decimal(self.frame, columns, self.engine)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Column:
        """The column's values, without codes. Raises InputError if there is no such column."""
        return self.vocabulary(name).column

    def distinct_above(self, name: str, limit: int) -> bool:
        """Whether a column has more than `limit` distinct values; often decided from the first records alone."""
        if name not in self._vocabularies:
            column = self.internal_name(name)
            if self._distinct(self.frame.select(column).head(4 * limit), [column])[0] > limit:
                return True
        return self[name].distinct > limit

    def plan_counts(self, groups: Sequence[str], columns: Sequence[str], excluded: Sequence[str]) -> None:
        """Announce the columns that will be counted, so that they can be counted in one query if that is cheap.

        The values of `excluded` columns, which identify people, are never fetched.
        """
        self._planned = tuple(dict.fromkeys((*groups, *columns)))
        self._excluded = frozenset(excluded)

    def sample(self, records: int) -> Table:
        """Its first records as a table in memory, without the columns whose values are never fetched."""
        names = [name for name in self.names if name not in self._excluded]
        frame = self.frame.select(*map(self.internal_name, names)).head(records)
        batches = list(self.engine.batches(frame))
        cells = pa.Table.from_batches(batches) if batches else pa.table({column: [] for column in frame.columns})
        return as_table(cells.rename_columns(names), self.name)

    def shows(self, name: str) -> bool:
        """Whether a cell of a column is neither missing nor suppressed; no value is fetched."""
        cell = nw.col(self.internal_name(name)).cast(nw.String).str.strip_chars()
        shown = self.frame.filter(~cell.is_null() & ~cell.is_in(["", SUPPRESSED, *self.missing])).head(1)
        return self._number(shown.select(nw.len())) > 0

    def match(self, original: Described, rule: MatchingRule) -> Pairing:
        """Match its records with the original's. Raises InputError if they cannot be matched."""
        if not isinstance(original, LazyTable):
            raise TypeError("the original is not a table of an engine")
        return pair(original, self, rule)

    def internal_name(self, name: str) -> str:
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
                self._counted[names] = marginal_counts(self.count(planned), names)
            else:
                self._counted[names] = self._fetch(names)
        return self._counted[names]

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of a column within each combination of `groups`, numbered as `count(groups)` orders them."""
        names = tuple(dict.fromkeys((*groups, column)))
        group_counts = self._counted.get(tuple(groups))
        if group_counts is not None and names not in self._counted:
            cells = np.cumsum(np.minimum(group_counts.counts, self.vocabulary(column).width))
            if len(cells) and cells[-1] > MAX_CELLS:
                return self._by_ranges(group_counts, groups, column, cells)
        return counts_within(self.count(names), groups, column)

    def with_values(self, values: Mapping[str, Integers]) -> LazyTable:
        """The records whose value in each of these columns is one of the given codes; codes stay the same."""
        conditions = []
        for name, codes in values.items():
            column_vocabulary = self.vocabulary(name)
            conditions.append(
                has_value(
                    self.internal_name(name), column_vocabulary, np.isin(np.arange(column_vocabulary.width), codes)
                )
            )
        condition = reduce(and_, conditions)
        table = self._with_frame(self.frame.filter(condition))
        table._vocabularies = self._vocabularies
        table._persisted = (
            None if self._persisted is None else (self._persisted[0], self._persisted[1].filter(condition))
        )
        return table

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
        """The records with `*` in place of given pairs of values: by column, codes of (original, anonymized).

        Raises TypeError if the original is no table of an engine.
        """
        if not isinstance(original, LazyTable):
            raise TypeError("the original is not a table of an engine")
        original_columns = {name: f"o{original.names.index(name)}" for name in pairs}
        own_columns = {name: f"a{index}" for index, name in enumerate(self.names)}
        records = pair(original, self, rule).select_columns(*original_columns.values(), *own_columns.values())
        cells = [nw.col(own_columns[name]).alias(self.internal_name(name)) for name in self.names]
        for name, codes in pairs.items():
            values = (original.vocabulary(name), self.vocabulary(name))
            is_suppressed = has_value_pair((original_columns[name], own_columns[name]), values, codes)
            text = nw.col(own_columns[name]).cast(nw.String)
            cell = nw.when(is_suppressed).then(nw.lit(SUPPRESSED)).otherwise(text)
            cells[self.names.index(name)] = cell.alias(self.internal_name(name))
        table = self._with_frame(records.select(*cells))
        table._vocabularies = {
            name: column_vocabulary for name, column_vocabulary in self._vocabularies.items() if name not in pairs
        }
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
        uncounted = [tuple(names) for names in sets if tuple(names) not in self._distinct_counts]
        if uncounted:
            frames = distinct_counts(self.frame, [[self.internal_name(name) for name in names] for names in uncounted])
            estimates = [estimate for frame in frames for estimate in self._numbers(frame)]
            self._distinct_counts.update(zip(uncounted, estimates, strict=True))
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
        with persisted(self._grouped_frame(names)) as persisted_frame:
            self._persisted = None if persisted_frame is None else (names, persisted_frame)
            try:
                yield LazyPartitions(self, groups, names, max_combinations)
            finally:
                self._persisted = None

    def count_span(self, groups: Sequence[str], names: Sequence[str], span: Span) -> Combinations:
        """Combinations of columns whose groups, the first columns, lie in a span."""
        return self._fetch(names, between(*self._places_and_vocabularies(groups), span.first, span.last))

    def extend_prefixes(
        self, groups: Sequence[str], names: Sequence[str], prefixes: Sequence[tuple[int, ...]]
    ) -> Level:
        """The prefixes longer by one group, and how many combinations of `names` each represents."""
        leading_groups = groups[: len(prefixes[0]) + 1]
        columns, vocabularies = self._places_and_vocabularies(leading_groups)
        codes, counts = [], []
        for start in range(0, len(prefixes), _PREFIXES_PER_QUERY):
            ranges = [
                between(columns, vocabularies, prefix, prefix)
                for prefix in prefixes[start : start + _PREFIXES_PER_QUERY]
            ]
            conditions = [condition for condition in ranges if condition is not None]
            frame = self.frame if self._persisted is None else self._persisted[1]
            frame = frame.filter(reduce(or_, conditions)) if conditions else frame
            # The persisted frame is counted already: each of its rows is another combination.
            all_columns = [self.internal_name(name) for name in names]
            counts_frame = (
                count_by(frame, columns) if self._persisted else distinct_counts_by(frame, columns, all_columns)
            )
            combinations = self._combinations_of(
                leading_groups, *dictionary_columns(self.engine.batches(counts_frame), len(columns))
            )
            codes.append(combinations.codes)
            counts.append(combinations.counts)
        return tuple(np.concatenate(arrays) for arrays in zip(*codes, strict=True)), np.concatenate(counts)

    def _places_and_vocabularies(self, names: Sequence[str]) -> tuple[list[str], list[Vocabulary]]:
        return [self.internal_name(name) for name in names], [self.vocabulary(name) for name in names]

    def _is_cheap(self) -> bool:
        """Whether counting all planned columns in one query is sure to take little memory."""
        planned = self._planned
        unread_columns = [self.internal_name(name) for name in planned if name not in self._vocabularies]
        widths = [self._vocabularies[name].width for name in planned if name in self._vocabularies]
        if unread_columns and math.prod(widths) <= MAX_CELLS:
            widths += self._distinct(self.frame, unread_columns)
        if math.prod(widths) <= MAX_CELLS:
            return True
        combinations = next(
            (combinations for columns, combinations in self._counted.items() if set(columns) < set(planned)), None
        )
        if combinations is None:
            return False
        counted_names = {column.name for column in combinations.columns}
        n_extensions = math.prod(self.vocabulary(name).width for name in planned if name not in counted_names)
        return int(np.minimum(combinations.counts, n_extensions).sum()) <= MAX_CELLS

    def _distinct(self, frame: Frame, columns: Sequence[str]) -> list[int]:
        """The number of distinct values of each column, missing ones as one."""
        if self.engine.kind == "ibis":  # its queries for PostgreSQL convert a truth to a number, which is refused
            return [self._number(frame.select(column).unique().select(nw.len())) for column in columns]
        return list(self._numbers(frame.select(*(nw.col(column).n_unique() for column in columns))))

    def _fetch(self, names: Sequence[str], condition: nw.Expr | None = None) -> Combinations:
        """Count combinations of columns, among the chosen records if a condition is given."""
        if condition is not None:
            self._places_and_vocabularies(names)
        columns, counts = dictionary_columns(self.engine.batches(self._grouped_frame(names, condition)), len(names))
        for name, cells in zip(names, columns, strict=True):
            if name not in self._vocabularies:
                self._vocabularies[name] = vocabulary(self.name, name, cells, self.cell_format)
        return self._combinations_of(names, columns, counts)

    def _grouped_frame(self, names: Sequence[str], condition: nw.Expr | None = None) -> Frame:
        """The lazy frame that counts combinations of columns, based on the persisted counts if there are any."""
        columns = [self.internal_name(name) for name in names]
        is_persisted = self._persisted is not None and set(names) <= set(self._persisted[0])
        frame = self._persisted[1] if is_persisted and self._persisted is not None else self.frame
        frame = frame if condition is None else frame.filter(condition)
        return sum_counts(frame, columns) if is_persisted else count_by(frame, columns)

    def _combinations_of(
        self, names: Sequence[str], columns: Iterable[pa.ChunkedArray], counts: Integers
    ) -> Combinations:
        vocabularies = [self._vocabularies[name] for name in names]
        codes = [values.codes_of(cells) for values, cells in zip(vocabularies, columns, strict=True)]
        sorted_codes, sums = ordered_combinations(codes, [values.width for values in vocabularies], counts)
        return Combinations(tuple(values.column for values in vocabularies), sorted_codes, sums)

    def _by_ranges(self, groups: Combinations, names: Sequence[str], column: str, cells: Integers) -> GroupedCounts:
        """Count a column within groups, fetched in ranges of groups, and held in small integers."""
        ranges = []
        start = 0
        while start < len(cells):
            offset = int(cells[start - 1]) if start else 0
            stop = max(int(np.searchsorted(cells, offset + MAX_CELLS, side="right")), start + 1)
            ranges.append(self._range(groups, names, column, start, stop))
            start = stop
        group, code, count = (np.concatenate(arrays) for arrays in zip(*ranges, strict=True))
        return GroupedCounts(self.vocabulary(column).column, group, code, count)

    def _range(
        self, groups: Combinations, names: Sequence[str], column: str, start: int, stop: int
    ) -> tuple[Counts, Counts, Counts]:
        """Group, code and count of the cells of the groups from `first` up to `last`, exclusive, in small integers."""
        low, high = (tuple(int(code[index]) for code in groups.codes) for index in (start, stop - 1))
        all_names = tuple(dict.fromkeys((*names, column)))
        counts = counts_within(self.count_span(names, all_names, Span(low, high, stop - start)), names, column)
        return (
            (counts.group + start).astype(np.min_scalar_type(len(groups.counts))),
            counts.code.astype(np.min_scalar_type(self.vocabulary(column).width)),
            counts.count.astype(np.uint32 if self.rows < 2**32 else np.int64),
        )

    def _number(self, frame: Frame) -> int:
        return self._numbers(frame)[0]

    def _numbers(self, frame: Frame) -> list[int]:
        table = pa.Table.from_batches(self.engine.batches(frame))
        return [int(column[0].as_py()) for column in table.columns]


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
