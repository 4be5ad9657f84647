"""The value of one metric for one data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.config.parameters import Parameters
from metrics.config.roles import Names, Roles
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Metric
from metrics.scoring.inputs import aggregates_of_tables, check_columns
from metrics.scoring.metric_score import score_metric
from metrics.tables.frames import TableLike


def number(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names = (),
    *,
    original: TableLike | None = None,
    hierarchies: Hierarchies | None = None,
    population: TableLike | None = None,
    holdout: TableLike | None = None,
    settings: Mapping[str, Any] | None = None,
    **marked: Any,
) -> float:
    """The value of a metric; `marked` are further arguments of `Roles`, such as `person`.

    Raises Unavailable with the reason where it has none, and InputError.
    """
    roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive, **marked)
    aggregates = aggregates_of_tables(data, roles, original, hierarchies, population, holdout)
    parameters = Parameters().with_settings(settings or {})
    check_columns(parameters, aggregates)
    score = score_metric(metric, aggregates, parameters)
    if score.value is None:
        raise Unavailable(score.unavailable or score.summary())
    return score.value
