"""Levels that one session tries, and its searches, on the explore page. No Streamlit."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from types import MappingProxyType
from typing import Any, NamedTuple

from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.enforced import Limits, without_sensitive
from metrics.candidates.limits.measures import KEPT, MEASURES, is_missing, oriented_values
from metrics.candidates.limits.of_nodes import feasible
from metrics.candidates.limits.suppression import suppression_rule
from metrics.candidates.search.analyses_search import AnalysesOfNodes
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice import SearchProgress, iter_explore
from metrics.config.parameters import Parameters
from metrics.config.roles import BY_COLUMN, Roles
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.scoring.catalog import INFORMATION
from metrics.tables.table import SUPPRESSED, Table
from metrics.utility.analyses import ANALYSES
from metrics.utility.cells.removed_values import RemovedValues

_KEEP_S = 1.0
_LINKAGE = RECORD_LINKAGE_ATTACK.id
_MAX_SUPPRESSED_AT_START = 0.5
"""Share of the records that levels may suppress for the page to begin with them."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """Inputs of a search."""

    original: Table
    roles: Roles
    hierarchies: Mapping[str, Hierarchy]
    parameters: Parameters

    def __post_init__(self) -> None:
        # A copy: the session adds hierarchies to the mapping it gave, and what was found with these would seem current.
        object.__setattr__(self, "hierarchies", MappingProxyType(dict(self.hierarchies)))

    @property
    def identity(self) -> tuple[Any, ...]:
        """Tells inputs apart; an entry that is kept keeps its inputs alive, so an identity is never used twice."""
        trees = tuple(sorted((column, id(tree)) for column, tree in self.hierarchies.items()))
        numbers = tuple(tuple(sorted(getattr(self.roles, name).items())) for name in BY_COLUMN)
        return (id(self.original), self.roles.quasi_identifiers, self.roles.sensitive, numbers, trees, self.parameters)


class _Step(NamedTuple):
    """A neighbouring node: the records it suppresses, the value of the measure sought, and how the page can use it."""

    levels: list[int]
    lost: int
    value: float
    few: bool
    """Whether it suppresses so few records that the page may begin with it."""
    allowed: bool
    """Whether it also meets the limits."""


@dataclass
class SearchState:
    """Levels tried by hand, the limits checked by, and the last search; a search of other inputs is no longer shown."""

    measure: str = INFORMATION
    """Measure that the best generalization has most, or least, of."""
    limits: Limits = field(default_factory=dict)
    """The policy's limits, as far as generalizations can be judged by them; see `set_limits`."""
    levels: dict[str, int] = field(default_factory=dict)
    searching: bool = False
    every: bool = False
    """Whether the search evaluates every generalization, not only as many as prove the best."""
    clicked: int | None = None
    """The node that was last clicked: a click counts once."""
    _started: tuple[Any, ...] | None = None
    _proposed: dict[str, int] = field(default_factory=dict)
    """The levels that the page itself has chosen last: levels that differ from them were chosen by the user."""
    _found: tuple[Inputs, Exploration] | None = None
    _is_partial: bool = False
    """Whether the search has not come to its end with that."""
    _analyses: tuple[Exploration, AnalysesOfNodes] | None = None
    _evaluation: tuple[Inputs, tuple[Limits, bool], Evaluation] | None = None
    _limits_linkage: bool = False
    _kept: tuple[str, Any, str] | None = None
    """The label of the version that was kept last, what it was made of, and the label that it was compared with."""

    def rule(self, inputs: Inputs) -> Limits:
        """The classes that are suppressed. Raises InputError if no class size prevents attacks."""
        return suppression_rule(self.limits, inputs.parameters)

    def set_limits(self, limits: Limits, inputs: Inputs) -> None:
        """Judge by these limits, without those that generalizations of these inputs cannot be judged by.

        Raises InputError.
        """
        if not inputs.roles.sensitive:
            limits = without_sensitive(limits)
        self.limits, self._limits_linkage = limits, _LINKAGE in limits
        if self._limits_linkage and self.evaluation(inputs).linkage_fault is not None:
            self.limits = {name: bound for name, bound in limits.items() if name != _LINKAGE}

    def start_from(self, inputs: Inputs, version: Table | None, label: str) -> None:
        """Begin with a version's levels, once for each and for each policy; else with levels that the limits allow.

        Levels that the user has chosen stay when the policy changes. Raises InputError, each time it is asked.
        """
        self.evaluation(inputs)
        previous, self._started = self._started, self._page_key(inputs, label)
        if self._started == previous:
            return
        if previous is not None and previous[0] == self._started[0] and self.levels != self._proposed:
            return
        levels = None if version is None else levels_of_table(version, self.evaluation(inputs).columns)
        if levels is not None:
            self.propose(levels)
            if self.current_measures(inputs)["suppressed_rows"] <= _MAX_SUPPRESSED_AT_START * inputs.original.rows:
                return
        if not self.propose_best(inputs):
            self.propose(self._generalized_until_allowed(inputs))

    def propose(self, levels: Mapping[str, int]) -> None:
        """Show these levels, which the user has not chosen."""
        self.levels = dict(levels)
        self._proposed = dict(levels)

    def propose_best(self, inputs: Inputs) -> bool:
        """Show the best generalization of the last search; return whether there is one."""
        exploration = self.found(inputs)
        best = None if exploration is None else exploration.best_by(self.measure_of(exploration))
        if exploration is None or best is None:
            return False
        self.propose(exploration.levels_of(best))
        return True

    def measure_of(self, exploration: Exploration) -> str:
        """Return the measure by which the best of a search is chosen: the session's, if it was computed."""
        return self.measure if self.measure in exploration.figures and self.measure in MEASURES else exploration.measure

    def kept_by(self, exploration: Exploration | None) -> str:
        """Return what the map and the options set against the risk: the analyses where these were optimized."""
        measure = INFORMATION if exploration is None else self.measure_of(exploration)
        return measure if measure in KEPT else INFORMATION

    def analyses_kept(self, inputs: Inputs, exploration: Exploration) -> float | None:
        """Return what the levels tried now keep of the analyses, run if the search has not. Raises InputError."""
        levels = self.chosen_levels(inputs)
        index = exploration.index_of(levels)
        known = None if index is None else exploration.node(index)[ANALYSES.id]
        if known is not None:
            return float(known)
        if self._analyses is None or self._analyses[0] is not exploration:
            nodes = AnalysesOfNodes(inputs.original, inputs.roles, inputs.hierarchies, self.evaluation(inputs))
            self._analyses = exploration, nodes
        return self._analyses[1].value(levels)

    def keep(self, inputs: Inputs, label: str, baseline: str) -> None:
        """Remember that the table of these levels was kept under this label: its levels are those tried now.

        It stays compared with the `baseline`, the version that was current before.
        """
        self._kept = label, self._table_key(inputs, label), baseline
        self._started = self._page_key(inputs, label)

    def kept(self, inputs: Inputs) -> str | None:
        """Return the label under which the table of the levels tried now was kept last, if it was."""
        label, table_key, _ = self._kept or ("", None, "")
        return label if table_key == self._table_key(inputs, label) else None

    def baseline(self, inputs: Inputs, label: str) -> str:
        """Return the label of the version that the levels tried now are compared with, where `label` is current.

        A table is not compared with itself once it is kept.
        """
        return self._kept[2] if self._kept is not None and self.kept(inputs) == label else label

    def at_start(self, inputs: Inputs) -> bool:
        """Whether the levels tried now are the page's proposal before any search and not kept."""
        return self.levels == self._proposed and self.found(inputs) is None and self.kept(inputs) is None

    def _table_key(self, inputs: Inputs, label: str) -> tuple[Any, ...]:
        """Return the data, what they are judged by, and the levels."""
        return self._page_key(inputs, label), self.chosen_levels(inputs)

    def _page_key(self, inputs: Inputs, label: str) -> tuple[Any, ...]:
        """Return what the page begins with: the data with the version, and what they are judged by."""
        *data, parameters = inputs.identity
        return ((*data, label), (self.limits, parameters))

    def _generalized_until_allowed(self, inputs: Inputs) -> dict[str, int]:
        """Raise the level that suppresses least until the limits are met, then lower what they allow to be lower.

        Of the levels that may be lower, the one is lowered that leaves the most of what the search looks for. Where no
        levels on the way meet the limits, it is the first that do not suppress most records.
        """
        heights = list(self.heights(inputs).values())
        node, fallback = [0] * len(heights), None
        while node != heights:
            step = min(
                self._one_step_from(inputs, node, heights, 1), key=lambda neighbour: (neighbour.lost, neighbour.levels)
            )
            node = step.levels
            if fallback is None and step.few:
                fallback = node
            if step.allowed:
                break
        else:
            node = fallback or node
        while lower_steps := [step for step in self._one_step_from(inputs, node, heights, -1) if step.allowed]:
            node = max(lower_steps, key=lambda step: step.value).levels
        return dict(zip(self.heights(inputs), node, strict=True))

    def _one_step_from(self, inputs: Inputs, node: list[int], heights: list[int], step: int) -> list[_Step]:
        """The nodes with one level a step higher or lower."""
        evaluation = self.evaluation(inputs)
        nodes = [
            tuple(level + step * (i == position) for i, level in enumerate(node))
            for position in range(len(node))
            if 0 <= node[position] + step <= heights[position]
        ]
        neighbours = []
        for batch, measures in evaluation.in_batches(nodes):
            allowed = feasible(self.limits, measures, evaluation.records)
            measure = self.measure if self.measure in measures else INFORMATION
            values = oriented_values(measure, measures[measure])
            for neighbour, lost, value, meets in zip(batch, measures["suppressed_rows"], values, allowed, strict=True):
                few = bool(lost <= _MAX_SUPPRESSED_AT_START * evaluation.records)
                neighbours.append(_Step(list(neighbour), int(lost), float(value), few, bool(meets) and few))
        evaluation.forget(nodes)
        return neighbours

    def evaluation(self, inputs: Inputs) -> Evaluation:
        """Return the evaluation of single nodes; made anew for other inputs or other limits. Raises InputError."""
        cached, settings = self._evaluation, (self.rule(inputs), self._limits_linkage)
        if cached is None or cached[0].identity != inputs.identity or cached[1] != settings:
            scope = Scope.ALL if inputs.roles.sensitive else Scope.NONE
            evaluation = Evaluation(
                inputs.original,
                inputs.roles,
                inputs.hierarchies,
                self.rule(inputs),
                inputs.parameters,
                sensitive=scope,
                limits={_LINKAGE: 1.0} if self._limits_linkage else {},
            )
            self._evaluation = cached = (inputs, settings, evaluation)
        return cached[2]

    def heights(self, inputs: Inputs) -> dict[str, int]:
        """The highest level allowed of every quasi-identifier. Raises InputError."""
        return {column_levels.column.name: column_levels.highest for column_levels in self.evaluation(inputs).columns}

    def chosen_levels(self, inputs: Inputs) -> dict[str, int]:
        """The levels tried now, each at most the highest allowed. Raises InputError."""
        return {name: min(self.levels.get(name, 0), height) for name, height in self.heights(inputs).items()}

    def current_measures(self, inputs: Inputs) -> dict[str, Any]:
        """Every value of the levels tried now; None if there is none. Raises InputError."""
        evaluation = self.evaluation(inputs)
        ((nodes, measures),) = evaluation.in_batches([tuple(self.chosen_levels(inputs).values())])
        evaluation.forget(nodes)
        return {name: None if is_missing(name, values)[0] else values[0].item() for name, values in measures.items()}

    def unmet(self, inputs: Inputs) -> list[str]:
        """Ids of the limits that the levels tried now do not meet. Raises InputError."""
        evaluation = self.evaluation(inputs)
        ((nodes, measures),) = evaluation.in_batches([tuple(self.chosen_levels(inputs).values())])
        evaluation.forget(nodes)
        records = evaluation.records
        return [name for name, bound in self.limits.items() if not feasible({name: bound}, measures, records)[0]]

    def removed(self, inputs: Inputs) -> list[RemovedValues]:
        """The values of which the levels tried now keep no record. Raises InputError."""
        return self.evaluation(inputs).removed(tuple(self.chosen_levels(inputs).values()))

    def table(self, inputs: Inputs) -> Table:
        """The original at the levels tried now, with the classes suppressed that the rule names. Raises InputError."""
        return generalized_table(*self._made(inputs), rule=self.rule(inputs), parameters=inputs.parameters)

    def recipe(self, inputs: Inputs) -> Recipe:
        """Return the recipe that makes that table of the original. Raises InputError."""
        return recipe_of_levels(*self._made(inputs), rule=self.rule(inputs), parameters=inputs.parameters)

    def _made(self, inputs: Inputs) -> tuple[Table, Roles, Mapping[str, Hierarchy], dict[str, int]]:
        return inputs.original, inputs.roles, inputs.hierarchies, self.chosen_levels(inputs)

    def search(self, inputs: Inputs, max_seconds: float) -> Generator[SearchProgress, None, None]:
        """Explore the lattice; whoever stops asking for progress keeps what was found until then. Raises InputError.

        What was found is kept now and then, too, as a page that is drawn anew does not wait for the last step.
        """
        steps = iter_explore(
            inputs.original,
            inputs.roles,
            inputs.hierarchies,
            rule=self.rule(inputs),
            limits=self.limits,
            parameters=inputs.parameters,
            measure=self.measure,
            max_seconds=max_seconds,
            every=self.every,
        )
        progress, last_kept = None, -math.inf
        try:
            while True:
                try:
                    progress = next(steps)
                except StopIteration as end:
                    progress = None
                    self._found, self._is_partial = (inputs, end.value), False
                    return
                if monotonic() - last_kept > _KEEP_S:
                    self._found, self._is_partial, last_kept = (inputs, progress.partial()), True, monotonic()
                yield progress
        finally:
            if progress is not None:
                self._found, self._is_partial = (inputs, progress.partial()), True

    def found(self, inputs: Inputs) -> Exploration | None:
        """The last search of these inputs; None once other limits apply, for which it proves nothing."""
        if self._found is None or self._found[0].identity != inputs.identity:
            return None
        exploration = self._found[1]
        return exploration if (exploration.limits, exploration.rule) == (self.limits, self.rule(inputs)) else None

    def stopped(self, inputs: Inputs) -> bool:
        """Whether the search that found this was stopped before its end, by a button or by leaving the page."""
        return self._is_partial and not self.searching and self.found(inputs) is not None

    def outdated(self, inputs: Inputs) -> bool:
        """Whether limits, roles, parameters or data have changed since the last search."""
        return self._found is not None and self.found(inputs) is None


def levels_of_table(table: Table, columns: Sequence[ColumnLevels]) -> dict[str, int] | None:
    """For each quasi-identifier the lowest level that holds every label of a table; None where a column has none.

    Suppressed cells of the table fit any level.
    """
    levels = {}
    for column_levels in columns:
        if column_levels.column.name not in table.names:
            return None
        labels = {label for label in table[column_levels.column.name].labels if label != SUPPRESSED}
        level = next(
            (level for level, level_labels in enumerate(column_levels.labels) if labels <= set(level_labels)), None
        )
        if level is None:
            return None
        levels[column_levels.column.name] = level if labels else column_levels.height
    return levels
