"""Kinds of metrics, whose functions share a signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Concatenate, Literal, ParamSpec, TypeVar

from metrics.config.roles import Names, names_of
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.scoring.catalog import BY_ID
from metrics.scoring.functions.documentation import docstring
from metrics.scoring.functions.value import number
from metrics.tables.frames import TableLike

P = ParamSpec("P")
N = TypeVar("N", bool, int, float)
Distance = Literal["equal", "ordered", "hierarchical"]
Statistic = Literal["mean", "median", "count", "share", "correlation"]


def metric_function(
    metric_id: str, compute: Callable[Concatenate[str, P], float], kind: Callable[[float], N]
) -> Callable[P, N]:
    """A function that computes one metric.

    Parameters
    ----------
    metric_id
        The metric, which also gives the function its name and documentation.
    compute
        Takes the metric's id and the function's own arguments.
    kind
        `int` for a metric that counts, `bool` for one that says yes or no, else `float`.
    """

    def function(*args: P.args, **kwargs: P.kwargs) -> N:
        return kind(compute(metric_id, *args, **kwargs))

    shared = signature(compute)
    own = shared.replace(parameters=list(shared.parameters.values())[1:], return_annotation=kind.__name__)
    function.__module__ = f"{__package__}.single_metric"
    function.__name__ = function.__qualname__ = metric_id
    function.__signature__ = own  # type: ignore[attr-defined]
    function.__doc__ = docstring(BY_ID[metric_id], own)
    return function


def of_classes(metric_id: str, data: TableLike, quasi_identifiers: Names) -> float:
    return number(metric_id, data, quasi_identifiers)


def of_sensitive(metric_id: str, data: TableLike, quasi_identifiers: Names, sensitive: Names) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive)


def in_population(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    population: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, population=population, hierarchies=hierarchies)


def of_loss(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, original=original, hierarchies=hierarchies)


def of_association(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies)


def of_p29(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    w_k: float = 0.5,
    w_l: float = 0.25,
    w_t: float = 0.25,
    t_max: float = 0.5,
) -> float:
    given = _group_settings(metric_id, {"w_k": w_k, "w_l": w_l, "w_t": w_t, "t_max": t_max})
    return number(metric_id, data, quasi_identifiers, sensitive, settings=given)


def of_closeness(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    distance: Distance | Mapping[str, Distance] | None = None,
    hierarchies: Hierarchies | None = None,
) -> float:
    chosen = dict.fromkeys(names_of(sensitive), distance) if isinstance(distance, str) else distance or {}
    given = _group_settings(metric_id, {f"distance.{column}": of for column, of in chosen.items()})
    return number(metric_id, data, quasi_identifiers, sensitive, hierarchies=hierarchies, settings=given)


def of_recursion(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    l: int = 2,  # noqa: E741
) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive, settings=_group_settings(metric_id, {"l": l}))


def of_attack(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    given = {"attack.known": names_of(known)}
    return number(metric_id, data, quasi_identifiers, original=original, hierarchies=hierarchies, settings=given)


def of_inference(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    given = {"attack.known": names_of(known)}
    return number(
        metric_id, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies, settings=given
    )


def of_membership(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    holdout: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    given = {"attack.known": names_of(known)}
    return number(
        metric_id,
        data,
        quasi_identifiers,
        original=original,
        holdout=holdout,
        hierarchies=hierarchies,
        settings=given,
    )


def of_people(metric_id: str, data: TableLike, quasi_identifiers: Names, *, person: str) -> float:
    return number(metric_id, data, quasi_identifiers, person=person)


def of_people_attacked(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    person: str,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    given = {"attack.known": names_of(known)}
    return number(
        metric_id, data, quasi_identifiers, original=original, hierarchies=hierarchies, settings=given, person=person
    )


def of_households(metric_id: str, data: TableLike, quasi_identifiers: Names, *, household: str) -> float:
    return number(metric_id, data, quasi_identifiers, household=household)


def of_adversaries(
    metric_id: str, data: TableLike, quasi_identifiers: Names, *, key_sets: Mapping[str, Sequence[str]]
) -> float:
    return number(metric_id, data, quasi_identifiers, key_sets=key_sets)


def of_sample(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    population_size: int = 0,
    sampling_fraction: float = 0.0,
    country: str = "",
) -> float:
    given = {"size": population_size, "sampling_fraction": sampling_fraction, "country": country}
    return number(metric_id, data, quasi_identifiers, settings=_group_settings(metric_id, given))


def of_subsets(metric_id: str, data: TableLike, quasi_identifiers: Names, *, max_columns: int = 3) -> float:
    return number(metric_id, data, quasi_identifiers, settings=_group_settings(metric_id, {"max_columns": max_columns}))


def of_statistic(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    statistic: Statistic = "mean",
    column: str = "",
) -> float:
    given = _group_settings(metric_id, {"statistic": statistic, "column": column})
    return number(metric_id, data, quasi_identifiers, original=original, settings=given)


def of_prediction(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names = (),
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    target: str = "",
) -> float:
    given = _group_settings(metric_id, {"target": target})
    return number(
        metric_id, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies, settings=given
    )


def of_amounts(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    adversary_cost: float = 4.0,
    adversary_gain: float = 300.0,
    publisher_loss: float = 300.0,
    publisher_benefit: float = 1200.0,
    allow_attack: bool = True,
) -> float:
    given = {
        "adversary_cost": adversary_cost,
        "adversary_gain": adversary_gain,
        "publisher_loss": publisher_loss,
        "publisher_benefit": publisher_benefit,
        "allow_attack": allow_attack,
    }
    return number(metric_id, data, quasi_identifiers, settings=_group_settings(metric_id, given))


def _group_settings(metric_id: str, settings: Mapping[str, object]) -> dict[str, object]:
    """Settings of the metric's own group, by their full names."""
    return {f"{metric_id}.{name}": value for name, value in settings.items()}
