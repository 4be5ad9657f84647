"""The recipe of a repair: rules for the cells that it changed, and its limits for the other records of a new table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from metrics.aggregates import Aggregates, TableAggregates, require_records
from metrics.candidates.limits.suppression import SuppressionRule
from metrics.candidates.repair.merging import labels_of
from metrics.candidates.repair.p29_repair import P29Repair, repaired_table
from metrics.candidates.repair.to_limits import LimitedRepair
from metrics.config.parameters import Parameters
from metrics.recipes.recipe import Recipe, identifier_steps, suppression_step
from metrics.recipes.steps import Cells, DeleteSuppressed, Recode, Rule, Step
from metrics.tables.table import SUPPRESSED, Table


def recipe_of_repair(
    aggregates: Aggregates, repair: LimitedRepair, *, parameters: Parameters | None = None, deleted: bool = False
) -> Recipe:
    """The recipe of `repair_to`, for the table of the aggregates.

    It repeats the changes by the cells they apply to: "records with these cells get those". Where a repair changed some
    records of a class, they are the first ones of the table. Classes of a new table that are not listed stay as they
    are, so limits on k, l and t are added as a last step that suppresses what still fails.

    Parameters
    ----------
    aggregates : Aggregates
        Of the table before the repair.
    repair : LimitedRepair
        What was done.
    parameters : Parameters, optional
        Those of the repair: they hold the ground distances.
    deleted : bool
        Whether suppressed records are deleted.

    Returns
    -------
    Recipe
        Its `apply` on the table of the aggregates gives the repaired one.
    """
    roles, limits = aggregates.roles, repair.constraints
    steps: list[Step] = [
        *identifier_steps(require_records(aggregates), roles),
        *_recoding_steps(aggregates, repair.table),
    ]
    if limits.k is not None or (roles.sensitive and (limits.l is not None or limits.t is not None)):
        rule = SuppressionRule(limits.k or 1, limits.l, limits.t)
        steps.append(suppression_step(roles, rule, aggregates.hierarchies, parameters or Parameters()))
    if deleted:
        steps.append(DeleteSuppressed(tuple(roles.quasi_identifiers)))
    return Recipe(tuple(steps))


def recipe_of_p29_repair(aggregates: Aggregates, repair: P29Repair) -> Recipe:
    """The recipe of `repair_by_deletion` or `repair_by_merging`: classes by their cells, deleted or merged.

    Parameters
    ----------
    aggregates : Aggregates
        Of the table before the repair.
    repair : P29Repair
        What was done.

    Returns
    -------
    Recipe
        Its `apply` on the table of the aggregates gives the repaired one.
    """
    first_steps = identifier_steps(require_records(aggregates), aggregates.roles)
    if repair.method != "delete":
        return Recipe((*first_steps, *_recoding_steps(aggregates, repaired_table(aggregates, repair))))
    classes = aggregates.classes
    deleted_classes = np.flatnonzero(repair.changed_classes).tolist()
    rules = tuple(Rule(tuple(classes.labels(index).values()), None) for index in deleted_classes)
    return Recipe((*first_steps, *((Recode(classes.quasi_identifiers, rules),) if rules else ())))


def _recoding_steps(aggregates: Aggregates, after: Table) -> Iterator[Recode]:
    """The rules that turn the table into another one with the same records in the same order."""
    before = require_records(aggregates)
    names = aggregates.classes.quasi_identifiers
    aggregates_after = TableAggregates(after, aggregates.roles, None, {})
    class_before, class_after = aggregates.class_of_record(), aggregates_after.class_of_record()
    cells_before, cells_after = _cells(aggregates), _cells(aggregates_after)
    cells_after.append((SUPPRESSED,) * len(names))  # represents -1, the records in no class
    order = np.argsort(class_before, kind="stable")
    order = order[int((class_before < 0).sum()) :]
    if not len(order):
        return
    pairs = np.stack([class_before[order], class_after[order]])
    starts = np.flatnonzero(np.append(True, (np.diff(pairs) != 0).any(axis=0)))
    lengths = np.diff(starts, append=before.rows - int((class_before < 0).sum()))
    runs: Mapping[int, list[tuple[int, int]]] = {}
    runs = {}
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        runs.setdefault(int(pairs[0, start]), []).append((int(pairs[1, start]), length))
    rules: list[Rule] = []
    for index, class_runs in runs.items():
        cells = cells_before[index]
        if any(cells_after[new_class] != cells for new_class, _ in class_runs):
            *earlier, last = class_runs
            rules += [Rule(cells, cells_after[new_class], length) for new_class, length in earlier]
            rules.append(Rule(cells, cells_after[last[0]]))
    if rules:
        yield Recode(names, tuple(rules))


def _cells(aggregates: Aggregates) -> list[Cells]:
    """The cells of each class."""
    labels = labels_of(aggregates.classes)
    return list(zip(*labels.values(), strict=True))
