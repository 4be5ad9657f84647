"""One row per equivalence class: its quasi-identifiers, size, and what each sensitive attribute looks like in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from metrics.class_ranking import ranking
from metrics.classes import EquivalenceClasses
from metrics.encoding import arrow_of
from metrics.evidence import Evidence
from metrics.notebook import MOST_ROWS, html_table
from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.specification import PerClass, Result
from metrics.table import Floats, Integers
from metrics.wording import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Classes with their measures; the arrays hold one entry per class."""

    classes: EquivalenceClasses
    distinct: Mapping[str, Integers]
    normalized_entropy: Mapping[str, Floats]
    t: Mapping[str, Floats]
    """Distance from the whole table by the ground distance that t-closeness uses; absent where that is unavailable."""
    joint: P29 | None
    """The P_29 result that says which classes violate and why; None where that is unavailable."""
    further: Mapping[str, Floats] = field(default_factory=dict)
    """Measures of further metrics, by the name of their column."""
    all_classes: int | None = None
    """How many classes there are in all, where these are the worst of them; None where they are all."""
    order: Integers | None = None
    """The order of the rows, where it is not that of the classes."""

    @property
    def violating(self) -> npt.NDArray[np.bool_]:
        """Classes that shut a gate of P_29."""
        return np.zeros(len(self), dtype=bool) if self.joint is None else self.joint.violating

    def __len__(self) -> int:
        return self.classes.count

    @property
    def caption(self) -> str:
        """How many classes these are, and of how many."""
        if self.all_classes is None or self.all_classes == len(self):
            return counted(len(self), "equivalence class", "equivalence classes")
        return (
            f"{len(self):,} of {counted(self.all_classes, 'equivalence class', 'equivalence classes')}: those that "
            "violate first, then the smallest"
        )

    @property
    def rows(self) -> Integers:
        """The class of each row: in canonical order, or the worst first where there are others."""
        return np.arange(len(self)) if self.order is None else self.order

    def to_arrow(self, chosen: npt.NDArray[Any] | None = None) -> pa.Table:
        """Quasi-identifiers as text, `size`, per attribute S `S.distinct`, `S.normalized_entropy`, `S.t`, then the
        measures of further metrics and `reasons`.

        `chosen` are indices of the classes wanted, in order. A quasi-identifier whose name is one of these gets
        " (quasi-identifier)" appended.
        """
        index = self.rows if chosen is None else np.asarray(chosen, dtype=np.int64)
        measures: dict[str, Any] = {"size": self.classes.sizes[index]}
        for name in self.distinct:
            measures[f"{name}.distinct"] = self.distinct[name][index]
            measures[f"{name}.normalized_entropy"] = self.normalized_entropy[name][index]
            if name in self.t:
                measures[f"{name}.t"] = self.t[name][index]
        for name, figures in self.further.items():
            measures[name] = figures[index]
        if self.joint is not None:
            measures["reasons"] = self.joint.reason_texts(index)
        columns: dict[str, Any] = {}
        for column, codes in zip(self.classes.columns, self.classes.codes, strict=True):
            name = f"{column.name} (quasi-identifier)" if column.name in measures else column.name
            columns[name] = column.values.take(arrow_of(codes[index]))
        arrays = {name: arrow_of(cells) if isinstance(cells, np.ndarray) else cells for name, cells in measures.items()}
        return pa.table({**columns, **arrays})

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def _repr_html_(self) -> str:
        first = self.to_arrow(self.rows[:MOST_ROWS])
        rows = zip(*(cells.to_pylist() for cells in first.columns), strict=True)
        return html_table(self.caption, first.column_names, rows, len(self))


def tabulated(result: object) -> bool:
    """Whether the class table holds figures of such a result."""
    return isinstance(result, P29 | TCloseness | PerClass)


def class_table(evidence: Evidence, results: Mapping[str, Result], all_classes: int | None = None) -> ClassTable:
    """The table of the classes that results, by metric id, have figures for; measures without a result are left out.

    `all_classes` is their number where these are the worst of all.
    """
    histograms = {name: evidence.histogram(name) for name in evidence.roles.sensitive}
    joint, closeness = results.get("p29"), results.get("t_closeness")
    entropy = joint.components.entropy if isinstance(joint, P29) else {}
    judged: dict[str, Mapping[str, Floats]] = {}
    for result in results.values():
        of: object = result
        if isinstance(of, PerClass):
            judged[of.measure] = of.per_class
    return ClassTable(
        classes=evidence.classes,
        distinct={name: histograms[name].distinct for name in entropy},
        normalized_entropy=entropy,
        t=closeness.per_class if isinstance(closeness, TCloseness) else {},
        joint=joint if isinstance(joint, P29) else None,
        further={
            f"{attribute}.{measure}" if attribute else measure: figures
            for measure, by_attribute in judged.items()
            for attribute, figures in by_attribute.items()
        },
        all_classes=all_classes,
        order=None if all_classes is None else ranking(evidence.classes.sizes, results).order,
    )
