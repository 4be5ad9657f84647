"""The value of one metric for one data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.config.analyses import Analysis
from metrics.config.parameters import Parameters
from metrics.config.roles import Names, Roles, names_of
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Metric
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
    analyses: Mapping[str, Analysis] | None = None,
    **marked: Any,
) -> float:
    """Compute the value of a metric.

    Raises Unavailable if the metric has no value for these tables. Raises InputError if a column does not exist, or an
    argument cannot be read.
    """
    # The scorecard imports the catalog, which holds the functions that call this one.
    from metrics.scoring.scorecard import score

    roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive, **marked)
    own_settings = {f"{metric.id}.{name}": value for name, value in (settings or {}).items()}
    parameters = Parameters().with_settings({"attack.known": names_of(known), **own_settings})
    card = score(
        data,
        roles,
        original=original,
        hierarchies=hierarchies,
        parameters=parameters,
        analyses=analyses,
        population=population,
        holdout=holdout,
        metrics=[metric.id],
    )
    found = card[metric.id]
    if found.value is None:
        raise Unavailable(found.unavailable or found.summary())
    return found.value
