"""Suggests values and columns of two tables that seem to mean the same; nothing is merged without consent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher

import pyarrow.compute as pc

from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED, Column, Table
from metrics.tables.values import parse_number

_SIMILAR = 0.75
_SHARED = 0.5
_WHOLE = re.compile(r"[+-]?(0|[1-9]\d*)", re.ASCII)
_MAX_VALUES = 20_000
"""Largest number of distinct values for which columns are compared value by value."""


@dataclass(frozen=True)
class Pair:
    """A value of a column, and the value of the other table that differs from it in form only."""

    value: str
    target: str
    reason: str
    """"blanks", "letter case", "Unicode form" or "number format"."""


@dataclass(frozen=True)
class Rename:
    """A column of one table that seems to be a column of the other under another name."""

    column: str
    target: str
    reason: str
    """"equal contents" or "similar names"."""


def like_values(column: Column, targets: Iterable[str | None], decimal: str = ".") -> list[Pair]:
    """Values of a column that no target equals but just one does in another form, in the order of the column.

    Forms: blanks within, letter case, Unicode form (NFKC, no invisible characters), and the way numbers are written
    (1, 1.0, 01), its decimal mark being the column's and `decimal` for the targets. A value that several targets fit is
    left out.
    """
    distinct_targets = {target for target in targets if target is not None}
    if (
        len(distinct_targets) > _MAX_VALUES
        or column.distinct > _MAX_VALUES
        or distinct_targets.issuperset(filter(None, column.labels))
    ):
        return []
    targets_by_form: dict[str, set[str]] = {}
    for target in distinct_targets:
        targets_by_form.setdefault(_form(target, decimal), set()).add(target)
    pairs = []
    for code in column.order.tolist():
        value = column.labels[code]
        if not value or value in distinct_targets or value == SUPPRESSED:
            continue
        matching_targets = targets_by_form.get(_form(value, column.decimal), set())
        if len(matching_targets) == 1:
            (target,) = matching_targets
            pairs.append(Pair(value, target, _reason(value, target)))
    return pairs


def like_original(original: Table, anonymized: Table) -> dict[str, list[Pair]]:
    """Per column of both tables: values of the anonymized one that the original has in another form."""
    pairs_by_column = {
        column.name: like_values(column, original[column.name].labels, original[column.name].decimal)
        for column in anonymized.columns
        if column.name in original
    }
    return {name: pairs for name, pairs in pairs_by_column.items() if pairs}


def whole_numbers(original: Table, anonymized: Table) -> dict[str, list[Pair]]:
    """Per column whose original values are all whole numbers: values of the anonymized table with decimals of zeros.

    pandas writes 34 as 34.0 once a cell of the column is missing. To be given as `same_values` for reading.
    """
    pairs_by_column: dict[str, list[Pair]] = {}
    for column in anonymized.columns:
        if column.name not in original or not _all_whole(original[column.name]):
            continue
        zeros = re.compile(rf"([+-]?\d+){re.escape(column.decimal)}0+", re.ASCII)
        values = [label for code in column.order.tolist() if (label := column.labels[code]) is not None]
        matches = [match for match in map(zeros.fullmatch, values) if match is not None]
        if matches:
            pairs_by_column[column.name] = [Pair(match[0], match[1], "number format") for match in matches]
    return pairs_by_column


def _all_whole(column: Column) -> bool:
    labels = [label for label in column.labels if label and label != SUPPRESSED]
    return bool(labels) and all(_WHOLE.fullmatch(label) for label in labels)


def uncompared(original: Table, anonymized: Table) -> list[str]:
    """Columns with too many values to compare their forms with the original's, which lacks some of them.

    Where few values of the anonymized table face too many of the original, they are rather generalized.
    """
    return [
        column.name
        for column in anonymized.columns
        if column.name in original
        and column.distinct > _MAX_VALUES
        and not pc.all(pc.is_in(column.values, value_set=original[column.name].values)).as_py()
    ]


def like_hierarchy(column: Column, hierarchy: Hierarchy) -> list[Pair]:
    """Values of a column that its hierarchy contains in another form, on any level."""
    return like_values(column, {label for row in hierarchy.rows for label in row}, column.decimal)


def renamed_columns(original: Table, anonymized: Table) -> list[Rename]:
    """Columns that only the anonymized table has, each with one that it lacks and that seems to be the same."""
    missing_names = [name for name in original.names if name not in anonymized]
    renames: list[Rename] = []
    for name in anonymized.names:
        if name in original or not missing_names:
            continue
        (likeness, reason), target = max(
            (_likeness(original[candidate], anonymized[name]), candidate) for candidate in missing_names
        )
        if likeness > 0:
            renames.append(Rename(name, target, reason))
            missing_names.remove(target)
    return renames


def _form(text: str, decimal: str) -> str:
    """The common form of values that differ in form only."""
    plain = _plain(text)
    if parse_number(plain.replace(" ", ""), decimal) is not None:
        try:
            number = Decimal(plain.replace(" ", "").replace(",", "."))
        except InvalidOperation:
            number = None
        if number is not None:
            return f"number {number.normalize() + 0:f}"
    return "text " + "".join(unicodedata.normalize("NFKC", plain.casefold()).split())


def _plain(text: str) -> str:
    """A text in one Unicode form, without invisible characters."""
    normalized = unicodedata.normalize("NFKC", text)
    return (
        normalized
        if normalized.isprintable()
        else "".join(character for character in normalized if unicodedata.category(character) != "Cf")
    )


def _reason(value: str, target: str) -> str:
    if "".join(value.split()) == "".join(target.split()):
        return "blanks"
    if _plain(value) == _plain(target):
        return "Unicode form"
    return "number format" if _form(value, ".").startswith("number") else "letter case"


def _likeness(original: Column, anonymized: Column) -> tuple[float, str]:
    values = {label for label in anonymized.labels if label and label != SUPPRESSED}
    if values and original.distinct <= _MAX_VALUES:
        shared = len(values & set(original.labels)) / len(values)
        if shared > _SHARED:
            return 1 + shared, "equal contents"
    first, second = (_form(name, ".").replace("_", "").replace("-", "") for name in (original.name, anonymized.name))
    similarity = SequenceMatcher(None, first, second).ratio()
    return (similarity, "similar names") if similarity >= _SIMILAR else (0.0, "")
