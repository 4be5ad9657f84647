"""Granularity, also known as loss: how much of its column's domain a value covers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metrics.classes import Distribution
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric
from metrics.utility.ambiguity import coverages
from metrics.utility.cells import cells_in_classes, wholly_lost
from metrics.utility.changes import percent
from metrics.utility.domain import Coverage


@dataclass(frozen=True)
class Granularity:
    """`value` is 1 if every value covers itself alone, 0 if every value covers all of its domain."""

    shares: Mapping[str, float]
    """Mean share of the domain that each column's values cover, at most 1."""
    domains: Mapping[str, int]
    rules: Mapping[str, str]
    lost: int
    """Records suppressed or deleted; they cover every domain."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The granularity of each column alone; 1 where its domain is a single value."""
        return {name: _normalized(share, 1 / self.domains[name]) for name, share in self.shares.items()}

    @property
    def value(self) -> float:
        """The mean of the columns' own figures."""
        return math.fsum(figure or 0.0 for figure in self.attributes.values()) / len(self.shares)

    @property
    def normalized_mean(self) -> float:
        """The mean share set between the mean least share and 1: ARX's other figure, which wide columns sway more."""
        least = math.fsum(1 / size for size in self.domains.values()) / len(self.domains)
        return _normalized(math.fsum(self.shares.values()) / len(self.shares), least)

    def details(self) -> dict[str, Any]:
        """The mean share, over all columns and of each, and the domains it rests on."""
        return {
            "raw": math.fsum(self.shares.values()) / len(self.shares),
            "raw_by_column": dict(self.shares),
            "normalized_mean": self.normalized_mean,
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "wholly_lost_records": self.lost,
        }

    def in_words(self) -> str:
        """The finding."""
        figures = {name: figure for name, figure in self.attributes.items() if figure is not None}
        worst = min(figures, key=lambda name: figures[name])
        if figures[worst] == 1:
            return "Every value stands for itself alone."
        return (
            f"{percent(self.value)} of the values' detail is left; least in {worst}, where a value covers "
            f"{percent(self.shares[worst])} of all possible ones on average."
        )


def _normalized(share: float, least: float) -> float:
    """1 for the least possible share, 0 for the whole domain; 1 where these are the same."""
    return 1.0 if least == 1 else min(max(1 - (share - least) / (1 - least), 0.0), 1.0)


def granularity(cells: Mapping[str, Distribution], covered: Mapping[str, Coverage], lost: int = 0) -> Granularity:
    """1 less the mean share of its domain that a value covers beyond itself: 0 to 1, higher is better.

    `cells` counts the quasi-identifiers' values in classes, `covered` tells how much of its domain each value covers;
    the `lost` records, which are in no class, cover all of it. Each column's mean share is set between its least
    possible share and 1, then the mean over the columns is taken; 1 where a domain is a single value. Takes at least
    one record.

    Source: V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, doi 10.1145/775047.775089.
    """
    shares: dict[str, Fraction] = {}
    for name, held in cells.items():
        of = covered[name]
        shares[name] = (Fraction(math.fsum(of.covered * held.totals)) / of.size + lost) / (held.kept + lost)
    return Granularity(
        shares={name: float(share) for name, share in shares.items()},
        domains={name: covered[name].size for name in cells},
        rules={name: covered[name].rule for name in cells},
        lost=lost,
    )


def _compute(evidence: Evidence, parameters: Parameters) -> Granularity:
    lost = wholly_lost(evidence)
    return granularity(cells_in_classes(evidence), coverages(evidence), lost)


GRANULARITY = Metric(
    id="granularity",
    title="Granularity (loss)",
    family=Family.UTILITY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How few values of its column a value covers: 1 if only itself, 0 if all of them.",
    good="Near 1; a step that merges many values costs more than one that merges few.",
    formula=r"1 - \frac{1}{m N} \sum_q \sum_r \frac{\frac{|c_q(r)|}{|D_q|} - \frac{1}{|D_q|}}{1 - \frac{1}{|D_q|}}",
    reference="V. S. Iyengar, Transforming Data to Satisfy Privacy Constraints, KDD 2002",
    doi="10.1145/775047.775089",
    compute=_compute,
)
