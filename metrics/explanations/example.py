"""Parts of a worked example: a small table with its roles and parameters, its figures, and changes to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import pyarrow as pa

from metrics.config.parameters import Parameters
from metrics.config.roles import Role, Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard, score
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Column, Source, Table
from metrics.tables.values import parse_number
from metrics.texts import text

Rows: TypeAlias = tuple[tuple[str, ...], ...]
Figures: TypeAlias = Mapping[str, float | bool | None]


@dataclass(frozen=True)
class ExampleColumn:
    """One column of an example's table: a cell of the original or of the anonymized record."""

    heading: str
    name: str
    role: Role
    original: bool = False
    numeric: bool = False
    """Whether it takes numbers only."""


@dataclass(frozen=True)
class Trial:
    """A change to try, and the figures that it leads to."""

    say: str
    figures: Figures
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """New cells by record, counted from 1, and heading."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A table small enough to work out by hand, and its figures."""

    id: str
    title: str
    metric_id: str
    story: str
    columns: tuple[ExampleColumn, ...]
    rows: Rows
    expected: Figures
    trials: tuple[Trial, ...]
    hierarchies: Mapping[str, Rows] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, float | None] = field(default_factory=dict)
    """The largest value of each setting to vary: 1 for a share, None for an amount or a switch."""
    note: str | None = None
    by_class: bool = False
    """Whether the figures to watch are those of single classes instead of the table's."""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the table."""
        return tuple(column.heading for column in self.columns)

    def card(
        self,
        rows: Sequence[Sequence[str]] | None = None,
        hierarchies: Mapping[str, Sequence[Sequence[str]]] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Scorecard:
        """The example's scores, as it is or with other rows, hierarchies and settings.

        Raises InputError where there is no record, a cell is blank or no number where one is needed, a hierarchy is
        not sound, or a setting is out of range.
        """
        cells = self.rows if rows is None else rows
        self._check(cells)
        original = self._table(cells, original=True)
        return score(
            self._table(cells, original=False),
            Roles.from_mapping({column.name: column.role for column in self.columns if not column.original}),
            original=original if original.columns else None,
            hierarchies={name: _hierarchy(levels, name) for name, levels in (hierarchies or self.hierarchies).items()},
            parameters=Parameters().with_settings({**self.settings, **(settings or {})}),
            metrics=[self.metric_id],
        )

    def figures(self, card: Scorecard) -> Figures:
        """The figures to watch, by metric, detail, or attribute and class; none if the metric is unavailable."""
        metric_score = card[self.metric_id]
        if metric_score.result is None:
            return {}
        if self.by_class:
            return _figures_by_class(card, metric_score.metric.id)
        details = metric_score.details
        return {name: metric_score.value if name == self.metric_id else details[name] for name in self.expected}

    def chart_title(self, name: str) -> str:
        """The title of one of its figures."""
        return BY_ID[name].title if name == self.metric_id else _DETAIL_TITLES.get(name, name)

    @property
    def _has_original(self) -> bool:
        """Whether it holds original values; sensitive ones are then as they were."""
        return any(column.original for column in self.columns)

    def _check(self, rows: Sequence[Sequence[str]]) -> None:
        if not rows:
            raise InputError("the table has no record", remedy="add one, or reset the example")
        for number, row in enumerate(rows, 1):
            for column, cell in zip(self.columns, row, strict=True):
                if not cell.strip():
                    raise InputError(f"record {number} has a blank cell", remedy="fill it in", column=column.heading)
                if column.numeric and parse_number(cell.strip()) is None:
                    raise InputError(
                        f"record {number} does not contain a number",
                        remedy="write digits only, such as 4000",
                        column=column.heading,
                    )

    def _table(self, rows: Sequence[Sequence[str]], *, original: bool) -> Table:
        columns = tuple(
            Column.from_arrow(column.name, pa.array([row[i] for row in rows], pa.string()))
            for i, column in enumerate(self.columns)
            if column.original is original or (original and column.role is Role.SENSITIVE and self._has_original)
        )
        return Table("original" if original else "anonymized", columns, len(rows), Source(ReadPlan("memory")))


def _hierarchy(rows: Sequence[Sequence[str]], name: str) -> Hierarchy:
    for number, row in enumerate(rows, 1):
        if any(not label.strip() for label in row):
            raise InputError(
                f"row {number} of its hierarchy has a blank cell", remedy="fill it in or delete the row", column=name
            )
    return Hierarchy(rows, name=f"hierarchy of {name}")


def _figures_by_class(card: Scorecard, metric_id: str) -> Figures:
    """The figure of each class, by attribute and class."""
    per_class, result = card[metric_id].metric.per_class, card[metric_id].result
    class_measures: dict[str, float | bool | None] = {}
    for name, figures in ({} if per_class is None else per_class.figures(result)).items():
        for index, figure in enumerate(figures.tolist()):
            labels = ", ".join(str(label) for label in card.aggregates.classes.labels(index).values())
            class_measures[f"{name}, {labels}"] = figure
    return class_measures


_DETAIL_TITLES: Final = {
    "mean_combinations": "Mean combinations",
    "no_attack": text("no_attack.title"),
    "publisher_payout": text("profitability.payout"),
    "baseline": "Without the table",
    "null_mean": "If the true values are permuted",
    "loss": "Bits lost",
    "largest_loss": "Largest possible loss in bits",
    "violating_classes": "Classes that fail",
}
"""Titles of figures that are details of their metric."""
