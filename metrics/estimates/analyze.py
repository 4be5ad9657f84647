"""Runs an analysis on the original and on the release, and compares each estimate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from metrics.aggregates import Aggregates, computed_once
from metrics.config.analyses import Crosstab, Estimated, Linear, Logistic, Mean, Term
from metrics.errors import Unavailable
from metrics.estimates import crosstabs
from metrics.estimates.estimate import FAR_WIDER, Cell, Estimate, Lost, Outcome, Own, Value
from metrics.estimates.grouping import GroupedColumn, Grouping, grouped_column, original_column
from metrics.estimates.means import means
from metrics.estimates.numbers import NumberColumn, event_of, numbers_of, weights_of
from metrics.estimates.randomized import randomization_of, unbiased_groups, unbiased_numbers
from metrics.estimates.records import Records
from metrics.estimates.regressions import Coefficient, Fit, Model, fit
from metrics.estimates.result import AnalysisResult
from metrics.estimates.tables import Column, Tables, tables_of
from metrics.formatting import join_names
from metrics.matching.released_values import holds_numbers
from metrics.tables.values import canonical_order, parse_numbers
from metrics.texts import abbreviated_names, text


@computed_once
def analyze(aggregates: Aggregates, analysis: Estimated) -> AnalysisResult:
    """What is left of an analysis; computed once. Raises Unavailable where the original does not support it."""
    _require_different(analysis)
    if isinstance(analysis, Linear | Logistic):
        return _regression(aggregates, analysis)
    columns: list[Column] = [unbiased_groups(aggregates, term) for term in analysis.terms_of_all]
    groups, weighted = len(columns), analysis.weight is not None
    if isinstance(analysis, Mean):
        number, by = numbers_of(aggregates, analysis.number), randomization_of(aggregates, analysis.number)
        if by is not None:
            number = replace(number, released=unbiased_numbers(aggregates.anonymized[analysis.number], by))
        columns.append(number)
    tables = tables_of(aggregates, [*columns, *weights_of(aggregates, analysis.weight)])
    if isinstance(analysis, Mean):
        return _of_cells(tables, analysis, lambda records, _: means(records, groups, weighted))
    before, after = (crosstabs.shares(records, weighted) for records in (tables.blocks, tables.released))
    variation = float(np.abs(before - after).sum()) / 2 if tables.released.used else None
    found = _of_cells(tables, analysis, lambda records, among: crosstabs.cells(records, weighted, among))
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


def _of_cells(
    tables: Tables, analysis: Mean | Crosstab, values: Callable[[Records, Collection[Cell]], Mapping[Cell, Value]]
) -> AnalysisResult:
    """The estimates of cells of groups.

    `values` are those of a table, also of the given cells as far as they can have one without a record.
    """
    columns = [column for column in tables.columns if isinstance(column, GroupedColumn)]
    own = values(tables.own, ())
    originals = [_cell([column.own for column in columns], cell, value) for cell, value in own.items()]
    if not tables.released.used:
        lost = [replace(each, lost=Lost.RECORDS) for each in originals]
        return tables.result(analysis.kind, lost, [Own(each.name, each.original, each) for each in lost], columns)
    compared = own if tables.blocks is tables.own else values(tables.blocks, ())
    released = values(tables.released, compared) if compared else {}
    why_lost = Lost.NOISE if tables.released.is_unbiased else Lost.GROUP
    found = {cell: _compared(columns, cell, value, released.get(cell), why_lost) for cell, value in compared.items()}
    fates = [_fate(columns, cell, each, found) for cell, each in zip(own, originals, strict=True)]
    coarser = [*filter(None, map(tables.coarser, range(len(columns) + isinstance(analysis, Mean))))]
    notes = [text("analyses.kept.coarser", columns=join_names(coarser))] if coarser else []
    return tables.result(analysis.kind, found.values(), fates, columns, notes)


def _cell(groupings: Sequence[Grouping], cell: Cell, value: Value) -> Estimate:
    """The estimate of a cell, so far of the original alone."""
    groups = tuple(grouping.names[group] for grouping, group in zip(groupings, cell, strict=True))
    return Estimate(", ".join(groups) or text("analyses.everything"), value, None, groups=groups)


def _compared(
    columns: Sequence[GroupedColumn], cell: Cell, value: Value, released: Value | None, why_lost: Lost
) -> Estimate:
    """The estimate of a cell of blocks in both tables."""
    parts = list(zip(columns, cell, strict=True))
    is_merged, is_removed = any(block not in each.exact for each, block in parts), _is_removed(columns)
    return replace(
        _cell([column.blocks for column in columns], cell, value),
        released=released,
        lost=why_lost if released is None else None,
        labels=tuple(column.released.labels[block] for column, block in parts),
        scope=Outcome.SURVIVES if not is_merged else Outcome.REMOVED if is_removed else Outcome.COARSER,
        is_shared=released is not None and any(block in each.shared for each, block in parts),
    )


def _fate(columns: Sequence[GroupedColumn], cell: Cell, own: Estimate, found: Mapping[Cell, Estimate]) -> Own:
    """What becomes of a cell of the original's own groups."""
    if _is_removed(columns):
        return Own(own.name, own.original, None, Lost.TERM)
    blocks = tuple(column.block_of[group] for column, group in zip(columns, cell, strict=True))
    return Own(own.name, own.original, found.get(blocks))


