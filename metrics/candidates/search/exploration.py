"""Result of exploring a lattice: every node evaluated so far with its figures, the best ones, the front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.candidates.limits.enforced import ENFORCED, K, L, Limits, T, by_name, checked
from metrics.candidates.limits.measures import NODE_MEASURES, NodeMeasures, is_missing, oriented_values
from metrics.candidates.limits.of_nodes import NearestNode, feasible, nearest
from metrics.candidates.pareto import pareto_front
from metrics.errors import InputError
from metrics.metric import Direction
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import Flags, Integers


@dataclass(frozen=True)
class SearchSnapshot:
    """What a search knows at one moment."""

    seconds: float
    """Seconds since the search began."""
    best: float | None
    """The figure of the best generalization so far."""
    bound: float | None
    """No generalization within the limits has a better one; None if nothing is known."""

    def equals(self, other: SearchSnapshot) -> bool:
        """Whether no more was known at the other time."""
        return (self.best, self.bound) == (other.best, other.bound)


@dataclass(frozen=True, eq=False)
class Exploration:
    """Result of exploring a lattice: nodes in the order they were evaluated.

    Attributes
    ----------
    attributes : tuple of str
        The quasi-identifiers, in the order of the original's columns: levels are given in this order.
    heights : tuple of int
        The highest level of each.
    records : int
        Records of the original.
    levels : array of int, shape (nodes, attributes)
        Per node, the level of each quasi-identifier.
    figures : mapping of str to array, shape (nodes,)
        Per node, each figure of `metrics.candidates.limits.measures.NODE_MEASURES` that was computed.
    rule : mapping of str to float
        Limits on k, l and t: the classes that are kept.
    limits : mapping of str to float or bool
        Which nodes may be best.
    measure : str
        The figure by which `best` chooses.
    nodes_total : int
        Nodes of the lattice.
    proven : bool
        Whether none has a better figure than the best.
    history : tuple of SearchSnapshot
        How the best and the bound came nearer; the last moment is the present one.
    not_evaluated : int
        Nodes within the limits that may be better, and on which not all analyses were run.
    """

    attributes: tuple[str, ...]
    heights: tuple[int, ...]
    records: int
    levels: Integers
    figures: NodeMeasures
    rule: Limits
    limits: Limits
    measure: str
    nodes_total: int
    proven: bool
    history: tuple[SearchSnapshot, ...]
    not_evaluated: int = 0

    @property
    def nodes_evaluated(self) -> int:
        """Number of nodes evaluated."""
        return len(self.levels)

    @cached_property
    def best(self) -> int | None:
        """The best feasible node by the measure; None if no node is feasible."""
        return self.best_by(self.measure)

    @property
    def bound(self) -> float | None:
        """No node within the limits, evaluated or not, has a better figure; None if nothing is known."""
        return self.history[-1].bound if self.history else None

    def feasible(self, limits: Limits | None = None) -> Flags:
        """For each node whether it meets the limits.

        Parameters
        ----------
        limits : mapping of str to float or bool, optional
            By default those explored with.

        Returns
        -------
        array of bool, shape (nodes,)
            In the order of `levels`.
        """
        return feasible(self._limits(limits), self.figures, self.records)

    def best_by(self, measure: str, limits: Limits | None = None) -> int | None:
        """The best feasible node by a figure; of equals the fewest suppressed, the largest k, then the lowest levels.

        Parameters
        ----------
        measure : str
            The figure, one of `figures`.
        limits : mapping of str to float or bool, optional
            By default those explored with.

        Returns
        -------
        int or None
            The node's position; None if no node is feasible.

        Raises
        ------
        InputError
            If there is no such figure or it has no order.
        """
        values = oriented_values(measure, self._figure(measure))
        candidates = np.flatnonzero(self.feasible(limits) & (values > -np.inf))
        if not len(candidates):
            return None
        levels = self.levels[candidates]
        smallest, suppressed = (self.figures[name][candidates] for name in ("smallest_class", "suppressed_rows"))
        order = np.lexsort((*levels.T[::-1], levels.sum(axis=1), -smallest, suppressed, -values[candidates]))
        return int(candidates[order[0]])

    def pareto_front(self, first: str, second: str, limits: Limits | None = None) -> Integers:
        """Feasible nodes that no other feasible node dominates in two figures.

        Parameters
        ----------
        first, second : str
            The figures, of `figures`.
        limits : mapping of str to float or bool, optional
            By default those explored with.

        Returns
        -------
        array of int
            Positions of nodes, the best by the first figure first.
        """
        values = [oriented_values(name, self._figure(name)) for name in (first, second)]
        candidates = np.flatnonzero(self.feasible(limits) & (np.minimum(*values) > -np.inf))
        values = [of_all[candidates] for of_all in values]
        return candidates[pareto_front(*values)]

    def nearest(self, limits: Limits | None = None) -> NearestNode | None:
        """The node that comes nearest to limits that no node meets.

        Parameters
        ----------
        limits : mapping of str to float or bool, optional
            By default those explored with.

        Returns
        -------
        NearestNode or None
            None where some node is feasible.
        """
        return nearest(self._limits(limits), self.figures, self.records)

    def levels_of(self, index: int) -> dict[str, int]:
        """A node's levels.

        Parameters
        ----------
        index : int
            The node's position.

        Returns
        -------
        dict of str to int
            By column.
        """
        return dict(zip(self.attributes, self.levels[index].tolist(), strict=True))

    def index_of(self, levels: Mapping[str, int]) -> int | None:
        """The node with these levels.

        Parameters
        ----------
        levels : mapping of str to int
            By column.

        Returns
        -------
        int or None
            Its position; None if it was not evaluated.
        """
        positions = np.flatnonzero((self.levels == [levels[name] for name in self.attributes]).all(axis=1))
        return int(positions[0]) if len(positions) else None

    def node(self, index: int) -> dict[str, Any]:
        """A node's levels and figures, ready for JSON.

        Parameters
        ----------
        index : int
            The node's position.

        Returns
        -------
        dict
            The list `levels`, and every figure by its name.
        """
        return {"levels": self.levels[index].tolist(), **{name: self._value_at(name, index) for name in self.figures}}

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        closest = self.nearest()
        return {
            "attributes": list(self.attributes),
            "heights": list(self.heights),
            "records": self.records,
            "rule": {ENFORCED[name].name: self.rule.get(name) for name in (K, L, T)},
            "constraints": by_name(self.limits),
            "measure": self.measure,
            "nodes_total": self.nodes_total,
            "nodes_evaluated": self.nodes_evaluated,
            "proven": self.proven,
            "not_evaluated": self.not_evaluated,
            "bound": self.bound,
            "best": None if self.best is None else self.node(self.best),
            "nearest": [] if closest is None else [{**one, **self.node(closest.index)} for one in closest.to_dicts()],
            "nodes": self._nodes(),
        }

    def to_arrow(self) -> pa.Table:
        """One row per node: a column of levels per quasi-identifier, then the figures."""
        levels = {f"level of {name}": arrow_of(self.levels[:, i].copy()) for i, name in enumerate(self.attributes)}
        figures = {
            name: pc.if_else(arrow_of(is_missing(name, values)), None, arrow_of(values))
            for name, values in self.figures.items()
        }
        return pa.table({**levels, **figures})

    def _limits(self, limits: Limits | None) -> Limits:
        return self.limits if limits is None else checked(limits)

    def _figure(self, name: str) -> Any:
        if name not in self.figures or NODE_MEASURES[name].direction is Direction.TRUE:
            orders = [figure for figure in self.figures if NODE_MEASURES[figure].direction is not Direction.TRUE]
            raise InputError(f'generalizations cannot be ordered by "{name}"', remedy=f"choose {', '.join(orders)}")
        return self.figures[name]

    def _value_at(self, name: str, index: int) -> Any:
        values = self.figures[name]
        return None if is_missing(name, values)[index] else values[index].item()

    def _nodes(self) -> list[dict[str, Any]]:
        columns: list[list[Any]] = [self.levels.tolist()]
        for name, values in self.figures.items():
            cells = values.astype(object)
            cells[is_missing(name, values)] = None
            columns.append(cells.tolist())
        names = ("levels", *self.figures)
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
