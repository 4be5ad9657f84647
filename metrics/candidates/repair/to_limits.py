"""The smallest change that makes a table meet a user's limits, and what it costs in each utility metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from metrics.aggregates import Aggregates, TableAggregates, require_classes, require_original_records, require_records
from metrics.candidates.limits.enforced import ENFORCED, Limits, checked, max_suppressed, needs_sensitive
from metrics.candidates.limits.measures import NodeMeasures, as_measure
from metrics.candidates.limits.of_classes import ClassLimits
from metrics.candidates.limits.of_nodes import nearest
from metrics.candidates.repair.cell_suppression import suppress_cells
from metrics.candidates.repair.merging import labels_of, merge_until_met
from metrics.candidates.repair.record_suppression import every_failing, fewest_records
from metrics.candidates.repair.relabelling import relabelled
from metrics.config.parameters import Parameters, SensitiveParameters
from metrics.counting.grouping import DELETED, regroup
from metrics.counting.histograms import Histogram
from metrics.metric import Family
from metrics.policy.limitable_measures import SUPPRESSION, measured, metrics_for
from metrics.scoring.catalog import BY_ID, METRICS
from metrics.scoring.scorecard import Score, Scorecard, score_metric
from metrics.tables.table import SUPPRESSED, Flags, Integers, Table
from metrics.texts import text


class Method(StrEnum):
    """Method of a repair, by what it may change."""

    RECORDS = "records"
    """As few records as possible are suppressed by whole classes: `*` in every quasi-identifier."""
    FAILING = "failing"
    """Every class that fails is suppressed, and again until none does."""
    CELLS = "cells"
    """Single cells of quasi-identifiers are suppressed."""
    MERGE = "merge"
    """Classes are merged under the labels that cover them."""


@dataclass(frozen=True, eq=False)
class UtilityCost:
    """One utility metric of the table before and after."""

    before: Score
    after: Score


@dataclass(frozen=True, eq=False)
class LimitedRepair:
    """A repaired version of a table, measured anew."""

    method: Method
    limits: Limits
    exact: bool
    """Whether no smaller change by this method exists; see the method's own function for what is smallest."""
    rounds: tuple[tuple[int, int], ...]
    """Per round: the classes that were found to violate, and their records."""
    violations: tuple[dict[int, str], ...]
    """The classes of the unrepaired table that violate, and why; by `Method.FAILING` before each round."""
    failing: tuple[str, ...]
    """How many classes of the unrepaired table fail each limit, in phrases."""
    records_changed: int
    """Records whose quasi-identifiers differ from before, suppressed ones included."""
    cells_changed: int
    """Cells of quasi-identifiers that differ from before."""
    cells_suppressed: int
    """Cells that the repair suppresses in records of which it keeps other cells."""
    suppressed_now: int
    """Records that the repair suppresses, besides those that were suppressed before."""
    suppressed: Flags
    """For each record of the table whether it is suppressed in the end; by `Method.FAILING` only by the repair."""
    table: Table
    """The repaired table with as many records as before; suppressed ones have `*` in every quasi-identifier."""
    unmet: tuple[str, ...]
    """The limits that the repaired table misses and by how much; empty if it meets all."""
    kept: tuple[str, ...]
    """The columns whose highest levels bound the method."""
    aggregates: Aggregates
    """Aggregates of the repaired table."""
    costs: tuple[UtilityCost, ...]
    """Every utility metric of the catalog except those computed only on request."""

    @property
    def violating(self) -> Integers:
        """The classes of the unrepaired table that violate."""
        return np.array(list(self.violations[0]), dtype=np.int64)

    @property
    def without_suppressed(self) -> Table:
        """The repaired table without its suppressed records."""
        return self.table.take(np.flatnonzero(~self.suppressed))


@dataclass(frozen=True, eq=False)
class _Change:
    """Change to the records: fragments of classes, by class, with the labels that they get."""

    class_of_fragment: Integers
    sizes: Integers
    labels: Mapping[str, Sequence[str | None]]
    exact: bool
    rounds: tuple[tuple[int, int], ...]
    violations: tuple[dict[int, str], ...] = ()
    """Before each round, where every class that violates is suppressed."""