def _is_removed(columns: Sequence[GroupedColumn]) -> bool:
    return any(column.is_removed for column in columns)


def _regression(aggregates: Aggregates, analysis: Linear | Logistic) -> AnalysisResult:
    from threadpoolctl import threadpool_limits

    given = [_term(aggregates, term) for term in analysis.terms_of_all]
    outcome = (
        event_of(aggregates, analysis) if isinstance(analysis, Logistic) else numbers_of(aggregates, analysis.outcome)
    )
    columns = [each.as_term if isinstance(each, NumberColumn) else each for each in given]
    tables = tables_of(aggregates, [*columns, outcome, *weights_of(aggregates, analysis.weight)])
    named = dict.fromkeys(analysis.column_names)
    randomized = tuple(name for name in named if randomization_of(aggregates, name) is not None)
    with threadpool_limits(1):  # several threads wait for each other longer than these small products take
        regression = _Regression(tables, analysis, given, columns)
        found = regression.compared() if tables.released.used and not randomized else None
    originals = regression.originals(found, Lost.RANDOMIZED if randomized else Lost.RECORDS)
    estimates = [each.estimate for each in originals if each.estimate] if found is None else found.values()
    notes = regression.notes([] if found is None else found.values())
    result = tables.result(analysis.kind, estimates, originals, given, notes, references=regression.references())
    return replace(result, randomized=randomized)


