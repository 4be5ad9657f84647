"""Explore the lattice of full-domain generalizations: evaluate all nodes, or search for the best with a bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic

import numpy as np
import numpy.typing as npt

from metrics.candidates.branch_and_bound import BranchAndBound, Step
from metrics.candidates.constraints import Constraints
from metrics.candidates.evaluation import Evaluation, Scope
from metrics.candidates.exploration import Exploration, Moment
from metrics.candidates.figures import FIGURES, SENSITIVE_FIGURES, Figures, has_none, joined
from metrics.candidates.rollup import Node
from metrics.candidates.suppression import SuppressionRule
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Direction
from metrics.tables.table import Table

MAX_NODES = 50_000
"""Lattices with more nodes are searched by branch and bound, and so many nodes are evaluated at most."""
SEARCH_SECONDS = 60.0
"""Branch and bound ends after so long, unless told otherwise."""


@dataclass(frozen=True)
class Progress:
    """How far exploring has got; dropping the generator cancels it."""

    share: float
    """Done, 0 to 1; of the nodes or the time allowed, where the search need not see all."""
    nodes_evaluated: int
    nodes_total: int
    partial: Callable[[], Exploration]
    """What was found so far."""


def explore(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    max_suppression: float = 0.04,
    rule: SuppressionRule | None = None,
    constraints: Constraints | None = None,
    parameters: Parameters | None = None,
    measure: str = "loss",
    sensitive: Scope | None = None,
    max_nodes: int = MAX_NODES,
    max_seconds: float | None = None,
) -> Exploration:
    """Score the nodes of the generalization lattice and find the best by a measure. See `exploring` for all arguments.

    >>> found = explore(original, roles, hierarchies, k=5, max_suppression=0.04)
    >>> found.levels_of(found.best)
    """
    steps = exploring(
        original,
        roles,
        hierarchies,
        k=k,
        max_suppression=max_suppression,
        rule=rule,
        constraints=constraints,
        parameters=parameters,
        measure=measure,
        sensitive=sensitive,
        max_nodes=max_nodes,
        max_seconds=max_seconds,
    )
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Exploration = end.value
            return found


def exploring(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    max_suppression: float = 0.04,
    rule: SuppressionRule | None = None,
    constraints: Constraints | None = None,
    parameters: Parameters | None = None,
    measure: str = "loss",
    sensitive: Scope | None = None,
    max_nodes: int = MAX_NODES,
    max_seconds: float | None = None,
) -> Generator[Progress, None, Exploration]:
    """Explore step by step: yields progress with partial results, returns what was found.

    A node gives each quasi-identifier a level of its hierarchy (without one: as it is, or `*`); its classes that `rule`
    does not keep (by default those below `k` records) are suppressed. `constraints` (by default a suppressed share of
    at most `max_suppression`) say which nodes may be best, `measure` by which figure (see FIGURES). `sensitive` says
    for which nodes l, t and P_29 are computed: by default for all where a constraint or the measure needs them, else
    for feasible ones where a column is tagged sensitive; they take longer than all the rest. With more than
    `max_nodes` nodes the lattice is searched by branch and bound (see `Boxes`), which evaluates so many at most.
    `max_seconds` ends either; by default branch and bound ends after a minute. What was found says `best`, `bound`, the
    best figure that any other may have, and whether the best is `proven`.

    Raises InputError if roles or hierarchies do not fit the original, it has no records, or the measure is none.
    """
    chosen = rule or SuppressionRule(k=k)
    limits = constraints or Constraints(max_suppression=max_suppression)
    _require_measure(measure)
    scope = _scope(sensitive, roles, limits.needs_sensitive or measure in SENSITIVE_FIGURES)
    evaluation = Evaluation(original, roles, hierarchies, chosen, parameters, sensitive=scope, limits=limits)
    heights = tuple(of.height for of in evaluation.columns)
    total = math.prod(height + 1 for height in heights)
    levels: list[Node] = []
    found: list[Figures] = []

    history: list[Moment] = []

    def so_far(proven: bool) -> Exploration:
        return Exploration(
            attributes=tuple(of.column.name for of in evaluation.columns),
            heights=heights,
            records=evaluation.records,
            levels=np.array(levels, dtype=np.int64).reshape(-1, len(heights)),
            figures=joined(found),
            rule=chosen,
            constraints=limits,
            measure=measure,
            nodes_total=total,
            proven=proven,
            history=tuple(history),
        )

    started, ends = monotonic(), math.inf if max_seconds is None else max_seconds
    if total <= max_nodes:
        steps: Iterator[Step] = (Step(*batch, None, False) for batch in evaluation.in_layers(_layers(heights)))
    else:
        steps = BranchAndBound(original, evaluation, measure).steps()
        ends = min(ends, SEARCH_SECONDS) if max_seconds is None else ends
    best, proven = None, False
    for step in steps:
        if step.nodes:
            levels += step.nodes
            found.append(step.figures)
            best = _better(measure, best, step.figures, limits.feasible(step.figures, evaluation.records))
        proven = step.proven or len(levels) == total
        seconds = monotonic() - started
        history.append(Moment(seconds, best, best if proven else step.bound))
        if proven or seconds > ends or len(levels) >= max_nodes:
            break
        share = max(len(levels) / min(total, max_nodes), seconds / ends)
        yield Progress(min(share, 1.0), len(levels), total, partial(so_far, False))
    return so_far(proven)


def _better(measure: str, best: float | None, figures: Figures, feasible: npt.NDArray[np.bool_]) -> float | None:
    """The best figure so far, with more nodes."""
    values = figures[measure][feasible & ~has_none(measure, figures[measure])].tolist()
    values += [] if best is None else [best]
    lower = FIGURES[measure].direction is Direction.LOWER
    return (min if lower else max)(values, default=None)


def _require_measure(name: str) -> None:
    """Raise InputError unless nodes can be ordered by the measure."""
    orders = [of for of, figure in FIGURES.items() if figure.direction is not Direction.TRUE]
    if name not in orders:
        raise InputError(f'there is no measure "{name}"', remedy=f"use {', '.join(orders)}")


def _scope(requested: Scope | None, roles: Roles, needed: bool) -> Scope:
    """The nodes whose l, t and P_29 are computed. Raises InputError if they are needed and cannot be."""
    if (needed or requested not in (None, Scope.NONE)) and not roles.sensitive:
        raise InputError(
            "l, t and P_29 need a sensitive attribute", remedy="tag one, or remove these limits", file=roles.name
        )
    if needed:
        return Scope.ALL
    if requested is not None:
        return requested
    return Scope.FEASIBLE if roles.sensitive else Scope.NONE


def _layers(heights: Sequence[int]) -> Iterator[list[Node]]:
    """Every node, layer by layer upwards, so that each is rolled up from one of the layer below."""
    indices = np.indices([height + 1 for height in heights]).reshape(len(heights), -1).T
    layer_of = indices.sum(axis=1)
    order = np.argsort(layer_of, kind="stable")
    for positions in np.split(order, np.flatnonzero(np.diff(layer_of[order])) + 1):
        yield [tuple(node) for node in indices[positions].tolist()]
