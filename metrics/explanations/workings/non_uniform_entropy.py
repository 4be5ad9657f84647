"""Non-uniform entropy, step by step: what one cell loses, its column, all columns, the share that is left."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from metrics.counting.counts import Combinations
from metrics.explanations.workings.latex import abbreviated, approx, fraction, lines, plain_fraction, rounded, whole
from metrics.explanations.workings.records import pair_of_record, record_name, record_of_pair
from metrics.explanations.workings.steps import (
    Attribute,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.implied import implied_hierarchy
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.utility.non_uniform_entropy import NonUniformEntropy


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
    leaf = hierarchy.leaves_of(pair.columns[0])[pair.codes[0]]
    level = hierarchy.levels_of(pair.columns[1])[pair.codes[1]]
    levels, below = [], 0
    for current in map(int, np.unique(level)):
        reached = np.flatnonzero(level >= current)
        counts, leaves = pair.counts[reached], leaf[reached]
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


def _ratios(levels: list[_Level], place: int) -> list[tuple[str, str, Fraction, int, int]]:
    """For one pair, per level: the value before, after, the ratio, and the two counts of it."""
    found = []
    for level in levels:
        at = int(np.searchsorted(level.reached, place))
        if at < len(level.reached) and level.reached[at] == place:
            before, after = int(level.before[at]), int(level.after[at])
            found.append((level.below_labels[at], level.labels[at], Fraction(before, after), before, after))
    return found


def _cell_steps(pair: Combinations, levels: list[_Level], place: int, column: str, name: str) -> tuple[Step, Step]:
    before = short_label(pair.columns[0].labels[pair.codes[0][place]])
    after = short_label(pair.columns[1].labels[pair.codes[1][place]])
    ratios = _ratios(levels, place)
    rows: list[tuple[Cell, ...]] = [
        (short_label(low), short_label(high), below, above, plain_fraction(ratio))
        for low, high, ratio, below, above in ratios
    ]
    counts = Step(
        text("non_uniform_entropy.working.counts_title"),
        text("non_uniform_entropy.working.counts", record=name, before=before, after=after, column=short_label(column)),
        table=tabulated(text("non_uniform_entropy.working.counts_columns"), rows, len(rows)),
    )
    bits = math.fsum(-math.log2(ratio) for *_, ratio, _, _ in ratios) + 0.0
    logs = abbreviated((rf"-\log_2 {fraction(ratio)}" for *_, ratio, _, _ in ratios), len(ratios), "")
    loss = Step(
        text("non_uniform_entropy.working.cell_title"),
        text("non_uniform_entropy.working.cell"),
        rf"{logs} {approx(bits)}",
        number=bits,
    )
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
            f"{bits[i]:.6g}",
            f"{losses[i]:.6g}",
        )
        for i in order
    )
    terms = (_group_loss(levels, int(i), int(pair.counts[i])) for i in order)
    step = Step(
        text("non_uniform_entropy.working.column_title"),
        text("non_uniform_entropy.working.column", column=short_label(column)),
        lines(rf"L &= {abbreviated(terms, len(order), '')}", rf"&{approx(total)}"),
        tabulated(text("non_uniform_entropy.working.column_columns"), rows, len(order)),
        total,
    )
    return step, total


def _group_loss(levels: list[_Level], place: int, records: int) -> str:
    ratio = Fraction(1)
    for _, _, factor, _, _ in _ratios(levels, place):
        ratio *= factor
    return _times_log(records, ratio)


def _times_log(records: int, ratio: Fraction) -> str:
    return rf"-{'' if records == 1 else whole(records)} \log_2 {fraction(ratio)}"


def _largest_step(pair: Combinations, hierarchy: Hierarchy, column: str) -> tuple[Step, float]:
    leaf = hierarchy.leaves_of(pair.columns[0])[pair.codes[0]]
    records = int(pair.counts.sum())
    per_value = [int(count) for count in sorted(_sums(leaf, pair.counts), reverse=True) if count]
    total = math.fsum(-count * math.log2(count / records) for count in per_value) + 0.0
    terms = (_times_log(count, Fraction(count, records)) for count in per_value)
    step = Step(
        text("non_uniform_entropy.working.largest_title"),
        text("non_uniform_entropy.working.largest", column=short_label(column), records=records),
        lines(rf"L_{{\max}} &= {abbreviated(terms, len(per_value), '')}", rf"&{approx(total)}"),
        number=total,
    )
    return step, total


def _score_step(losses: dict[str, tuple[float, float]]) -> Step:
    lost = math.fsum(loss for loss, _ in losses.values())
    largest = math.fsum(most for _, most in losses.values())
    rows = ((short_label(name), f"{loss:.6g}", f"{most:.6g}") for name, (loss, most) in losses.items())
    table = tabulated(text("non_uniform_entropy.working.share_columns"), rows, len(losses)) if len(losses) > 1 else None
    title = text("working.preserved_title")
    if not largest:
        return Step(title, text("non_uniform_entropy.working.nothing_to_lose"), "1", table, 1.0)
    score = 1 - lost / largest
    above = abbreviated((rounded(loss) for loss, _ in losses.values()), len(losses))
    below = abbreviated((rounded(most) for _, most in losses.values()), len(losses))
    return Step(
        title,
        text("non_uniform_entropy.working.share"),
        lines(
            rf"1 - \frac{{\sum L}}{{\sum L_{{\max}}}} &= 1 - \frac{{{above}}}{{{below}}}",
            *([rf"&= 1 - \frac{{{rounded(lost)}}}{{{rounded(largest)}}}"] if len(losses) > 1 else []),
            rf"&{approx(score)}",
        ),
        table,
        score,
    )


def _result(card: Scorecard) -> NonUniformEntropy:
    finished(card, "non_uniform_entropy")
    result = card["non_uniform_entropy"].result
    assert isinstance(result, NonUniformEntropy)
    return result


def derive(card: Scorecard, subject: Subject) -> Working:
    """One cell's counts and loss, its column's loss and largest loss, all columns. Raises Unavailable."""
    result, column = _result(card), subject.column
    name = record_name(card, subject.index)
    pair, place = pair_of_record(card, column, subject.index)
    hierarchy = card.aggregates.hierarchies.get(column) or implied_hierarchy(pair)
    levels = _levels(pair, hierarchy)
    loss_step, lost = _column_step(pair, levels, column)
    largest_step, largest = _largest_step(pair, hierarchy, column)
    losses = {other: (part.loss, part.largest) for other, part in result.columns.items()} | {column: (lost, largest)}
    steps = (*_cell_steps(pair, levels, place, column, name), loss_step, largest_step, _score_step(losses))
    return Working("non_uniform_entropy", f"{name}, {column}", steps)


def _decisive(card: Scorecard) -> Subject:
    """The column that lost most, and the first record of those that lost most in it."""
    result = _result(card)
    column = max(result.columns, key=lambda name: result.columns[name].loss)
    pair = card.aggregates.comparison.pair(column)
    levels = _levels(pair, card.aggregates.hierarchies.get(column) or implied_hierarchy(pair))
    place = int(np.argmax(_bits(levels, len(pair.counts))))
    return Subject(record_of_pair(card, column, pair, place), column)


NON_UNIFORM_ENTROPY = Derivation(Unit.RECORD, Attribute.QUASI_IDENTIFIER, derive, _decisive)
