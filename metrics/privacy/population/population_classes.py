"""How many people of a population each equivalence class represents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.counts import Combinations, group_records
from metrics.errors import Unavailable
from metrics.hierarchies.covering import Covering, covering, covering_pairs
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import Column, Integers, Table
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class PopulationClasses:
    """The population generalized to the levels of the anonymized table's classes."""

    rows: int
    """Records of the population table."""
    sizes: Integers
    """Per equivalence class of the anonymized table, the population records it covers: at least its own."""
    outside: int
    """Population records that no class covers."""


def population_classes(aggregates: Aggregates) -> PopulationClasses:
    """Count what each class covers of the population table; raises Unavailable where that does not fit the sample.

    A label covers a population value that equals it, that lies under it in the column's hierarchy on any level, or,
    where the hierarchy does not know both or there is none, a number within the interval or a text that fits the mask
    it writes; `*` covers every value. So the population may be raw, or generalized as the sample is. A record that
    several classes cover, on different levels, counts in each of them. Suppressed records are in no class.

    A sample is part of its population: a table with fewer records, or with fewer records for a class than the class
    itself has, is refused.
    """
    require_class_sizes(aggregates)
    classes_or_reason = aggregates.memoize(_classes_or_reason)
    if isinstance(classes_or_reason, str):
        raise Unavailable(classes_or_reason)
    return classes_or_reason


def _classes_or_reason(aggregates: Aggregates) -> PopulationClasses | str:
    population = aggregates.population
    if population is None:
        return text("unavailable.no_population")
    classes = aggregates.whole.classes
    if population.rows < aggregates.anonymized.rows:
        return text(
            "population.unavailable.too_small",
            table=population.name,
            records=population.rows,
            sample=aggregates.anonymized.rows,
        )
    coverings = []
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        hierarchy, evidence = aggregates.hierarchies.get(column.name), aggregates.comparison.evidence(column.name)
        covering_of_column = covering(column, population[column.name], hierarchy, evidence)
        uncovered = np.setdiff1d(codes, covering_of_column.labels)
        if len(uncovered):
            return text("population.unavailable.labels", labels=len(uncovered), column=column.name)
        coverings.append(covering_of_column)
    population_classes = _join(population, coverings, classes)
    too_small = int((population_classes.sizes < classes.sizes).sum())
    if too_small:
        return text("population.unavailable.not_drawn", table=population.name, classes=too_small)
    return population_classes


def _join(population: Table, coverings: Sequence[Covering], classes: EquivalenceClasses) -> PopulationClasses:
    """Population records per class."""
    combinations = _grouped_population(population, coverings, classes)
    sizes = np.zeros(classes.count, dtype=np.int64)
    covered = np.zeros(len(combinations.counts), dtype=bool)
    for row, index in covering_pairs(combinations.codes, coverings, classes.columns, classes.codes):
        np.add.at(sizes, index, combinations.counts[row])
        covered[row] = True
    return PopulationClasses(population.rows, sizes, int(combinations.counts[~covered].sum()))


def _grouped_population(population: Table, coverings: Sequence[Covering], classes: EquivalenceClasses) -> Combinations:
    """The population's records by the groups of their values: of a raw population few are left."""
    columns = []
    for column_covering, name in zip(coverings, classes.quasi_identifiers, strict=True):
        codes = column_covering.group[population[name].codes].astype(np.int32)
        # The groups' numbers represent their labels.
        columns.append(Column(name, codes, text_array([str(number) for number in range(len(column_covering.counts))])))
    return group_records(columns, population.rows)[0]
