"""Equivalence classes, and the shape of a table in this package."""

from collections.abc import Mapping, Sequence

Cell = str | None
Record = Mapping[str, Cell]
Key = tuple[Cell, ...]

SUPPRESSED = "*"


def is_suppressed(record: Record, quasi_identifiers: Sequence[str]) -> bool:
    """Whether every quasi-identifier of the record is `*`."""
    return not any([record[name] != SUPPRESSED for name in quasi_identifiers])  # a list is faster than a generator


def kept_records(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> list[Record]:
    """The records that are not suppressed, in their order."""
    return [record for record in records if not is_suppressed(record, quasi_identifiers)]


def equivalence_classes(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> list[tuple[Key, list[Record]]]:
    """Kept records with the same quasi-identifiers, as (key, records), in order of first appearance.

    A missing value (`None`) is a value of its own. A suppressed record is in no class.
    """
    if not quasi_identifiers:
        raise ValueError("equivalence classes need at least one quasi-identifier")
    classes: dict[Key, list[Record]] = {}
    for record in kept_records(records, quasi_identifiers):
        key = tuple([record[name] for name in quasi_identifiers])
        classes.setdefault(key, []).append(record)
    return list(classes.items())
