"""The recipe of a repair: rules for the cells that it changed, and its limits for the other records of a new table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from metrics.aggregates import Aggregates, TableAggregates, require_records
from metrics.candidates.limits.enforced import K, L, T
from metrics.candidates.limits.suppression import suppression_rule
from metrics.candidates.repair.merging import labels_of
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import Parameters
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import Cells, DeleteSuppressed, Recode, Rule, Step, identifier_steps, suppression_step
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
    roles, limits = aggregates.roles, repair.limits
    deletes_failing = deleted and repair.method is Method.FAILING
    steps: list[Step] = [
        *identifier_steps(require_records(aggregates), roles),
        *_recoding_steps(aggregates, repair.table, delete_suppressed=deletes_failing),
    ]
    of_classes = {name: bound for name, bound in limits.items() if name in (K, L, T)}
    if K in of_classes or (roles.sensitive and of_classes):
        settings = parameters or Parameters()
        rule = suppression_rule(of_classes, settings)
        steps.append(suppression_step(roles, rule, aggregates.hierarchies, settings))
    if deleted and not deletes_failing:
        steps.append(DeleteSuppressed(tuple(roles.quasi_identifiers)))
    return Recipe(tuple(steps))


def recipe_of_items(item: str, labels: Mapping[str, str]) -> Recipe:
    """The recipe of `repair_items`: each item that was changed gets its new label."""
    rules = tuple(Rule((old,), (new,)) for old, new in labels.items())
    return Recipe((Recode((item,), rules),) if rules else ())


def _recoding_steps(aggregates: Aggregates, after: Table, *, delete_suppressed: bool) -> Iterator[Recode]:
    """The rules that turn the table into another one with the same records in the same order, or delete its classes."""
    before = require_records(aggregates)
    names = aggregates.classes.quasi_identifiers
    aggregates_after = TableAggregates(after, aggregates.roles, None, {})
    class_before, class_after = aggregates.class_of_record(), aggregates_after.class_of_record()
    cells_before = _cells(aggregates)
    in_no_class = None if delete_suppressed else (SUPPRESSED,) * len(names)
    cells_after = [*_cells(aggregates_after), in_no_class]  # the last one is that of -1
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
