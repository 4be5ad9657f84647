"""Facts that a regulator asks for: each variable with its treatment, and the risk before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from metrics.aggregates import Aggregates
from metrics.attacks.key_sets import KeySets
from metrics.config.roles import Role
from metrics.errors import Unavailable
from metrics.formatting import join_names, percent, visible
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.utility.cells.changes import CHANGES, Change, PairChanges, pair_changes
from metrics.utility.suppressed_cells.measure import SuppressedCells


class Variable(NamedTuple):
    """One column of either table."""

    name: str
    role: str
    treatment: str
    """Changes of its cells, each with the share of the records."""
    distinct: str
    """Number of different values before and after, `*` apart."""


class Risk(NamedTuple):
    """One figure of risk, as text."""

    title: str
    initial: str
    residual: str


class KeySetRow(NamedTuple):
    """Success of one attacker, as text."""

    name: str
    columns: str
    k: str
    highest: str
    average: str
    linkage: str


def key_sets(card: Scorecard) -> list[KeySetRow]:
    """The risk by key set, the weakest first; empty without key sets."""
    result = card["key_set_k_anonymity"].result
    if not isinstance(result, KeySets):
        return []
    return [
        KeySetRow(
            attacker.name,
            join_names([visible(column) for column in attacker.columns]),
            f"{attacker.k:,}",
            percent(1 / attacker.k),
            percent(attacker.average_risk),
            "—" if attacker.linkage is None else percent(attacker.linkage),
        )
        for attacker in result.risks
    ]


def variables(card: Scorecard) -> Iterator[Variable]:
    """The columns of both tables, those with a role first, in the order of the roles."""
    aggregates = card.aggregates
    original, released = aggregates.original, aggregates.anonymized
    names = dict.fromkeys((*(original.names if original is not None else ()), *released.names))
    roles = list(Role)
    for name in sorted(names, key=lambda column: roles.index(aggregates.roles.of(column))):
        before = "—" if original is None or name not in original else f"{original[name].distinct:,}"
        after = f"{len(set(released[name].labels) - {SUPPRESSED}):,}" if name in released else "—"
        yield Variable(name, str(aggregates.roles.of(name)), _treatment(card, name), f"{before} → {after}")


def _treatment(card: Scorecard, name: str) -> str:
    aggregates = card.aggregates
    if name not in aggregates.anonymized:
        return "removed"
    if aggregates.original is None:
        result = card["suppressed_cells"].result
        if isinstance(result, SuppressedCells) and result.suppressed.get(name):
            return f"suppressed in {percent(result.suppressed[name] / result.records)}; otherwise not compared"
        return "not compared"
    if name not in aggregates.original:
        return "not in the original"
    if aggregates.roles.of(name) in (Role.IDENTIFIER, Role.INSENSITIVE):
        released = aggregates.anonymized[name]
        return "released" if set(released.labels) - {SUPPRESSED, None} else "suppressed"
    try:
        changes = aggregates.memoize(_changes, name)
    except Unavailable:
        return "not compared"
    return _shares(changes)


def _changes(aggregates: Aggregates, name: str) -> PairChanges:
    return pair_changes(aggregates.comparison.pair(name), aggregates.hierarchies)


def _shares(changes: PairChanges) -> str:
    """Every change with its share; "unchanged" if there is none."""
    totals = changes.totals
    parts = [
        f"{change.value} in {percent(totals.count(change) / totals.records)}"
        for change in CHANGES
        if change is not Change.KEPT and totals.count(change)
    ]
    return "; ".join(parts) or "unchanged"


def risks(card: Scorecard) -> list[Risk]:
    """The risk of the original and of the released table, by the same quasi-identifiers; empty without an original."""
    aggregates = card.aggregates
    try:
        initial = aggregates.comparison.original_class_sizes
    except Unavailable:
        return []
    residual = aggregates.class_sizes
    if not initial.count or not residual.count:
        return []
    return [
        Risk("Smallest class", f"{initial.smallest:,}", f"{residual.smallest:,}"),
        Risk("Highest risk of a record", *(percent(1 / class_sizes.smallest) for class_sizes in (initial, residual))),
        Risk(
            "Average risk of a record",
            *(percent(class_sizes.count / class_sizes.kept) for class_sizes in (initial, residual)),
        ),
        Risk("Unique records", *(f"{class_sizes.of_size(1):,}" for class_sizes in (initial, residual))),
        *_of_people(card),
    ]


def _of_people(card: Scorecard) -> Iterator[Risk]:
    """The residual risk of people and households, where columns say whose a record is; the original's is not scored."""
    people, linkage, household = (
        card[name] for name in ("people_k_anonymity", "people_linkage_attack", "household_risk")
    )
    if people.value is not None:
        yield Risk("Smallest group of people (k)", "—", f"{people.value:,}")
        yield Risk("Average risk of a person", "—", percent(people.details["average_risk"]))
    if linkage.value is not None:
        yield Risk("People found by a linkage attack", "—", percent(linkage.value))
    if household.value is not None:
        yield Risk("Highest risk of a household", "—", percent(household.value))
