"""What is scored: the tables as they are given, and the settings that must fit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import MAX_CLASSES, Aggregates, TableAggregates
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.counts import EngineTable
from metrics.engines import table_of
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.reading import as_table
from metrics.tables.frames import TableLike

if TYPE_CHECKING:
    from narwhals.typing import IntoLazyFrame


def aggregates_of_tables(
    anonymized: TableLike | EngineTable | IntoLazyFrame,
    roles: Roles,
    original: TableLike | EngineTable | IntoLazyFrame | None = None,
    hierarchies: Hierarchies | None = None,
    population: TableLike | None = None,
    holdout: TableLike | None = None,
    max_classes: int = MAX_CLASSES,
) -> TableAggregates:
    """The aggregates of tables and data frames.

    The counts, each computed when it is first needed. `population`, `holdout`: tables in memory; see `Aggregates`.
    Raises InputError if the roles do not fit the tables, or a frame is no table.
    """
    return TableAggregates(
        table_of(anonymized, "anonymized"),
        roles,
        None if original is None else table_of(original, "original"),
        hierarchies,
        None if population is None else as_table(population, "population"),
        max_classes=max_classes,
        holdout=None if holdout is None else as_table(holdout, "holdout"),
    )


def check_columns(parameters: Parameters, aggregates: Aggregates) -> None:
    """Raise InputError where a setting names a column that the table lacks or that has another role."""
    for column in parameters.t_closeness.distance:
        if column not in aggregates.roles.sensitive:
            raise InputError(
                "a ground distance is set for a column that is not sensitive",
                remedy="tag it sensitive or leave the setting out",
                column=column,
            )
    for column in parameters.attack.known:
        if column not in aggregates.anonymized:
            raise InputError(
                "attack.known names a column that the table lacks",
                remedy="name columns of the anonymized table",
                file=aggregates.anonymized.name,
                column=column,
            )
