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
    known: Names = (),
    settings: Mapping[str, object] | None = None,
    **marked: Any,
) -> float:
    """The value of a metric; `marked` are further arguments of `Roles`, such as `person`.

    `known` are the columns that an attacker knows, `settings` those of the metric, by their names within its group.
    Raises Unavailable with the reason where it has none, and InputError.
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
