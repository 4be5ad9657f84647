"""A repair in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.candidates.repair import Repair
from metrics.candidates.repair_to import LimitedRepair, Method
from metrics.classes import EquivalenceClasses
from metrics.wording import counted, shown, visible

_WAYS = {
    Method.RECORDS: "suppressing whole records",
    Method.CELLS: "suppressing cells",
    Method.MERGE: "merging classes",
}


def told(repair: Repair, classes: EquivalenceClasses) -> Iterator[str]:
    """Line by line: each round's classes with their reasons, then the score and what it cost."""
    verb = "deleted" if repair.method == "delete" else "merged into the nearest class"
    for number, one in enumerate(repair.rounds, 1):
        found = counted(one.classes, "class", "classes")
        yield f"Round {number}: {found} with {counted(one.records, 'record')} shut a gate and are {verb}"
        for index, reason in zip(one.index.tolist(), one.reasons.to_pylist(), strict=True):
            yield f"  {_class(classes, index)}: {visible(reason)}"
    if not repair.rounds:
        yield "No class shuts a gate; the table stays as it is"
    lost = counted(repair.lost_records, "record")
    yield f"P_29 is {repair.score!r} after it, with {lost} {'deleted' if repair.method == 'delete' else 'suppressed'}"


def told_of_limits(repair: LimitedRepair, classes: EquivalenceClasses, *, deleted: bool) -> Iterator[str]:
    """Line by line: the violating classes with their reasons, what was changed, and each utility metric's cost."""
    index = repair.violating.tolist()
    if not index:
        yield "No class violates; the table stays as it is"
    else:
        records = counted(int(classes.sizes[repair.violating].sum()), "record")
        yield f"{counted(len(index), 'class', 'classes')} with {records} violate"
    for one, reason in zip(index, repair.reasons, strict=True):
        yield f"  {_class(classes, one)}: {reason}"
    yield in_short(repair, deleted=deleted)
    yield "Utility metrics, before and after:"
    for cost in repair.costs:
        yield f"  {cost.before.metric.title}: {shown(cost.before.value)} → {shown(cost.after.value)}"


def in_short(repair: LimitedRepair, *, deleted: bool = False) -> str:
    """How much was changed, and whether less would do."""
    smallest = "exact: no smaller change does" if repair.exact else "heuristic: a smaller change may do"
    lost = f"{counted(repair.suppressed_now, 'record')} {'deleted' if deleted else 'suppressed'}"
    changed = f"{counted(repair.records_changed, 'record')} and {counted(repair.cells_changed, 'cell')} changed"
    rounds = f"{counted(len(repair.rounds), 'round')} of {_WAYS[repair.method]}" if repair.rounds else "Nothing to do"
    return f"{rounds}: {changed}, {lost} ({smallest})"


def _class(classes: EquivalenceClasses, index: int) -> str:
    labels = ", ".join(f"{visible(name)} = {visible(label)}" for name, label in classes.labels(index).items())
    return f"{labels} ({counted(int(classes.sizes[index]), 'record')})"