def repair_to(
    aggregates: Aggregates,
    limits: Limits,
    method: Method | str = Method.RECORDS,
    *,
    parameters: Parameters | None = None,
    importance: Sequence[str] | None = None,
) -> LimitedRepair:
    """The table changed as little as the method can find so that it meets the limits.

    The highest levels allowed by the roles hold, but whole records may be suppressed. Every sensitive attribute is
    judged on its own. Distances are from the records in classes, as everywhere.

    Parameters
    ----------
    aggregates : Aggregates
        Those of the anonymized table.
    limits : mapping of str to float or bool
        The limits as policies have them: {"k_anonymity": 5, "suppression": 0.1}.
    method : Method or str
        Whole records (`fewest_records`, `every_failing`), cells (`suppress_cells`) or merging (`merge_until_met`).
    parameters : Parameters, optional
        Ground distances, and the amounts of attacker and publisher.
    importance : sequence of str, optional
        Quasi-identifiers whose cells are kept first, the most important one first; then those weighted more.

    Returns
    -------
    LimitedRepair
        `exact` tells whether the change is the smallest there is; else it was found by the heuristic that the method's
        function states. Where the limits cannot be met, `unmet` says which bind and by how much.

    Raises
    ------
    Unavailable
        Without a class or a sensitive attribute that a limit needs.
    InputError
        If a limit is out of range or cannot be enforced, a chosen ground distance does not apply, or attacks cost
        nothing.
    """
    method, limits = Method(method), checked(limits)
    settings = replace(parameters or Parameters(), sensitive=SensitiveParameters())
    classes = require_classes(aggregates)
    histograms = aggregates.sensitive() if needs_sensitive(limits) else {}
    class_limits = ClassLimits(limits, settings, aggregates.hierarchies)
    grouping = regroup(histograms, classes.sizes, np.arange(classes.count))
    may_be_suppressed = max_suppressed(limits, aggregates.anonymized.rows) - classes.suppressed
    change = _change_by_method(aggregates, histograms, class_limits, method, may_be_suppressed, importance)
    before = labels_of(classes)
    differs = np.zeros(len(change.sizes), dtype=np.int64)
    newly_suppressed = np.zeros(len(change.sizes), dtype=np.int64)
    fully_suppressed = np.ones(len(change.sizes), dtype=bool)
    for name, labels in change.labels.items():
        former = [before[name][index] for index in change.class_of_fragment.tolist()]
        differs += np.array([label != old for label, old in zip(labels, former, strict=True)], dtype=np.int64)
        newly_suppressed += np.array([label == SUPPRESSED != old for label, old in zip(labels, former, strict=True)])
        fully_suppressed &= np.array([label == SUPPRESSED for label in labels], dtype=bool)
    table, suppressed = _apply_change(aggregates, change, fully_suppressed)
    if method is Method.FAILING:
        suppressed &= aggregates.class_of_record() >= 0
    original = None if aggregates.original is None else require_original_records(aggregates)
    after = TableAggregates(table, aggregates.roles, original, aggregates.hierarchies, aggregates.population)
    return LimitedRepair(
        method=method,
        limits=limits,
        exact=change.exact,
        rounds=change.rounds,
        violations=change.violations or (class_limits.violations(grouping),),
        failing=tuple(class_limits.failing(grouping)),
        records_changed=int(change.sizes[differs > 0].sum()),
        cells_changed=int((change.sizes * differs).sum()),
        cells_suppressed=int((change.sizes * newly_suppressed)[~fully_suppressed].sum()),
        suppressed_now=int(change.sizes[fully_suppressed].sum()),
        suppressed=suppressed,
        table=table,
        unmet=_unmet(after, limits, settings, _best_possible(class_limits, histograms, classes.sizes, method)),
        kept=tuple(_kept_levels(aggregates)) if method in (Method.CELLS, Method.MERGE) else (),
        aggregates=after,
        costs=_utility_costs(aggregates, after, parameters or Parameters()),
    )


def _change_by_method(
    aggregates: Aggregates,
    histograms: Mapping[str, Histogram],
    limits: ClassLimits,
    method: Method,
    may_be_suppressed: int,
    importance: Sequence[str] | None,
) -> _Change:
    classes = aggregates.classes
    class_labels = labels_of(classes)
    kept = _kept_levels(aggregates)
    # A weight of 0 still counts against changes for nothing.
    weights = np.maximum(aggregates.roles.relative_weights(classes.quasi_identifiers), 0.001)
    if method is Method.CELLS:
        fragments = suppress_cells(classes, histograms, limits, may_be_suppressed, importance, kept, weights)
        cells = {
            name: [
                SUPPRESSED if is_suppressed else labels[index]
                for index, is_suppressed in zip(
                    fragments.class_of_fragment.tolist(), fragments.suppressed[:, i].tolist(), strict=True
                )
            ]
            for i, (name, labels) in enumerate(class_labels.items())
        }
        return _Change(fragments.class_of_fragment, fragments.sizes, cells, fragments.exact, fragments.rounds)
    if method is Method.MERGE:
        merging = merge_until_met(classes, histograms, limits, may_be_suppressed, kept, weights)
        group_labels = {
            name: [labels[group] if group != DELETED else SUPPRESSED for group in merging.group_of_class.tolist()]
            for name, labels in merging.labels.items()
        }
        return _Change(np.arange(classes.count), classes.sizes, group_labels, merging.exact, merging.rounds)
    violations: tuple[dict[int, str], ...] = ()
    if method is Method.FAILING:
        choice, violations = every_failing(histograms, classes.sizes, limits)
    else:
        choice = fewest_records(histograms, classes.sizes, limits)
    record_labels = {
        name: [
            SUPPRESSED if is_suppressed else label
            for label, is_suppressed in zip(labels, choice.suppressed.tolist(), strict=True)
        ]
        for name, labels in class_labels.items()
    }
    return _Change(np.arange(classes.count), classes.sizes, record_labels, choice.exact, choice.rounds, violations)


