"""What released records with a person's known values say about a sensitive attribute, by counts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import grouped_shares, original_of, require_single_values
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations, MemoryRelation, Relation, numbered
from metrics.counting.partitions import require_few_combinations
from metrics.errors import Unavailable
from metrics.matching.shared_values import shared_codes
from metrics.tables.table import Codes, Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class Cells:
    """How many records hold each value of a sensitive attribute with each combination of known values.

    Equal combinations, and equal values, have the same number in every table.
    """

    key: Codes
    value: Codes
    records: Floats


@dataclass(frozen=True)
class Attribution:
    """How well a release names one attribute of people whose known values are looked up in it."""

    correct: float
    """Sum over people of the share of released records with their known values that have their value, too."""
    disclosed: float
    """People whose value is the only one among these records."""
    certain: float
    """People for whom these records have a single value, theirs or another."""
    found: float
    """People with whose known values there is a released record."""
    people: int


@dataclass(frozen=True)
class Attributions:
    """One attribute: what the release says of the original's people, of others, and the original of its own."""

    released: Attribution
    original: Attribution
    control: Attribution | None
    """Of people who are not in the original; None without a hold-out table that holds the columns."""
    baseline: float
    """Probability of a correct guess by somebody who knows how frequent each value is in the original."""


def attribute(release: Cells, people: Cells) -> Attribution:
    """Look up the known values of each person in the release."""
    keys = int(max(release.key.max(initial=-1), people.key.max(initial=-1))) + 1
    of_key = np.bincount(release.key, weights=release.records, minlength=keys)
    count = people.records
    # Nobody else is looked up, so that few cells are left where few combinations are in both tables.
    looked_up = np.flatnonzero(of_key[people.key] > 0)
    asked = np.flatnonzero(np.bincount(people.key, minlength=keys)[release.key])
    key, value = (
        np.concatenate([mine[asked], theirs[looked_up]])
        for mine, theirs in ((release.key, people.key), (release.value, people.value))
    )
    place, number = numbered([(key, keys), (value, int(value.max(initial=-1)) + 1)], len(key))
    mine, theirs = place[: len(asked)], place[len(asked) :]
    of_pair = np.bincount(mine, weights=release.records[asked], minlength=number)
    key_of = np.empty(number, dtype=np.int64)
    key_of[mine] = release.key[asked]
    alone = np.bincount(key_of[of_pair > 0], minlength=keys)[people.key[looked_up]] == 1
    same, found = of_pair[theirs], count[looked_up]
    return Attribution(
        correct=float((found * same / of_key[people.key[looked_up]]).sum()),
        disclosed=float(found[alone & (same > 0)].sum()),
        certain=float(found[alone].sum()),
        found=float(found.sum()),
        people=int(count.sum()),
    )


def cells_of(relations: Sequence[Relation], known: Sequence[str], names: Sequence[str]) -> dict[str, list[Cells]]:
    """The counts of some attributes, by attribute those of each table."""
    keys = _keys([relation.count(known) for relation in relations])
    found = {}
    for name in names:
        groups = [relation.count_within(known, name) for relation in relations]
        codes, _ = shared_codes([one.column for one in groups])
        found[name] = [
            Cells(key[one.group], code[one.code], one.count.astype(np.float64))
            for key, code, one in zip(keys, codes, groups, strict=True)
        ]
    return found


def _keys(tables: Sequence[Combinations]) -> list[Codes]:
    """For each combination of known values of each table a number, the same where all values are equal."""
    columns = []
    for at in range(len(tables[0].columns)):
        codes, distinct = shared_codes([table.columns[at] for table in tables])
        cells = [code[table.codes[at]] for code, table in zip(codes, tables, strict=True)]
        columns.append((np.concatenate(cells), distinct))
    ends = np.cumsum([len(table.counts) for table in tables])
    return np.split(numbered(columns, int(ends[-1]))[0], ends[:-1])


def attributions(aggregates: Aggregates, parameters: Parameters) -> Mapping[str, Attributions]:
    """By sensitive attribute what the release says of it.

    Raises Unavailable without an original or a sensitive attribute, and where the columns that the attacker knows are
    generalized or suppressed: their labels equal no value, and attribute inference looks at what they cover.
    """
    original = original_of(aggregates)
    known = tuple(parameters.attack.known or aggregates.roles.quasi_identifiers)
    for name in known:
        for table in (original, aggregates.anonymized):
            if name not in table:
                raise Unavailable(text("attack.unavailable.no_column", column=name, table=table.name))
    if not aggregates.roles.sensitive:
        raise Unavailable(text("unavailable.no_sensitive"))
    sensitive = [name for name in aggregates.roles.sensitive if name not in known and name in original]
    if not sensitive:
        raise Unavailable(text("attack.unavailable.all_known"))
    require_single_values(aggregates, known)
    grouped = grouped_shares(aggregates, sensitive)
    if len(grouped) == len(sensitive):
        require_single_values(aggregates, sensitive)
    kept = [name for name in sensitive if name not in grouped]
    return aggregates.memoize(f"attributions by {known}", lambda: _attributions(aggregates, known, kept))


def _attributions(aggregates: Aggregates, known: Sequence[str], names: Sequence[str]) -> dict[str, Attributions]:
    for table in (original_of(aggregates), aggregates.anonymized):
        for name in names:
            require_few_combinations(table, (*known, name), aggregates.max_classes)
    relations: list[Relation] = [aggregates.relation, aggregates.comparison.original_relation]
    holdout = aggregates.holdout
    if holdout is not None and holdout.rows and all(column in holdout for column in (*known, *names)):
        relations.append(MemoryRelation(holdout))
    return {name: _of_attribute(*cells) for name, cells in cells_of(relations, known, names).items()}


def _of_attribute(released: Cells, original: Cells, others: Cells | None = None) -> Attributions:
    shares = np.bincount(original.value, weights=original.records) / original.records.sum()
    return Attributions(
        released=attribute(released, original),
        original=attribute(original, original),
        control=None if others is None else attribute(released, others),
        baseline=float((shares**2).sum()),
    )
