"""Names of columns: trimmed, never empty, and all different."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.tables.encoding import BLANKS
from metrics.tables.table import quoted
from metrics.wording import pluralize


def unique_names(names: Sequence[str], omitted: Sequence[int] = ()) -> tuple[list[str], tuple[str, ...]]:
    """Trimmed names that are all different, without the columns left out (positions from 1), and notes on changes.

    A column without a name is called by its position, `column 3`; the second of a repeated name, `age (2)`.
    """
    trimmed = {place: name.strip(BLANKS) for place, name in enumerate(names, 1) if place not in set(omitted)}
    taken, used = set(trimmed.values()), dict.fromkeys([""])
    unnamed, repeated = [], []
    for place, name in trimmed.items():
        wanted = name or f"column {place}"
        number, unique = 2, wanted
        while unique in used or (unique != name and unique in taken):
            unique, number = f"{wanted} ({number})", number + 1
        used[unique] = None
        if not name:
            unnamed.append(unique)
        elif unique != name:
            repeated.append(unique)
    notes = [f"{pluralize(len(unnamed), 'column')} without a name: {quoted(unnamed, 5)}"] if unnamed else []
    notes += [f"{pluralize(len(repeated), 'repeated name')} made unique: {quoted(repeated, 5)}"] if repeated else []
    return list(used)[1:], tuple(notes)
