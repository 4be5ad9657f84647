"""Runs an analysis on the original and on the release, and compares each estimate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain, label_numbers, original_shares, released_shares
from metrics.config.analyses import Crosstab, Estimated, Linear, Logistic, Mean, Term
from metrics.errors import Unavailable
from metrics.estimates import crosstabs
from metrics.estimates.estimate import AnalysisResult, Cell, Estimate, Lost, Value
from metrics.estimates.grouping import GroupedColumn, Grouping, grouped_column, original_column
from metrics.estimates.means import means
from metrics.estimates.records import Numbers, Records, original_records, released_records
from metrics.estimates.regressions import Coefficient, Fit, Model, fit
from metrics.hierarchies.shares import Shares
from metrics.matching.released_values import holds_numbers
from metrics.tables.table import Flags
from metrics.tables.values import canonical_order, parse_numbers
from metrics.texts import text


def analyze(aggregates: Aggregates, analysis: Estimated) -> AnalysisResult:
    """What is left of an analysis; computed once. Raises Unavailable where the original does not support it."""
    return aggregates.whole.memoize(_analyze, analysis)


def _analyze(aggregates: Aggregates, analysis: Estimated) -> AnalysisResult:
    _require_different(analysis)
    if isinstance(analysis, Mean):
        return _mean(aggregates, analysis)
    if isinstance(analysis, Crosstab):
        return _crosstab(aggregates, analysis)
    return _regression(aggregates, analysis)


def _require_different(analysis: Estimated) -> None:
    """Raise Unavailable where a column explains itself, or the same groups are named twice."""
    seen = set()
    for term in analysis.terms_of_all:
        groups = term.column, term.level, term.groups
        if groups in seen:
            raise Unavailable(text("analyses.unavailable.twice", column=term.column))
        if isinstance(analysis, Linear | Logistic) and term.column == analysis.outcome:
            raise Unavailable(text("analyses.unavailable.own_outcome", column=term.column))
        seen.add(groups)


@dataclass(frozen=True, eq=False)
class _NumberColumn:
    """Numbers of a column in both tables."""

    own: Numbers
    released: Numbers

    @property
    def is_exact(self) -> bool:
        """Whether the release still has numbers."""
        return not self.released.is_unknown

    @property
    def dropped(self) -> _NumberColumn:
        """A column that tells nothing, which is no reason to leave out every row."""
        one = Numbers(self.own.column, np.zeros(len(self.released.lookup), dtype=np.int64), np.zeros(1))
        return _NumberColumn(self.own, one)


_Column = GroupedColumn | _NumberColumn


def _numbers(aggregates: Aggregates, name: str) -> _NumberColumn:
    column = original_column(aggregates, name)
    if not holds_numbers(column):
        raise Unavailable(text("analyses.unavailable.no_numbers", column=name))
    has_column = name in aggregates.anonymized
    of_released = label_numbers(aggregates, aggregates.anonymized[name]) if has_column else np.empty(0)
    return _NumberColumn(Numbers.of(name, label_numbers(aggregates, column)), Numbers.of(name, of_released))


def _event(aggregates: Aggregates, analysis: Logistic) -> _NumberColumn:
    """By label of the outcome the share of its values that are events."""
    name = analysis.outcome
    original_column(aggregates, name)
    wanted, values = set(analysis.event), column_domain(aggregates, name).column.labels
    events: Flags = np.array([value in wanted for value in values])

    def of(shares: Shares) -> Numbers:
        known = np.where(shares.sizes > 0, 1.0, np.nan)
        return Numbers.of(name, known * shares.within(events) / np.maximum(shares.sizes, 1))

    own = of(original_shares(aggregates, name))
    if not own.values.any():
        raise Unavailable(text("analyses.unavailable.no_event", column=name))
    if (own.values == 1).all():
        raise Unavailable(text("analyses.unavailable.every_event", column=name))
    released = of(released_shares(aggregates, name)) if name in aggregates.anonymized else Numbers.of(name, np.empty(0))
    return _NumberColumn(own, released)


def _weights(aggregates: Aggregates, name: str | None) -> list[_Column]:
    if name is None:
        return []
    found = _numbers(aggregates, name)
    if not (found.own.values > 0).all() or not (found.released.values > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=name))
    return [found]


_Values = Callable[[Records, Collection[Cell]], Mapping[Cell, Value]]


@dataclass(frozen=True, eq=False)
class _Tables:
    """The records of both tables, counted by what an analysis needs of them."""

    columns: Sequence[_Column]
    own: Records
    """The original in its own groups."""
    blocks: Records
    """The original in the blocks that the release tells apart; the same object where these are its groups."""
    released: Records

    def result(self, kind: str, estimates: Sequence[Estimate], own: int, **further: Any) -> AnalysisResult:
        """With the records used and left out."""
        return AnalysisResult(
            kind=kind,
            estimates=tuple(estimates),
            own=own,
            rows_original=self.own.used,
            rows_released=self.released.used,
            left_out_original=self.own.rows - self.own.used,
            left_out_released=self.released.rows - self.released.used,
            **further,
        )

    def of_cells(self, values: _Values) -> tuple[list[Estimate], int]:
        """The estimates of cells of groups, and how many the original has itself.

        `values` are those of a table, also of the given cells as far as they can have one without a record.
        """
        own = values(self.own, ())
        if not self.released.used:
            estimates = [self._of_cell(cell, self.own, value, None, Lost.RECORDS) for cell, value in own.items()]
            return estimates, len(own)
        compared = own if self.blocks is self.own else values(self.blocks, ())
        found = values(self.released, compared) if compared else {}
        return [
            self._of_cell(cell, self.blocks, value, found.get(cell), Lost.GROUP) for cell, value in compared.items()
        ], len(own)

    def _of_cell(self, cell: Cell, records: Records, original: Value, released: Value | None, lost: Lost) -> Estimate:
        groupings = [part for part in records.parts if isinstance(part, Grouping)]
        groups = tuple(part.names[group] for part, group in zip(groupings, cell, strict=True))
        labels = tuple(
            self.released.grouping(part).labels[group] if records is self.blocks else ()
            for part, group in enumerate(cell)
        )
        name = ", ".join(groups) or text("analyses.everything")
        is_merged = any(len(part.members[group]) > 1 for part, group in zip(groupings, cell, strict=True))
        return Estimate(name, original, released, None if released else lost, groups, labels, is_merged)


def _tables(aggregates: Aggregates, columns: Sequence[_Column]) -> _Tables:
    own = original_records(aggregates, [column.own for column in columns])
    if not own.used:
        raise Unavailable(text("analyses.unavailable.no_rows"))
    blocks = own
    if not all(column.is_exact for column in columns if isinstance(column, GroupedColumn)):
        blocks = own.with_parts([each.blocks if isinstance(each, GroupedColumn) else each.own for each in columns])
    released = released_records(aggregates, [column.released for column in columns])
    return _Tables(columns, own, blocks, released)


def _mean(aggregates: Aggregates, analysis: Mean) -> AnalysisResult:
    columns: list[_Column] = [grouped_column(aggregates, term) for term in analysis.terms_of_all]
    groups, weighted = len(columns), analysis.weight is not None
    columns += [_numbers(aggregates, analysis.number), *_weights(aggregates, analysis.weight)]
    tables = _tables(aggregates, columns)
    return tables.result(analysis.kind, *tables.of_cells(lambda records, _: means(records, groups, weighted)))


def _crosstab(aggregates: Aggregates, analysis: Crosstab) -> AnalysisResult:
    columns: list[_Column] = [grouped_column(aggregates, term) for term in analysis.terms_of_all]
    weighted = analysis.weight is not None
    tables = _tables(aggregates, [*columns, *_weights(aggregates, analysis.weight)])
    before, after = (crosstabs.shares(records, weighted) for records in (tables.blocks, tables.released))
    variation = float(np.abs(before - after).sum()) / 2 if tables.released.used else None
    estimates, own = tables.of_cells(lambda records, among: crosstabs.cells(records, weighted, among))
    if not own:
        raise Unavailable(text("analyses.unavailable.one_cell"))
    return tables.result(analysis.kind, estimates, own, total_variation=variation)


def _regression(aggregates: Aggregates, analysis: Linear | Logistic) -> AnalysisResult:
    from threadpoolctl import threadpool_limits

    terms = analysis.terms_of_all
    given = [_term(aggregates, term) for term in terms]
    is_logistic = isinstance(analysis, Logistic)
    outcome = _event(aggregates, analysis) if isinstance(analysis, Logistic) else _numbers(aggregates, analysis.outcome)
    columns = [each if each.is_exact or isinstance(each, GroupedColumn) else each.dropped for each in given]
    tables = _tables(aggregates, [*columns, outcome, *_weights(aggregates, analysis.weight)])
    references = {
        part: _reference(tables.own, part, term)
        for part, (term, column) in enumerate(zip(terms, columns, strict=True))
        if isinstance(column, GroupedColumn)
    }
    weight = None if analysis.weight is None else len(terms) + 1
    model = Model(tuple(range(len(terms))), references, len(terms), weight, is_logistic)
    inexact = {part for part, each in enumerate(given) if not each.is_exact}
    with threadpool_limits(1):  # several threads wait for each other longer than these small products take
        own = fit(tables.own, model)
        counted = {key: value for key, value in own.values.items() if not terms[key[0]].control}
        _require_fit(own, terms, counted)
        estimates = _Compared(tables, terms, own, model, inexact).estimates(counted)
    compared_with = tuple(
        (terms[part].column, tables.own.grouping(part).names[group]) for part, group in references.items()
    )
    return tables.result(analysis.kind, estimates, len(counted), references=compared_with)


def _term(aggregates: Aggregates, term: Term) -> _Column:
    """A number where the original's column is one, unless groups are asked for."""
    is_number = not term.level and not term.groups and holds_numbers(original_column(aggregates, term.column))
    return _numbers(aggregates, term.column) if is_number else grouped_column(aggregates, term)


