"""Tables as dictionary-encoded columns: int32 codes and the few distinct values behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.tables.dictionary_codes import arrow_of, encode, flags_of, normalize, text_array
from metrics.tables.html import MAX_ROWS, html_table
from metrics.tables.values import canonical_order, parse_numbers

if TYPE_CHECKING:
    from metrics.tables.randomization import Randomization, Sampling
    from metrics.tables.read_plan import ReadPlan

T = TypeVar("T")
Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SUPPRESSED = "*"
"""The label of a suppressed cell, and the root that a hierarchy without one gets."""


@dataclass(frozen=True)
class Source:
    """Origin of a table: the plan that it was read by, and what was taken for granted."""

    plan: ReadPlan
    notes: tuple[str, ...] = ()
    """Notes on what needed no question, such as a column without a name."""
    sheets: tuple[str, ...] = ()
    """Names of all sheets of a workbook."""

    def to_dict(self) -> dict[str, Any]:
        """The plan, what it leaves out, and the notes, as `score --json` prints them."""
        return {"plan": self.plan.to_dict(), "left_out": list(self.plan.left_out), "notes": list(self.notes)}


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute: `values[codes[i]]` is the cell of record i.

    `codes` is int32, one per record; `values` holds each distinct text once, and null once if a cell is missing.
    Every value occurs in at least one record. Where an engine holds the records, there are values and no codes.
    """

    name: str
    codes: Codes
    values: pa.StringArray
    decimal: str = "."
    randomization: Randomization | None = None
    """How its cells were drawn, where that is known."""

    @cached_property
    def labels(self) -> list[str | None]:
        """The distinct values as Python text, None for the missing one."""
        labels: list[str | None] = self.values.to_pylist()
        return labels

    @cached_property
    def numbers(self) -> Floats | None:
        """The number each distinct value stands for, or None unless every one of them is a finite number."""
        return parse_numbers(self.labels, self.decimal)

    @cached_property
    def order(self) -> Integers:
        """Codes in reading order: by number if all are numbers, else by text; missing first."""
        return canonical_order(self.labels, self.numbers)

    @cached_property
    def rank(self) -> Integers:
        """Position of each code in `order`."""
        rank = np.empty(len(self.order), dtype=np.int64)
        rank[self.order] = np.arange(len(self.order))
        return rank

    @cached_property
    def code_of(self) -> dict[str | None, int]:
        """Code of each label."""
        return {label: code for code, label in enumerate(self.labels)}

    @property
    def distinct(self) -> int:
        """Number of distinct values; a missing cell counts as one value."""
        return len(self.values)

    @property
    def shown(self) -> Flags:
        """By code, whether a value is neither missing nor suppressed."""
        return ~flags_of(pc.is_in(self.values, value_set=text_array([None, "", SUPPRESSED])))

    def memoize(self, find: Callable[[Column], T]) -> T:
        """What a function finds of the column: computed on the first call with it only."""
        if find not in self._found:
            self._found[find] = find(self)
        found: T = self._found[find]
        return found

    @cached_property
    def _found(self) -> dict[Callable[[Column], Any], Any]:
        return {}

    def counts(self) -> Integers:
        """Number of records that hold each value, in code order."""
        return np.bincount(self.codes, minlength=self.distinct).astype(np.int64, copy=False)

    def take(self, records: npt.NDArray[Any]) -> Column:
        """The column of the chosen records (indices or a boolean mask), without values that no longer occur."""
        codes = self.codes[records]
        is_used = np.bincount(codes, minlength=self.distinct) > 0
        new_codes = (np.cumsum(is_used) - 1).astype(np.int32)
        values = self.values.filter(arrow_of(is_used))
        return Column(self.name, new_codes[codes], values, self.decimal, self.randomization)

    def followed_by(self, label: str, times: int) -> Column:
        """The column with `times` more records that hold `label`."""
        if not times:
            return self
        code = self.code_of.get(label, self.distinct)
        values = self.values if label in self.code_of else pa.concat_arrays([self.values, text_array([label])])
        codes = np.concatenate([self.codes, np.full(times, code, dtype=np.int32)])
        return Column(self.name, codes, values, self.decimal)

    @staticmethod
    def from_codes(name: str, codes: Codes, values: pa.StringArray, decimal: str = ".") -> Column:
        """A column from codes and values; equal values are merged, unused values dropped."""
        new_codes, distinct = normalize(codes, values)
        return Column(name, new_codes, distinct, decimal)

    @staticmethod
    def from_arrow(name: str, cells: pa.ChunkedArray | pa.Array, decimal: str = ".", *, dense: bool = False) -> Column:
        """Encode text cells, plain or already dictionary-encoded with int32 codes.

        A null in the cells becomes the missing value. Blanks around a cell are trimmed. `dense`: see `encode`.
        """
        codes, values = encode(cells, dense=dense)
        return Column(name, codes, values, decimal)


