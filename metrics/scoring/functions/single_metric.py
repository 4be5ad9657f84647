"""One function per metric: its value for one data frame, by a signature that metrics of a kind share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Concatenate, Literal, ParamSpec, TypeVar

from metrics.hierarchies.hierarchy import Hierarchies
from metrics.scoring.catalog import BY_ID
from metrics.scoring.functions.documentation import docstring
from metrics.scoring.functions.value import Names, names_of, number
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
    function.__name__ = function.__qualname__ = metric_id
    function.__signature__ = own  # type: ignore[attr-defined]
    function.__doc__ = docstring(BY_ID[metric_id], own)
    return function


def _of_classes(metric_id: str, data: TableLike, quasi_identifiers: Names) -> float:
    return number(metric_id, data, quasi_identifiers)


def _of_sensitive(metric_id: str, data: TableLike, quasi_identifiers: Names, sensitive: Names) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive)


def _in_population(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    population: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, population=population, hierarchies=hierarchies)


def _of_loss(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, original=original, hierarchies=hierarchies)


def _of_association(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies)


def _of_p29(
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


def _of_closeness(
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


def _of_recursion(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    l: int = 2,  # noqa: E741
) -> float:
    return number(metric_id, data, quasi_identifiers, sensitive, settings=_group_settings(metric_id, {"l": l}))


def _of_attack(
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


def _of_inference(
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


def _of_membership(
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


def _of_people(metric_id: str, data: TableLike, quasi_identifiers: Names, *, person: str) -> float:
    return number(metric_id, data, quasi_identifiers, person=person)


def _of_people_attacked(
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


def _of_households(metric_id: str, data: TableLike, quasi_identifiers: Names, *, household: str) -> float:
    return number(metric_id, data, quasi_identifiers, household=household)


def _of_adversaries(
    metric_id: str, data: TableLike, quasi_identifiers: Names, *, key_sets: Mapping[str, Sequence[str]]
) -> float:
    return number(metric_id, data, quasi_identifiers, key_sets=key_sets)


def _of_sample(
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


def _of_subsets(metric_id: str, data: TableLike, quasi_identifiers: Names, *, max_columns: int = 3) -> float:
    return number(metric_id, data, quasi_identifiers, settings=_group_settings(metric_id, {"max_columns": max_columns}))


def _of_statistic(
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


def _of_prediction(
    metric_id: str,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names,
    *,
    original: TableLike,
    hierarchies: Hierarchies | None = None,
    target: str = "",
) -> float:
    given = _group_settings(metric_id, {"target": target})
    return number(
        metric_id, data, quasi_identifiers, sensitive, original=original, hierarchies=hierarchies, settings=given
    )


def _of_amounts(
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


k_anonymity = metric_function("k_anonymity", _of_classes, int)
reidentification_risk = metric_function("reidentification_risk", _of_classes, float)
sample_uniqueness = metric_function("sample_uniqueness", _of_classes, float)
suppressed_cells = metric_function("suppressed_cells", _of_classes, float)

k_map = metric_function("k_map", _in_population, int)
delta_presence = metric_function("delta_presence", _in_population, float)

p29 = metric_function("p29", _of_p29, float)
t_closeness = metric_function("t_closeness", _of_closeness, float)
distinct_l_diversity = metric_function("distinct_l_diversity", _of_sensitive, int)
entropy_l_diversity = metric_function("entropy_l_diversity", _of_sensitive, float)
normalized_entropy_l_diversity = metric_function("normalized_entropy_l_diversity", _of_sensitive, float)
recursive_cl_diversity = metric_function("recursive_cl_diversity", _of_recursion, float)
alpha_k_anonymity = metric_function("alpha_k_anonymity", _of_sensitive, float)
basic_beta_likeness = metric_function("basic_beta_likeness", _of_sensitive, float)
enhanced_beta_likeness = metric_function("enhanced_beta_likeness", _of_sensitive, float)
delta_disclosure = metric_function("delta_disclosure", _of_sensitive, float)

non_uniform_entropy = metric_function("non_uniform_entropy", _of_loss, float)
ambiguity = metric_function("ambiguity", _of_loss, float)
precision = metric_function("precision", _of_loss, float)
granularity = metric_function("granularity", _of_loss, float)
normalized_certainty_penalty = metric_function("normalized_certainty_penalty", _of_loss, float)
discernibility = metric_function("discernibility", _of_loss, float)
average_class_size = metric_function("average_class_size", _of_loss, float)
kl_divergence = metric_function("kl_divergence", _of_loss, float)
squared_error = metric_function("squared_error", _of_loss, float)
distribution_distance = metric_function("distribution_distance", _of_loss, float)
association_change = metric_function("association_change", _of_association, float)

record_linkage_attack = metric_function("record_linkage_attack", _of_attack, float)
linkability_attack = metric_function("linkability_attack", _of_attack, float)
attribute_inference_attack = metric_function("attribute_inference_attack", _of_inference, float)
singling_out_attack = metric_function("singling_out_attack", _of_inference, float)
membership_attack = metric_function("membership_attack", _of_membership, float)
interval_disclosure = metric_function("interval_disclosure", _of_association, float)
standardized_difference = metric_function("standardized_difference", _of_association, float)
eigenvalue_difference = metric_function("eigenvalue_difference", _of_association, float)
correct_attribution = metric_function("correct_attribution", _of_inference, float)
disco = metric_function("disco", _of_inference, float)
pmse = metric_function("pmse", _of_association, float)
people_k_anonymity = metric_function("people_k_anonymity", _of_people, int)
people_linkage_attack = metric_function("people_linkage_attack", _of_people_attacked, float)
household_risk = metric_function("household_risk", _of_households, float)
key_set_k_anonymity = metric_function("key_set_k_anonymity", _of_adversaries, int)
population_uniqueness = metric_function("population_uniqueness", _of_sample, float)
minimal_sample_uniques = metric_function("minimal_sample_uniques", _of_subsets, float)
quasi_identifier_ranking = metric_function("quasi_identifier_ranking", _of_subsets, float)
utility_bias = metric_function("utility_bias", _of_statistic, float)
classification_accuracy = metric_function("classification_accuracy", _of_prediction, float)
profitability = metric_function("profitability", _of_amounts, bool)
distance_to_closest_record = metric_function("distance_to_closest_record", _of_association, float)
