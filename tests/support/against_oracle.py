"""What comparing a scorecard with the oracle takes: its classes by key, and the cells as measures of loss read them."""

from collections.abc import Container, Mapping
from typing import Any

import pytest

from metrics import Scorecard
from metrics.texts import text
from tests import oracle
from tests.oracle import reading
from tests.support.scenes import Rows, Scene
from tests.support.small_tables import Cells

Key = tuple[str | None, ...]


NOT_ASKED_FOR = {text("unavailable.not_requested"), text("unavailable.on_demand")}


def near(expected: Any) -> Any:
    return None if expected is None else pytest.approx(float(expected), rel=1e-9, abs=1e-9)


def keys(card: Scorecard) -> list[Key]:
    """The quasi-identifiers of every class, in the scorecard's order."""
    classes = card.aggregates.classes
    return [tuple(classes.labels(i).values()) for i in range(classes.count)]


def class_rows(card: Scorecard) -> dict[Key, dict[str, Any]]:
    """The rows of the class table by class."""
    rows = card.classes.to_arrow().to_pylist()
    return dict(zip(keys(card), rows, strict=True))


def no_class(card: Scorecard, scene: Scene) -> bool:
    """Whether no record is in a class; every metric of classes that was asked for must say so then."""
    if oracle.kept_records(scene.records, scene.quasi_identifiers):
        return False
    reason = text("unavailable.all_suppressed") if scene.rows else text("unavailable.no_records")
    of_classes = [score for score in card if score.metric.family in ("privacy", "economics")]
    assert {score.unavailable for score in of_classes} - NOT_ASKED_FOR == {reason}
    assert len(card.classes) == 0
    return True


def blank_for_missing(table: Mapping[str, Cells], hierarchies: Container[str]) -> dict[str, Cells]:
    """Missing cells stand where the blank leaf of a hierarchy does; the oracle knows that leaf by its text."""
    return {
        name: ["" if cell is None and name in hierarchies else cell for cell in cells] for name, cells in table.items()
    }


def as_read(scene: Scene) -> tuple[dict[str, Cells], dict[str, Cells], set[str]]:
    """The quasi-identifiers as measures of loss read them, and those of which more than 1% of cells are perturbed."""
    original: dict[str, Cells] = {}
    anonymized: dict[str, Cells] = {}
    strange = set()
    for name in scene.quasi_identifiers:
        rows = scene.hierarchies.get(name)
        original[name], anonymized[name] = reading.read_cells(scene.original[name], scene.anonymized[name], rows)
        # One of at most 40 records is more than 1% of them.
        if reading.perturbed_records(original[name], anonymized[name], rows):
            strange.add(name)
    return original, anonymized, strange


def domain_cells(scene: Scene) -> tuple[dict[str, Cells], dict[str, Cells], set[str], bool]:
    """What `as_read` answers with missing cells as a value, and whether measures of domains can be computed.

    Without a hierarchy a missing value is one more value of the domain, as any text would be.
    """
    *read, strange = as_read(scene)
    original, anonymized = (
        {
            name: ["(missing)" if cell is None else cell for cell in cells]
            for name, cells in blank_for_missing(cells_of, scene.hierarchies).items()
        }
        for cells_of in read
    )
    listed = all(
        set(anonymized[name]) <= {"*", *(label for row in rows for label in row)}
        for name, rows in scene.hierarchies.items()
    )
    return original, anonymized, strange, scene.rows > 0 and len(strange) < len(scene.quasi_identifiers) and listed


def implied(before: Cells, after: Cells) -> Rows | None:
    """Original value, the one other label it was generalized to, `*`; None where there are two such labels."""
    label_of: dict[str | None, str | None] = {value: value for value in before}
    for value, label in zip(before, after, strict=True):
        if label != "*" and label not in before:
            if label_of[value] not in (value, label) or not label:
                return None
            label_of[value] = label
    return [[str(value), str(label), "*"] for value, label in label_of.items() if value is not None]
