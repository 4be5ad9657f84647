"""Tables that one session makes on the explore page by a method beside the lattice. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dashboard.state.search_state import Inputs
from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import candidate_by
from metrics.candidates.methods.costs import COSTS, MethodCost, iter_method_costs
from metrics.candidates.methods.epsilon_curve import EPSILONS, AtEpsilon, iter_epsilon_curve
from metrics.candidates.methods.method import CandidateMethod, draw_seed
from metrics.policy.policy import Policy
from metrics.recipes.recipe import Recipe, recipe_of_method
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard, score_aggregates, score_metric
from metrics.tables.table import Table


@dataclass(frozen=True, eq=False)
class Made:
    """A table that was made, and its scores beside the original."""

    inputs: Inputs
    method: CandidateMethod
    seed: int | None
    table: Table
    card: Scorecard

    @property
    def recipe(self) -> Recipe:
        """How it was made."""
        inputs = self.inputs
        return recipe_of_method(self.method, inputs.original, inputs.roles, inputs.hierarchies, seed=self.seed)


@dataclass(frozen=True)
class ComparisonTarget:
    """Parameters at which the methods are compared."""

    k: int
    l: int  # noqa: E741 - the criterion's own letter
    seed: int
    policy: Policy


@dataclass
class MakingState:
    """The table that was made last; one made from other inputs is no longer shown."""

    seed: int = field(default_factory=draw_seed)
    """Initial value of the field for the seed: different for every session, so that nobody can guess it."""
    kept: str | None = None
    """The label of the version that was kept last."""
    _made: Made | None = None
    _curve: tuple[Inputs, tuple[str, ...], tuple[AtEpsilon, ...]] | None = None
    _costs: tuple[Inputs, ComparisonTarget, tuple[MethodCost, ...]] | None = None

    def make(self, inputs: Inputs, method: CandidateMethod, seed: int) -> None:
        """Make a table, with the seed where the method takes one, and score it. Raises InputError."""
        used_seed = seed if method.takes_seed else None
        table = candidate_by(method, inputs.original, inputs.roles, inputs.hierarchies, seed=used_seed)
        aggregates = TableAggregates(table, inputs.roles, inputs.original, inputs.hierarchies)
        card = score_aggregates(aggregates, inputs.parameters)
        later = {
            name: score_metric(BY_ID[name], aggregates, inputs.parameters) for name in COSTS if BY_ID[name].on_demand
        }
        self._made = Made(inputs, method, used_seed, table, replace(card, scores={**card.scores, **later}))
        self.kept = None

    def made(self, inputs: Inputs, name: str) -> Made | None:
        """Return the table made last, if it was made by the method of this name from these inputs."""
        latest = self.latest(inputs)
        return latest if latest is not None and latest.method.name == name else None

    def latest(self, inputs: Inputs) -> Made | None:
        """Return the table made last by any method, if it was made from these inputs."""
        latest = self._made
        return latest if latest is not None and latest.inputs.identity == inputs.identity else None

    def compare(self, inputs: Inputs, demand: ComparisonTarget) -> Iterator[float]:
        """Work out what every method costs, yielding the share done; kept once all are. Raises InputError."""
        costs = []
        steps = iter_method_costs(
            inputs.original,
            inputs.roles,
            inputs.hierarchies,
            k=demand.k,
            l=demand.l,
            seed=demand.seed,
            parameters=inputs.parameters,
            policy=demand.policy,
        )
        for share, cost in steps:
            costs.append(cost)
            yield share
        self._costs = (inputs, demand, tuple(costs))

    def draw_curve(self, inputs: Inputs, epsilons: Mapping[str, float]) -> Iterator[float]:
        """Work out the curve of ε for these columns, yielding the share done; the draws are not kept."""
        points = []
        given = (inputs.original, inputs.roles, inputs.hierarchies)
        for point in iter_epsilon_curve(*given, list(epsilons), inputs.parameters, list(epsilons.values())):
            points.append(point)
            yield len(points) / len({*EPSILONS, *epsilons.values()})
        self._curve = (inputs, tuple(epsilons), tuple(points))

    def curve(self, inputs: Inputs, epsilons: Mapping[str, float]) -> tuple[AtEpsilon, ...]:
        """Return the last curve, if it is of these inputs and columns; else nothing."""
        if self._curve is None or self._curve[0].identity != inputs.identity or self._curve[1] != tuple(epsilons):
            return ()
        return self._curve[2]

    def costs(self, inputs: Inputs) -> tuple[ComparisonTarget, tuple[MethodCost, ...]] | None:
        """Return the last comparison of methods, if it was made from these inputs."""
        if self._costs is None or self._costs[0].identity != inputs.identity:
            return None
        return self._costs[1:]
