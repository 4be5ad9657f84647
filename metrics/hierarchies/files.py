"""Generalization hierarchies from files: one per column, no header, one row per leaf."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from metrics.config.roles import Roles
from metrics.counting.classes import suppressed_records
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.hierarchies.rows import read_rows
from metrics.reading.header import header_likeness
from metrics.reading.proposal import Row
from metrics.tables.table import SUPPRESSED, Column, Described, Integers, Table

_MARK = "hierarchy_"
_SAMPLE = 60
"""Rows that the first is compared with."""
_LEVEL = re.compile(r"^(level|lvl|ebene|niveau)\W*_?\d+$", re.IGNORECASE)


def column_of_file(name: str, columns: Sequence[str] | None = None) -> str:
    """The column that a file `C.csv` or `<anything>hierarchy_C.csv` belongs to; known columns settle doubtful names."""
    stem = Path(name).name
    for suffix in (".gz", ".csv", ".txt"):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
    candidates = _candidates(stem)
    for candidate in candidates:
        if columns is not None and candidate in columns:
            return candidate
    return candidates[1] if len(candidates) > 1 else stem


def _candidates(stem: str) -> list[str]:
    """The columns that a file of this name can belong to: the whole name, then its ends."""
    parts = stem.split(_MARK)
    return [stem, *(_MARK.join(parts[i:]) for i in range(1, len(parts)))]


def read_hierarchy(source: str | Path | bytes, *, name: str | None = None) -> Hierarchy:
    """A hierarchy from one file or its bytes; delimiter and encoding are detected. Raises InputError naming the row."""
    rows = read_rows(source, name=name)
    hierarchy = Hierarchy(rows.cells, name=rows.name, lines=rows.lines)
    _refuse_header(hierarchy, rows.lines[0])
    return hierarchy


def _refuse_header(hierarchy: Hierarchy, line: int) -> None:
    """Raise InputError if the first row names the levels: it alone does not end in the root of all others."""
    first_row, *other_rows = hierarchy.rows
    if not hierarchy.root_added or hierarchy.height == 1:
        return
    roots = {row[-2] for row in other_rows}
    if len(roots) > 1 or first_row[-2] in roots:
        return
    body = [Row(1, list(row)) for row in other_rows[:_SAMPLE]]
    is_header = header_likeness(Row(1, list(first_row)), body) == (True, False)
    if roots == {SUPPRESSED} or any(map(_LEVEL.search, first_row)) or is_header:
        raise InputError(
            "the first row seems to be a header: it is the only row that does not end in the root",
            remedy="remove the row, or end it with the root if it is a value",
            file=hierarchy.name,
            row=line,
        )


def read_hierarchies(folder: str | Path, columns: Sequence[str] | None = None) -> dict[str, Hierarchy]:
    """Hierarchies of a folder by column: the file for column C is `C.csv` or `<anything>hierarchy_C.csv`.

    Parameters
    ----------
    folder : str or Path
        The folder. A file has no header and one row per leaf, leaf first, root last.
    columns : sequence of str, optional
        Files of other columns are left unread.

    Returns
    -------
    dict of str to Hierarchy
        By column.

    Raises
    ------
    InputError
        If the folder is missing or holds no hierarchy, a file is not a valid hierarchy, two files belong to one column,
        or a file seems to be meant for one of the columns but is not named so.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError("the hierarchy folder does not exist", remedy="check the path", file=str(folder))
    hierarchies: dict[str, Hierarchy] = {}
    files = hierarchy_files(folder)
    for path in files:
        column = column_of_file(path.name, columns)
        if columns is not None and column not in columns:
            continue
        if column in hierarchies:
            raise InputError(
                f"this file and {hierarchies[column].name} belong to the same column",
                remedy="keep one hierarchy per column",
                file=path.name,
                column=column,
            )
        hierarchies[column] = read_hierarchy(path)
    _refuse_misnamed(folder, [column for column in columns or () if column not in hierarchies])
    if not files:
        raise InputError(
            "the folder holds no .csv file", remedy="choose the folder of the hierarchies", file=str(folder)
        )
    return hierarchies


