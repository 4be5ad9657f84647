"""NodeMeasures of a lattice node: name, title and direction. The catalog's names mean the same here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.candidates.limits.enforced import ENFORCED
from metrics.metric import Direction
from metrics.scoring.catalog import BY_ID, INFORMATION
from metrics.tables.table import Flags
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

NodeMeasures = Mapping[str, npt.NDArray[Any]]
"""By name, one entry per node: whole numbers (int64), verdicts (bool), else doubles with NaN if there is none."""


@dataclass(frozen=True)
class NodeMeasure:
    """One figure of a node."""

    title: str
    direction: Direction
    zero_is_none: bool = False
    """Whether 0 among whole numbers stands for no figure, because the smallest possible one is 1."""
    is_share: bool = False
    """Whether it is shown, from 0 to 1, as a percentage."""


_METRICS = (
    "reidentification_risk",
    "record_linkage_attack",
    "granularity",
    "non_uniform_entropy",
    "ambiguity",
    "precision",
    "discernibility",
    "average_class_size",
    "profitability",
)
SENSITIVE_MEASURES: Final = tuple(name for name, enforcement in ENFORCED.items() if enforcement.needs_sensitive)
"""Metrics that need a sensitive attribute. These and those above are figures under their own names."""

NODE_MEASURES: Final[Mapping[str, NodeMeasure]] = {
    **{
        metric.id: NodeMeasure(metric.title, metric.direction, metric.minimum == 1, metric.is_share)
        for metric in map(BY_ID.__getitem__, (*_METRICS, *SENSITIVE_MEASURES, ANALYSES.id))
    },
    # Before the classes within no limit are suppressed; k of the released table is "smallest_class".
    "k": NodeMeasure("k before suppression", Direction.HIGHER, zero_is_none=True),
    "suppressed_rows": NodeMeasure("Suppressed records", Direction.LOWER),
    "smallest_class": NodeMeasure(BY_ID["k_anonymity"].title, Direction.HIGHER, zero_is_none=True),
    "classes": NodeMeasure("Classes", Direction.HIGHER),
    "loss": NodeMeasure("Loss (geometric mean)", Direction.LOWER, is_share=True),
    "publisher_payout": NodeMeasure(text("profitability.payout"), Direction.HIGHER),
    "records_attacked": NodeMeasure("Records attacked", Direction.LOWER),
    "no_attack": NodeMeasure(text("no_attack.title"), Direction.TRUE),
    "max_record_linkage": NodeMeasure("Record linkage, strongest attacker", Direction.LOWER, is_share=True),
}

MEASURES: Final = tuple(
    name
    for name, figure in NODE_MEASURES.items()
    if figure.direction is not Direction.TRUE and name not in ("record_linkage_attack", "max_record_linkage")
)
"""NodeMeasures that a search can optimize: ordered, and present in every lattice with a sensitive attribute."""


KEPT: Final = (INFORMATION, ANALYSES.id)
"""What is set against the risk: the analyses kept, where these were optimized, else the information."""


def concatenate_measures(batches: Sequence[NodeMeasures]) -> NodeMeasures:
    """The figures of several batches of nodes, one after the other; at least one batch."""
    return {name: np.concatenate([figures[name] for figures in batches]) for name in batches[0]}


def is_missing(name: str, values: npt.NDArray[Any]) -> Flags:
    """For each node whether it has no such figure."""
    if values.dtype == np.float64:
        flags: Flags = np.isnan(values)
    else:
        flags = (values == 0) & NODE_MEASURES[name].zero_is_none
    return flags


def as_measure(name: str, value: float | bool | None) -> npt.NDArray[Any]:
    """The figure of a single node, from the value of a metric."""
    if NODE_MEASURES[name].direction is Direction.TRUE:
        return np.array([bool(value)])
    return np.array([np.nan if value is None else float(value)])


def oriented_values(name: str, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A figure turned so that higher is better; minus infinity if there is none."""
    numbers = values.astype(np.float64)
    turned = -numbers if NODE_MEASURES[name].direction is Direction.LOWER else numbers
    return np.where(is_missing(name, values), -np.inf, turned)
