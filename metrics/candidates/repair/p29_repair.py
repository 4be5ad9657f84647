"""Raises P_29 above zero: deletes the classes that fail a condition, or merges them into their neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from metrics.aggregates import Aggregates, require_classes, require_records
from metrics.candidates.repair.merging import MAX_CLASSES, labels_of, merge_with_nearest, merged_labels
from metrics.candidates.repair.relabelling import relabelled
from metrics.config.parameters import P29Parameters
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.errors import Unavailable
from metrics.interruption import checkpoint
from metrics.privacy.classes.ground_distances import equal_distance
from metrics.privacy.l_diversity import normalized_entropy
from metrics.privacy.p29 import P29, P29Components, p29
from metrics.tables.table import SUPPRESSED, Flags, Integers, Table
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class Round:
    """One round of a repair: the classes that fail a condition before it, and the score after it."""

    classes: int
    records: int
    score: float
    index: Integers
    """The table's classes that fail a condition before this round, or are part of a merged class that did."""
    reasons: pa.StringArray
    """Why, for each of `index`."""
    violations: str
    """How many classes fail each condition, in a sentence."""


@dataclass(frozen=True, eq=False)
class P29Repair:
    """A repaired version of a table; `result` is the P_29 that scoring its file gives."""

    method: str
    """"delete" or "merge"."""
    rounds: tuple[Round, ...]
    result: P29 | None
    """None if no class is left."""
    group_of_class: Integers
    """For each class of the table the class it became, or DELETED."""
    labels: Mapping[str, list[str | None]]
    """Per quasi-identifier: the label of each class the repaired table has."""
    lost_records: int
    """Records deleted, or suppressed by merging."""
    changed_classes: Flags
    """Classes that were deleted or got other labels."""

    @property
    def score(self) -> float:
        """P_29 after the repair; 0 if no class is left."""
        return 0.0 if self.result is None else self.result.value


def repair_by_deletion(aggregates: Aggregates, parameters: P29Parameters | None = None) -> P29Repair:
    """Delete the classes that fail a condition of P_29 until none does: each deletion moves the table's distribution.

    Parameters
    ----------
    aggregates : Aggregates
        Those of the anonymized table.
    parameters : P29Parameters, optional
        The limit on t, which decides with k = 1 and l = 0 which classes fail.

    Returns
    -------
    P29Repair
        The deleted classes, round by round, and P_29 afterwards.

    Raises
    ------
    Unavailable
        Without a sensitive attribute or a class.
    """
    settings = parameters or P29Parameters()
    classes, histograms = require_classes(aggregates), aggregates.sensitive()
    groups: Integers = np.arange(classes.count)
    rounds: list[Round] = []
    while True:
        checkpoint()
        grouping = regroup(histograms, classes.sizes, groups)
        result = _score(grouping, settings)
        if rounds:
            rounds[-1] = replace(rounds[-1], score=0.0 if result is None else result.value)
        if result is None or not result.violating.any():
            break
        rounds.append(_round(grouping, result))
        groups = groups.copy()
        groups[rounds[-1].index] = DELETED
    is_kept = groups != DELETED
    return P29Repair(
        method="delete",
        rounds=tuple(rounds),
        result=result,
        group_of_class=grouping.group_of_class,
        labels={
            column.name: [column.labels[code] for code in codes[is_kept]]
            for column, codes in zip(classes.columns, classes.codes, strict=True)
        },
        lost_records=int(classes.sizes[~is_kept].sum()),
        changed_classes=~is_kept,
    )