def _kept_levels(aggregates: Aggregates) -> dict[str, int]:
    """The highest levels allowed, of columns that may not be generalized to the top."""
    hierarchies = aggregates.hierarchies
    heights = {name: hierarchies[name].height if name in hierarchies else 1 for name in aggregates.roles.highest_levels}
    return {name: level for name, level in aggregates.roles.highest_levels.items() if level < heights[name]}


def _apply_change(aggregates: Aggregates, change: _Change, suppressed_fragments: Flags) -> tuple[Table, Flags]:
    """The table after a change, and its suppressed records; the fragments of a class take its records in order."""
    anonymized, class_of_record = require_records(aggregates), aggregates.class_of_record()
    by_class = np.argsort(class_of_record, kind="stable")
    in_class = by_class[int((class_of_record < 0).sum()) :]
    fragment = np.full(anonymized.rows, DELETED, dtype=np.int64)
    fragment[in_class] = np.repeat(np.arange(len(change.sizes)), change.sizes)
    suppressed: Flags = np.append(suppressed_fragments, True)[fragment]
    return relabelled(anonymized, aggregates.roles, change.labels, fragment), suppressed


def _utility_costs(before: Aggregates, after: Aggregates, parameters: Parameters) -> tuple[UtilityCost, ...]:
    sensitive = set(before.roles.sensitive)
    distance = {
        name: ground_distance for name, ground_distance in parameters.t_closeness.distance.items() if name in sensitive
    }
    valid_parameters = replace(parameters, t_closeness=replace(parameters.t_closeness, distance=distance))
    return tuple(
        UtilityCost(score_metric(spec, before, valid_parameters), score_metric(spec, after, valid_parameters))
        for spec in METRICS
        if spec.family is Family.UTILITY and not spec.on_demand
    )


def limited_measures(aggregates: Aggregates, limits: Limits, parameters: Parameters) -> NodeMeasures:
    """The figures of a table that the limits are on, as if it were the only node of a lattice."""
    scores = {name: score_metric(BY_ID[name], aggregates, parameters) for name in metrics_for(limits)}
    card = Scorecard(aggregates, parameters, scores)
    return {
        ENFORCED[name].node: np.array([aggregates.classes.suppressed])
        if name == SUPPRESSION
        else as_measure(ENFORCED[name].node, measured(name, card).value)
        for name in limits
    }


def _unmet(after: Aggregates, limits: Limits, parameters: Parameters, best: tuple[str, ...]) -> tuple[str, ...]:
    if not after.classes.count:
        return best or (text("repair.no_class_left"),)
    sizes = {"k": np.zeros(1, dtype=np.int64), "smallest_class": after.classes.sizes.min(keepdims=True)}
    figures = {**sizes, **limited_measures(after, limits, parameters)}
    missed = nearest(limits, figures, after.anonymized.rows)
    return () if missed is None else missed.gaps()


def _best_possible(
    limits: ClassLimits, histograms: Mapping[str, Histogram], sizes: Integers, method: Method
) -> tuple[str, ...]:
    """The limits that no class can meet: none as it is, or, where classes may be joined, not all of them as one."""
    by_classes = method in (Method.RECORDS, Method.FAILING)
    groups = np.arange(len(sizes)) if by_classes else np.zeros(len(sizes), dtype=np.int64)
    grouping = regroup(histograms, sizes, groups)
    unmet = [
        limit.class_summary(limit.best(figures))
        for limit, figures in limits.for_grouping(grouping)
        if limit.missed(figures).all()
    ]
    if by_classes:
        return tuple(text("repair.best_class", shortfall=shortfall) for shortfall in unmet)
    return tuple(text("repair.one_class", shortfall=shortfall) for shortfall in unmet)