class _Regression:
    """A regression of the original, and the same of the blocks of groups that the release tells apart."""

    def __init__(
        self, tables: Tables, analysis: Linear | Logistic, given: Sequence[Column], columns: Sequence[Column]
    ) -> None:
        """Raises Unavailable where the original's columns are collinear, divide the outcomes or have no coefficient."""
        self._tables, self._terms = tables, analysis.terms_of_all
        self._grouped = {part: column for part, column in enumerate(columns) if isinstance(column, GroupedColumn)}
        own_references = {part: _reference(tables.own, part, self._terms[part]) for part in self._grouped}
        weight = None if analysis.weight is None else len(columns) + 1
        model = Model(tuple(range(len(columns))), own_references, len(columns), weight, isinstance(analysis, Logistic))
        self._model = model
        self._of_blocks = replace(
            model,
            terms=tuple(part for part in model.terms if part in self._grouped or not given[part].is_removed),
            references={part: column.block_of[own_references[part]] for part, column in self._grouped.items()},
        )
        self._own = fit(tables.own, model)
        self._counted = {key: value for key, value in self._own.values.items() if not self._terms[key[0]].control}
        self._require_fit()

    def _require_fit(self) -> None:
        lost = self._own.lost.items()
        infinite = {part for (part, _), reason in lost if reason is Lost.SEPARATED}
        collinear = {
            self._terms[part].column for (part, _), why in lost if why is Lost.COLLINEAR and part not in infinite
        }
        if collinear:
            raise Unavailable(text("analyses.unavailable.collinear", columns=sorted(collinear), number=len(collinear)))
        if not self._counted:
            one_group = text("analyses.unavailable.one_group")
            raise Unavailable(text("analyses.unavailable.separated") if infinite else one_group)

    def references(self) -> tuple[tuple[str, str, str], ...]:
        """By column of groups the group that others are compared with, and its block."""
        own, blocks = self._model.references, self._of_blocks.references
        return tuple(
            (self._terms[part].column, column.own.names[own[part]], column.blocks.names[blocks[part]])
            for part, column in self._grouped.items()
        )

    def compared(self) -> dict[Coefficient, Estimate]:
        """The coefficients at the blocks that the release tells apart, where the original has them.

        What it has as it is, is compared with its own; else with those of the same blocks.
        """
        tables, model = self._tables, self._of_blocks
        dropped = [(part, -1) for part in self._model.terms if part not in model.terms]
        keys = sorted([*dropped, *model.coefficients(tables.released)])
        merged = {
            (part, block)
            for part, block in keys
            if part in self._grouped and not {block, model.references[part]} <= self._grouped[part].exact.keys()
        }
        is_own = tables.blocks is tables.own and model.terms == self._model.terms
        blocks, released = self._own if is_own else fit(tables.blocks, model), fit(tables.released, model)
        adjusted = self._adjusted() if merged and self._lacks_terms else {}
        found: dict[Coefficient, Estimate] = {}
        for key in keys:
            original = blocks.values.get(key) if key in merged else self._own_value(key)
            if original is not None and not self._terms[key[0]].control:
                found[key] = self._estimate(key, original, released)
                if key in merged:
                    found[key] = replace(found[key], scope=Outcome.COARSER, adjusted=adjusted.get(key))
        return self._explained(found, blocks)

    def _estimate(self, key: Coefficient, original: Value, released: Fit) -> Estimate:
        """A coefficient of the original beside that of the release."""
        part, block = key
        column, value = self._grouped.get(part), released.values.get(key)
        name, groups = self._named(self._tables.blocks, key)
        lost = released.lost.get(key) if part in self._of_blocks.terms else Lost.TERM
        labels = () if column is None else (column.released.labels[block],)
        is_shared = value is not None and column is not None and block in column.shared
        return Estimate(name, original, value, lost, groups, labels, is_shared=is_shared)

    @property
    def _lacks_terms(self) -> bool:
        """Whether the release removes a term."""
        is_removed = any(column.is_removed for column in self._grouped.values())
        return is_removed or self._of_blocks.terms != self._model.terms

    def _adjusted(self) -> Mapping[Coefficient, Value]:
        """What the original gives at the blocks with the terms that the release removes."""
        columns, own = self._tables.columns, self._model.references
        kept = {part: column for part, column in self._grouped.items() if not column.is_removed}
        references = own | {part: column.block_of[own[part]] for part, column in kept.items()}
        parts = tuple(column.own if column.is_removed else column.blocks for column in columns)
        return fit(replace(self._tables.own, parts=parts), replace(self._model, references=references)).values

    def _own_value(self, key: Coefficient) -> Value | None:
        """What the original has itself of a coefficient at the blocks."""
        part, block = key
        column = self._grouped.get(part)
        return self._own.values.get(key if column is None else (part, column.exact.get(block, -1)))

    def _explained(self, found: dict[Coefficient, Estimate], blocks: Fit) -> dict[Coefficient, Estimate]:
        """Beside coefficients that change what the original gives with the labels of the release.

        Where some values have several labels only if that agrees: else it is not known what the labels change.
        """
        changed = {key: each for key, each in found.items() if each.outcome is Outcome.CHANGED}
        tables = self._tables
        recoded = [column.recoded if isinstance(column, NumberColumn) else column.blocks for column in tables.columns]
        parts = tuple(part or column.own for part, column in zip(recoded, tables.columns, strict=True))
        if changed and parts != tables.blocks.parts:
            blocks = fit(replace(tables.blocks, parts=parts), self._of_blocks)
        has_one_label = None not in recoded and not tables.guessed
        explained = {key: replace(each, recoded=blocks.values.get(key)) for key, each in changed.items()}
        return found | {key: each for key, each in explained.items() if has_one_label or each.is_by_labels}

    def notes(self, found: Collection[Estimate]) -> Iterator[str]:
        """What the coefficients are adjusted for, why they change, and what the original cannot estimate."""
        coarser = [self._tables.coarser(part) for part in range(len(self._terms) + 1)] if found else [""]
        if any(coarser[:-1]):
            yield text("analyses.kept.adjusted", terms=join_names([each for each in coarser[:-1] if each]))
        if coarser[-1]:
            yield text("analyses.kept.outcome", found=coarser[-1])
        widest = max((each.width_ratio or 0.0 for each in found if each.survives), default=0.0)
        if widest >= FAR_WIDER:
            yield text("analyses.kept.widest", ratio=widest)
        yield from _causes(found)
        infinite = [key for key, why in self._own.lost.items() if why is not Lost.GROUP]
        if infinite:
            groups = [
                text(
                    "analyses.kept.set_aside_group",
                    group=self._named(self._tables.own, (part, group))[0],
                    records=round(self._tables.own.sizes(part)[group]),
                )
                for part, group in infinite
            ]
            yield text("analyses.kept.set_aside", groups=abbreviated_names(groups, noun="group"))

    def originals(self, found: Mapping[Coefficient, Estimate] | None, why_none: Lost) -> list[Own]:
        """What becomes of each coefficient of the original; `why_none`: why there are none of the release."""
        return [self._original(key, value, found, why_none) for key, value in self._counted.items()]

    def _original(
        self, key: Coefficient, value: Value, found: Mapping[Coefficient, Estimate] | None, why_none: Lost
    ) -> Own:
        name, groups = self._named(self._tables.own, key)
        if found is None:
            return Own(name, value, Estimate(name, value, None, why_none, groups))
        part, group = key
        column = self._grouped.get(part)
        if column is None:
            return Own(name, value, found.get(key))
        block = column.block_of[group]
        if block == self._of_blocks.references[part]:
            return Own(name, value, None, Lost.TERM if column.is_removed else Lost.REFERENCE)
        return Own(name, value, found.get((part, block)))

    def _named(self, records: Records, key: Coefficient) -> tuple[str, tuple[str, ...]]:
        """The name of a coefficient, and the group that it is about."""
        part, group = key
        if group < 0:
            return self._terms[part].column, ()
        name = records.grouping(part).names[group]
        return f"{self._terms[part].column}: {name}", (name,)


def _causes(found: Collection[Estimate]) -> Iterator[str]:
    """How many coefficients change by labels, and how many by records."""
    by_labels = sum(each.is_by_labels for each in found)
    by_records = sum(each.recoded is not None for each in found) - by_labels
    if by_labels:
        yield text("analyses.kept.by_labels", number=by_labels)
    if by_records:
        yield text("analyses.kept.by_records", number=by_records)


def _term(aggregates: Aggregates, term: Term) -> Column:
    """A number where the original's column is one, unless groups are asked for."""
    is_number = not term.level and not term.groups and holds_numbers(original_column(aggregates, term.column))
    return numbers_of(aggregates, term.column) if is_number else grouped_column(aggregates, term)


def _reference(records: Records, part: int, term: Term) -> int:
    """The group that others are compared with: the one named, else the most frequent, of several the first."""
    names = records.grouping(part).names
    if term.reference is not None:
        if term.reference not in names:
            raise Unavailable(text("analyses.unavailable.no_group", column=term.column))
        return names.index(term.reference)
    frequency = records.sizes(part).round(6)
    order = canonical_order(names, parse_numbers(names))
    return int(order[np.argmax(frequency[order])])
