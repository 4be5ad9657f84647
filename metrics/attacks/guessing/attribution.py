"""Attribution by counts alone: a sensitive attribute in the released records that have a person's known values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import grouped_shares, original_of, replaced_columns, require_single_values
from metrics.attacks.knowledge.scenario import known_to_attacker, require_columns, unknown_sensitive
from metrics.config.parameters import Parameters
from metrics.counting.counts import Counts, MemoryRelation, Relation, combination_codes
from metrics.counting.partitions import require_few_combinations
from metrics.errors import Unavailable
from metrics.interruption import checkpoint
from metrics.matching.shared_values import shared_codes
from metrics.tables.table import Codes, Column, Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class KnownCombinations:
    """How many records hold each value of a sensitive attribute with each combination of known values.

    Equal combinations have the same key in every table, and equal values with equal combinations the same pair.
    """

    key: Codes
    value: Codes
    pair: Codes
    records: Floats
    keys: int
    """Number of keys in all tables."""
    pairs: int
    """Number of pairs in all tables."""


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
    """People whose known values some released record has."""
    people: int


@dataclass(frozen=True)
class Attributions:
    """One attribute: attribution from the release to the original's people and to others, and from the original."""

    released: Attribution
    original: Attribution
    control: Attribution | None
    """Attribution to people who are not in the original; None without a hold-out table that holds the columns."""
    baseline: float
    """Probability of a correct guess by somebody who knows how frequent each value is in the original."""


def attribute(release: KnownCombinations, people: KnownCombinations) -> Attribution:
    """Look up the known values of each person in the release."""
    of_pair = np.bincount(release.pair, weights=release.records, minlength=release.pairs)[people.pair]
    of_key = np.bincount(release.key, weights=release.records, minlength=release.keys)[people.key]
    key_of = np.full(release.pairs, -1, dtype=np.int64)
    key_of[release.pair] = release.key
    single_valued = np.bincount(key_of[key_of >= 0], minlength=release.keys)[people.key] == 1
    count = people.records
    return Attribution(
        correct=float((count * of_pair / np.maximum(of_key, 1)).sum()),
        disclosed=float(count[single_valued & (of_pair > 0)].sum()),
        certain=float(count[single_valued].sum()),
        found=float(count[of_key > 0].sum()),
        people=int(count.sum()),
    )


def cells_of(
    relations: Sequence[Relation], known: Sequence[str], names: Sequence[str]
) -> dict[str, list[KnownCombinations]]:
    """Return the counts of some attributes: for each attribute, those of each table."""
    combinations = [relation.count(known) for relation in relations]
    keys, number = _row_numbers(
        [
            _value_numbers(
                [table.columns[index] for table in combinations], [table.codes[index] for table in combinations]
            )
            for index in range(len(known))
        ]
    )
    by_attribute = {}
    for name in names:
        checkpoint()
        groups = [relation.count_within(known, name) for relation in relations]
        of_cell = [key[cells.group] for key, cells in zip(keys, groups, strict=True)]
        values, width = _value_numbers([cells.column for cells in groups], [cells.code for cells in groups])
        pairs, distinct = _row_numbers([(of_cell, number), (values, width)])
        by_attribute[name] = [
            KnownCombinations(key, value, pair, cells.count.astype(np.float64), number, distinct)
            for key, value, pair, cells in zip(of_cell, values, pairs, groups, strict=True)
        ]
    return by_attribute


def _value_numbers(columns: Sequence[Column], codes: Sequence[Counts]) -> tuple[list[Codes], int]:
    """Number the codes of several tables so that equal values share a number."""
    numbers, distinct = shared_codes(columns)
    return [number[code] for number, code in zip(numbers, codes, strict=True)], distinct


def _row_numbers(columns: Sequence[tuple[Sequence[Codes], int]]) -> tuple[list[Codes], int]:
    """Number the rows of several tables so that equal rows share a number; return the numbers and their count."""
    checkpoint()
    ends = np.cumsum([len(codes) for codes in columns[0][0]])
    together = [(np.concatenate(codes), distinct) for codes, distinct in columns]
    numbers, distinct = combination_codes(together, int(ends[-1]))
    return np.split(numbers, ends[:-1]), distinct


def attributions(aggregates: Aggregates, parameters: Parameters) -> Mapping[str, Attributions]:
    """Return, by sensitive attribute, how well the release attributes it to people.

    Raises Unavailable without an original or a sensitive attribute, and where the columns that the attacker knows are
    generalized or suppressed: their labels equal no value, and attribute inference examines what they cover.
    """
    original = original_of(aggregates)
    known_columns = known_to_attacker(parameters.attack, aggregates.roles)
    require_columns(known_columns, original, aggregates.anonymized)
    sensitive = unknown_sensitive(aggregates, known_columns, original)
    require_single_values(aggregates, known_columns)
    grouped_attributes = grouped_shares(aggregates, sensitive, categories=True)
    if len(grouped_attributes) == len(sensitive):
        require_single_values(aggregates, sensitive)
    single_valued = [name for name in sensitive if name not in grouped_attributes]
    replaced = replaced_columns(aggregates, single_valued)
    if len(replaced) == len(single_valued):
        raise Unavailable(text("perturbation.unavailable.replaced", columns=sorted(replaced)))
    single_valued = [name for name in single_valued if name not in replaced]
    return aggregates.memoize(_attributions, tuple(known_columns), tuple(single_valued))


def left_out(aggregates: Aggregates, columns: Mapping[str, Attributions], known: Sequence[str]) -> tuple[str, ...]:
    """The sensitive attributes that the attacker does not know and that are not attributed."""
    return tuple(name for name in aggregates.roles.sensitive if name not in columns and name not in known)


def _attributions(
    aggregates: Aggregates, known_columns: Sequence[str], names: Sequence[str]
) -> dict[str, Attributions]:
    for table in (original_of(aggregates), aggregates.anonymized):
        for name in names:
            require_few_combinations(table, (*known_columns, name), aggregates.max_classes)
    relations: list[Relation] = [aggregates.relation, aggregates.comparison.original_relation]
    holdout = aggregates.holdout
    if holdout is not None and holdout.rows and all(column in holdout for column in (*known_columns, *names)):
        relations.append(MemoryRelation(holdout))
    return {name: _of_attribute(*cells) for name, cells in cells_of(relations, known_columns, names).items()}


def _of_attribute(
    released: KnownCombinations, original: KnownCombinations, others: KnownCombinations | None = None
) -> Attributions:
    shares = np.bincount(original.value, weights=original.records) / original.records.sum()
    return Attributions(
        released=attribute(released, original),
        original=attribute(original, original),
        control=None if others is None else attribute(released, others),
        baseline=float((shares**2).sum()),
    )
