"""What does not fit between the loaded tables: one sentence each."""

from __future__ import annotations

from dashboard.workspace import Workspace
from metrics.counts import match_records
from metrics.errors import InputError
from metrics.table import quoted


def problems(state: Workspace) -> list[str]:
    """Sentences that name the file, what is wrong and what to do; none if all is well."""
    sentences: list[str] = []
    roles = state.chosen_roles()
    original = None if state.original is None else state.original.table
    for loaded in state.candidates.values():
        table = loaded.table
        try:
            if roles.quasi_identifiers:
                roles.check(table, original)
        except InputError as error:
            sentences.append(str(error))
            continue
        if original is None:
            continue
        lacking = [name for name in original.names if name not in table]
        added = [name for name in table.names if name not in original]
        if lacking or added:
            parts = [f"lacks {quoted(lacking)}"] if lacking else []
            parts += [f"has {quoted(added)} besides"] if added else []
            sentences.append(
                f"{table.name}: its columns differ from those of {original.name}: it {' and '.join(parts)}; "
                "load matching tables, or go on if that is intended."
            )
        try:
            match_records(original, table, state.key)
        except InputError as error:
            sentences.append(str(error))
    return sentences
