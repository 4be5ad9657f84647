"""The value of one metric for one data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.config.parameters import Parameters
from metrics.config.roles import Names, Roles
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.scoring.scorecard import score
from metrics.tables.frames import TableLike


def number(
    metric_id: str,
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
    card = score(
        data,
        Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive, **marked),
        original=original,
        hierarchies=hierarchies,
        population=population,
        holdout=holdout,
        parameters=Parameters().with_settings(settings or {}),
        metrics=[metric_id],
    )
    found = card[metric_id]
    if found.value is None:
        raise Unavailable(found.unavailable or found.summary())
    return found.value
