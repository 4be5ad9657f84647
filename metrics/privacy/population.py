"""How many people of a population each equivalence class stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.classes import EquivalenceClasses
from metrics.counts import Combinations, group_records
from metrics.encoding import text_array
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.masks import masked_labels
from metrics.specification import Unavailable
from metrics.table import SUPPRESSED, Column, Floats, Integers, Table
from metrics.utility.domain import parse_interval
from metrics.values import parse_number
from metrics.wording import counted

_MOST_PAIRS = 2**20
"""Most pairs of population records and classes looked at together: bounds the memory."""


@dataclass(frozen=True, eq=False)
class PopulationClasses:
    """The population generalized to the levels of the anonymized table's classes."""

    rows: int
    """Records of the population table."""
    sizes: Integers
    """Per equivalence class of the anonymized table, the population records it covers: at least its own."""
    outside: int
    """Population records that no class covers."""


def population_classes(evidence: Evidence) -> PopulationClasses:
    """What each class covers of the population table; raises Unavailable where that says nothing about the sample.

    A label covers a population value that equals it, that lies under it in the column's hierarchy on any level, or,
    where the hierarchy does not know both or there is none, a number within the interval or a text that fits the mask
    it writes; `*` covers every value. So the population may be raw, or generalized as the sample is. A record that
    several classes cover, on different levels, counts in each of them. Suppressed records are in no class.

    A sample is part of its population: a table with fewer records, or with fewer records for a class than the class
    itself has, is refused.
    """
    evidence.need_class_sizes()
    found = evidence.once("population classes", lambda: _classes_or_reason(evidence))
    if isinstance(found, str):
        raise Unavailable(found)
    return found


def _classes_or_reason(evidence: Evidence) -> PopulationClasses | str:
    population = evidence.population
    if population is None:
        return "it needs a population table, which is not given"
    classes = evidence.whole.classes
    if population.rows < evidence.anonymized.rows:
        return (
            f'the population table "{population.name}" has {counted(population.rows, "record")}, fewer than the '
            f"{evidence.anonymized.rows:,} of the anonymized table"
        )
    coverings = []
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        covering = _covering(column, population[column.name], evidence.hierarchies.get(column.name))
        lost = np.setdiff1d(codes, covering.labels)
        if len(lost):
            return (
                f'{counted(len(lost), "label")} of "{column.name}" {"covers" if len(lost) == 1 else "cover"} no value '
                "of the population table; give the column's hierarchy, or a population that is written the same way"
            )
        coverings.append(covering)
    made = _join(population, coverings, classes)
    short = int((made.sizes < classes.sizes).sum())
    if short:
        return (
            f'the population table "{population.name}" has fewer records than the anonymized table in '
            f"{counted(short, 'class', 'classes')}, so the one was not drawn from the other"
        )
    return made


@dataclass(frozen=True, eq=False)
class _Covering:
    """Which labels of the sample cover each value of the population; values covered alike share a group."""

    group: Integers
    """Group of each population value."""
    starts: Integers
    """Where each group's labels begin."""
    counts: Integers
    """How many labels cover each group's values."""
    labels: Integers
    """Codes of the sample's labels, group by group."""


def _covering(sample: Column, population: Column, hierarchy: Hierarchy | None) -> _Covering:
    covering: list[set[int]] = [set() for _ in population.labels]
    ancestors = {} if hierarchy is None else _ancestors(hierarchy)
    everything = sample.code_of.get(SUPPRESSED)
    for value, codes in zip(population.labels, covering, strict=True):
        above = () if value is None else ancestors.get(value, ())
        for label in (value, *above):
            if label in sample.code_of:
                codes.add(sample.code_of[label])
        if everything is not None:
            codes.add(everything)
    known = {} if hierarchy is None else hierarchy.level_of
    for label, values in _covered_by_form(sample, population).items():
        for position in values:
            if label not in known or population.labels[position] not in ancestors:
                covering[position].add(sample.code_of[label])
    numbers: dict[tuple[int, ...], int] = {}
    group = np.array([numbers.setdefault(tuple(sorted(codes)), len(numbers)) for codes in covering], dtype=np.int64)
    counts = np.array([len(codes) for codes in numbers], dtype=np.int64)
    labels = np.array([code for codes in numbers for code in codes], dtype=np.int64)
    return _Covering(group, np.cumsum(counts) - counts, counts, labels)


