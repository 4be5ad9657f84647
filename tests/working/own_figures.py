"""What the steps of each metric's working must find for one class, record or column: the result's own figures."""

import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from metrics.scoring.working import Working

Expected = Callable[[Any, int, str], object]
"""The figure that a metric's result holds for a subject: from the result, the subject's index and its column."""
Checked = Callable[[Any, int, str, Mapping[str, Any]], bool]
"""Whether the numbers of the steps, by title, are right for a subject."""


Rows = Sequence[Sequence[float]]
_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


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
    return probability == 0 or close(probability, 1 / numbers["The possible records"])


def _lost(result: Any, index: int, column: str, numbers: Mapping[str, Any]) -> bool:
    if result.information_loss is None:
        return True
    return close(numbers["Loss of benefit by generalization"], float(result.information_loss[index]))


def number_shown(cell: object) -> float:
    """The number that a cell of a table, or the end of a formula, shows: 1,234 or 1.2 × 10⁻⁵, or the same in LaTeX."""
    shown = str(cell).translate(_DIGITS).replace("{,}", "").replace(",", "")
    return float(re.sub(r" (?:×|\\times) 10(?:\^\{)?(-?\d+)\}?$", r"e\1", shown.strip()))


def _largest_share(hits: int) -> Callable[[Rows], float]:
    return lambda rows: max(row[hits] / row[1] for row in rows)


def _expected(rows: Rows) -> float:
    """The expected pMSE, from the numbers of records of both tables and of coefficients."""
    ((_, before), (_, after), (_, coefficients), *_) = rows
    share = after / (before + after)
    return coefficients * (1 - share) ** 2 * share / (before + after)


ROWS_COME_TO: Mapping[str, Callable[[Rows], float]] = {
    "interval_disclosure": lambda rows: sum(row[3] for row in rows) / sum(row[2] for row in rows),
    "disco": _largest_share(3),
    "correct_attribution": _largest_share(3),
    "learning_attack": _largest_share(2),
    "one_to_one_linkage": lambda rows: rows[0][4] / rows[0][2],
    "standardized_difference": lambda rows: sum(row[2] for row in rows) / sum(row[1] for row in rows),
    "eigenvalue_difference": lambda rows: sum(abs(before - after) / before for _, before, after, _ in rows),
    "normalized_certainty_penalty": lambda rows: statistics.mean(row[2] for row in rows),
    "distance_to_closest_record": lambda rows: statistics.median(row[1] for row in rows),
    "pmse": _expected,
    "analyses": lambda rows: statistics.mean(row[4] for row in rows),
    "count_queries": lambda rows: statistics.median(row[3] for row in rows),
    "k_marginals": lambda rows: statistics.mean(row[2] for row in rows),
}
"""Of measures told in a table and a formula, the figure that the cells of the table come to; of pMSE the last cell."""


def assert_rows_come_to(metric_id: str, result: Any, made: Working) -> None:
    """The cells that are shown come to the figure, and the formula ends in it."""
    table, formula = made.steps[0].table, made.steps[-1].formula
    assert table is not None
    assert formula is not None
    assert table.left_out == 0
    rows = [[math.nan, *map(number_shown, row[1:])] for row in table.rows]
    figure = rows[-1][1] if metric_id == "pmse" else result.value
    assert math.isclose(ROWS_COME_TO[metric_id](rows), figure, rel_tol=1e-4, abs_tol=1e-9), metric_id
    last = number_shown(re.split(r"=|\\approx", formula.removesuffix(r"\end{aligned}"))[-1])
    assert math.isclose(last, result.value, rel_tol=1e-5, abs_tol=1e-9), metric_id


CHECKS: Mapping[str, Checked] = {
    "profitability": _lost,
    "record_linkage_attack": _linked,
    "attribute_inference_attack": lambda result, _, column, numbers: close(
        numbers.get("All targets"), result.attributes.get(column)
    ),
    "two_source_linkage_attack": lambda result, _, __, numbers: 0 <= numbers["The same record"] <= 1,
    "membership_attack": lambda result, _, __, numbers: close(
        numbers["People in the table"] - numbers["People who are not in it"], result.value
    ),
}
"""By metric, what else must hold of its steps."""


def assert_own_figures(metric_id: str, result: Any, index: int, column: str, made: Working) -> None:
    """What the steps find for the subject alone is what the metric's result holds for it."""
    assert metric_id in {*STEPS, *CHECKS, *ROWS_COME_TO}, f"no check of what the steps of {metric_id} find"
    numbers = {step.title: step.number for step in made.steps}
    for step, expected in STEPS.get(metric_id, {}).items():
        if isinstance(step, int):
            found: object = made.steps[step].number
        else:
            found = numbers.get(step, 0.0) if step in _LEFT_OUT else numbers[step]
        assert close(found, expected(result, index, column)), (metric_id, step)
    if metric_id in ROWS_COME_TO:
        assert_rows_come_to(metric_id, result, made)
    if metric_id in CHECKS:
        assert CHECKS[metric_id](result, index, column, numbers), metric_id
