"""Top and bottom coding: the extreme numbers of a column become one interval at each end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.columns import columns_parameter, numeric_columns
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns
from metrics.config.roles import Roles
from metrics.hierarchies.builders.intervals import decimal_of, format_decimal
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.matching.released_values import plain_numbers
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import Column, Table


@dataclass(frozen=True)
class TopBottomCoding(CandidateMethod):
    """Numbers at the ends of a column's distribution are replaced by `<=a` and `>=b`.

    At each end as many of the most extreme values are put together as hold at most the given share of the records that
    have a number. So no more is changed than was asked for; an end whose values are all more frequent stays. A value
    that would be alone in its interval stays, too: the interval would hide nothing. Nothing is drawn at random.

    Hundepool et al.: Statistical Disclosure Control. Wiley 2012, section 3.3.3, https://doi.org/10.1002/9781118348239
    """

    name: ClassVar[str] = "top-bottom-coding"
    title: ClassVar[str] = "Top and bottom coding"
    about: ClassVar[str] = (
        "The largest and the smallest numbers of a column are replaced with one interval each, such as >=80."
    )
    needs_numbers: ClassVar[bool] = True

    top: float = parameter(0.05, "Top", "Largest share of records to combine at the top.", 0, 0.5)
    bottom: float = parameter(0.05, "Bottom", "Largest share of records to combine at the bottom.", 0, 0.5)
    columns: tuple[str, ...] = columns_parameter("all numeric quasi-identifiers")

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with coded columns. Raises InputError where a column does not hold numbers."""
        columns = numeric_columns(original, roles, self.columns)
        return with_columns(original, {column.name: self._coded_column(column) for column in columns})

    def _coded_column(self, column: Column) -> Column:
        numbers = plain_numbers(column)
        with_number = np.flatnonzero(~np.isnan(numbers))
        order = with_number[np.lexsort((column.rank[with_number], numbers[with_number]))]
        counts = column.counts()
        labels = list(column.labels)
        for sign, share, codes in (("<=", self.bottom, order), (">=", self.top, order[::-1])):
            tail = codes[np.cumsum(counts[codes]) <= share * counts[with_number].sum()]
            if len(np.unique(numbers[tail])) > 1:
                end = labels[tail[-1]] or ""
                exact = decimal_of(end, column.decimal)
                label = f"{sign}{end if exact is None else format_decimal(exact, column.decimal)}"
                for code in tail.tolist():
                    labels[code] = label
        return Column.from_codes(column.name, column.codes, text_array(labels), column.decimal)
