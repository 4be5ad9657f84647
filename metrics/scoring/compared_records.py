"""The records that measures of loss compare, with values read alike in every measure and empty cells suppressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from metrics.aggregates import Aggregates, PerturbedCells, TableAggregates, require_matching
from metrics.config.roles import Role
from metrics.counting.counts import Combinations, EngineTable, Matching
from metrics.errors import Unavailable
from metrics.matching.column_reading import Labels, emptied, perturbed_pairs, read_column
from metrics.metric import Basis, Family, Metric
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Described, Flags, Table
from metrics.texts import text
from metrics.utility.cells.caveats import perturbed_columns
from metrics.utility.cells.released_cells import MAX_PERTURBED, released_values

_MAX_VALUES = 50_000
"""Distinct values above which a column that is not a quasi-identifier is compared as it is written."""

_Selected = Mapping[str, tuple[Combinations, Flags]]
"""By column the pairs of values, and which of them are chosen."""


def aggregates_for(metric: Metric, aggregates: Aggregates) -> Aggregates:
    """The aggregates that a metric is computed from.

    Of measures of loss these are of the records and values in `loss_basis`, else of every record. Raises Unavailable
    where values are perturbed and the metric measures only generalization.
    """
    if metric.family is not Family.UTILITY or metric.loss_basis is Basis.EVERY_RECORD:
        return aggregates
    if metric.loss_basis is Basis.COMPARED_AS_WRITTEN:
        return aggregates.matched_records
    return as_read(aggregates) if metric.loss_basis is Basis.COMPARED else generalized(aggregates)


def as_read(aggregates: Aggregates) -> Aggregates:
    """The records that are compared, with equal values made equal and empty cells suppressed.

    A cell that is missing in the original and in the anonymized table has lost nothing and stays missing. Where no
    original tells, a missing cell stays so if its hierarchy has a blank leaf, and is suppressed if it has none.
    Returns `aggregates.matched_records` unchanged if no value needs normalizing.
    """
    part = aggregates.matched_records
    return part.memoize(_read_values) or part


def generalized(aggregates: Aggregates) -> Aggregates:
    """Return `as_read` with perturbed cells suppressed in every quasi-identifier that has at most 1% of them.

    A quasi-identifier with more is not a generalization of the original: it stays as it is, and
    `perturbed.not_generalized` names it. Raises Unavailable where this is true of all quasi-identifiers.
    """
    source = as_read(aggregates)
    return source.memoize(_suppress_perturbed_cells) or source


def is_perturbed(aggregates: Aggregates) -> bool:
    """Whether no quasi-identifier is a generalization of the original: the table is perturbed or synthetic.

    So it is if, in each of them, more than 1% of the values released of matched records do not generalize the original.
    """
    shares = perturbed_shares(aggregates)
    return bool(shares) and min(shares.values()) > MAX_PERTURBED


def perturbed_shares(aggregates: Aggregates) -> Mapping[str, float]:
    """By quasi-identifier the share of released values that do not generalize the original; none without a match."""
    source = as_read(aggregates)
    return {} if source.comparison.unmatched is not None else source.memoize(_perturbed_shares)


def _perturbed_shares(aggregates: Aggregates) -> Mapping[str, float]:
    return {
        name: int(pair.counts[flags].sum()) / max(released_values(pair), 1)
        for name, (pair, flags) in _perturbed_pairs(aggregates).items()
    }


def perturbed_columns_of(aggregates: Aggregates) -> dict[str, float]:
    """The quasi-identifiers of which more than 1% of the released values are perturbed, with that share."""
    return {name: share for name, share in perturbed_shares(aggregates).items() if share > MAX_PERTURBED}


def _perturbed_pairs(aggregates: Aggregates) -> dict[str, tuple[Combinations, Flags]]:
    """By quasi-identifier the pairs of values, and which of them do not generalize the original value."""
    pairs = {name: aggregates.comparison.pair(name) for name in aggregates.roles.quasi_identifiers}
    return {name: (pair, perturbed_pairs(pair, aggregates.hierarchies.get(name))) for name, pair in pairs.items()}


def _suppress_perturbed_cells(aggregates: Aggregates) -> Aggregates | None:
    """Other aggregates, or None for the same: a reference of theirs to themselves would keep the tables alive."""
    if aggregates.comparison.unmatched is not None:
        return None
    above_limit = perturbed_columns_of(aggregates)
    if len(above_limit) == len(aggregates.roles.quasi_identifiers):
        raise Unavailable(text("unavailable.not_generalized", perturbed=perturbed_columns(above_limit)))
    to_suppress = {name: selected for name, selected in _perturbed_pairs(aggregates).items() if name not in above_limit}
    cells = {name: int(pair.counts[flags].sum()) for name, (pair, flags) in to_suppress.items()}
    suppressed = _suppressing(aggregates, to_suppress, PerturbedCells(cells, above_limit))
    return None if suppressed is aggregates else suppressed


def _columns(aggregates: Aggregates) -> list[str]:
    """Quasi-identifiers, and other columns of both tables that name nobody and have few values."""
    roles, original, anonymized = aggregates.roles, aggregates.original, aggregates.anonymized
    names = list(roles.quasi_identifiers)
    if original is None:
        return names
    excluded = {*names, *roles.matching.key, roles.weight, roles.person}
    for name in anonymized.names:
        if name in excluded or name not in original or roles.of(name) not in (Role.SENSITIVE, Role.INSENSITIVE):
            continue
        if not any(table.distinct_above(name, _MAX_VALUES) for table in (original, anonymized)):
            names.append(name)
    return names


def _read_values(aggregates: Aggregates) -> Aggregates | None:
    """Other aggregates, or None for the same: a reference of theirs to themselves would keep the tables alive."""
    if aggregates.comparison.unmatched is not None:
        return _read_alone(aggregates)
    original, anonymized = _tables(aggregates)
    before: dict[str, Labels] = {}
    after: dict[str, Labels] = {}
    for name in _columns(aggregates):
        columns = original[name], anonymized[name]
        reading = read_column(*columns, aggregates.hierarchies.get(name))
        if reading.original is not None and list(reading.original) != columns[0].labels:
            before[name] = reading.original
        if list(reading.anonymized) != columns[1].labels:
            after[name] = reading.anonymized
    result = aggregates
    if before or after:
        result = _with(aggregates, _relabelled_table(original, before), _relabelled_table(anonymized, after))
    empty = {}
    for name in _columns(result):
        if None in _tables(result)[1][name].code_of:
            pair = result.comparison.pair(name)
            empty[name] = pair, emptied(pair)
    suppressed = _suppressing(result, empty)
    return None if suppressed is aggregates else suppressed


def _read_alone(part: Aggregates) -> Aggregates | None:
    """Without an original beside it, hierarchies alone tell how values are to be read."""
    after: dict[str, Labels] = {}
    for name in part.roles.quasi_identifiers:
        hierarchy, column = part.hierarchies.get(name), part.anonymized[name]
        if hierarchy is None:
            continue
        empty = None if "" in hierarchy.level_of else SUPPRESSED
        labels = [empty if label is None else label for label in read_column(None, column, hierarchy).anonymized]
        if labels != column.labels:
            after[name] = labels
    if not after:
        return None
    anonymized = cast("Table | EngineTable", _relabelled_table(part.anonymized, after))
    original = cast("Table | EngineTable | None", part.original)
    return TableAggregates(
        anonymized, part.roles, original, part.hierarchies, part.population, max_classes=part.max_classes
    )


def _tables(aggregates: Aggregates) -> tuple[Described, Described]:
    """The original and the anonymized records that are matched."""
    if isinstance(aggregates.anonymized, Table):
        matching = require_matching(aggregates)
        return matching.original, matching.anonymized
    assert aggregates.original is not None
    return aggregates.original, aggregates.anonymized


def _with(
    aggregates: Aggregates, original: Described, anonymized: Described, perturbed: PerturbedCells | None = None
) -> Aggregates:
    """Aggregates of the same records with other values."""
    matching = None
    if isinstance(original, Table) and isinstance(anonymized, Table):
        former = require_matching(aggregates)
        matching = Matching(original, anonymized, former.tally, former.positions)
    return TableAggregates(
        cast("Table | EngineTable", anonymized),
        aggregates.roles,
        cast("Table | EngineTable", original),
        aggregates.hierarchies,
        aggregates.population,
        matching,
        aggregates.max_classes,
        perturbed=perturbed,
    )


def _relabelled_table(table: Described, labels: Mapping[str, Labels]) -> Described:
    """The table with other labels for its values, by column in the order of their codes."""
    if not labels:
        return table
    if not isinstance(table, Table):
        return cast(EngineTable, table).with_labels(labels)
    columns = [_relabelled_column(column, labels.get(column.name)) for column in table.columns]
    return replace(table, columns=tuple(columns))


def _relabelled_column(column: Column, labels: Labels | None) -> Column:
    if labels is None:
        return column
    return Column.from_codes(column.name, column.codes, text_array(labels), column.decimal)


def _suppressing(aggregates: Aggregates, selected: _Selected, perturbed: PerturbedCells | None = None) -> Aggregates:
    """The aggregates with the cells of some pairs of values suppressed."""
    nonempty = {name: (pair, flags) for name, (pair, flags) in selected.items() if flags.any()}
    if not (nonempty or (perturbed and perturbed.not_generalized)):
        return aggregates
    original, anonymized = _tables(aggregates)
    if nonempty:
        anonymized = _with_cells_suppressed(aggregates, nonempty)
    return _with(aggregates, original, anonymized, perturbed)


def _with_cells_suppressed(aggregates: Aggregates, selected: _Selected) -> Described:
    """The anonymized table with the cells of these pairs suppressed, in memory or in the engine."""
    original, anonymized = _tables(aggregates)
    if isinstance(original, Table) and isinstance(anonymized, Table):
        columns = [
            _suppress_pairs(original[column.name], column, *selected[column.name])
            if column.name in selected
            else column
            for column in anonymized.columns
        ]
        return replace(anonymized, columns=tuple(columns))
    pairs = {name: (pair.codes[0][flags], pair.codes[1][flags]) for name, (pair, flags) in selected.items()}
    suppressed = cast(EngineTable, anonymized).with_suppressed_pairs(original, aggregates.roles.matching, pairs)
    # The engine gives the cells' own texts back.
    labels: dict[str, Sequence[str | None]] = {}
    for name in selected:
        labels[name] = read_column(original[name], suppressed[name], aggregates.hierarchies.get(name)).anonymized
    return _relabelled_table(suppressed, labels)


def _suppress_pairs(original: Column, column: Column, pair: Combinations, flags: Flags) -> Column:
    """A column in memory, whose codes are those of the pair, with `*` in place of some values."""
    width = np.int64(pair.columns[1].distinct)
    keys = pair.codes[0][flags] * width + pair.codes[1][flags]
    records = np.isin(original.codes[: len(column.codes)] * width + column.codes, keys)
    with_star = column.followed_by(SUPPRESSED, 1)
    codes = np.where(records, with_star.codes[-1], column.codes)
    return Column.from_codes(column.name, codes.astype(np.int32), with_star.values, column.decimal)
