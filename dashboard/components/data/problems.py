"""Problems between the loaded tables: one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dashboard.workspace import Workspace
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.hierarchies.files import check_coverage
from metrics.tables.table import SUPPRESSED, Table, quoted


def problems(state: Workspace) -> list[str]:
    """Sentences that name the file, what is wrong and what to do; none if all is well."""
    sentences: dict[str, None] = {}
    original = None if state.original is None else state.original.table
    if not state.chosen_roles().quasi_identifiers:
        return []
    for label, loaded in state.candidates.items():
        table, roles = loaded.table, state.roles_for(label)
        if not _passes(sentences, roles.check, table, original):
            continue
        if original is not None:
            _passes(sentences, _check_columns, original, table, roles)
            _passes(sentences, _check_order, original, table, roles)
            refusal = state.matched(label, original).records.refusal
            if refusal is not None:
                sentences[str(refusal)] = None
        distances = state.parameters.t_closeness.distance
        _passes(sentences, check_coverage, state.hierarchies, roles, table, original, distances)
    for label, candidate in state.server.candidates.items():
        original_sample = None if state.server.original is None else state.server.original.sample
        roles = state.roles_for(label)
        if _passes(sentences, roles.check, candidate.sample, original_sample) and original_sample is not None:
            _passes(sentences, _check_columns, original_sample, candidate.sample, roles)
    if state.population is not None:
        _passes(sentences, _check_population, state.population.table, state.chosen_roles())
    refused = state.refused_holdout()
    if refused is not None:
        sentences[refused] = None
    return list(sentences)


def _passes(sentences: dict[str, None], check: Callable[..., object], *inputs: Any) -> bool:
    """Whether a check holds; if not, its sentence is added, once."""
    try:
        check(*inputs)
    except InputError as error:
        sentences[str(error)] = None
        return False
    return True


def _check_population(population: Table, roles: Roles) -> None:
    """Raise InputError where the population lacks a quasi-identifier, and so cannot be compared with."""
    missing = [name for name in roles.quasi_identifiers if name not in population]
    if missing:
        raise InputError(
            f"the population lacks {quoted(missing)}, so it is left out",
            remedy="load one that has every quasi-identifier",
            file=population.name,
        )


def _check_order(original: Table, anonymized: Table, roles: Roles) -> None:
    """Raise InputError where cells are suppressed in the original alone."""
    in_original, in_anonymized = (
        {name for name in roles.quasi_identifiers if name in table and SUPPRESSED in table[name].code_of}
        for table in (original, anonymized)
    )
    if in_original and not in_anonymized:
        raise InputError(
            f"the original has suppressed cells (*) in {quoted(sorted(in_original))}, and {anonymized.name} has none",
            remedy="if the two were swapped, remove both and load each in the other place",
            file=original.name,
        )


def _check_columns(original: Table, anonymized: Table, roles: Roles) -> None:
    """Raise InputError where two tables have different columns, identifiers that were removed apart."""
    missing = [name for name in original.names if name not in anonymized and name not in roles.identifiers]
    extra = [name for name in anonymized.names if name not in original]
    if missing or extra:
        parts = [f"lacks {quoted(missing)}"] if missing else []
        parts += [f"also has {quoted(extra)}"] if extra else []
        raise InputError(
            f"its columns differ from those of {original.name}: it {' and '.join(parts)}",
            remedy="load matching tables, or continue if this is intended",
            file=anonymized.name,
        )