def _reference(records: Records, part: int, term: Term) -> int:
    """The group that others are compared with: the one named, else the most frequent, of several the first."""
    names = records.grouping(part).names
    if term.reference is not None:
        if term.reference not in names:
            raise Unavailable(text("analyses.unavailable.no_group", column=term.column))
        return names.index(term.reference)
    shares = records.grouping(part).shares
    frequency = (np.bincount(records.codes[part], records.counts, len(shares)) @ shares).round(6)
    order = canonical_order(names, parse_numbers(names))
    return int(order[np.argmax(frequency[order])])


def _require_fit(own: Fit, terms: Sequence[Term], counted: Collection[Coefficient]) -> None:
    """Raise Unavailable where the original's columns are collinear, divide the outcomes or have no coefficient."""
    infinite = {part for (part, _), reason in own.lost.items() if reason is Lost.SEPARATED}
    collinear = {
        terms[part].column for (part, _), why in own.lost.items() if why is Lost.COLLINEAR and part not in infinite
    }
    if collinear:
        raise Unavailable(text("analyses.unavailable.collinear", columns=sorted(collinear), number=len(collinear)))
    if not counted:
        one_group = text("analyses.unavailable.one_group")
        raise Unavailable(text("analyses.unavailable.separated") if infinite else one_group)


