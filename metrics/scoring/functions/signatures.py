"""Signatures of the functions that compute one metric of a data frame; metrics of the same needs share one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Concatenate, Literal, ParamSpec, TypeVar

from metrics.config.analyses import Analysis
from metrics.config.parameters import P29Parameters, ProfitabilityParameters
from metrics.config.roles import Names, names_of
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Metric
from metrics.reading import as_table
from metrics.scoring.functions.documentation import docstring
from metrics.scoring.functions.metric_value import metric_value
from metrics.tables.frames import TableLike
from metrics.tables.randomization import Randomization

P = ParamSpec("P")
N = TypeVar("N", bool, int, float)
Distance = Literal["equal", "ordered", "hierarchical"]
Model = Literal["naive_bayes", "boosting"]
Statistic = Literal["mean", "median", "count", "share", "correlation"]


def metric_function(
    metric: Metric, compute: Callable[Concatenate[Metric, P], float], kind: Callable[[float], N]
) -> Callable[P, N]:
    """A function that computes one metric, with the metric as its attribute `metric`.

    `metric`: the metric; it gives the function name and documentation.
    """
    full_signature = signature(compute)
    visible = full_signature.replace(
        parameters=list(full_signature.parameters.values())[1:], return_annotation=kind.__name__
    )

    def function(*args: P.args, **kwargs: P.kwargs) -> N:
        try:
            visible.bind(*args, **kwargs)
        except TypeError as error:  # Python would name the function that several metrics share.
            raise TypeError(f"{metric.id}(): {error}") from None
        return kind(compute(metric, *args, **kwargs))

    function.__module__ = __name__.replace("functions.signatures", "every_metric")
    function.__name__ = function.__qualname__ = metric.id
    function.__doc__ = docstring(metric, visible)
    function.__signature__ = visible  # type: ignore[attr-defined]
    function.metric = metric  # type: ignore[attr-defined]
    return function


def score_from_quasi_identifiers(metric: Metric, data: TableLike, quasi_identifiers: Names) -> float:
    """Compute a metric of the equivalence classes alone."""
    return metric_value(metric, data, quasi_identifiers)


def score_sensitive(metric: Metric, data: TableLike, quasi_identifiers: Names, sensitive: Names) -> float:
    """Compute a metric of the sensitive attributes within the equivalence classes."""
    return metric_value(metric, data, quasi_identifiers, sensitive)


def score_with_population(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    population: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    """Compute a metric that compares the table with the population that it is drawn from."""
    return metric_value(metric, data, quasi_identifiers, population=population, hierarchies=hierarchies)


def score_with_original(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    """Compute a metric that compares the quasi-identifiers with the original."""
    return metric_value(metric, data, quasi_identifiers, original=original, hierarchies=hierarchies)


def score_all_with_original(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    """Compute a metric that compares quasi-identifiers and sensitive attributes with the original."""
    return metric_value(metric, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies)


def score_p29(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    w_k: float = P29Parameters.w_k,
    w_l: float = P29Parameters.w_l,
    w_t: float = P29Parameters.w_t,
    t_max: float = P29Parameters.t_max,
) -> float:
    """Compute P_29 with its weights and its limit on t."""
    settings = {"w_k": w_k, "w_l": w_l, "w_t": w_t, "t_max": t_max}
    return metric_value(metric, data, quasi_identifiers, sensitive, settings=settings)


def score_t_closeness(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    distance: Distance | Mapping[str, Distance] | None = None,
    hierarchies: Hierarchies | None = None,
) -> float:
    """Compute t-closeness with a ground distance for all attributes, or one for each."""
    distances = dict.fromkeys(names_of(sensitive), distance) if isinstance(distance, str) else distance or {}
    settings = {f"distance.{column}": ground for column, ground in distances.items()}
    return metric_value(metric, data, quasi_identifiers, sensitive, hierarchies=hierarchies, settings=settings)


def score_recursive_diversity(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    l: int = 2,  # noqa: E741
) -> float:
    """Compute recursive (c, l)-diversity at an l."""
    return metric_value(metric, data, quasi_identifiers, sensitive, settings={"l": l})


def score_attack(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    """Compute the success of an attack by known columns of the original."""
    return metric_value(metric, data, quasi_identifiers, original=original, hierarchies=hierarchies, known=known)


def score_inference_attack(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    """Compute the success of an attack on sensitive attributes by known columns of the original."""
    return metric_value(
        metric, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies, known=known
    )


def score_learning_attack(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
    model: Model = "naive_bayes",
) -> float:
    """Compute the success of a model of sensitive attributes that is trained on the table."""
    return metric_value(
        metric,
        data,
        quasi_identifiers,
        sensitive,
        original=original,
        hierarchies=hierarchies,
        known=known,
        settings={"model": model},
    )


def score_membership_attack(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    holdout: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    """Compute the success of an attack on membership, with a holdout as control."""
    return metric_value(
        metric, data, quasi_identifiers, original=original, holdout=holdout, hierarchies=hierarchies, known=known
    )


def score_people(metric: Metric, data: TableLike, quasi_identifiers: Names, *, person: str) -> float:
    """Compute a metric of people who may have several records."""
    return metric_value(metric, data, quasi_identifiers, person=person)


def score_people_attack(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    person: str,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    known: Names = (),
) -> float:
    """Compute the success of an attack on people who may have several records."""
    return metric_value(
        metric, data, quasi_identifiers, original=original, hierarchies=hierarchies, known=known, person=person
    )


def score_households(metric: Metric, data: TableLike, quasi_identifiers: Names, *, household: str) -> float:
    """Compute a metric of people who live together."""
    return metric_value(metric, data, quasi_identifiers, household=household)


def score_items(
    metric: Metric, data: TableLike, quasi_identifiers: Names, *, person: str, item: str, m: int = 2, k: int = 5
) -> float:
    """Compute a metric of the items that people have."""
    return metric_value(metric, data, quasi_identifiers, settings={"m": m, "k": k}, person=person, item=item)


def score_key_sets(
    metric: Metric, data: TableLike, quasi_identifiers: Names, *, key_sets: Mapping[str, Sequence[str]]
) -> float:
    """Compute a metric of attackers who each know some of the quasi-identifiers."""
    return metric_value(metric, data, quasi_identifiers, key_sets=key_sets)


def score_with_population_size(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    population_size: int = 0,
    sampling_fraction: float = 0.0,
    country: str = "",
    weight: str | None = None,
) -> float:
    """Compute a metric of a sample from a population of known or estimated size."""
    settings = {"size": population_size, "sampling_fraction": sampling_fraction, "country": country}
    return metric_value(metric, data, quasi_identifiers, settings=settings, weight=weight)


def score_column_subsets(metric: Metric, data: TableLike, quasi_identifiers: Names, *, max_columns: int = 3) -> float:
    """Compute a metric of all subsets of the quasi-identifiers up to a size."""
    return metric_value(metric, data, quasi_identifiers, settings={"max_columns": max_columns})


def score_statistic(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    statistic: Statistic = "mean",
    column: str = "",
    other: str = "",
    label: str = "",
) -> float:
    """Compute the bias of a statistic against the original."""
    settings = {"statistic": statistic, "column": column, "other": other, "label": label}
    return metric_value(metric, data, quasi_identifiers, original=original, settings=settings)


def score_analyses(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    analyses: Mapping[str, Analysis],
    hierarchies: Hierarchies | None = None,
    randomization: Mapping[str, Randomization] | None = None,
) -> float:
    """Compute how far the results of analyses can still be obtained."""
    known = as_table(data, "table").randomized(randomization) if randomization else data
    return metric_value(metric, known, quasi_identifiers, original=original, hierarchies=hierarchies, analyses=analyses)


def score_randomization(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    randomization: Mapping[str, Randomization] | None = None,
    person: str | None = None,
) -> float:
    """Compute what the probabilities that cells were drawn with protect."""
    table = as_table(data, "table")
    known = table if randomization is None else table.randomized(randomization)
    return metric_value(metric, known, quasi_identifiers, person=person)


def score_prediction(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names = (),
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    target: str = "",
) -> float:
    """Compute the accuracy of predicting a column, against the original."""
    settings = {"target": target}
    return metric_value(
        metric, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies, settings=settings
    )


def score_economics(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    adversary_cost: float = ProfitabilityParameters.adversary_cost,
    adversary_gain: float = ProfitabilityParameters.adversary_gain,
    publisher_loss: float = ProfitabilityParameters.publisher_loss,
    publisher_benefit: float = ProfitabilityParameters.publisher_benefit,
    allow_attack: bool = ProfitabilityParameters.allow_attack,
) -> float:
    """Compute a metric of the costs and gains of attacker and publisher."""
    settings = {
        "adversary_cost": adversary_cost,
        "adversary_gain": adversary_gain,
        "publisher_loss": publisher_loss,
        "publisher_benefit": publisher_benefit,
        "allow_attack": allow_attack,
    }
    return metric_value(metric, data, quasi_identifiers, settings=settings)
