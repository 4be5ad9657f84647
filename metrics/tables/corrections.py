"""Renames columns and replaces values, as settings or a program say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metrics.errors import InputError
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import Column, Table


def corrected(
    table: Table, renamed: Sequence[tuple[str, str]] = (), same_values: Sequence[tuple[str, str, str]] = ()
) -> Table:
    """The table with columns renamed and values replaced.

    `same_values`: new name of a column, a value of it, and the value to replace it by; a value that does not occur is
    ignored. Raises InputError if a column does not exist, or two columns would have the same name.
    """
    names = dict(renamed)
    for column in names:
        table[column]
    columns = [replace(column, name=names.get(column.name, column.name)) for column in table.columns]
    new_names = [column.name for column in columns]
    repeated_name = next((name for name in new_names if new_names.count(name) > 1), None) if names else None
    if repeated_name is not None:
        raise InputError(
            "two columns would have this name", remedy="choose different names", file=table.name, column=repeated_name
        )
    table = replace(table, columns=tuple(columns))
    targets: dict[str, dict[str, str]] = {}
    for column_name, value, target in same_values:
        targets.setdefault(column_name, {})[value] = target
    for column_name in targets:
        table[column_name]
    return replace(
        table, columns=tuple(_with_corrected_labels(column, targets.get(column.name, {})) for column in table.columns)
    )


def _with_corrected_labels(column: Column, targets: dict[str, str]) -> Column:
    if not any(label in targets for label in column.labels):
        return column
    labels = [label if label is None else targets.get(label, label) for label in column.labels]
    return Column.from_codes(column.name, column.codes, text_array(labels), column.decimal)
