"""One record, or the records of one class, through every version: where they are and who is there with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import require_records
from metrics.errors import Unavailable
from metrics.formatting import join_names
from metrics.matching.records import describe
from metrics.scoring.scorecard import Scorecard
from metrics.tables.matching_rule import Duplicates, MatchingRule
from metrics.tables.table import Floats, Integers, Table, quoted
from metrics.texts import text


@dataclass(frozen=True)
class AttributeInClass:
    """Distribution of a sensitive attribute in one class; None if the measure is unavailable."""

    distinct: int
    normalized_entropy: float | None
    t: float | None


@dataclass(frozen=True, eq=False)
class Stop:
    """A class that holds some of the records followed."""

    index: int
    """Position among the version's classes."""
    quasi_identifiers: Mapping[str, str | None]
    size: int
    followed: int
    """Records followed that are in it, at least 1."""
    sensitive: Mapping[str, AttributeInClass]


@dataclass(frozen=True, eq=False)
class Trail:
    """Places of the records followed in one version."""

    classes: Integers
    """Positions of the classes that hold them, those with most of them first."""
    followed: Integers
    """Records in each."""
    sizes: Integers
    """All records of each."""
    suppressed: int = 0
    """Records in this version with `*` in every quasi-identifier."""
    absent: int = 0
    """Records that are not in this version."""
    ambiguous: int = 0
    """Records that the key does not locate, and that the roles leave out."""
    unavailable: str | None = None
    """Why they cannot be followed to this version."""

    def summary(self) -> str:
        """One plain sentence without a cell of the table, as it goes on after the version's name."""
        if self.unavailable is not None:
            return text("followed.cannot", reason=self.unavailable)
        parts = [self._in_classes()] if len(self.classes) else []
        parts += [text("followed.suppressed", records=self.suppressed)] if self.suppressed else []
        parts += [text("followed.absent", records=self.absent)] if self.absent else []
        parts += [text("followed.ambiguous", records=self.ambiguous)] if self.ambiguous else []
        return f"{join_names(parts) if parts else text('followed.no_record')}."

    def _in_classes(self) -> str:
        """How many records are in classes, and their risk in the smallest of these."""
        followed, classes = int(self.followed.sum()), len(self.classes)
        smallest, largest = int(self.sizes.min()), int(self.sizes.max())
        risk = 1 / smallest
        if classes == 1:
            return text("followed.in_class", followed=followed, size=largest, risk=risk)
        if smallest == largest:
            return text("followed.in_classes", followed=followed, classes=classes, size=largest, risk=risk)
        return text(
            "followed.in_unequal_classes",
            followed=followed,
            classes=classes,
            smallest=smallest,
            largest=largest,
            risk=risk,
        )


def record_trails(cards: Mapping[str, Scorecard], reference: Table, records: Integers) -> dict[str, Trail]:
    """Follow records of a reference table, given by their positions, into each version.

    The reference is the original or a version. Records are matched by the key column of each card's roles, else by
    position, which requires as many records in both.
    """
    return {label: _trail(card, reference, records) for label, card in cards.items()}


def records_of_class(card: Scorecard, index: int) -> Integers:
    """Positions of a class's records in the anonymized table."""
    return np.flatnonzero(card.aggregates.class_of_record() == index)


def record_with_value(reference: Table, key: str, value: str) -> int | None:
    """The first record with this value in the key column; None if there is not one. Raises InputError."""
    column = reference[key]
    code = column.code_of.get(value.strip())
    return None if code is None else int(np.flatnonzero(column.codes == code)[0])


def stop_of_trail(card: Scorecard, trail: Trail, number: int) -> Stop:
    """The class at a place of a trail, with its measures."""
    index = int(trail.classes[number])
    aggregates, table = card.aggregates, card.classes
    return Stop(
        index,
        aggregates.classes.labels(index),
        int(trail.sizes[number]),
        int(trail.followed[number]),
        {
            name: AttributeInClass(
                int(aggregates.histogram(name).distinct[index]),
                _at(table.normalized_entropy, name, index),
                _at(table.t, name, index),
            )
            for name in aggregates.roles.sensitive
        },
    )


def _at(figures: Mapping[str, Floats], name: str, index: int) -> float | None:
    return float(figures[name][index]) if name in figures else None


def _trail(card: Scorecard, reference: Table, records: Integers) -> Trail:
    empty = np.zeros(0, dtype=np.int64)
    try:
        version, rule = require_records(card.aggregates), card.aggregates.roles.matching
        positions = positions_of_records(reference, version, rule)[records]
    except Unavailable as reason:
        return Trail(empty, empty, empty, unavailable=str(reason))
    present = positions[positions >= 0]
    classes = card.aggregates.class_of_record()[present]
    index, followed = np.unique(classes[classes >= 0], return_counts=True)
    order = np.argsort(-followed, kind="stable")
    return Trail(
        index[order],
        followed[order],
        card.aggregates.classes.sizes[index[order]],
        suppressed=int((classes < 0).sum()),
        absent=int((positions == _ABSENT).sum()),
        ambiguous=int((positions == _AMBIGUOUS).sum()),
    )


_ABSENT, _AMBIGUOUS = -1, -2


def positions_of_records(reference: Table, version: Table, rule: MatchingRule) -> Integers:
    """Find each record of the reference in the version: its position, or one of the two numbers below 0."""
    if reference is version or not rule.key:
        if reference.rows != version.rows:
            records, name, others = version.rows, reference.name, reference.rows
            raise Unavailable(text("followed.unavailable.other_number", records=records, reference=name, others=others))
        return np.arange(reference.rows)
    for table in (reference, version):
        for key in rule.key:
            if key not in table:
                raise Unavailable(text("followed.unavailable.no_column", table=table.name, column=key))
    matching = describe(reference, version, rule)
    sides = ((matching.original, reference), (matching.anonymized, version))
    repeated = next((table for side, table in sides if len(side.repeats)), None)
    if repeated is not None and rule.duplicates is Duplicates.REFUSE:
        name = repeated.name
        if len(rule.key) == 1:
            raise Unavailable(text("followed.unavailable.column_repeats", column=rule.key[0], table=name))
        raise Unavailable(text("followed.unavailable.columns_repeat", columns=quoted(rule.key), table=name))
    positions = np.full(reference.rows, _AMBIGUOUS)
    positions[matching.original.unmatched] = _ABSENT
    matched = np.arange(version.rows) if matching.places is None else matching.places
    positions[matched if matching.partners is None else matching.partners] = matched
    return positions
