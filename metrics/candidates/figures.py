"""What a lattice node is judged by: each figure's name, title and direction. The catalog's names mean the same here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.metric import Direction

Figures = Mapping[str, npt.NDArray[Any]]
"""By name, one entry per node: whole numbers (int64), verdicts (bool), else doubles with NaN if there is none."""


@dataclass(frozen=True)
class Figure:
    """One figure of a node."""

    title: str
    direction: Direction
    meaning: str
    zero_is_none: bool = False
    """A whole number that is 0 if there is no class to have one."""


def _higher(title: str, meaning: str, *, zero_is_none: bool = False) -> Figure:
    return Figure(title, Direction.HIGHER, meaning, zero_is_none)


def _lower(title: str, meaning: str) -> Figure:
    return Figure(title, Direction.LOWER, meaning)


FIGURES: Final[Mapping[str, Figure]] = {
    "k": _higher("k before suppression", "The smallest class while nothing is suppressed.", zero_is_none=True),
    "suppressed_rows": _lower("Suppressed records", "Records with * in every quasi-identifier."),
    "smallest_class": _higher("k-anonymity", "The smallest class after suppression.", zero_is_none=True),
    "reidentification_risk": _lower("Highest re-identification risk", "One over the smallest class after suppression."),
    "record_linkage_attack": _lower(
        "Record linkage", "Share of the records that an attacker finds who knows every quasi-identifier."
    ),
    "classes": _higher("Classes", "Equivalence classes after suppression."),
    "granularity": _higher("Granularity (loss)", "How few values of its column a value covers."),
    "non_uniform_entropy": _higher("Non-uniform entropy", "The share of information that is left."),
    "ambiguity": _higher("Ambiguity", "How few original records a record could stand for."),
    "precision": _higher("Precision (generalization intensity)", "How low in their hierarchies the values stand."),
    "discernibility": _higher("Discernibility", "How well records can still be distinguished."),
    "average_class_size": _higher("Average class size (AECS)", "How small classes are on average."),
    "loss": _lower("Loss (geometric mean)", "Geometric mean over columns of the share that a value covers, as in ARX."),
    "publisher_payout": _higher("Publisher's payout", "Benefit less risk over the records published."),
    "records_attacked": _lower("Records attacked", "Records for which an attack pays."),
    "no_attack": Figure("No attack", Direction.TRUE, "Attacking pays for no record."),
    "profitability": Figure("Publishing is profitable", Direction.TRUE, "Publishing pays for every record."),
    "distinct_l_diversity": _higher(
        "Distinct l-diversity", "Fewest different sensitive values in a class.", zero_is_none=True
    ),
    "entropy_l_diversity": _higher("Entropy l-diversity", "Least uncertain class, as equally frequent values."),
    "normalized_entropy_l_diversity": _higher("Normalized entropy l-diversity", "Entropy of the least varied class."),
    "t_closeness": _lower("t-closeness", "Largest distance of a class from the table."),
    "p29": _higher("P_29", "k, l and t in one score."),
}

SENSITIVE_FIGURES: Final = (
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "t_closeness",
    "p29",
)
"""Those that only a sensitive attribute gives."""

MEASURES: Final = tuple(
    name
    for name, figure in FIGURES.items()
    if figure.direction is not Direction.TRUE and name != "record_linkage_attack"
)
"""Those that a search can optimize: they have an order, and every lattice with a sensitive attribute has them."""


def joined(batches: Sequence[Figures]) -> Figures:
    """The figures of several batches of nodes, one after the other; at least one batch."""
    return {name: np.concatenate([figures[name] for figures in batches]) for name in batches[0]}


def has_none(name: str, values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """For each node whether it has no such figure."""
    if values.dtype == np.float64:
        none: npt.NDArray[np.bool_] = np.isnan(values)
    else:
        none = (values == 0) & FIGURES[name].zero_is_none
    return none


def upwards(name: str, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A figure turned so that higher is better; minus infinity where there is none."""
    numbers = values.astype(np.float64)
    turned = -numbers if FIGURES[name].direction is Direction.LOWER else numbers
    return np.where(has_none(name, values), -np.inf, turned)
