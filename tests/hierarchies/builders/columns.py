"""Columns written out by hand, and the labels that a hierarchy has above their values."""

from dataclasses import replace

from metrics import Hierarchy
from metrics.tables.table import Column
from tests.support.small_tables import table


def column(*cells: str | None, name: str = "q", decimal: str = ".") -> Column:
    return replace(table({name: cells})[name], decimal=decimal)


def above(hierarchy: Hierarchy) -> dict[str, str]:
    """Each leaf's labels between itself and the root."""
    return {row[0]: " | ".join(row[1:-1]) for row in hierarchy.rows}
