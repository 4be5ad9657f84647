"""Merging classes under the labels that cover them: into the nearest neighbour, or in the best of all ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.candidates.limits.of_classes import ClassLimits
from metrics.candidates.repair.neighbours import NearestClass, common_labels, thousandths
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.interruption import checkpoint
from metrics.tables.table import SUPPRESSED, Flags, Floats, Integers
from metrics.texts import text

MAX_CLASSES = 20_000
_MAX_PARTITIONED = 7

Labels = Mapping[str, list[str | None]]
"""Per quasi-identifier the label of each class."""


@dataclass(frozen=True, eq=False)
class Merging:
    """The merged class of each class, and the labels of the merged classes."""

    group_of_class: Integers
    """The merged class of each class, or DELETED where it got `*` everywhere."""
    labels: Labels
    """Labels of the merged classes."""
    exact: bool
    """Whether no other way to merge whole classes changes fewer records, or cells of less weight."""
    rounds: tuple[tuple[int, int], ...]
    """Per round: the classes that were found to violate, and their records."""


def labels_of(classes: EquivalenceClasses) -> dict[str, list[str | None]]:
    """Per quasi-identifier the label of each class."""
    return {
        column.name: [column.labels[code] for code in codes]
        for column, codes in zip(classes.columns, classes.codes, strict=True)
    }


def merge_until_met(
    classes: EquivalenceClasses,
    histograms: Mapping[str, Histogram],
    limits: ClassLimits,
    max_suppressed: int,
    highest: Mapping[str, int],
    weights: Floats,
) -> Merging:
    """Merge classes that violate, and again until none does or one class is left; no label is above the `highest`.

    Up to 7 classes: every way to put classes together is tried, and of those that meet the limits and suppress at
    most `max_suppressed` records the one that changes the fewest records is taken, then the fewest cells: exact. Where
    the `weights` of the columns differ, it is the one that changes cells of the least weight, then the fewest records.
    Beyond, or where none meets them: the heuristic of `merge_with_nearest`, round after round. Raises Unavailable with
    more than 20,000 classes.
    """
    if classes.count > MAX_CLASSES:
        raise Unavailable(text("repair.unavailable.too_many_to_merge", limit=MAX_CLASSES))
    class_labels = labels_of(classes)
    labels: Labels = class_labels
    groups: Integers = np.arange(classes.count)
    rounds: list[tuple[int, int]] = []
    while True:
        checkpoint()
        grouping = regroup(histograms, classes.sizes, groups)
        violating = limits.violating(grouping)
        if not violating.any():
            break
        rounds.append((int(violating.sum()), int(grouping.sizes[violating].sum())))
        if len(grouping.sizes) == 1:
            break
        joined = merge_with_nearest(grouping, violating, NearestClass(labels, limits.hierarchies, highest, weights))
        labels, new_number = merged_labels(labels, joined, limits.hierarchies)
        former = grouping.group_of_class
        groups = np.where(former == DELETED, DELETED, new_number[former])
    merging = Merging(grouping.group_of_class, labels, not rounds, tuple(rounds))
    if rounds and classes.count <= _MAX_PARTITIONED:
        may_join = NearestClass(labels_of(classes), limits.hierarchies, highest, weights).part
        best = _best_partition(classes, histograms, limits, max_suppressed, may_join, weights)
        return Merging(*best, True, merging.rounds[:1]) if best is not None else merging
    return merging


def _best_partition(
    classes: EquivalenceClasses,
    histograms: Mapping[str, Histogram],
    limits: ClassLimits,
    max_suppressed: int,
    may_join: Integers,
    weights: Floats,
) -> tuple[Integers, Labels] | None:
    class_labels = labels_of(classes)
    best: tuple[tuple[int, int], Integers, Labels] | None = None
    for partition in _partitions(classes.count):
        checkpoint()
        if len(set(zip(partition, may_join.tolist(), strict=True))) > len(set(partition)):
            continue
        labels, groups = merged_labels(class_labels, np.array(partition), limits.hierarchies)
        cost = _cost(classes.sizes, class_labels, labels, groups, weights)
        if best is not None and cost >= best[0]:
            continue
        if int(classes.sizes[groups == DELETED].sum()) > max_suppressed or (groups == DELETED).all():
            continue
        grouping = regroup(histograms, classes.sizes, groups)
        if not limits.violating(grouping).any():
            best = (cost, groups, labels)
    return None if best is None else best[1:]


def _cost(sizes: Integers, before: Labels, after: Labels, groups: Integers, weights: Floats) -> tuple[int, int]:
    """Records and cells whose labels change when classes go to groups with the labels `after`; DELETED is all `*`.

    Cells count in thousandths of their weights, and first where these differ.
    """
    changed_cells = np.zeros(len(groups), dtype=np.int64)
    for (name, texts), weight in zip(before.items(), thousandths(weights).tolist(), strict=True):
        labels = [*after[name], SUPPRESSED]  # the last one is that of DELETED
        changed = [labels[group] != text for group, text in zip(groups.tolist(), texts, strict=True)]
        changed_cells += weight * np.array(changed)
    records, cells = int(sizes[changed_cells > 0].sum()), int((sizes * changed_cells).sum())
    return (cells, records) if np.ptp(weights) else (records, cells)


def _partitions(number: int) -> Iterator[list[int]]:
    """For each way to put that many classes together, the group of each."""
    if not number:
        yield []
        return
    for shorter in _partitions(number - 1):
        for group in range(max(shorter, default=-1) + 2):
            yield [*shorter, group]


def merge_with_nearest(grouping: Grouping, violating: Flags, nearest: NearestClass) -> Integers:
    """For each group the one it is joined with: itself, or the root of what it was merged into.

    The violating groups in order of size, smallest first, each with the one nearest by its labels, unless it has
    already taken in a neighbour; DELETED where it may be merged with none.
    """
    target = np.arange(len(grouping.sizes))

    def root(group: int) -> int:
        while target[group] != group:
            group = int(target[group])
        return group

    order = np.flatnonzero(violating)[np.argsort(grouping.sizes[violating], kind="stable")]
    is_merged = np.zeros(len(target), dtype=bool)
    alone: list[int] = []
    for group in order.tolist():
        checkpoint()
        if is_merged[group]:
            continue
        other = nearest.find(group)
        if other is None:
            alone.append(group)
            continue
        own_root, other_root = root(group), root(other)
        if own_root != other_root:
            target[own_root] = other_root
        is_merged[[group, other]] = True
    joined = np.array([root(group) for group in range(len(target))], dtype=np.int64)
    joined[alone] = DELETED
    return joined


def merged_labels(
    labels: Mapping[str, list[str | None]], joined: Integers, hierarchies: Mapping[str, Hierarchy]
) -> tuple[dict[str, list[str | None]], Integers]:
    """Labels of the joined groups, groups with equal labels made one; and the new number of each former group."""
    members: dict[int, list[int]] = {}
    for group, target in enumerate(joined.tolist()):
        members.setdefault(target, []).append(group)
    number: dict[tuple[str | None, ...], int] = {}
    new_number = np.empty(len(joined), dtype=np.int64)
    for target, groups in members.items():
        key = tuple(
            common_labels([texts[group] for group in groups], hierarchies.get(name)) for name, texts in labels.items()
        )
        suppressed = target == DELETED or all(label == SUPPRESSED for label in key)
        new_number[groups] = DELETED if suppressed else number.setdefault(key, len(number))
    joint_labels = {name: [key[i] for key in number] for i, name in enumerate(labels)}
    return joint_labels, new_number
