"""Granularity, also known as loss: how much of its column's domain a value covers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters
from metrics.counting.classes import Distribution
from metrics.formatting import sentence_case
from metrics.hierarchies.domain import Coverage
from metrics.metric import Basis, Direction, Family, Metric, Result
from metrics.texts import text
from metrics.utility.cells.caveats import kept_share, with_caveat
from metrics.utility.cells.released_cells import cells_in_classes, wholly_lost
from metrics.utility.granularity import working


@dataclass(frozen=True)
class Granularity(Result):
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
        return {name: None if name in self.not_generalized else figure for name, figure in self._figures.items()}

    @property
    def _figures(self) -> Mapping[str, float]:
        return {name: _normalized_granularity(share, 1 / self.domains[name]) for name, share in self.shares.items()}

    @property
    def value(self) -> float:
        """The mean of the columns' own figures."""
        return math.fsum(self._figures.values()) / len(self.shares)

    @property
    def normalized_mean(self) -> float:
        """The mean share scaled from its least possible value to 1: ARX's other figure, swayed more by wide columns."""
        least = math.fsum(1 / size for size in self.domains.values()) / len(self.domains)
        return _normalized_granularity(math.fsum(self.shares.values()) / len(self.shares), least)

    def details(self) -> dict[str, Any]:
        """The mean share, over all columns and of each, and the domains it rests on."""
        return {
            "raw": math.fsum(self.shares.values()) / len(self.shares),
            "raw_by_column": dict(self.shares),
            "normalized_mean": self.normalized_mean,
            "not_generalized": dict(self.not_generalized),
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "wholly_lost_records": self.lost,
        }

    def summary(self) -> str:
        figures = self._figures
        worst = min(figures, key=lambda name: figures[name])
        if figures[worst] == 1:
            others = text("granularity.unchanged_others")
            return with_caveat(text("granularity.unchanged"), self.not_generalized, others)
        kept = sentence_case(kept_share(self.value, self.not_generalized))
        finding = text("granularity.lost", kept=kept, column=worst, share=self.shares[worst])
        if len(figures) > 1 and math.isclose(figures[worst], max(figures.values())):
            finding = text("granularity.lost_alike", kept=kept)
        return with_caveat(finding, self.not_generalized)


def _normalized_granularity(share: float, minimum: float) -> float:
    """Scale a share from 1 for the least possible one to 0 for the whole domain; 1 where these are the same."""
    return 1.0 if minimum == 1 else min(max(1 - (share - minimum) / (1 - minimum), 0.0), 1.0)


def granularity(cells: Mapping[str, Distribution], covered: Mapping[str, Coverage], lost: int = 0) -> Granularity:
    """Granularity: 1 less the mean share of its domain that a value covers beyond itself; 0 to 1, higher is better.

    The mean share of each column is scaled between its smallest possible value and 1; the score is the mean over the
    columns. A column whose domain is a single value has 1.

    The score, and the mean share of every column. `cells`: the records of classes that hold each value, by
    quasi-identifier; at least one record.
    Source: V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, doi 10.1145/775047.775089.
    """
    shares: dict[str, Fraction] = {}
    for name, distribution in cells.items():
        coverage = covered[name]
        shares[name] = (Fraction(math.fsum(coverage.covered * distribution.totals)) / coverage.size + lost) / (
            distribution.kept + lost
        )
    return Granularity(
        shares={name: float(share) for name, share in shares.items()},
        domains={name: covered[name].size for name in cells},
        rules={name: covered[name].rule for name in cells},
        lost=lost,
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> Granularity:
    lost = wholly_lost(aggregates)
    result = granularity(cells_in_classes(aggregates), coverages(aggregates), lost)
    return replace(result, not_generalized=aggregates.perturbed.not_generalized)


GRANULARITY = Metric(
    id="granularity",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    is_share=True,
    formula=r"1 - \frac{1}{m N} \sum_q \sum_r \frac{\frac{|c_q(r)|}{|D_q|} - \frac{1}{|D_q|}}{1 - \frac{1}{|D_q|}}",
    reference="V. S. Iyengar, Transforming Data to Satisfy Privacy Constraints, KDD 2002, doi 10.1145/775047.775089",
    compute=_compute,
    loss_basis=Basis.GENERALIZED,
    working=working.WORKING,
    is_headline=True,
)
