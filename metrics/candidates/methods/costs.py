"""Costs of the methods: candidates of the same k, and perturbed ones that an attack succeeds on no more often."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from metrics.aggregates import TableAggregates
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.enforced import K, L
from metrics.candidates.methods import catalog
from metrics.candidates.methods.method import (
    CandidateMethod,
    Parameter,
    method_parameters,
    parameter_summary,
)
from metrics.candidates.methods.mondrian import Mondrian
from metrics.candidates.search.lattice import explore
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.counts import Matching
from metrics.errors import InputError
from metrics.formatting import percent, visible
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.policy.limitable_measures import metrics_for
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import BY_ID, INFORMATION
from metrics.scoring.scorecard import Score, score_aggregates, score_metric
from metrics.tables.matching_rule import Tally
from metrics.tables.table import Table

LATTICE = "Full-domain generalization"
ATTACKS = ("record_linkage_attack", "attribute_inference_attack")
COSTS = ("association_change", "variance_preserved", INFORMATION)
_SUPPRESSED = 0.04
_MAX_NODES = 2_000
_STEPS = 6
_UNBOUNDED = 20
"""The largest value of a parameter without a bound, as a multiple of its default."""


@dataclass(frozen=True)
class MethodCost:
    """One method's candidate: how safe it is, and what it cost.

    Attributes
    ----------
    title : str
        The method's name.
    settings : str
        The parameters in words.
    smallest_class : int or None
        Records of the smallest equivalence class; None where there is no candidate.
    figures : mapping of str to float, or None
        Of `ATTACKS` and `COSTS`, None where a figure says nothing about this table.
    reached : bool
        False where a method without k lets record linkage succeed more often than Mondrian's candidate does.
    unavailable : str or None
        Why there is no candidate.
    meets : bool or None
        Whether the candidate meets the policy; None if there is none, or a limit is not measured.
    """

    title: str
    settings: str
    smallest_class: int | None = None
    figures: Mapping[str, float | None] | None = None
    reached: bool = True
    unavailable: str | None = None
    meets: bool | None = None


def comparable_value(score: Score) -> float | None:
    """Return the value of a score; None where it leaves out columns because they are perturbed.

    Parameters
    ----------
    score : Score
        Of one of `ATTACKS` and `COSTS`.

    Returns
    -------
    float or None
        The figure; None if there is none, or not of every column.
    """
    return None if score.value is None or score.details.get("not_generalized") else float(score.value)


def method_costs(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    l: int = 1,  # noqa: E741 - the criterion's own letter
    seed: int = 0,
    parameters: Parameters | None = None,
    policy: Policy | None = None,
) -> tuple[MethodCost, ...]:
    """Compare the cost of each method at the same k, and at the same success of record linkage (`iter_method_costs`).

    Parameters
    ----------
    original : Table
        The table to anonymize.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies, by column.
    k : int
        Smallest class of the methods that promise one.
    l : int
        Distinct sensitive values of a class, at least; 1 for any number.
    seed : int
        Of the random numbers of methods that draw some.
    parameters : Parameters, optional
        Parameters of the figures; by default `Parameters()`.
    policy : Policy, optional
        Which candidates meet it is said; the lattice's suppresses no more than it allows, by default 4%.

    Returns
    -------
    tuple of MethodCost
        Mondrian's first, which the others are compared with.

    Raises
    ------
    InputError
        If Mondrian cannot give k and l.
    """
    steps = iter_method_costs(original, roles, hierarchies, k=k, l=l, seed=seed, parameters=parameters, policy=policy)
    return tuple(cost for _, cost in steps)


def iter_method_costs(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    k: int = 5,
    l: int = 1,  # noqa: E741
    seed: int = 0,
    parameters: Parameters | None = None,
    policy: Policy | None = None,
) -> Generator[tuple[float, MethodCost], None, None]:
    """Yield the results of `method_costs` one method after the other.

    Mondrian, its relaxed form, the best of the lattice, and all other methods of the catalog that have a k are made
    with it; SafePub, whose k follows from ε and δ, with its defaults. The rest promise no k: each is made as weak as
    possible while record linkage succeeds no more often than on Mondrian's candidate, found by halving; where it
    succeeds more often even at the strongest, that is shown. Strength is the share of the largest value of each
    parameter that is no whole number; all quasi-identifiers are changed, or those that the method accepts.

    Parameters
    ----------
    original, roles, hierarchies, k, l, seed, parameters, policy
        As of `method_costs`.

    Yields
    ------
    tuple of float and MethodCost
        The share of the work that is done, 0 to 1, and one method's candidate.

    Raises
    ------
    InputError
        If Mondrian cannot give k and l.
    """
    comparison = _MethodComparison(original, roles, hierarchies or {}, seed, parameters or Parameters(), policy)
    reference = comparison.evaluate(Mondrian(k, l))
    target = (reference.figures or {})["record_linkage_attack"]
    others = [method for method in catalog.METHODS if method is not Mondrian]
    works: list[Callable[[], MethodCost]] = [
        lambda: comparison.evaluate(Mondrian(k, l, relaxed=True)),
        lambda: comparison.full_domain(k, l),
        *(partial(comparison.comparable, method, k, l, target) for method in others),
    ]
    yield 1 / (len(works) + 1), reference
    for number, work in enumerate(works, 2):
        yield number / (len(works) + 1), work()


@dataclass(frozen=True, eq=False)
class _MethodComparison:
    """Inputs from which the candidates are made and scored."""

    original: Table
    roles: Roles
    hierarchies: Hierarchies
    seed: int
    parameters: Parameters
    policy: Policy | None

    def evaluate(self, method: CandidateMethod) -> MethodCost:
        """Make the candidate of a method. Raises InputError."""
        return self._cost(method.title, parameter_summary(method), self._aggregates(self._table(method)))

    def comparable(self, method: type[CandidateMethod], k: int, l: int, target: float | None) -> MethodCost:  # noqa: E741
        """Make the candidate of a method with k, or as weak as the target allows."""
        parameters = method_parameters(method)
        by_name = {name: value for name, value in (("k", k), ("l", l)) if name in {one.name for one in parameters}}
        try:
            if "k" in by_name or hasattr(method, "sample"):
                return self.evaluate(method(**by_name))
            columns = self._columns(method)
            numbers = [one for one in parameters if one.kind is float]
            return self._least_distorting(
                lambda strength: method(**columns, **{one.name: _of_strength(one, strength) for one in numbers}), target
            )
        except InputError as error:
            return MethodCost(method.title, "", unavailable=str(error))

    def _columns(self, method: type[CandidateMethod]) -> dict[str, tuple[str, ...]]:
        """All quasi-identifiers as the columns to change, if the method has that choice and accepts them."""
        if all(parameter.name != "columns" for parameter in method_parameters(method)):
            return {}
        columns = {"columns": tuple(self.roles.quasi_identifiers)}
        try:
            self._table(method(**columns))
        except InputError:
            return {}
        return columns

    def full_domain(self, k: int, l: int) -> MethodCost:  # noqa: E741
        """Find the best of the lattice by the information that is kept."""
        rule = {K: k, **({L: l} if l > 1 else {})}
        max_suppression = None if self.policy is None else self.policy.max_suppression
        max_suppression = _SUPPRESSED if max_suppression is None else max_suppression
        arguments = (self.original, self.roles, self.hierarchies)
        try:
            exploration = explore(
                *arguments,
                rule=rule,
                max_suppression=max_suppression,
                parameters=self.parameters,
                measure=INFORMATION,
                max_nodes=_MAX_NODES,
            )
        except InputError as error:
            return MethodCost(LATTICE, "", unavailable=str(error))
        if exploration.best is None:
            return MethodCost(LATTICE, "", unavailable="no generalization meets k within the limit on suppression")
        levels = exploration.levels_of(exploration.best)
        table = generalized_table(*arguments, levels, rule=rule, parameters=self.parameters)
        level_text = ", ".join(f"{visible(name)} {level}" for name, level in levels.items())
        settings = f"k {k}, at most {percent(max_suppression)} suppressed, levels: {level_text}"
        return self._cost(LATTICE, settings, self._aggregates(table))

    def _least_distorting(self, method: Callable[[float], CandidateMethod], target: float | None) -> MethodCost:
        """Make the candidate of a method of some strength, 0 to 1, that is as weak as the target allows."""
        low, high = 0.0, 1.0
        reached = self._meets(method(high), target)
        for _ in range(_STEPS if reached else 0):
            middle = (low + high) / 2
            low, high = (low, middle) if self._meets(method(middle), target) else (middle, high)
        return replace(self.evaluate(method(high)), reached=reached)

    def _meets(self, method: CandidateMethod, target: float | None) -> bool:
        score = score_metric(BY_ID["record_linkage_attack"], self._aggregates(self._table(method)), self.parameters)
        return target is not None and score.value is not None and float(score.value) <= target

    def _table(self, method: CandidateMethod) -> Table:
        return method.apply(self.original, self.roles, self.hierarchies, seed=self.seed)

    def _aggregates(self, table: Table) -> TableAggregates:
        # Nothing would tell a table swapped over the whole range from one in another order.
        matching = Matching(self.original, table, Tally(table.rows, 0)) if table.positions is None else None
        return TableAggregates(table, self.roles, self.original, self.hierarchies, matching=matching)

    def _cost(self, title: str, settings: str, aggregates: TableAggregates) -> MethodCost:
        figures = {
            name: comparable_value(score_metric(BY_ID[name], aggregates, self.parameters))
            for name in (*ATTACKS, *COSTS)
        }
        sizes = aggregates.class_sizes
        smallest = sizes.smallest if sizes.count else None
        return MethodCost(title, settings, smallest, figures, meets=self._meets_policy(aggregates))

    def _meets_policy(self, aggregates: TableAggregates) -> bool | None:
        if self.policy is None:
            return None
        card = score_aggregates(aggregates, self.parameters, metrics_for(self.policy.limits))
        status = self.policy.check(card).status
        return {Status.MEETS: True, Status.FAILS: False}.get(status)


def _of_strength(parameter: Parameter, strength: float) -> float:
    """A parameter at some strength, 0 to 1."""
    largest = _UNBOUNDED * parameter.default if parameter.high is None else parameter.high
    return float(largest * (1 - strength if parameter.weakens else strength))
