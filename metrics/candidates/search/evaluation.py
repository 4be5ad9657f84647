"""Every figure of lattice nodes, a batch of nodes at a time, from their rolled-up classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK
from metrics.candidates.generalization.levels import lattice_columns
from metrics.candidates.generalization.rollup import Classes, Node, RollUp
from metrics.candidates.limits.enforced import K, Limits, checked, needs_sensitive
from metrics.candidates.limits.measures import NodeMeasures
from metrics.candidates.limits.of_nodes import feasible
from metrics.candidates.search.entropy import EntropyLosses
from metrics.candidates.search.sensitive import SensitiveCounts
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.classes import EquivalenceClasses, equivalence_classes
from metrics.counting.counts import MemoryRelation
from metrics.economics.profitability import Profitability, profitability
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.tables.table import Flags, Floats, Integers, Table
from metrics.utility.cells.removed_values import RemovedValues, removed_values
from metrics.utility.discernibility.measure import penalties

_BATCH_CLASSES = 100_000
_BATCH_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class _Batch:
    """Classes of several nodes one after the other."""

    levels: Integers
    """Per node and column."""
    words: tuple[Integers, ...]
    sizes: Integers
    starts: Integers
    """First class of each node."""
    owner: Integers
    """Node of each class."""
    star: Flags
    """Classes with `*` in every column: their records are suppressed."""


class Scope(StrEnum):
    """The nodes whose l, t and P_29 are computed."""

    NONE = "none"
    FEASIBLE = "feasible"
    """Nodes that meet the other limits."""
    ALL = "all"


class Evaluation:
    """Computes figures of nodes; they equal what scoring the generalized table gives."""

    def __init__(
        self,
        original: Table,
        roles: Roles,
        hierarchies: Hierarchies | None,
        rule: Limits,
        parameters: Parameters | None = None,
        *,
        sensitive: Scope,
        limits: Limits,
    ) -> None:
        """`limits` say which nodes are feasible; for Scope.FEASIBLE they must not be on sensitive figures.

        Raises InputError if roles or hierarchies do not fit the original, it has no records, or the rule needs a
        sensitive attribute and there is none.
        """
        if needs_sensitive(rule) and not roles.sensitive:
            raise InputError(
                "no column is tagged sensitive", remedy="tag one, or remove the limits l and t", file=roles.name
            )
        self.columns = lattice_columns(original, roles, hierarchies)
        self.weights = roles.relative_weights([column.column.name for column in self.columns])
        if not original.rows:
            raise InputError("the table has no records", remedy="choose a table with records", file=original.name)
        self.rule, self.parameters = checked({K: 1, **rule}), parameters or Parameters()
        self.records = original.rows
        self.relation = MemoryRelation(original)
        self.rollup = RollUp(self.relation, self.columns)
        self.entropy = EntropyLosses(self.columns, self.rollup)
        self._scope, self.limits = sensitive, limits
        examined = sensitive is not Scope.NONE or needs_sensitive(rule)
        attributes = [original[name] for name in roles.sensitive] if examined else []
        self.cells = SensitiveCounts(self.relation, self.columns, attributes, hierarchies or {}, self.parameters)
        self.original_classes = equivalence_classes(self.relation, [column.column.name for column in self.columns])

    def in_batches(self, nodes: Sequence[Node]) -> Iterator[tuple[list[Node], NodeMeasures]]:
        """Yield the figures of nodes, as many at a time as fit into memory with what is computed from their classes."""
        for batch, classes in self._rolled_up(nodes):
            yield batch, self.figures(batch, classes)

    def in_layers(self, layers: Iterable[Sequence[Node]]) -> Iterator[tuple[list[Node], NodeMeasures]]:
        """Yield the figures of nodes by layers of the lattice, the lowest first; nodes no longer needed are released.

        One thread rolls up the next batch while the other computes the figures of this one: NumPy sorts and counts
        without holding the interpreter.
        """
        with ThreadPoolExecutor(1) as worker:
            batches = self._layer_by_layer(layers)
            ahead = worker.submit(next, batches, None)
            below, layer = list[Node](), list[Node]()
            while (batch := ahead.result()) is not None:
                ahead = worker.submit(next, batches, None)
                nodes, classes = batch
                if layer and sum(nodes[0]) != sum(layer[0]):
                    self.cells.forget(below)
                    below, layer = layer, []
                layer += nodes
                yield nodes, self.figures(nodes, classes)

    def _layer_by_layer(self, layers: Iterable[Sequence[Node]]) -> Iterator[tuple[list[Node], list[Classes]]]:
        below: Sequence[Node] = ()
        for layer in layers:
            yield from self._rolled_up(layer)
            self.rollup.forget(below)
            below = layer

    def _rolled_up(self, nodes: Sequence[Node]) -> Iterator[tuple[list[Node], list[Classes]]]:
        """Nodes with their classes, a batch at a time."""
        max_nodes = max(_BATCH_CELLS // max(column.width for column in self.columns), 1)
        batch: list[Node] = []
        classes: list[Classes] = []
        n_classes = 0
        for node in nodes:
            batch.append(node)
            classes.append(self.rollup.at(node))
            n_classes += len(classes[-1])
            if n_classes >= _BATCH_CLASSES or len(batch) >= max_nodes:
                yield batch, classes
                batch, classes, n_classes = [], [], 0
        if batch:
            yield batch, classes

    def records_failing(self, node: Node, records: int, values: int) -> int:
        """Records in classes with fewer records, or fewer different values of a sensitive attribute, than these."""
        counts = self.rollup.at(node).counts
        failing = counts < records
        for distinct in self.cells.distinct(node) if values > 1 else ():
            failing |= distinct < values
        return int(counts[failing].sum())

    def forget(self, nodes: Sequence[Node]) -> None:
        """Release nodes from which no other will be rolled up."""
        self.rollup.forget(nodes)
        self.cells.forget(nodes)

    def figures(self, nodes: Sequence[Node], classes: Sequence[Classes]) -> dict[str, npt.NDArray[Any]]:
        """Every figure of the nodes, given their classes."""
        batch = self._batch(nodes, classes)
        kept = self._kept_classes(nodes, batch)
        sizes = np.where(kept, batch.sizes, 0)
        kept_records = np.add.reduceat(sizes, batch.starts)
        classes_kept = np.add.reduceat(kept.astype(np.int64), batch.starts)
        smallest = _smallest(batch.sizes, kept, batch.starts)
        figures: dict[str, npt.NDArray[Any]] = {
            "k": _smallest(batch.sizes, ~batch.star, batch.starts),
            "suppressed_rows": self.records - kept_records,
            "smallest_class": smallest,
            "reidentification_risk": np.where(smallest > 0, 1 / np.maximum(smallest, 1), np.nan),
            "classes": classes_kept,
            "discernibility": self._discernibility(sizes, kept_records, batch.starts),
            "average_class_size": self._average_class_size(kept_records, classes_kept),
        }
        if RECORD_LINKAGE_ATTACK.id in self.limits and self.linkage_fault is None:
            figures["record_linkage_attack"] = linkage = self._record_linkage(sizes, kept_records, batch)
            figures["max_record_linkage"] = np.maximum(linkage, classes_kept / self.records)
        logs = self._of_cells(batch, kept, self.records - kept_records, figures)
        figures |= self._economics(batch, kept, logs, smallest)
        if self._scope is not Scope.NONE:
            evaluated = classes_kept > 0
            if self._scope is Scope.FEASIBLE:
                evaluated &= feasible(self.limits, figures, self.records)
            parts = _parts(batch, len(nodes))
            figures |= self.cells.figures(
                [
                    (node, kept[part]) if is_evaluated else None
                    for node, part, is_evaluated in zip(nodes, parts, evaluated, strict=True)
                ]
            )
        return figures

    def removed(self, node: Node) -> list[RemovedValues]:
        """The values of each column that all their records lose; none of a column that keeps nothing."""
        kept = self._kept_classes([node], self._batch([node], [self.rollup.at(node)]))
        suppressed = ~kept[self.rollup.members(node)]
        counts, removed = self.rollup.base_counts, []
        for column, field, level in zip(self.columns, self.rollup.fields, node, strict=True):
            values = (self.rollup.base_words[field.word] >> field.shift) & field.mask
            is_lost = suppressed | (column.codes[level] == column.star[level])[values]
            records = np.bincount(values, weights=counts, minlength=column.width)
            lost_records = np.bincount(values, weights=counts * is_lost, minlength=column.width)
            removed.append(removed_values(column.column.name, column.labels[0], records, lost_records))
        return [removal for removal in removed if removal is not None]

    def _kept_classes(self, nodes: Sequence[Node], batch: _Batch) -> Flags:
        """Decide for each class whether the rule keeps it."""
        kept: Flags = (batch.sizes >= self.rule[K]) & ~batch.star
        if needs_sensitive(self.rule):
            for node, part in zip(nodes, _parts(batch, len(nodes)), strict=True):
                kept[part] &= self.cells.kept(node, ~batch.star[part], self.rule)
        return kept

    def _batch(self, nodes: Sequence[Node], classes: Sequence[Classes]) -> _Batch:
        lengths = np.array([len(node_classes) for node_classes in classes])
        words = tuple(
            np.concatenate([node_classes.words[i] for node_classes in classes]) for i in range(len(classes[0].words))
        )
        levels = np.array(nodes, dtype=np.int64).reshape(len(nodes), len(self.columns))
        owner = np.repeat(np.arange(len(nodes)), lengths)
        starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)[:-1]))
        star = np.zeros(len(owner), dtype=bool)
        stars = np.array([column.star[levels[:, i]] for i, column in enumerate(self.columns)])
        for node in np.flatnonzero((stars >= 0).all(axis=0)).tolist():
            part = slice(starts[node], starts[node] + lengths[node])
            star[part] = np.logical_and.reduce(
                [classes[node].codes(field) == stars[i, node] for i, field in enumerate(self.rollup.fields)]
            )
        return _Batch(
            levels, words, np.concatenate([node_classes.counts for node_classes in classes]), starts, owner, star
        )

    def _of_cells(self, batch: _Batch, kept: Flags, lost: Integers, figures: dict[str, npt.NDArray[Any]]) -> Floats:
        """Add figures made of single cells to `figures`; return log10 of the values that each kept class represents."""
        nodes, owner = len(lost), batch.owner[kept]
        sizes = batch.sizes[kept].astype(np.float64)
        share = np.zeros((len(self.columns), nodes))
        height = np.zeros(nodes)
        bits = np.zeros(nodes)
        combined, logs = np.ones(len(owner)), np.zeros(len(owner))
        asks_logs = self.parameters.profitability.information_loss
        words = [word[kept] for word in batch.words]
        for i, (column, field) in enumerate(zip(self.columns, self.rollup.fields, strict=True)):
            level = batch.levels[:, i]
            shares = column.shares[level]
            cell = owner * column.width
            cell += (words[field.word] >> field.shift) & field.mask
            counts = np.bincount(cell, weights=sizes, minlength=nodes * column.width).reshape(nodes, column.width)
            share[i] = ((counts * shares).sum(axis=1) + lost) / self.records
            height += (counts * column.heights[level]).sum(axis=1) + lost
            bits += self.entropy.of_column(i, batch.levels, counts.astype(np.int64), lost, kept, batch.starts)
            combined *= shares.ravel()[cell]
            if asks_logs:
                logs += np.log10(shares * column.domain).ravel()[cell]
        figures |= self.of_columns(share, height / (self.records * len(self.columns)), bits)
        hidden_share = math.prod(axis.hidden_share for axis in self.columns)
        mean = (np.bincount(owner, weights=combined * sizes, minlength=nodes) + lost * hidden_share) / self.records
        figures["ambiguity"] = _between(mean, 10.0 ** -math.fsum(math.log10(axis.domain) for axis in self.columns))
        return logs

    def of_columns(self, share: Floats, height: Floats, bits: Floats) -> dict[str, Floats]:
        """NodeMeasures made of the columns' mean shares (per column and node), the mean height and the bits lost.

        Loss is the geometric mean over columns of 1 + normalized mean share, less 1: 0 to 1, lower is better (ARX).
        Columns count by their weights. ARX multiplies each factor by its weight instead, which changes every loss by
        the same ratio and so never the order of generalizations.
        """
        columns = len(self.columns)
        normalized = np.array([self.normalized(i, of_column) for i, of_column in enumerate(share)])
        largest = self.entropy.largest
        return {
            "granularity": 1 - normalized.sum(axis=0) / columns,
            "loss": np.exp((self.weights[:, None] * np.log1p(normalized)).sum(axis=0) / columns) - 1,
            "precision": 1 - height,
            "non_uniform_entropy": 1 - bits / largest if largest else np.ones(share.shape[1]),
        }

    def normalized(self, column: int, share: Floats) -> Floats:
        """The mean share that a column's cells cover, from 0 for single values to 1; 0 for a domain of one value."""
        minimum = 1 / self.columns[column].domain
        return np.clip((share - minimum) / (1 - minimum), 0.0, 1.0) if minimum < 1 else np.zeros_like(share)

    @cached_property
    def per_leaf(self) -> tuple[tuple[Floats, Floats, Floats], ...]:
        """Per column, by level and leaf: the share covered, the height, and log10 of the values covered."""
        per_leaf = []
        for column in self.columns:
            shares, heights = (
                np.take_along_axis(per_code, column.codes, axis=1) for per_code in (column.shares, column.heights)
            )
            per_leaf.append((shares, heights, np.log10(shares * column.domain)))
        return tuple(per_leaf)

    @cached_property
    def linkage_fault(self) -> InputError | None:
        """Why the success of record linkage does not follow from the sizes of classes; see `_record_linkage`."""
        ambiguous = next((column.column.name for column in self.columns if not column.covers_once), None)
        if ambiguous is not None:
            return InputError(
                "the limit on record linkage cannot be part of a search: on some level, more than one label "
                "covers a value",
                remedy="give every label of the hierarchy one meaning, fill empty cells, or remove the limit",
                column=ambiguous,
            )
        known_columns = self.parameters.attack.known
        if known_columns and set(known_columns) != {column.column.name for column in self.columns}:
            return InputError(
                "the limit on record linkage cannot be part of a search for an attacker who knows only some "
                "of the quasi-identifiers",
                remedy="set attack.known to all of them, or remove the limit",
            )
        return None

    def _record_linkage(self, sizes: Integers, kept_records: Integers, batch: _Batch) -> Floats:
        """The share of records that an attacker finds who knows every quasi-identifier.

        A class of n records and the s suppressed records are the candidates of its records, which are found with 1 /
        (n + s) each. The suppressed ones have no other candidates than themselves, so that one of them is found. An
        attacker who rules out suppressed records finds one record of each class.
        """
        lost = self.records - kept_records
        candidates = sizes + lost[batch.owner]
        found_records = np.add.reduceat(sizes / np.maximum(candidates, 1), batch.starts)
        success: Floats = (found_records + (lost > 0)) / self.records
        return success

    def _discernibility(self, sizes: Integers, kept_records: Integers, starts: Integers) -> Floats:
        before = penalties(self.original_classes.by_size)
        raw = np.add.reduceat(sizes * sizes, starts) + (self.records - kept_records) * self.records
        span = self.records**2 - before
        return np.clip(1 - (raw - before) / span, 0.0, 1.0) if span else np.ones(len(kept_records))

    def _average_class_size(self, kept_records: Integers, classes: Integers) -> Floats:
        """NaN if no class is left, before or after."""
        original = self.original_classes
        if not original.count:
            return np.full(len(kept_records), np.nan)
        before = original.kept / original.count
        span = self.records - before
        mean = np.divide(kept_records, classes, out=np.full(len(kept_records), np.nan), where=classes > 0)
        return np.clip(1 - (mean - before) / span, 0.0, 1.0) if span else np.where(classes > 0, 1.0, np.nan)

    @cached_property
    def _by_size(self) -> tuple[Profitability, tuple[Floats, Flags, Flags]]:
        """Profitability of classes of 1, 2, … records; their payouts, which are attacked, and which unprofitable."""
        sizes = np.arange(1, self.records + 1)
        profit = profitability(EquivalenceClasses((), (), sizes, 0, None), self.parameters.profitability)
        return profit, (profit.payout, profit.attacked, profit.unprofitable)

    def _economics(self, batch: _Batch, kept: Flags, logs: Floats, smallest: Integers) -> dict[str, npt.NDArray[Any]]:
        settings = self.parameters.profitability
        sizes, owner, nodes = batch.sizes[kept], batch.owner[kept], len(batch.starts)
        if not len(sizes):
            return {
                "publisher_payout": np.full(nodes, np.nan),
                "records_attacked": np.zeros(nodes, dtype=np.int64),
                "no_attack": np.zeros(nodes, dtype=bool),
                "profitability": np.zeros(nodes, dtype=bool),
            }
        # Classes are judged one by one, so those of all nodes may be judged together.
        if settings.information_loss:
            # The share of the benefit that is lost with values which represent 10**logs combinations.
            domain = math.fsum(math.log10(column.domain) for column in self.columns)
            lost_share = np.clip(logs / domain, 0.0, 1.0) if domain else logs
            profit = profitability(EquivalenceClasses((), (), sizes, 0, None), settings, lost_share)
            outcome = profit.payout, profit.attacked, profit.unprofitable
        else:
            profit, by_size = self._by_size
            outcome = by_size[0][sizes - 1], by_size[1][sizes - 1], by_size[2][sizes - 1]
        payout = np.bincount(owner, weights=outcome[0], minlength=nodes)
        attacked = np.bincount(owner, weights=sizes * outcome[1], minlength=nodes).astype(np.int64)
        basic = np.bincount(owner[outcome[2]], minlength=nodes) == 0
        no_attack = smallest >= max(profit.attack_free_size or np.iinfo(np.int64).max, 1)
        return {
            "publisher_payout": np.where(smallest > 0, payout, np.nan),
            "records_attacked": attacked,
            "no_attack": no_attack,
            "profitability": (smallest > 0) & basic & (no_attack | settings.allow_attack),
        }


def _between(share: Floats, minimum: float) -> Floats:
    """Scale shares from 1 for the least possible one to 0 for all; 1 where these are the same."""
    return np.clip(1 - (share - minimum) / (1 - minimum), 0.0, 1.0) if minimum < 1 else np.ones(len(share))


def _smallest(sizes: Integers, included: Flags, starts: Integers) -> Integers:
    """The smallest of the included classes of each node, 0 if there is none."""
    no_class = np.iinfo(np.int64).max
    smallest = np.minimum.reduceat(np.where(included, sizes, no_class), starts)
    return np.where(smallest == no_class, 0, smallest)


def _parts(batch: _Batch, nodes: int) -> list[slice]:
    ends = np.append(batch.starts[1:], len(batch.owner))
    return [slice(int(batch.starts[i]), int(ends[i])) for i in range(nodes)]
