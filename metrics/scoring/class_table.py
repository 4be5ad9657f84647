"""One row per equivalence class: its quasi-identifiers, size, and what each sensitive attribute looks like in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from metrics.aggregates import Aggregates
from metrics.counting.classes import EquivalenceClasses
from metrics.formatting import pluralize
from metrics.metric import Result
from metrics.privacy.p29.measure import P29
from metrics.scoring.catalog import METRICS
from metrics.scoring.class_ranking import ranking
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.html import MAX_ROWS, html_table
from metrics.tables.table import Flags, Floats, Integers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Classes with their measures; the arrays hold one entry per class.

    Attributes
    ----------
    classes : EquivalenceClasses
        Their quasi-identifiers and sizes.
    distinct : mapping of str to array of int
        Different values in each class, by sensitive attribute.
    measures : mapping of str to mapping of str to array of float
        Figures that metrics have for each class: by the measure's short name, then by attribute ("" for none).
    violations : P29 or None
        The result that says which classes violate a condition of P_29, and which; None where that is unavailable.
    all_classes : int or None
        How many classes there are in all, where these are the worst of them; None where they are all.
    order : array of int or None
        The order of the rows, where it is not that of the classes.
    limited : mapping of str to mapping of str to array of float
        By metric id, then by attribute ("" for none): the figures that a limit on the metric applies to.
    """

    classes: EquivalenceClasses
    distinct: Mapping[str, Integers]
    measures: Mapping[str, Mapping[str, Floats]]
    violations: P29 | None = None
    all_classes: int | None = None
    order: Integers | None = None
    limited: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)

    @property
    def violating(self) -> Flags:
        """Classes that violate a condition of P_29."""
        return np.zeros(len(self), dtype=bool) if self.violations is None else self.violations.violating

    @property
    def t(self) -> Mapping[str, Floats]:
        """Distance from the whole table by t-closeness's ground distance; empty where that is unavailable."""
        return self.measures.get("t", {})

    @property
    def normalized_entropy(self) -> Mapping[str, Floats]:
        """Normalized entropy, by sensitive attribute; empty where P_29 is unavailable."""
        return self.measures.get("normalized_entropy", {})

    def figures(self) -> dict[str, Floats]:
        """Every measure by the name of its column: `S.t` for attribute S, the measure alone if there is none."""
        names = [
            *self.distinct,
            *dict.fromkeys(name for by_attribute in self.measures.values() for name in by_attribute),
        ]
        measures: dict[str, Floats] = {}
        for name in dict.fromkeys(names):
            if name in self.distinct:
                measures[f"{name}.distinct"] = self.distinct[name].astype(np.float64)
            for measure, by_attribute in self.measures.items():
                if name in by_attribute:
                    measures[f"{name}.{measure}" if name else measure] = by_attribute[name]
        return measures

    def __len__(self) -> int:
        return self.classes.count

    @property
    def caption(self) -> str:
        """How many classes these are, and of how many."""
        if self.all_classes is None or self.all_classes == len(self):
            return pluralize(len(self), "equivalence class", "equivalence classes")
        return (
            f"{len(self):,} of {pluralize(self.all_classes, 'equivalence class', 'equivalence classes')}: those that "
            "fail first, then the smallest"
        )

    @property
    def rows(self) -> Integers:
        """The class of each row: in canonical order, or the worst first where only some are listed."""
        return np.arange(len(self)) if self.order is None else self.order

    def to_arrow(self, chosen: npt.NDArray[Any] | None = None) -> pa.Table:
        """Convert the table to an Arrow table.

        Parameters
        ----------
        chosen : array of int, optional
            Indices of the classes wanted, in order; by default those of `rows`.

        Returns
        -------
        pyarrow.Table
            Quasi-identifiers as text and `size`; per attribute S `S.distinct`, `S.normalized_entropy`, `S.t` and so on;
            then measures of no attribute and `p29_reasons`. A quasi-identifier whose name is one of these gets
            " (quasi-identifier)" appended.
        """
        index = self.rows if chosen is None else np.asarray(chosen, dtype=np.int64)
        measures: dict[str, Any] = {"size": self.classes.sizes[index]}
        measures |= {name: figures[index] for name, figures in self.figures().items()}
        for name, numbers in self.distinct.items():
            measures[f"{name}.distinct"] = numbers[index]
        if self.violations is not None:
            measures["p29_reasons"] = self.violations.reason_texts(index)
        columns: dict[str, Any] = {}
        for column, codes in zip(self.classes.columns, self.classes.codes, strict=True):
            name = f"{column.name} (quasi-identifier)" if column.name in measures else column.name
            columns[name] = column.values.take(arrow_of(codes[index]))
        arrays = {name: arrow_of(cells) if isinstance(cells, np.ndarray) else cells for name, cells in measures.items()}
        return pa.table({**columns, **arrays})

    def to_pandas(self) -> pd.DataFrame:
        """Convert the table to a pandas frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def _repr_html_(self) -> str:
        first = self.to_arrow(self.rows[:MAX_ROWS])
        rows = zip(*(cells.to_pylist() for cells in first.columns), strict=True)
        return html_table(self.caption, first.column_names, rows, len(self))


def class_table(aggregates: Aggregates, results: Mapping[str, Result], all_classes: int | None = None) -> ClassTable:
    """The table of the classes that results, by metric id, have figures for; measures without a result are left out.

    `all_classes` is their number where these are the worst of all.
    """
    measures: dict[str, Mapping[str, Floats]] = {}
    limited: dict[str, Mapping[str, Floats]] = {}
    for metric in METRICS:
        per_class, result = metric.per_class, results.get(metric.id)
        if per_class is None or result is None:
            continue
        if per_class.measure is not None:
            measures[per_class.measure] = per_class.figures(result)
        if per_class.limited is not None:
            limited[metric.id] = per_class.limited(result, aggregates.classes.sizes)
    p29 = results.get("p29")
    return ClassTable(
        classes=aggregates.classes,
        distinct={name: aggregates.histogram(name).distinct for name in aggregates.roles.sensitive},
        measures=measures,
        violations=p29 if isinstance(p29, P29) else None,
        all_classes=all_classes,
        order=None if all_classes is None else ranking(aggregates.classes.sizes, results).order,
        limited=limited,
    )
