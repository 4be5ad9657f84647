"""Non-uniform entropy, step by step: what one cell loses, its column, all columns, the share that is left."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.formatting import six_digits
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.implied import implied_hierarchy
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.working.latex import abbreviated, approx, fraction, lines, plain_fraction, rounded, whole
from metrics.working.records import pair_of_record, record_name, record_of_pair
from metrics.working.steps import Attribute, Cell, Derivation, Step, Subject, Unit, short_label, step_of, tabulated

if TYPE_CHECKING:
    from metrics.utility.non_uniform_entropy.measure import NonUniformEntropy


@dataclass(frozen=True, eq=False)
class _Level:
    """Generalizing from one level to the next, for the records that go so far; arrays hold one entry per pair."""

    level: int
    reached: Integers
    """Positions of the pairs that reach the level."""
    before: Integers
    """Records with the pair's value on the level below, among those that reach this one."""
    after: Integers
    """Records with the pair's value on this level, among the same."""
    below_labels: tuple[str, ...]
    labels: tuple[str, ...]


def _levels(pair: Combinations, hierarchy: Hierarchy) -> list[_Level]:
    leaf_of_pair = hierarchy.leaves_of(pair.columns[0])[pair.codes[0]]
    level_of_pair = hierarchy.levels_of(pair.columns[1])[pair.codes[1]]
    levels, below = [], 0
    for current in map(int, np.unique(level_of_pair)):
        reached = np.flatnonzero(level_of_pair >= current)
        counts, leaves = pair.counts[reached], leaf_of_pair[reached]
        lower, upper = hierarchy.nodes(below)[leaves], hierarchy.nodes(current)[leaves]
        levels.append(
            _Level(
                level=current,
                reached=reached,
                before=_sums(lower, counts)[lower],
                after=_sums(upper, counts)[upper],
                below_labels=tuple(hierarchy.labels(below)[node] for node in lower),
                labels=tuple(hierarchy.labels(current)[node] for node in upper),
            )
        )
        below = current
    return levels


def _sums(nodes: Integers, counts: Integers) -> Integers:
    sums = np.zeros(int(nodes.max()) + 1, dtype=np.int64)
    np.add.at(sums, nodes, counts)
    return sums


def _bits(levels: list[_Level], pairs: int) -> Floats:
    """Bits that a record of each pair loses."""
    bits = np.zeros(pairs)
    for level in levels:
        bits[level.reached] += np.log2(level.after / level.before)
    return bits


def _ratios(levels: list[_Level], pair_index: int) -> list[tuple[str, str, Fraction, int, int]]:
    """For one pair, per level: the value before, after, the ratio, and the two counts of it."""
    ratios = []
    for level in levels:
        index = int(np.searchsorted(level.reached, pair_index))
        if index < len(level.reached) and level.reached[index] == pair_index:
            before, after = int(level.before[index]), int(level.after[index])
            ratios.append((level.below_labels[index], level.labels[index], Fraction(before, after), before, after))
    return ratios


def _cell_steps(pair: Combinations, levels: list[_Level], pair_index: int, column: str, name: str) -> tuple[Step, Step]:
    before = short_label(pair.columns[0].labels[pair.codes[0][pair_index]])
    after = short_label(pair.columns[1].labels[pair.codes[1][pair_index]])
    ratios = _ratios(levels, pair_index)
    rows: list[tuple[Cell, ...]] = [
        (short_label(value), short_label(parent), below, above, plain_fraction(ratio))
        for value, parent, ratio, below, above in ratios
    ]
    counts = step_of(
        "non_uniform_entropy.working.counts",
        rows=rows,
        record=name,
        before=before,
        after=after,
        column=short_label(column),
    )
    bits = math.fsum(-math.log2(ratio) for *_, ratio, _, _ in ratios) + 0.0
    logs = abbreviated((rf"-\log_2 {fraction(ratio)}" for *_, ratio, _, _ in ratios), len(ratios), "")
    loss = step_of("non_uniform_entropy.working.cell", rf"{logs} {approx(bits)}", number=bits)
    return counts, loss


