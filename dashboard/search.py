"""What one session tries and searches on the explore page. No Streamlit."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from metrics.candidates.constraints import Constraints
from metrics.candidates.evaluation import Evaluation, Scope
from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import has_none
from metrics.candidates.generalize import generalized_table
from metrics.candidates.lattice import Progress, exploring
from metrics.candidates.suppression import SuppressionRule
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.roles import Roles
from metrics.table import Table


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a search starts from."""

    original: Table
    roles: Roles
    hierarchies: Mapping[str, Hierarchy]
    parameters: Parameters

    @property
    def identity(self) -> tuple[Any, ...]:
        """Tells inputs apart; an entry that is kept keeps its inputs alive, so an identity is never used twice."""
        trees = tuple(sorted((column, id(tree)) for column, tree in self.hierarchies.items()))
        return (id(self.original), self.roles.quasi_identifiers, self.roles.sensitive, trees, self.parameters)


@dataclass
class SearchState:
    """Levels tried by hand, limits, and the last search; a search of other inputs is shown no longer."""

    k: int = 5
    max_suppression: float = 0.04
    measure: str = "loss"
    limits: Constraints = field(default_factory=Constraints)
    levels: dict[str, int] = field(default_factory=dict)
    searching: bool = False
    clicked: int | None = None
    """The node that was last clicked: a click counts once."""
    _found: tuple[Inputs, Exploration] | None = None
    _evaluation: tuple[Inputs, int, Evaluation] | None = None

    def evaluation(self, inputs: Inputs) -> Evaluation:
        """What computes the figures of single nodes; made anew for other inputs or another k. Raises InputError."""
        known = self._evaluation
        if known is None or known[0].identity != inputs.identity or known[1] != self.k:
            scope = Scope.ALL if inputs.roles.sensitive else Scope.NONE
            made = Evaluation(
                inputs.original,
                inputs.roles,
                inputs.hierarchies,
                SuppressionRule(k=self.k),
                inputs.parameters,
                sensitive=scope,
                limits=Constraints(),
            )
            self._evaluation = known = (inputs, self.k, made)
        return known[2]

    def heights(self, inputs: Inputs) -> dict[str, int]:
        """The highest level of every quasi-identifier. Raises InputError."""
        return {of.column.name: of.height for of in self.evaluation(inputs).columns}

    def chosen_levels(self, inputs: Inputs) -> dict[str, int]:
        """The levels tried now, each within its hierarchy. Raises InputError."""
        return {name: min(self.levels.get(name, 0), height) for name, height in self.heights(inputs).items()}

    def tried(self, inputs: Inputs) -> dict[str, Any]:
        """Every figure of the levels tried now; None where there is none. Raises InputError."""
        evaluation = self.evaluation(inputs)
        ((nodes, figures),) = evaluation.in_batches([tuple(self.chosen_levels(inputs).values())])
        evaluation.forget(nodes)
        return {name: None if has_none(name, values)[0] else values[0].item() for name, values in figures.items()}

    def table(self, inputs: Inputs) -> Table:
        """The original at the levels tried now, classes below k suppressed. Raises InputError."""
        return generalized_table(
            inputs.original,
            inputs.roles,
            inputs.hierarchies,
            self.chosen_levels(inputs),
            rule=SuppressionRule(k=self.k),
            parameters=inputs.parameters,
        )

    def search(self, inputs: Inputs, most_seconds: float) -> Generator[Progress, None, None]:
        """Explore the lattice; whoever stops asking for progress keeps what was found until then. Raises InputError."""
        steps = exploring(
            inputs.original,
            inputs.roles,
            inputs.hierarchies,
            k=self.k,
            max_suppression=self.max_suppression,
            parameters=inputs.parameters,
            measure=self.measure,
            most_seconds=most_seconds,
        )
        progress = None
        try:
            while True:
                try:
                    progress = next(steps)
                except StopIteration as end:
                    progress = None
                    self._found = (inputs, end.value)
                    return
                yield progress
        finally:
            if progress is not None:
                self._found = (inputs, progress.partial())

    def found(self, inputs: Inputs) -> Exploration | None:
        """The last search of these inputs."""
        if self._found is None or self._found[0].identity != inputs.identity:
            return None
        return self._found[1]

    def limited(self, **limits: Any) -> None:
        """Other limits on what is shown. Raises InputError."""
        self.limits = replace(self.limits, **limits)
