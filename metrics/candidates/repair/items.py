"""Repairs items until any m of a person are shared by at least k people: generalized, else suppressed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.config.parameters import KmParameters
from metrics.config.roles import Roles
from metrics.counting.counts import MemoryRelation
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.interruption import checkpoint
from metrics.privacy.km_anonymity.combinations import rarest_combinations
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Integers, Table
from metrics.texts import text


@dataclass(frozen=True)
class ItemRepair:
    """A table whose items were generalized or suppressed."""

    table: Table
    labels: Mapping[str, str]
    """By item that was changed its new label; `*` where it was suppressed."""


def repair_items(
    table: Table,
    roles: Roles,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    parameters: KmParameters | None = None,
) -> ItemRepair:
    """Change items in all records alike until at least k people share any m items that somebody has.

    Of each combination that fewer share, the item that fewest people have is generalized by one level, with all others
    below the new label; without a level below the hierarchy's root it is suppressed. Raises InputError if the roles
    name no person or no item.
    """
    if roles.person is None or roles.item is None:
        raise InputError(text("repair.items.no_roles"), remedy=text("repair.items.tag_roles"))
    settings, item = parameters or KmParameters(), table[roles.item]
    counted = MemoryRelation(table).count((roles.person, roles.item))
    has_both = table[roles.person].shown[counted.codes[0]] & item.shown[counted.codes[1]]
    person, code = (codes[has_both].astype(np.int64) for codes in counted.codes)
    paths = _paths(item, (hierarchies or {}).get(roles.item))
    level = np.zeros(item.distinct, dtype=np.int64)
    while len(person):
        checkpoint()
        labels = [path[at] for path, at in zip(paths, level.tolist(), strict=True)]
        rare = _rare_labels(person, code, labels, settings)
        if not rare:
            break
        _raise_levels(level, paths, labels, rare)
    new = [path[at] for path, at in zip(paths, level.tolist(), strict=True)]
    changed = {str(old): label for old, label in zip(item.labels, new, strict=True) if old != label and old}
    return ItemRepair(_with_labels(table, item, new), changed)


def _raise_levels(
    level: Integers, paths: Sequence[tuple[str, ...]], labels: Sequence[str], rare: Collection[str]
) -> None:
    """Replace rare labels by the one above them, with all others below it, or by `*` where none is above them."""
    parents = {path[at + 1] for path, at, label in zip(paths, level, labels, strict=True) if label in rare}
    for number, path in enumerate(paths):
        above = [at for at in range(int(level[number]), len(path)) if path[at] in parents - {SUPPRESSED}]
        if above:
            level[number] = above[0]
        elif labels[number] in rare:
            level[number] = len(path) - 1


def _paths(item: Column, hierarchy: Hierarchy | None) -> list[tuple[str, ...]]:
    """By label of the column the label itself, those above it but the root, and `*`."""
    paths = []
    for label in item.labels:
        path = [label or ""]
        at = None if hierarchy is None or label is None else hierarchy.level_of.get(label)
        if hierarchy is not None and at is not None:
            leaf = int(np.flatnonzero(np.array(hierarchy.labels(at))[hierarchy.nodes(at)] == label)[0])
            for above in range(at + 1, hierarchy.height):
                parent = hierarchy.labels(above)[hierarchy.nodes(above)[leaf]]
                if parent != path[-1]:
                    path.append(parent)
        paths.append((*path, SUPPRESSED))
    return paths


def _rare_labels(person: Integers, code: Integers, labels: list[str], settings: KmParameters) -> set[str]:
    """Of each combination that too few people share, the label that fewest people have."""
    names, number_of = np.unique(labels, return_inverse=True)
    number, released = number_of[code], np.array([label != SUPPRESSED for label in labels])[code]
    if not released.any():
        return set()
    pairs = np.unique(np.column_stack([person[released], number[released]]), axis=0)
    who = np.unique(pairs[:, 0], return_inverse=True)[1]
    people = np.bincount(pairs[:, 1], minlength=len(names))
    found = rarest_combinations(who.astype(np.int64), pairs[:, 1], settings.m, settings.k)[settings.m - 1]
    return {str(names[min(items, key=lambda one: (people[one], one))]) for items in found.items}


def _with_labels(table: Table, item: Column, labels: list[str]) -> Table:
    shown = [label if kept else old for label, kept, old in zip(labels, item.shown, item.labels, strict=True)]
    column = Column.from_codes(item.name, item.codes, text_array(shown), item.decimal)
    return replace(table, columns=tuple(column if one.name == item.name else one for one in table.columns))
