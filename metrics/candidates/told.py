"""A repair in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.candidates.repair import Repair
from metrics.classes import EquivalenceClasses
from metrics.wording import counted, visible


def told(repair: Repair, classes: EquivalenceClasses) -> Iterator[str]:
    """Line by line: each round's classes with their reasons, then the score and what it cost."""
    verb = "deleted" if repair.method == "delete" else "merged into the nearest class"
    for number, one in enumerate(repair.rounds, 1):
        found = counted(one.classes, "class", "classes")
        yield f"Round {number}: {found} with {counted(one.records, 'record')} shut a gate and are {verb}"
        for index, reason in zip(one.index.tolist(), one.reasons.to_pylist(), strict=True):
            labels = ", ".join(f"{visible(name)} = {visible(label)}" for name, label in classes.labels(index).items())
            yield f"  {labels} ({counted(int(classes.sizes[index]), 'record')}): {visible(reason)}"
    if not repair.rounds:
        yield "No class shuts a gate; the table stays as it is"
    lost = counted(repair.lost_records, "record")
    yield f"P_29 is {repair.score!r} after it, with {lost} {'deleted' if repair.method == 'delete' else 'suppressed'}"
