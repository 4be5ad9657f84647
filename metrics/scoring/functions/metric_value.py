"""The value of one metric for one data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.config.parameters import Parameters
from metrics.config.roles import Names, Roles, names_of
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Metric
from metrics.scoring.inputs import aggregates_of_tables, check_columns
from metrics.scoring.metric_score import score_metric
from metrics.tables.frames import TableLike


def metric_value(
    metric: Metric,
    data: TableLike,
    quasi_identifiers: Names,
    sensitive: Names = (),
    *,
    original: TableLike | None = None,
    hierarchies: Hierarchies | None = None,
    population: TableLike | None = None,
    holdout: TableLike | None = None,
    known: Names = (),
    settings: Mapping[str, object] | None = None,
    **marked: Any,
) -> float:
    """Compute the value of a metric.

    Raises Unavailable if the metric has no value for these tables. Raises InputError if a column does not exist, or an
    argument cannot be read.
    """
    roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive, **marked)
    aggregates = aggregates_of_tables(data, roles, original, hierarchies, population, holdout)
    own_settings = {f"{metric.id}.{name}": value for name, value in (settings or {}).items()}
    parameters = Parameters().with_settings({"attack.known": names_of(known), **own_settings})
    check_columns(parameters, aggregates)
    score = score_metric(metric, aggregates, parameters)
    if score.value is None:
        raise Unavailable(score.unavailable or score.summary())
    return score.value