def _ancestors(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """The labels from each label upwards; one that stands on two levels is the value on the lower."""
    ancestors: dict[str, tuple[str, ...]] = {}
    for level in range(hierarchy.height + 1):
        for row in hierarchy.rows:
            if row[level] not in ancestors:
                ancestors[row[level]] = tuple(label for label in row[level:] if label)
    return ancestors


def _covered_by_form(sample: Column, population: Column) -> dict[str, Sequence[int]]:
    """By label of the sample that is an interval or a mask, the population values it covers by what it says."""
    numbers = [parse_number(value, population.decimal) for value in population.labels]
    known = np.array([position for position, number in enumerate(numbers) if number is not None], dtype=np.int64)
    figures: Floats = np.array([number for number in numbers if number is not None], dtype=np.float64)
    order = np.argsort(figures, kind="stable")
    known, figures = known[order], figures[order]
    covered: dict[str, Sequence[int]] = {}
    masks = []
    for label in sample.labels:
        if label is None or label == SUPPRESSED:
            continue
        interval = parse_interval(label, sample.decimal)
        if interval is not None:
            low = np.searchsorted(figures, interval.low, side="left" if interval.low_included else "right")
            high = np.searchsorted(figures, interval.high, side="right" if interval.high_included else "left")
            covered[label] = known[low:high].tolist()
        elif SUPPRESSED in label:
            masks.append(label)
    return {**covered, **masked_labels(masks, population.labels)}


def _join(population: Table, coverings: Sequence[_Covering], classes: EquivalenceClasses) -> PopulationClasses:
    """Population records per class: column by column, only beginnings that some class has are followed further."""
    combinations = _grouped(population, coverings, classes)
    beginnings = _beginnings(classes)
    sizes = np.zeros(classes.count, dtype=np.int64)
    reached = np.zeros(len(combinations.counts), dtype=bool)
    everyone = np.arange(len(combinations.counts))
    waiting: list[tuple[int, Integers, Integers]] = [(0, np.zeros(len(everyone), dtype=np.int64), everyone)]
    while waiting:
        level, beginning, row = waiting.pop()
        if level == len(coverings):
            np.add.at(sizes, beginning, combinations.counts[row])
            reached[row] = True
            continue
        covering, column = coverings[level], classes.columns[level]
        group = combinations.codes[level][row]
        many = covering.counts[group]
        pairs = int(many.sum())
        if pairs > _MOST_PAIRS and len(row) > 1:
            half = len(row) // 2
            waiting += [(level, beginning[:half], row[:half]), (level, beginning[half:], row[half:])]
            continue
        source = np.repeat(np.arange(len(row)), many)
        place = np.arange(pairs) + np.repeat(covering.starts[group] - (np.cumsum(many) - many), many)
        key = beginning[source] * column.distinct + column.rank[covering.labels[place]]
        at = np.minimum(np.searchsorted(beginnings[level], key), len(beginnings[level]) - 1)
        found = beginnings[level][at] == key
        waiting.append((level + 1, at[found], row[source[found]]))
    return PopulationClasses(population.rows, sizes, int(combinations.counts[~reached].sum()))


def _grouped(population: Table, coverings: Sequence[_Covering], classes: EquivalenceClasses) -> Combinations:
    """The population's records by the groups of their values: of a raw population few are left."""
    columns = []
    for covering, name in zip(coverings, classes.quasi_identifiers, strict=True):
        codes = covering.group[population[name].codes].astype(np.int32)
        # The groups' numbers stand for their labels.
        columns.append(Column(name, codes, text_array([str(number) for number in range(len(covering.counts))])))
    return group_records(columns, population.rows)[0]


def _beginnings(classes: EquivalenceClasses) -> list[Integers]:
    """By column the distinct beginnings of classes up to it: number of the beginning before it and rank of its value.

    Classes stand in the order of their values, so beginnings are ascending, and the last ones are the classes.
    """
    beginnings = []
    number = np.zeros(classes.count, dtype=np.int64)
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        keys = number * column.distinct + column.rank[codes]
        first = np.diff(keys, prepend=-1) != 0
        number = np.cumsum(first) - 1
        beginnings.append(keys[first])
    return beginnings
