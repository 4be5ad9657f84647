"""Runs an analysis on the original and on the release, and compares each estimate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain, label_numbers, original_shares, released_shares
from metrics.config.analyses import Estimated, Linear, Logistic, Mean, Term
from metrics.errors import Unavailable
from metrics.estimates import crosstabs
from metrics.estimates.estimate import Cell, Estimate, Lost, Outcome, Own, Value
from metrics.estimates.grouping import GroupedColumn, grouped_column, original_column
from metrics.estimates.means import means
from metrics.estimates.randomized import randomization_of, unbiased_groups, unbiased_numbers
from metrics.estimates.records import Numbers, Records, original_records, released_records
from metrics.estimates.regressions import Coefficient, Fit, Model, fit
from metrics.estimates.result import AnalysisResult
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
    if isinstance(analysis, Linear | Logistic):
        return _regression(aggregates, analysis)
    columns: list[_Column] = [unbiased_groups(aggregates, term) for term in analysis.terms_of_all]
    groups, weighted = len(columns), analysis.weight is not None
    if isinstance(analysis, Mean):
        number, by = _numbers(aggregates, analysis.number), randomization_of(aggregates, analysis.number)
        if by is not None:
            number = replace(number, released=unbiased_numbers(aggregates.anonymized[analysis.number], by))
        columns.append(number)
    tables = _tables(aggregates, [*columns, *_weights(aggregates, analysis.weight)])
    if isinstance(analysis, Mean):
        return _of_cells(tables, analysis.kind, lambda records, _: means(records, groups, weighted))
    before, after = (crosstabs.shares(records, weighted) for records in (tables.blocks, tables.released))
    variation = float(np.abs(before - after).sum()) / 2 if tables.released.used else None
    found = _of_cells(tables, analysis.kind, lambda records, among: crosstabs.cells(records, weighted, among))
    if not found.own:
        raise Unavailable(text("analyses.unavailable.one_cell"))
    return replace(found, total_variation=variation)


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
    def blocks(self) -> Numbers:
        """A release merges groups, not numbers."""
        return self.own

    @property
    def is_removed(self) -> bool:
        """Whether no released label stands for a number."""
        return not len(self.released.values)

    @property
    def as_term(self) -> _NumberColumn:
        """A column that tells nothing is no reason to leave out every row: the same number for all."""
        one = Numbers(self.own.column, np.zeros(len(self.released.lookup), dtype=np.int64), np.zeros(1))
        return _NumberColumn(self.own, one) if self.is_removed else self


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


@dataclass(frozen=True, eq=False)
class _Tables:
    """The records of both tables, counted by what an analysis needs of them."""

    columns: Sequence[_Column]
    own: Records
    """The original in its own groups."""
    blocks: Records
    """The original in the blocks that the release tells apart; the same object where these are its groups."""
    released: Records

    def result(
        self, kind: str, estimates: Iterable[Estimate], own: Iterable[Own], terms: Iterable[_Column], **further: Any
    ) -> AnalysisResult:
        """With the records used and left out, and the terms that are removed."""
        return AnalysisResult(
            kind=kind,
            estimates=tuple(estimates),
            originals=tuple(own),
            removed=tuple(dict.fromkeys(column.own.column for column in terms if column.is_removed)),
            rows_original=self.own.used,
            rows_released=self.released.used,
            left_out_original=self.own.rows - self.own.used,
            left_out_released=self.released.rows - self.released.used,
            randomized=tuple(dict.fromkeys(part.column for part in self.released.parts if part.is_unbiased)),
            **further,
        )


def _tables(aggregates: Aggregates, columns: Sequence[_Column]) -> _Tables:
    own = original_records(aggregates, [column.own for column in columns])
    if not own.used:
        raise Unavailable(text("analyses.unavailable.no_rows"))
    is_exact = all(column.blocks is column.own for column in columns)
    blocks = own if is_exact else own.with_parts([column.blocks for column in columns])
    return _Tables(columns, own, blocks, released_records(aggregates, [column.released for column in columns]))


def _of_cells(
    tables: _Tables, kind: str, values: Callable[[Records, Collection[Cell]], Mapping[Cell, Value]]
) -> AnalysisResult:
    """The estimates of cells of groups.

    `values` are those of a table, also of the given cells as far as they can have one without a record.
    """
    columns = [column for column in tables.columns if isinstance(column, GroupedColumn)]
    is_removed = any(column.is_removed for column in columns)
    own = values(tables.own, ())
    if not tables.released.used:
        return _without_records(tables, kind, own, columns)
    compared = own if tables.blocks is tables.own else values(tables.blocks, ())
    released = values(tables.released, compared) if compared else {}
    found = {cell: _cell(tables, columns, is_removed, cell, value, released) for cell, value in compared.items()}
    originals = []
    for cell, value in own.items():
        parts = list(zip(columns, cell, strict=True))
        name = _name([column.own.names[group] for column, group in parts])
        merged = None if is_removed else found.get(tuple(column.block_of[group] for column, group in parts))
        originals.append(Own(name, value, merged, Lost.TERM if is_removed else None))
    return tables.result(kind, found.values(), originals, columns)


def _without_records(
    tables: _Tables, kind: str, own: Mapping[Cell, Value], columns: Sequence[GroupedColumn]
) -> AnalysisResult:
    """Every estimate is lost."""
    estimates = []
    for cell, value in own.items():
        groups = tuple(column.own.names[group] for column, group in zip(columns, cell, strict=True))
        estimates.append(Estimate(_name(groups), value, None, Lost.RECORDS, groups))
    return tables.result(kind, estimates, [Own(each.name, each.original, each) for each in estimates], columns)


def _cell(
    tables: _Tables,
    columns: Sequence[GroupedColumn],
    is_removed: bool,
    cell: Cell,
    value: Value,
    released: Mapping[Cell, Value],
) -> Estimate:
    """The estimate of one cell of blocks."""
    parts = list(zip(columns, cell, strict=True))
    groups = tuple(column.blocks.names[block] for column, block in parts)
    labels = tuple(column.released.labels[block] for column, block in parts)
    is_merged = any(block not in column.exact for column, block in parts)
    scope = Outcome.SURVIVES if not is_merged else Outcome.REMOVED if is_removed else Outcome.COARSER
    lost = None if cell in released else Lost.NOISE if tables.released.is_unbiased else Lost.GROUP
    return Estimate(_name(groups), value, released.get(cell), lost, groups, labels, scope)


def _name(groups: Sequence[str]) -> str:
    return ", ".join(groups) or text("analyses.everything")


def _regression(aggregates: Aggregates, analysis: Linear | Logistic) -> AnalysisResult:
    from threadpoolctl import threadpool_limits

    terms = analysis.terms_of_all
    given = [_term(aggregates, term) for term in terms]
    outcome = _event(aggregates, analysis) if isinstance(analysis, Logistic) else _numbers(aggregates, analysis.outcome)
    columns = [each.as_term if isinstance(each, _NumberColumn) else each for each in given]
    tables = _tables(aggregates, [*columns, outcome, *_weights(aggregates, analysis.weight)])
    named = dict.fromkeys(analysis.column_names)
    randomized = tuple(name for name in named if randomization_of(aggregates, name) is not None)
    grouped = {part: column for part, column in enumerate(columns) if isinstance(column, GroupedColumn)}
    model, of_blocks = _models(tables, analysis, given, grouped)
    with threadpool_limits(1):  # several threads wait for each other longer than these small products take
        own = fit(tables.own, model)
        counted = {key: value for key, value in own.values.items() if not terms[key[0]].control}
        _require_fit(own, terms, counted)
        can_fit = tables.released.used and not randomized
        found = _coefficients(tables, terms, grouped, own, of_blocks) if can_fit else None
    why_none = Lost.RANDOMIZED if randomized else Lost.RECORDS
    originals = [
        _coefficient_of_original(tables, terms, grouped, key, value, found, of_blocks, why_none)
        for key, value in counted.items()
    ]
    estimates = [each.estimate for each in originals if each.estimate] if found is None else found.values()
    compared_with = tuple(
        (terms[part].column, column.own.names[model.references[part]], column.blocks.names[of_blocks.references[part]])
        for part, column in grouped.items()
    )
    found_result = tables.result(analysis.kind, estimates, originals, given, references=compared_with)
    return replace(found_result, randomized=randomized)


def _models(
    tables: _Tables, analysis: Linear | Logistic, given: Sequence[_Column], grouped: Mapping[int, GroupedColumn]
) -> tuple[Model, Model]:
    """The model of the original, and that of what the release tells apart."""
    terms = analysis.terms_of_all
    references = {part: _reference(tables.own, part, terms[part]) for part in grouped}
    weight = None if analysis.weight is None else len(terms) + 1
    model = Model(tuple(range(len(terms))), references, len(terms), weight, isinstance(analysis, Logistic))
    of_blocks = replace(
        model,
        terms=tuple(part for part in model.terms if part in grouped or not given[part].is_removed),
        references={part: column.block_of[references[part]] for part, column in grouped.items()},
    )
    return model, of_blocks


def _coefficient_of_original(
    tables: _Tables,
    terms: Sequence[Term],
    grouped: Mapping[int, GroupedColumn],
    key: Coefficient,
    value: Value,
    found: Mapping[Coefficient, Estimate] | None,
    of_blocks: Model,
    why_none: Lost,
) -> Own:
    """What becomes of one coefficient of the original; `why_none`: why there are none of the release."""
    part, group = key
    name, groups = _coefficient(terms[part], tables.own, part, group)
    if found is None:
        return Own(name, value, Estimate(name, value, None, why_none, groups), None)
    if part not in grouped:
        return Own(name, value, found.get((part, group)), None)
    block = grouped[part].block_of[group]
    if block == of_blocks.references[part]:
        return Own(name, value, None, Lost.TERM if grouped[part].is_removed else Lost.REFERENCE)
    return Own(name, value, found.get((part, block)), None)


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


def _coefficients(
    tables: _Tables, terms: Sequence[Term], grouped: Mapping[int, GroupedColumn], own: Fit, model: Model
) -> dict[Coefficient, Estimate]:
    """The coefficients at the blocks that the release tells apart, where the original has them.

    What it has as it is, is compared with its own; else with those of the same blocks.
    """
    dropped = [(part, -1) for part in range(len(terms)) if part not in model.terms]
    keys = sorted([*dropped, *model.coefficients(tables.released)])
    merged = {
        (part, block)
        for part, block in keys
        if part in grouped and not {block, model.references[part]} <= grouped[part].exact.keys()
    }
    blocks, released = fit(tables.blocks, model) if merged else own, fit(tables.released, model)
    found: dict[Coefficient, Estimate] = {}
    for key in keys:
        part, block = key
        column = grouped.get(part)
        original = (
            blocks.values.get(key)
            if key in merged
            else own.values.get((part, block if column is None else column.exact[block]))
        )
        if original is None or terms[part].control:
            continue
        lost = Lost.TERM if key in dropped else released.lost.get(key)
        name, groups = _coefficient(terms[part], tables.blocks, part, block)
        labels = () if column is None else (column.released.labels[block],)
        scope = Outcome.COARSER if key in merged else Outcome.SURVIVES
        found[key] = Estimate(name, original, released.values.get(key), lost, groups, labels, scope)
    return found


def _coefficient(term: Term, records: Records, part: int, group: int) -> tuple[str, tuple[str, ...]]:
    """Its name, and the group that it is about."""
    if group < 0:
        return term.column, ()
    name = records.grouping(part).names[group]
    return f"{term.column}: {name}", (name,)