def repair_by_merging(aggregates: Aggregates, parameters: P29Parameters | None = None) -> P29Repair:
    """Merge every class that fails a condition of P_29 into its nearest neighbour, and again until none does.

    A heuristic: each round takes the violating classes in order of size, smallest first, and joins each with the class
    nearest by its quasi-identifiers (see `NearestClass`); the labels of a merged class are the most specific that cover
    its members: the lowest common ancestor in the column's hierarchy, `*` without one. Classes that get equal
    labels become one; one that gets `*` everywhere is suppressed. Ends with one class at the latest.

    Parameters
    ----------
    aggregates : Aggregates
        Those of the anonymized table.
    parameters : P29Parameters, optional
        The limit on t, which decides with k = 1 and l = 0 which classes fail.

    Returns
    -------
    P29Repair
        The merged classes, round by round, and P_29 afterwards.

    Raises
    ------
    Unavailable
        Without a sensitive attribute or a class, or with more than 20,000 classes.
    """
    settings = parameters or P29Parameters()
    classes, histograms = require_classes(aggregates), aggregates.sensitive()
    if classes.count > MAX_CLASSES:
        raise Unavailable(text("p29.repair.unavailable.too_many_to_merge", limit=MAX_CLASSES))
    labels = labels_of(classes)
    groups: Integers = np.arange(classes.count)
    rounds: list[Round] = []
    while True:
        checkpoint()
        grouping = regroup(histograms, classes.sizes, groups)
        result = _score(grouping, settings)
        if rounds:
            rounds[-1] = replace(rounds[-1], score=0.0 if result is None else result.value)
        if result is None or not result.violating.any() or len(grouping.sizes) == 1:
            break
        rounds.append(_round(grouping, result))
        joined = merge_with_nearest(grouping, result.violating, labels, aggregates.hierarchies)
        labels, new_number = merged_labels(labels, joined, aggregates.hierarchies)
        former = grouping.group_of_class
        groups = np.where(former == DELETED, DELETED, new_number[former])
    before = labels_of(classes)
    is_changed = np.zeros(classes.count, dtype=bool)
    for name, texts in before.items():
        after = [*labels[name], SUPPRESSED]  # the last one is that of DELETED
        is_changed |= np.array([after[g] != text for g, text in zip(grouping.group_of_class, texts, strict=True)])
    suppressed = classes.sizes[grouping.group_of_class == DELETED]
    return P29Repair(
        method="merge",
        rounds=tuple(rounds),
        result=result,
        group_of_class=grouping.group_of_class,
        labels=labels,
        lost_records=int(suppressed.sum()),
        changed_classes=is_changed,
    )


def _round(grouping: Grouping, before: P29) -> Round:
    """The round that begins with these classes; its score is not known yet."""
    violating = before.violating
    index = np.flatnonzero(grouping.group_of_class != DELETED)
    index = index[violating[grouping.group_of_class[index]]]
    return Round(
        classes=int(violating.sum()),
        records=int(grouping.sizes[violating].sum()),
        score=0.0,
        index=index,
        reasons=before.reason_texts(grouping.group_of_class[index]),
        violations=before.violation_summary(),
    )


def _score(grouping: Grouping, parameters: P29Parameters) -> P29 | None:
    if not len(grouping.sizes):
        return None
    components = P29Components(
        sizes=grouping.sizes,
        entropy={name: normalized_entropy(histogram) for name, histogram in grouping.histograms.items()},
        distance={name: equal_distance(histogram) for name, histogram in grouping.histograms.items()},
    )
    return p29(components, parameters)


def repaired_table(aggregates: Aggregates, repair: P29Repair) -> Table:
    """The anonymized table with a repair applied.

    Parameters
    ----------
    aggregates : Aggregates
        Those that the repair was found for.
    repair : P29Repair
        Which records are deleted, or which labels they get.

    Returns
    -------
    Table
        Deleted records are left out, merged classes stand under their new labels.
    """
    anonymized = require_records(aggregates)
    class_of_record = aggregates.class_of_record()
    in_class = class_of_record >= 0
    suppressed = len(next(iter(repair.labels.values())))
    group_of_class = np.where(repair.group_of_class == DELETED, suppressed, repair.group_of_class)
    group_of_record = np.full(anonymized.rows, DELETED, dtype=np.int64)
    group_of_record[in_class] = group_of_class[class_of_record[in_class]]
    labels = {name: [*values, SUPPRESSED] for name, values in repair.labels.items()}
    table = relabelled(anonymized, aggregates.roles, labels, group_of_record)
    return table.take(np.flatnonzero(group_of_record != suppressed)) if repair.method == "delete" else table
