"""Explore the lattice of full-domain generalizations: evaluate all nodes, or search for the best with a bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK
from metrics.candidates.generalization.rollup import Node
from metrics.candidates.limits.enforced import K, Limits, checked, needs_sensitive
from metrics.candidates.limits.measures import (
    MEASURES,
    NODE_MEASURES,
    SENSITIVE_MEASURES,
    NodeMeasures,
    concatenate_measures,
    is_missing,
)
from metrics.candidates.limits.of_nodes import feasible
from metrics.candidates.search.analyses_search import AnalysesOfNodes, AnalysesSearch
from metrics.candidates.search.bounds import BOUNDED
from metrics.candidates.search.branch_and_bound import BranchAndBound, SearchStep
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.candidates.search.exploration import Exploration, SearchSnapshot
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Direction
from metrics.policy.limitable_measures import SUPPRESSION
from metrics.reading import as_table
from metrics.tables.frames import TableLike
from metrics.tables.table import Flags, Table
from metrics.utility.analyses import ANALYSES

MAX_NODES = 50_000
"""Lattices with more nodes are searched by branch and bound, which ends once this many are evaluated."""
MAX_CLASSES = 400_000_000
"""Lattices that could have more classes in all nodes together are searched by branch and bound, too."""
_SHARE_OF_SEARCH = 0.1
"""Of the work of a search by analyses, what it takes to find the nodes that they are run on."""
SEARCH_SECONDS = 60.0
"""Seconds after which branch and bound ends, unless told otherwise."""


@dataclass(frozen=True)
class SearchProgress:
    """Progress of an exploration; dropping the generator cancels it."""

    share: float
    """Done, 0 to 1; of the nodes or the time allowed, where the search need not see all."""
    nodes_evaluated: int
    nodes_total: int
    partial: Callable[[], Exploration]
    """Returns the result so far."""


def explore(
    original: TableLike,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    max_suppression: float = 0.04,
    rule: Limits | None = None,
    limits: Limits | None = None,
    parameters: Parameters | None = None,
    measure: str = "loss",
    sensitive: str | None = None,
    max_nodes: int = MAX_NODES,
    max_seconds: float | None = None,
    every: bool = True,
) -> Exploration:
    """Score the nodes of the generalization lattice and find the best by a measure.

    A node gives each quasi-identifier a level of its hierarchy (without one: as it is, or `*`); records of classes that
    `rule` does not keep are suppressed. A large lattice is searched by branch and bound, which can end before every
    node is known: `bound` of what was found is then the best figure that any other node may have.

    Parameters
    ----------
    original : Table or data frame
        The table to generalize.
    roles : Roles
        The role of each column, the highest level allowed of some, and their weights in the loss.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies, by column.
    k : int
        Smallest class that is kept, where there is no `rule`.
    max_suppression : float
        Largest share of suppressed records, 0 to 1, where there are no `limits`.
    rule : mapping of str to float, optional
        Limits on k, l and t: which classes are kept; by default those of at least `k` records.
    limits : mapping of str to float or bool, optional
        Which nodes may be best: limits as policies have them, such as {"k_anonymity": 5, "suppression": 0.1}; by
        default those that suppress a share of at most `max_suppression`.
    parameters : Parameters, optional
        Parameters of the figures; by default `Parameters()`.
    measure : str
        The figure by which the best is chosen, of `metrics.candidates.limits.measures.MEASURES`; by default "loss",
        which is lowest where most information is kept. By "analyses", those of `parameters` or else proposed ones are
        run on the nodes that meet the limits, of which branch and bound finds those of little loss; see
        `AnalysesSearch`.
    sensitive : {"none", "feasible", "all"}, optional
        The nodes whose l, t and P_29 are computed, which takes longer than all else: by default all where a limit or
        the measure needs them, else feasible ones where a column is sensitive.
    max_nodes : int
        With more nodes the lattice is searched by branch and bound, which ends once so many are evaluated.
    max_seconds : float, optional
        The search ends after so long; by default only branch and bound does, after a minute.
    every : bool
        Whether to evaluate every node where there are few enough; otherwise the search ends once no other node can be
        better than the best, if the measure has a bound.

    Returns
    -------
    Exploration
        The nodes evaluated with their figures, the best of them, and whether it is proven that none is better.

    Raises
    ------
    InputError
        If roles or hierarchies do not fit the original, it has no records, the measure does not exist, or record
        linkage is limited and cannot be computed from the sizes of classes.

    References
    ----------
    K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005,
    doi 10.1145/1066157.1066164.

    Examples
    --------
    >>> found = explore(original, roles, hierarchies, k=5, max_suppression=0.04)
    >>> found.levels_of(found.best)
    """
    steps = iter_explore(
        as_table(original, "original"),
        roles,
        hierarchies,
        k=k,
        max_suppression=max_suppression,
        rule=rule,
        limits=limits,
        parameters=parameters,
        measure=measure,
        sensitive=sensitive,
        max_nodes=max_nodes,
        max_seconds=max_seconds,
        every=every,
    )
    while True:
        try:
            next(steps)
        except StopIteration as end:
            exploration: Exploration = end.value
            return exploration


def iter_explore(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    max_suppression: float = 0.04,
    rule: Limits | None = None,
    limits: Limits | None = None,
    parameters: Parameters | None = None,
    measure: str = "loss",
    sensitive: str | None = None,
    max_nodes: int = MAX_NODES,
    max_seconds: float | None = None,
    every: bool = True,
) -> Generator[SearchProgress, None, Exploration]:
    """Explore step by step, with the arguments of `explore`.

    The lattice is searched by branch and bound (see `BranchAndBound`) with more than `max_nodes` nodes, or so many
    distinct records that the nodes could have more than MAX_CLASSES classes.

    What `explore` returns. Raises InputError as `explore` does.
    """
    limits = checked({SUPPRESSION: max_suppression} if limits is None else limits)
    _require_measure(measure)
    scope = _scope(sensitive, roles, needs_sensitive(limits) or measure in SENSITIVE_MEASURES)
    evaluation = Evaluation(
        original, roles, hierarchies, {K: k} if rule is None else rule, parameters, sensitive=scope, limits=limits
    )
    if RECORD_LINKAGE_ATTACK.id in limits and evaluation.linkage_fault is not None:
        raise evaluation.linkage_fault
    every = (every or measure not in BOUNDED) and is_listed(evaluation, max_nodes)
    ends = max_seconds if max_seconds is not None else math.inf if every else SEARCH_SECONDS
    if measure != ANALYSES.id:
        return (yield from _iter_nodes(evaluation, measure, every, max_nodes, ends))
    nodes = AnalysesOfNodes(original, roles, hierarchies, evaluation)
    exploration = yield from _iter_nodes(evaluation, "loss", every, max_nodes, ends / 2, _SHARE_OF_SEARCH)
    search = AnalysesSearch(exploration, nodes)
    for done in search.steps():
        share = _SHARE_OF_SEARCH + (1 - _SHARE_OF_SEARCH) * done
        yield SearchProgress(share, exploration.nodes_evaluated, exploration.nodes_total, search.exploration)
        if search.seconds > ends:
            break
    return search.exploration()


def _iter_nodes(
    evaluation: Evaluation, measure: str, every: bool, max_nodes: int, ends: float, whole: float = 1.0
) -> Generator[SearchProgress, None, Exploration]:
    """Evaluate nodes, all or by branch and bound, for `ends` seconds; `whole` is their share of the progress."""
    findings = _SearchFindings(evaluation, measure)
    for step in _every_node(evaluation) if every else BranchAndBound(evaluation, measure).steps():
        findings.add(step)
        number, seconds = len(findings.levels), findings.history[-1].seconds
        if findings.proven or seconds > ends or number >= max_nodes:
            break
        share = min(max(number / min(findings.total, max_nodes), seconds / ends), 1.0)
        yield SearchProgress(share * whole, number, findings.total, findings.exploration)
    return findings.exploration()


class _SearchFindings:
    """Findings of a search so far."""

    def __init__(self, evaluation: Evaluation, measure: str) -> None:
        self._evaluation, self._measure = evaluation, measure
        self._heights = tuple(column_levels.height for column_levels in evaluation.columns)
        self._figures: list[NodeMeasures] = []
        self._best: float | None = None
        self._started = monotonic()
        self.total = _nodes(evaluation)
        self.levels: list[Node] = []
        self.history: list[SearchSnapshot] = []
        self.proven = False

    def add(self, step: SearchStep) -> None:
        """Add the findings of one step."""
        if step.nodes:
            self.levels += step.nodes
            self._figures.append(step.figures)
            meets = feasible(self._evaluation.limits, step.figures, self._evaluation.records)
            self._best = _better(self._measure, self._best, step.figures, meets)
        self.proven = step.proven or len(self.levels) == self.total
        bound = self._best if self.proven else step.bound
        snapshot = SearchSnapshot(monotonic() - self._started, self._best, bound)
        if len(self.history) > 1 and all(snapshot.equals(earlier) for earlier in self.history[-2:]):
            self.history.pop()  # the beginning and the end of a time without news are enough
        self.history.append(snapshot)

    def exploration(self) -> Exploration:
        """Return all findings so far as an exploration."""
        evaluation = self._evaluation
        return Exploration(
            attributes=tuple(column_levels.column.name for column_levels in evaluation.columns),
            heights=self._heights,
            records=evaluation.records,
            levels=np.array(self.levels, dtype=np.int64).reshape(-1, len(self._heights)),
            figures=concatenate_measures(self._figures),
            rule=evaluation.rule,
            limits=evaluation.limits,
            measure=self._measure,
            nodes_total=self.total,
            proven=self.proven,
            history=tuple(self.history),
        )


def is_listed(evaluation: Evaluation, max_nodes: int = MAX_NODES) -> bool:
    """Whether there are few enough nodes to evaluate every one."""
    total = _nodes(evaluation)
    return total <= max_nodes and total * len(evaluation.rollup.base_counts) <= MAX_CLASSES


def _nodes(evaluation: Evaluation) -> int:
    """Number of nodes within the highest levels allowed."""
    return math.prod(column_levels.highest + 1 for column_levels in evaluation.columns)


def _every_node(evaluation: Evaluation) -> Iterator[SearchStep]:
    heights = [column_levels.highest for column_levels in evaluation.columns]
    return (SearchStep(*batch, None, False) for batch in evaluation.in_layers(_layers(heights)))


def _better(measure: str, best: float | None, figures: NodeMeasures, meets: Flags) -> float | None:
    """Return the best figure so far, given more nodes."""
    values = figures[measure][meets & ~is_missing(measure, figures[measure])].tolist()
    values += [] if best is None else [best]
    lower = NODE_MEASURES[measure].direction is Direction.LOWER
    return (min if lower else max)(values, default=None)


def _require_measure(name: str) -> None:
    """Raise InputError unless nodes can be ordered by the measure."""
    if name not in MEASURES:
        raise InputError(f'there is no measure "{name}"', remedy=f"use {', '.join(MEASURES)}")


def _scope(requested: str | None, roles: Roles, required: bool) -> Scope:
    """The nodes whose l, t and P_29 are computed. Raises InputError if they are needed and cannot be."""
    if requested is not None and requested not in list(Scope):
        raise InputError(f'there is no scope "{requested}"', remedy=f"use {', '.join(Scope)}")
    if (required or requested not in (None, Scope.NONE)) and not roles.sensitive:
        raise InputError(
            "l, t and P_29 need a sensitive attribute", remedy="tag one, or remove these limits", file=roles.name
        )
    if required:
        return Scope.ALL
    if requested is not None:
        return Scope(requested)
    return Scope.FEASIBLE if roles.sensitive else Scope.NONE


def _layers(heights: Sequence[int]) -> Iterator[list[Node]]:
    """Every node, layer by layer upwards, so that each is rolled up from one of the layer below."""
    indices = np.indices([height + 1 for height in heights]).reshape(len(heights), -1).T
    layer_of = indices.sum(axis=1)
    order = np.argsort(layer_of, kind="stable")
    for positions in np.split(order, np.flatnonzero(np.diff(layer_of[order])) + 1):
        yield [tuple(node) for node in indices[positions].tolist()]
