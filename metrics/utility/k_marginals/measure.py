"""k-marginal score: how near the joint counts of k columns are to the original's, as a recipient estimates them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain, original_shares, released_shares
from metrics.aggregates.perturbation import original_of
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.estimates.randomized import randomization_of
from metrics.metric import Basis, Direction, Family, Metric, MetricChart, Result
from metrics.tables.table import Described
from metrics.texts import text
from metrics.utility.k_marginals.marginals import Marginals, blocks, cells_of, marginals, score
from metrics.working import two_step_measures

MAX_VALUES = 200
"""Columns of more values are left out: their marginals have hardly a record in a cell."""
MAX_LABELS = 20_000
"""Nor are columns of more released labels taken, such as numbers with noise."""
SAMPLES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_WORST = 5


@dataclass(frozen=True, eq=False)
class KMarginals(Result):
    """`value` is the score of the values of the columns' domains, 0 to 1000."""

    by_value: Marginals
    as_released: Marginals | None
    """By the groups of values that the labels tell apart; None where they tell none."""
    left_out: tuple[str, ...] = ()
    """Columns of too many values, or of none."""

    @property
    def value(self) -> float:
        """The score."""
        return self.by_value.score

    @property
    def k(self) -> int:
        """Columns in a set."""
        return len(next(iter(self.by_value.distances)))

    @property
    def all_suppressed(self) -> float:
        """The score if every cell were suppressed."""
        return score(self.by_value.uniform.values())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The score of the sets that each column is in."""
        distances = self.by_value.distances
        names = dict.fromkeys(name for columns in distances for name in columns)
        return {name: score(apart for columns, apart in distances.items() if name in columns) for name in names}

    def details(self) -> dict[str, Any]:
        """What the score equals, that of fewer values, of samples and of no value at all, and the worst sets."""
        worst = sorted(self.by_value.distances.items(), key=lambda item: -round(item[1], 9))[:_WORST]
        groups = self.as_released
        return {
            "k": self.k,
            "sets": len(self.by_value.distances),
            "equals_sample": self.by_value.equals_sample,
            "as_released": groups and {"value": groups.score, "equals_sample": groups.equals_sample},
            "all_suppressed": self.all_suppressed,
            "samples": [{"share": share, "score": self.by_value.samples.score(share)} for share in SAMPLES],
            "worst": [{"columns": list(columns), "score": score([apart])} for columns, apart in worst],
            "left_out": list(self.left_out),
        }

    def summary(self) -> str:
        k, value, sample, worst = self.k, self.value, self.by_value.equals_sample, self.all_suppressed
        finding = text("k_marginals.below", k=k, value=value, all_suppressed=worst)
        if sample:
            finding = text("k_marginals.finding", k=k, value=value, sample=sample, all_suppressed=worst)
        if self.as_released is not None and self.as_released.equals_sample:
            finding = f"{finding} {text('k_marginals.as_released', sample=self.as_released.equals_sample)}"
        return f"{finding} {text('k_marginals.left_out', columns=list(self.left_out))}" if self.left_out else finding


def k_marginals(aggregates: Aggregates, names: Sequence[str], k: int, left_out: Sequence[str] = ()) -> KMarginals:
    r"""The score of all sets of k columns: 0 to 1000, higher is better.

    A released label stands for each value that it covers with equal probability. Raises Unavailable without a record of
    the original that is known in k columns. Source: NIST, SDNist 2.5, whose score this is where cells are exact.
    """
    shares = {name: (original_shares(aggregates, name), released_shares(aggregates, name)) for name in names}
    drawn = {name: randomization_of(aggregates, name) for name in names}
    values = {name: np.arange(each[1].domain.column.distinct) for name, each in shares.items()}
    by_value = {name: cells_of(*each, values[name], drawn[name]) for name, each in shares.items()}
    by_block = {name: cells_of(*each, blocks(each[1]), drawn[name]) for name, each in shares.items()}
    sets = list(combinations(names, k))
    several = [columns for columns in sets if math.prod(by_block[name].number for name in columns) > 1]
    found = marginals(aggregates, by_value, sets)
    if found is None:
        raise Unavailable(text("k_marginals.unavailable.few_columns", columns=k, limit=MAX_VALUES))
    return KMarginals(found, marginals(aggregates, by_block, several), tuple(left_out))


def _compute(aggregates: Aggregates, parameters: Parameters) -> KMarginals:
    original, k = original_of(aggregates), parameters.k_marginals.k
    names = [name for name in (*aggregates.roles.quasi_identifiers, *aggregates.roles.sensitive) if name in original]
    kept = [name for name in names if _is_countable(aggregates, original, name)]
    if len(kept) < k:
        raise Unavailable(text("k_marginals.unavailable.few_columns", columns=k, limit=MAX_VALUES))
    return k_marginals(aggregates, kept, k, [name for name in names if name not in kept])


def _is_countable(aggregates: Aggregates, original: Described, name: str) -> bool:
    """Whether the values of a column are few enough to count, and some is known."""
    if original.distinct_above(name, MAX_VALUES) or aggregates.anonymized.distinct_above(name, MAX_LABELS):
        return False
    values = column_domain(aggregates, name).column.distinct
    return values <= MAX_VALUES and not original_shares(aggregates, name).unknown.all()


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.utility.k_marginals.chart import worst_marginals

    return worst_marginals(result)


K_MARGINALS = Metric(
    id="k_marginals",
    family=Family.UTILITY,
    minimum=0,
    maximum=1000,
    direction=Direction.HIGHER,
    formula=r"500 \left(2 - \binom{m}{k}^{-1} \sum_K \sum_v |p_K(v) - \hat p_K(v)|\right)",
    reference="K. Bhagat and C. Task, SDNist v2: Deidentified Data Report Tool, NIST, 2023; P. Diaconis and S. Zabell, "
    "Closed Form Summation for Classical Distributions, Statistical Science 6(3), 1991, doi 10.1214/ss/1177011699",
    compute=_compute,
    loss_basis=Basis.EVERY_RECORD,
    on_demand=True,
    charts=(MetricChart(_chart),),
    working=two_step_measures.K_MARGINALS,
    settings=("k_marginals",),
)
