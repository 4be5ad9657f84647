"""Normalized certainty penalty (NCP): how much of its attribute's domain a generalized value covers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters
from metrics.counting.classes import Distribution
from metrics.hierarchies.domain import Coverage
from metrics.metric import Basis, Direction, Family, Metric, Result
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.utility.cells.caveats import lost_share, with_caveat
from metrics.utility.cells.released_cells import cells_in_classes, wholly_lost
from metrics.working import two_step_measures


@dataclass(frozen=True)
class NormalizedCertaintyPenalty(Result):
    """`value` is the mean penalty of a cell: 0 if no value was generalized, 1 if every value is suppressed."""

    penalties: Mapping[str, float]
    """Mean penalty of each quasi-identifier's cells."""
    domains: Mapping[str, int]
    rules: Mapping[str, str]
    records: int
    lost: int
    """Records suppressed or deleted."""

    @property
    def value(self) -> float:
        """The mean over the columns, which all weigh the same."""
        return math.fsum(self.penalties.values()) / len(self.penalties)

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The mean penalty of each column alone."""
        return {name: None if name in self.not_generalized else penalty for name, penalty in self.penalties.items()}

    def details(self) -> dict[str, Any]:
        """The sum over all cells, as the definition has it, and the domains it rests on."""
        return {
            "sum": self.value * len(self.penalties) * self.records,
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "wholly_lost_records": self.lost,
            "not_generalized": dict(self.not_generalized),
        }

    def summary(self) -> str:
        worst = max(self.penalties, key=lambda name: self.penalties[name])
        largest = self.penalties[worst]
        if not largest:
            return with_caveat(text("normalized_certainty_penalty.unchanged"), self.not_generalized)
        penalty = lost_share(self.value, self.not_generalized)
        finding = text("normalized_certainty_penalty.penalty", penalty=penalty, column=worst, largest=largest)
        if len(self.penalties) > 1 and math.isclose(min(self.penalties.values()), largest):
            finding = text("normalized_certainty_penalty.penalty_alike", penalty=penalty)
        return with_caveat(finding, self.not_generalized)


def cell_penalties(coverage: Coverage) -> Floats:
    """The penalty of each distinct anonymized value: 0 if it covers one value of the domain, 1 if it covers all."""
    if coverage.size == 1:
        return np.zeros(len(coverage.covered))
    if coverage.rule == "integers":
        return (coverage.covered - 1) / (coverage.size - 1)
    return np.where(coverage.covered > 1, coverage.covered / coverage.size, 0.0)


def normalized_certainty_penalty(
    cells: Mapping[str, Distribution], covered: Mapping[str, Coverage], lost: int = 0
) -> NormalizedCertaintyPenalty:
    r"""The mean normalized certainty penalty of the quasi-identifiers' cells: 0 to 1, lower is better.

    The penalty of a value that covers the numbers from :math:`y` to :math:`z` of a numeric attribute without hierarchy
    is :math:`(z - y) / |A|`, with :math:`|A|` the range of the attribute. In a hierarchy, or among original values, it
    is the share :math:`\text{size}(u) / |A|` of the attribute's values that it covers, and 0 for a single value. All
    attributes weigh the same.

    The mean over all cells, and the mean of each column. `cells`: the records of classes that hold each value, by
    quasi-identifier; at least one record. `lost`: records that are in no class; each of their cells covers its whole
    domain.
    Source: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, "Utility-based anonymization using local recoding",
    KDD 2006, doi 10.1145/1150402.1150504.
    """
    penalties: dict[str, float] = {}
    for name, distribution in cells.items():
        coverage, records = covered[name], distribution.kept + lost
        of_lost = lost if coverage.size > 1 else 0
        penalties[name] = (math.fsum(cell_penalties(coverage) * distribution.totals) + of_lost) / records
    return NormalizedCertaintyPenalty(
        penalties=penalties,
        domains={name: covered[name].size for name in cells},
        rules={name: covered[name].rule for name in cells},
        records=next(iter(cells.values())).kept + lost,
        lost=lost,
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> NormalizedCertaintyPenalty:
    lost = wholly_lost(aggregates)
    result = normalized_certainty_penalty(cells_in_classes(aggregates), coverages(aggregates), lost)
    return replace(result, not_generalized=aggregates.perturbed.not_generalized)


NORMALIZED_CERTAINTY_PENALTY = Metric(
    id="normalized_certainty_penalty",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{m N} \sum_q \sum_r \frac{z_q(r) - y_q(r)}{|A_q|}"
    r"\;\text{ or }\; \frac{1}{m N} \sum_q \sum_r \frac{\mathrm{size}(u_q(r))}{|A_q|}",
    reference="J. Xu et al., Utility-Based Anonymization Using Local Recoding, KDD 2006, doi 10.1145/1150402.1150504",
    compute=_compute,
    loss_basis=Basis.GENERALIZED,
    working=two_step_measures.NORMALIZED_CERTAINTY_PENALTY,
)