class Described(Protocol):
    """Members of every table, whether its records are in memory (`Table`) or in an engine."""

    @property
    def name(self) -> str:
        """The file's name, for messages and headings."""

    @property
    def rows(self) -> int:
        """Number of records."""

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in file order."""

    @property
    def source(self) -> Source:
        """Origin of the table, and how it was read."""

    def __contains__(self, name: object) -> bool: ...

    def __getitem__(self, name: str) -> Column:
        """The column of that name, with its codes or without; raises InputError if the table has none."""

    def distinct_above(self, name: str, limit: int) -> bool:
        """Whether a column has more than `limit` distinct values."""

    def shows(self, name: str) -> bool:
        """Whether a cell of a column is neither missing nor suppressed."""

    def sample(self, records: int) -> Table:
        """Return the table itself; of one in an engine its first records, without values that are never fetched."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Records in file order, every cell as text.

    Attributes
    ----------
    name : str
        The file's name, for messages and headings.
    columns : tuple of Column
        In file order, each dictionary-encoded.
    rows : int
        Number of records.
    source : Source
        How the file was read.
    sampled : Sampling, optional
        How SafePub made it, where that is known.
    positions : array of int, optional
        Where its records stand in the original, of a table sampled in this process: neither file nor recipe tells.
    """

    name: str
    columns: tuple[Column, ...]
    rows: int
    source: Source
    sampled: Sampling | None = None
    positions: npt.NDArray[Any] | None = None

    def __repr__(self) -> str:
        """Name and size: cells must not get into logs."""
        return f"Table({self.name!r}, {self.rows:,} records, {len(self.columns):,} columns)"

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in file order."""
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Column:
        """The column of that name; raises InputError if the table has none."""
        try:
            return self._by_name[name]
        except KeyError:
            raise InputError(
                "the table has no such column",
                remedy=f"its columns are {quoted(self.names)}",
                file=self.name,
                column=name,
            ) from None

    def distinct_above(self, name: str, limit: int) -> bool:
        """Whether a column has more than so many distinct values.

        Parameters
        ----------
        name : str
            Of the column.
        limit : int
            The number.

        Returns
        -------
        bool
            True for more, False for as many or fewer.
        """
        return self[name].distinct > limit

    def shows(self, name: str) -> bool:
        """Whether a cell of a column is neither missing nor suppressed.

        Parameters
        ----------
        name : str
            Of the column.

        Returns
        -------
        bool
            False where every cell is missing or suppressed.
        """
        return bool(self[name].shown.any())

    def sample(self, records: int) -> Table:
        """The table itself: only one in an engine examines fewer records.

        Parameters
        ----------
        records : int
            How many an engine would examine.

        Returns
        -------
        Table
            All records.
        """
        return self

    def select(self, names: Sequence[str]) -> tuple[Column, ...]:
        """The named columns.

        Parameters
        ----------
        names : sequence of str
            Of the columns.

        Returns
        -------
        tuple of Column
            In the order of the names.

        Raises
        ------
        InputError
            If the table has no such column.
        """
        return tuple(self[name] for name in names)

    def take(self, records: npt.NDArray[Any]) -> Table:
        """The chosen records.

        Parameters
        ----------
        records : array of int or of bool
            Positions, or a flag per record.

        Returns
        -------
        Table
            The records in the order given.
        """
        columns = tuple(column.take(records) for column in self.columns)
        selection = np.asarray(records)
        rows = int(selection.sum()) if selection.dtype == bool else len(selection)
        return Table(self.name, columns, rows, self.source)

    @property
    def randomization(self) -> dict[str, Randomization]:
        """How columns were randomized, where that is known."""
        return {column.name: column.randomization for column in self.columns if column.randomization is not None}

    def randomized(self, known: Mapping[str, Randomization]) -> Table:
        """The same records, with what is known of how columns were randomized.

        Parameters
        ----------
        known : mapping of str to Redrawn or TransitionMatrix
            By column the probabilities that its cells were drawn with.

        Returns
        -------
        Table
            The table, of which `local_dp` is available.

        Raises
        ------
        InputError
            If the table has no such column.
        """
        drawn = {name: replace(self[name], randomization=by) for name, by in known.items()}
        return replace(self, columns=tuple(drawn.get(column.name, column) for column in self.columns))

    def sorted_by_cells(self) -> Table:
        """The records in the reading order of their cells, which says nothing about the order that they had."""
        if not self.columns:
            return self
        return self.take(np.lexsort([column.rank[column.codes] for column in reversed(self.columns)]))

    def to_arrow(self) -> pa.Table:
        """Text columns, dictionary-encoded; missing cells are null."""
        arrays = [pa.DictionaryArray.from_arrays(column.codes, column.values) for column in self.columns]
        return pa.Table.from_arrays(arrays, names=list(self.names))

    def head(self, rows: int) -> list[list[str | None]]:
        """The first records, for a preview.

        Parameters
        ----------
        rows : int
            How many, at most.

        Returns
        -------
        list of list of str or None
            The cells of each; None for a missing one.
        """
        return [
            [column.labels[column.codes[record]] for column in self.columns] for record in range(min(rows, self.rows))
        ]

    def _repr_html_(self) -> str:
        caption = f"{self.name}: {pluralize(self.rows, 'record')}, {pluralize(len(self.columns), 'column')}"
        return html_table(caption, self.names, self.head(MAX_ROWS), self.rows)


def quoted(names: Sequence[str], max_names: int = 12) -> str:
    """Names for a message, each in quotes.

    The names with commas between them. `max_names`: most names written out; the number of the others follows.
    """
    listing = ", ".join(f'"{name}"' for name in names[:max_names])
    return listing if len(names) <= max_names else f"{listing} and {len(names) - max_names} more"
