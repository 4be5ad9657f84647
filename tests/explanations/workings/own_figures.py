"""What the steps of each metric's working must find for one class, record or column: the result's own figures."""

import math
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from metrics.explanations.workings import Working

Expected = Callable[[Any, int, str], object]
"""The figure that a metric's result holds for a subject: from the result, the subject's index and its column."""
Checked = Callable[[Any, int, str, Mapping[str, Any]], bool]
"""Whether the numbers of the steps, by title, are right for a subject."""


def close(first: object, second: object) -> bool:
    if isinstance(first, bool) or first is None or second is None:
        return first is second
    assert isinstance(first, int | float)
    assert isinstance(second, int | float)
    return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)


def _finite(figure: float) -> float | None:
    return float(figure) if math.isfinite(figure) else None


def _of_column(result: Any, index: int, column: str) -> object:
    return _finite(result.per_class[column][index])


def _of_class(result: Any, index: int, column: str) -> object:
    return float(result.per_class[""][index])


STEPS: Mapping[str, Mapping[int | str, Expected]] = {
    "sample_uniqueness": {0: lambda result, *_: int(result.unique)},
    "quasi_identifier_ranking": {"Pairs that all columns separate": lambda result, *_: result.together.separation},
    "minimal_sample_uniques": {
        0: lambda result, *_: int(result.found.sum()),
        "The record with the highest score": lambda result, *_: float(result.scores.max()),
        "Spread over the records by their scores": lambda result, *_: float(result.dis_scores.max()),
    },
    **{
        metric_id: {-2: _of_column}
        for metric_id in (
            "distinct_l_diversity", "entropy_l_diversity", "recursive_cl_diversity", "normalized_entropy_l_diversity",
            "alpha_k_anonymity", "basic_beta_likeness", "enhanced_beta_likeness", "delta_disclosure", "t_closeness",
        )
    },
    "p29": {
        "l: the mean over classes": lambda result, _, column: result.attribute_l[column],
        "t: the mean over classes": lambda result, _, column: result.attribute_t[column],
        "l: the mean over attributes": lambda result, *_: result.Nl,
        "t: the mean over attributes": lambda result, *_: result.Nt,
        "Move the surplus": lambda result, index, column: float(result.components.distance[column][index]),
    },
    "non_uniform_entropy": {
        "The loss of the column": lambda result, _, column: result.columns[column].loss,
        "The largest possible loss of the column": lambda result, _, column: result.columns[column].largest,
    },
    "ambiguity": {"The mean over all records": lambda result, *_: _finite(result.mean_combinations)},
    "precision": {"The mean height of the column": lambda result, _, column: result.heights[column]},
    "granularity": {"The mean share of the column": lambda result, _, column: result.shares[column]},
    **{
        metric_id: {0: lambda result, *_: result.raw, 1: lambda result, *_: result.original}
        for metric_id in ("discernibility", "average_class_size")
    },
    "suppressed_cells": {
        0: lambda result, *_: sum(result.suppressed.values()) + sum(result.missing.values()),
    },
    "profitability": {
        "Is publishing the record profitable?": lambda result, index, _: not result.unprofitable[index],
        "The publisher's risk": lambda result, index, _: float(result.risk[index]),
        "The publisher's payout": lambda result, *_: result.publisher_payout,
    },
    "reidentification_risk": {
        0: _of_class,
        "The average record": lambda result, *_: result.prosecutor.average,
        "The records at risk": lambda result, *_: result.prosecutor.records_at_risk,
    },
    "delta_presence": {"How many of them are in the table": _of_class},
    "k_map": {"Who fits the class": _of_class},
    "singling_out_attack": {"Descriptions that fit one anonymized record": lambda result, *_: result.rate.attempts},
}  # fmt: skip
"""By metric, the figure of a step, which is named by its title or its place."""
_LEFT_OUT = {
    "Pairs that all columns separate",
    "The record with the highest score",
    "Spread over the records by their scores",
}
"""Steps that are left out where their figure is 0."""


def _linked(result: Any, index: int, column: str, numbers: Mapping[str, Any]) -> bool:
    probability = numbers["The probability for this person"]
    return probability == 0 or close(probability, 1 / numbers["The candidates"])


def _lost(result: Any, index: int, column: str, numbers: Mapping[str, Any]) -> bool:
    if result.information_loss is None:
        return True
    return close(numbers["Loss of benefit by generalization"], float(result.information_loss[index]))


def _share(result: Any, hits: str, people: str) -> float:
    one = result.columns[result.worst].released
    return float(getattr(one, hits) / getattr(one, people))


LAST: Mapping[str, Callable[[Any], float]] = {
    "interval_disclosure": lambda result: (
        sum(one.within for one in result.columns.values()) / sum(one.records for one in result.columns.values())
    ),
    "disco": lambda result: _share(result, "disclosed", "people"),
    "correct_attribution": lambda result: _share(result, "correct", "people"),
    "standardized_difference": lambda result: (
        math.fsum(one.total for one in result.columns.values()) / sum(one.records for one in result.columns.values())
    ),
    "eigenvalue_difference": lambda result: sum(
        abs(1 - new / old) for old, new in zip(result.before, result.after, strict=True)
    ),
    "normalized_certainty_penalty": lambda result: math.fsum(result.penalties.values()) / len(result.penalties),
    "distance_to_closest_record": lambda result: statistics.median(result.distances),
    "pmse": lambda result: result.value,
}
"""Of measures told column by column, the figure that their rows come to."""
CHECKS: Mapping[str, Checked] = {
    **{
        metric_id: lambda result, _, __, numbers, come_to=come_to: close(list(numbers.values())[-1], come_to(result))
        for metric_id, come_to in LAST.items()
    },
    "profitability": _lost,
    "record_linkage_attack": _linked,
    "attribute_inference_attack": lambda result, _, column, numbers: close(
        numbers.get("All targets"), result.attributes.get(column)
    ),
    "linkability_attack": lambda result, _, __, numbers: 0 <= numbers["The same record"] <= 1,
    "membership_attack": lambda result, _, __, numbers: close(
        numbers["People in the table"] - numbers["People who are not in it"], result.value
    ),
}
"""By metric, what else must hold of its steps."""


def assert_own_figures(metric_id: str, result: Any, index: int, column: str, made: Working) -> None:
    """What the steps find for the subject alone is what the metric's result holds for it."""
    assert metric_id in STEPS or metric_id in CHECKS, f"no check of what the steps of {metric_id} find"
    numbers = {step.title: step.number for step in made.steps}
    for step, expected in STEPS.get(metric_id, {}).items():
        if isinstance(step, int):
            found: object = made.steps[step].number
        else:
            found = numbers.get(step, 0.0) if step in _LEFT_OUT else numbers[step]
        assert close(found, expected(result, index, column)), (metric_id, step)
    if metric_id in CHECKS:
        assert CHECKS[metric_id](result, index, column, numbers), metric_id