def _column_step(pair: Combinations, levels: list[_Level], column: str) -> tuple[Step, float]:
    bits = _bits(levels, len(pair.counts))
    losses = bits * pair.counts
    total = math.fsum(losses) + 0.0
    order = np.argsort(-losses, kind="stable")
    rows = (
        (
            short_label(pair.columns[0].labels[pair.codes[0][i]]),
            short_label(pair.columns[1].labels[pair.codes[1][i]]),
            int(pair.counts[i]),
            six_digits(bits[i]),
            six_digits(losses[i]),
        )
        for i in order
    )
    terms = (_group_loss(levels, int(i), int(pair.counts[i])) for i in order)
    step = step_of(
        "non_uniform_entropy.working.column",
        lines(rf"L &= {abbreviated(terms, len(order), '')}", rf"&{approx(total)}"),
        table=tabulated(text("non_uniform_entropy.working.column_columns"), rows, len(order)),
        number=total,
        column=short_label(column),
    )
    return step, total


def _group_loss(levels: list[_Level], pair_index: int, records: int) -> str:
    ratio = Fraction(1)
    for _, _, factor, _, _ in _ratios(levels, pair_index):
        ratio *= factor
    return _times_log(records, ratio)


def _times_log(records: int, ratio: Fraction) -> str:
    return rf"-{'' if records == 1 else whole(records)} \log_2 {fraction(ratio)}"


def _largest_step(pair: Combinations, hierarchy: Hierarchy, column: str) -> tuple[Step, float]:
    leaf_of_pair = hierarchy.leaves_of(pair.columns[0])[pair.codes[0]]
    records = int(pair.counts.sum())
    per_value = [int(count) for count in sorted(_sums(leaf_of_pair, pair.counts), reverse=True) if count]
    total = math.fsum(-count * math.log2(count / records) for count in per_value) + 0.0
    terms = (_times_log(count, Fraction(count, records)) for count in per_value)
    step = step_of(
        "non_uniform_entropy.working.largest",
        lines(rf"L_{{\max}} &= {abbreviated(terms, len(per_value), '')}", rf"&{approx(total)}"),
        number=total,
        column=short_label(column),
        records=records,
    )
    return step, total


def _score_step(losses: dict[str, tuple[float, float]]) -> Step:
    total_loss = math.fsum(loss for loss, _ in losses.values())
    total_largest = math.fsum(largest_loss for _, largest_loss in losses.values())
    rows = (
        (short_label(name), six_digits(loss), six_digits(largest_loss)) for name, (loss, largest_loss) in losses.items()
    )
    table = tabulated(text("non_uniform_entropy.working.share_columns"), rows, len(losses)) if len(losses) > 1 else None
    title = text("working.preserved_title")
    if not total_largest:
        return Step(title, text("non_uniform_entropy.working.nothing_to_lose"), "1", table, 1.0)
    score = 1 - total_loss / total_largest
    numerator = abbreviated((rounded(loss) for loss, _ in losses.values()), len(losses))
    denominator = abbreviated((rounded(largest_loss) for _, largest_loss in losses.values()), len(losses))
    return Step(
        title,
        text("non_uniform_entropy.working.share"),
        lines(
            rf"1 - \frac{{\sum L}}{{\sum L_{{\max}}}} &= 1 - \frac{{{numerator}}}{{{denominator}}}",
            *([rf"&= 1 - \frac{{{rounded(total_loss)}}}{{{rounded(total_largest)}}}"] if len(losses) > 1 else []),
            rf"&{approx(score)}",
        ),
        table,
        score,
    )


def derive(
    result: NonUniformEntropy, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """One cell's counts and loss, its column's loss and largest loss, all columns."""
    column, name = subject.column, record_name(aggregates, subject.index)
    pair, pair_index = pair_of_record(aggregates, column, subject.index)
    hierarchy = aggregates.hierarchies.get(column) or implied_hierarchy(pair)
    levels = _levels(pair, hierarchy)
    loss_step, loss = _column_step(pair, levels, column)
    largest_step, largest = _largest_step(pair, hierarchy, column)
    losses = {name: (part.loss, part.largest) for name, part in result.columns.items()} | {column: (loss, largest)}
    return (*_cell_steps(pair, levels, pair_index, column, name), loss_step, largest_step, _score_step(losses))


def _decisive(result: NonUniformEntropy, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The column that lost most, and the first record of those that lost most in it."""
    column = max(result.columns, key=lambda name: result.columns[name].loss)
    pair = aggregates.comparison.pair(column)
    levels = _levels(pair, aggregates.hierarchies.get(column) or implied_hierarchy(pair))
    pair_index = int(np.argmax(_bits(levels, len(pair.counts))))
    return Subject(record_of_pair(aggregates, column, pair, pair_index), column)


WORKING = Derivation(Unit.RECORD, Attribute.QUASI_IDENTIFIER, derive, _decisive)