@dataclass(frozen=True, eq=False)
class _Compared:
    """The coefficients at the blocks that the release tells apart."""

    tables: _Tables
    terms: Sequence[Term]
    own: Fit
    model: Model
    inexact: set[int]
    """Terms of which the release tells less than the original."""

    def estimates(self, counted: Mapping[Coefficient, Value]) -> list[Estimate]:
        """What is compared; where the release has no record, all of the original's own."""
        if not self.tables.released.used:
            return [self._estimate(self.tables.own, key, value, None, Lost.RECORDS) for key, value in counted.items()]
        dropped = [part for part in self.inexact if isinstance(self.tables.columns[part], _NumberColumn)]
        model = replace(
            self.model,
            terms=tuple(part for part in self.model.terms if part not in dropped),
            references={
                part: next(block for block, groups in enumerate(self._members(part)) if reference in groups)
                for part, reference in self.model.references.items()
            },
        )
        blocks = self.own if not self.inexact else fit(self.tables.blocks, model)
        released = fit(self.tables.released, model)
        found = [(part, -1) for part in dropped] + model.coefficients(self.tables.released)
        estimates = []
        for key in sorted(found):
            original = self._original(key, model, blocks)
            if original is not None and not self.terms[key[0]].control:
                why = Lost.TERM if key[0] in dropped else released.lost.get(key)
                value, is_merged = released.values.get(key), not self._is_exact(key, model)
                estimates.append(self._estimate(self.tables.blocks, key, original, value, why, is_merged))
        return estimates

    def _members(self, part: int) -> tuple[tuple[int, ...], ...]:
        column = self.tables.columns[part]
        assert isinstance(column, GroupedColumn)
        return column.blocks.members

    def _original(self, key: Coefficient, model: Model, blocks: Fit) -> Value | None:
        """The original's own coefficient, where it has it as it is; else that of the same blocks."""
        part, block = key
        column = self.tables.columns[part]
        if not isinstance(column, GroupedColumn):
            return self.own.values.get(key)
        if self._is_exact(key, model):
            return self.own.values.get((part, column.exact[block]))
        return blocks.values.get(key)

    def _is_exact(self, key: Coefficient, model: Model) -> bool:
        column = self.tables.columns[key[0]]
        return not isinstance(column, GroupedColumn) or {key[1], model.references[key[0]]} <= column.exact.keys()

    def _estimate(
        self,
        records: Records,
        key: Coefficient,
        original: Value,
        released: Value | None,
        lost: Lost | None,
        is_merged: bool = False,
    ) -> Estimate:
        part, group = key
        column = self.terms[part].column
        if group < 0:
            return Estimate(column, original, released, lost)
        name = records.grouping(part).names[group]
        labels = self.tables.released.grouping(part).labels[group] if lost is not Lost.RECORDS else ()
        return Estimate(f"{column}: {name}", original, released, lost, (name,), (labels,), is_merged)