def hierarchy_files(folder: Path) -> list[Path]:
    """The files of a folder that are taken for hierarchies: those that end in .csv, except hidden ones."""
    return [path for path in _visible(folder) if path.suffix.lower() == ".csv"]


def unmatched_files(folder: str | Path, columns: Sequence[str]) -> dict[str, str]:
    """The hierarchies' files that belong to none of these columns, by name, and the column that each is named after."""
    named = {path.name: column_of_file(path.name, columns) for path in hierarchy_files(Path(folder))}
    return {name: column for name, column in named.items() if column not in columns}


def _visible(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _refuse_misnamed(folder: Path, lacking: Sequence[str]) -> None:
    """Raise InputError if a file has the name of a column that lacks a hierarchy, but another suffix or case."""
    column_by_name = {column.casefold(): column for column in lacking}
    for path in _visible(folder):
        for candidate in _candidates(path.name.removesuffix(path.suffix).removesuffix(".csv")):
            column = column_by_name.get(candidate.strip().casefold())
            if column is not None and path.is_file():
                raise InputError(
                    "the file seems to be the hierarchy of this column, but its name is not recognized",
                    remedy=f"save it as CSV with the name {column}.csv",
                    file=path.name,
                    column=column,
                )


def check_coverage(
    hierarchies: Hierarchies,
    roles: Roles,
    anonymized: Described,
    original: Described | None = None,
    chosen: Iterable[str] = (),
) -> None:
    """Raise InputError if a hierarchy that the scores rest on misses a value of a table.

    Sensitive attributes need every value of a record in a class wherever their distance is hierarchical;
    quasi-identifiers need every original value as a leaf and every anonymized one on some level, once an original is
    there to compare with. Of a table in an engine t-closeness itself tells which values of records in classes it
    misses. `chosen` names sensitive columns whose distance the user set to another than hierarchical.
    """
    for name in roles.sensitive:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or name in chosen or not isinstance(anonymized, Table):
            continue
        kept_records = np.flatnonzero(~suppressed_records(anonymized, roles.quasi_identifiers))
        column = anonymized[name].take(kept_records)
        if column.numbers is None:
            # Of a generalized attribute, as by SafePub, t-closeness itself says that it has no hierarchical distance.
            is_leaf, levels = hierarchy.leaves_of(column) >= 0, hierarchy.levels_of(column)
            is_known = is_leaf | (levels >= 0) & ((levels < hierarchy.height) | (column.distinct == 1))
            _require(hierarchy, is_known - 1, column, kept_records, anonymized.name, "as a leaf")
    for name in roles.quasi_identifiers:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or original is None:
            continue
        before, after = original[name], anonymized[name]
        _require(hierarchy, hierarchy.leaves_of(before), before, None, original.name, "as a leaf")
        _require(
            hierarchy,
            hierarchy.levels_of(after),
            after,
            None,
            anonymized.name,
            "on some level, or anonymize again with it",
        )


def _require(
    hierarchy: Hierarchy, positions: Integers, column: Column, records: Integers | None, file: str, where: str
) -> None:
    """`records` are the positions in the file of the column's records, None for all of them in order."""
    is_missing = positions < 0
    if not is_missing.any():
        return
    first = int(is_missing[column.codes].argmax()) if len(column.codes) else None
    count = int(is_missing.sum())
    more = f" and {count - 1:,} more" if count > 1 else ""
    raise InputError(
        f"the hierarchy {hierarchy.name} lacks a value of this row{more}",
        remedy=f"add it to the hierarchy {where}",
        file=file,
        row=None if first is None else (first if records is None else int(records[first])) + 2,
        column=column.name,
    )
