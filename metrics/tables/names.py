"""Names of columns: trimmed, never empty, and all different."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.formatting import pluralize
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.formula_guard import without_guard
from metrics.tables.table import quoted


def unique_names(names: Sequence[str], omitted: Sequence[int] = ()) -> tuple[list[str], tuple[str, ...]]:
    """Trimmed names that are all different, without the columns left out (positions from 1), and notes on changes.

    A column without a name is called by its position, `column 3`; the second of a repeated name, `age (2)`.
    """
    left_out = set(omitted)
    kept_names = ((position, name) for position, name in enumerate(names, 1) if position not in left_out)
    trimmed = {position: without_guard(name.strip(BLANKS)) for position, name in kept_names}
    trimmed_names, assigned_names = set(trimmed.values()), dict.fromkeys([""])
    next_suffixes: dict[str, int] = {}
    unnamed, repeated = [], []
    for position, name in trimmed.items():
        base_name = name or f"column {position}"
        unique = base_name
        while unique in assigned_names or (unique != name and unique in trimmed_names):
            suffix = next_suffixes.get(base_name, 2)
            unique, next_suffixes[base_name] = f"{base_name} ({suffix})", suffix + 1
        assigned_names[unique] = None
        if not name:
            unnamed.append(unique)
        elif unique != name:
            repeated.append(unique)
    notes = [f"{pluralize(len(unnamed), 'column')} without a name: {quoted(unnamed, 5)}"] if unnamed else []
    notes += [f"{pluralize(len(repeated), 'repeated name')} made unique: {quoted(repeated, 5)}"] if repeated else []
    return list(assigned_names)[1:], tuple(notes)
