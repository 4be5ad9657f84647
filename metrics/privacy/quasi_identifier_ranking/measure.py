"""Which quasi-identifiers tell people apart: distinction and separation of every subset of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates, require_classes
from metrics.config.parameters import Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.interruption import report
from metrics.metric import Direction, Family, Metric, MetricChart, Result
from metrics.privacy.classes.column_subsets import SubsetCounts, number_of_subsets
from metrics.privacy.quasi_identifier_ranking import working
from metrics.tables.table import Integers
from metrics.texts import text

MAX_LISTED = 1000
"""Subsets that the details list."""


@dataclass(frozen=True)
class Subset:
    """Power of some columns together to tell the records apart."""

    columns: tuple[str, ...]
    combinations: int
    """Different combinations of values."""
    distinction: float
    """Combinations over records: above 0, at most 1."""
    separation: float
    """Share of pairs of records that differ in at least one of the columns: 0 to 1; 0 where there is no pair."""
    k: int
    """Records of the rarest combination."""


@dataclass(frozen=True)
class QuasiIdentifierRanking(Result):
    """Subsets of up to a number of columns, the most distinguishing first; and all columns together."""

    together: Subset
    ranking: tuple[Subset, ...]

    @property
    def value(self) -> float:
        """Distinction of all quasi-identifiers together."""
        return self.together.distinction

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Distinction of each quasi-identifier alone."""
        return {subset.columns[0]: subset.distinction for subset in self.ranking if len(subset.columns) == 1}

    @property
    def fewest(self) -> Mapping[int, int]:
        """By number of columns the records of the rarest combination of at most so many."""
        sizes = range(1, 1 + max(len(subset.columns) for subset in self.ranking))
        return {m: min(subset.k for subset in self.ranking if len(subset.columns) <= m) for m in sizes}

    @property
    def weakest(self) -> Subset:
        """The fewest columns by which the rarest combination has the fewest records; ties go by the ranking."""
        return min(self.ranking, key=lambda subset: (subset.k, len(subset.columns)))

    def details(self) -> dict[str, Any]:
        """The ranking, the subset with the smallest k, and the separation of all columns together."""
        return {
            "separation": self.together.separation,
            "subsets": len(self.ranking),
            "weakest": {"columns": list(self.weakest.columns), "k": self.weakest.k},
            "ranking": [
                {
                    "columns": list(subset.columns),
                    "k": subset.k,
                    "distinction": subset.distinction,
                    "separation": subset.separation,
                }
                for subset in self.ranking[:MAX_LISTED]
            ],
        }

    def summary(self) -> str:
        best_column = max(
            (subset for subset in self.ranking if len(subset.columns) == 1), key=lambda subset: subset.separation
        )
        strongest = max(self.ranking, key=lambda subset: (subset.separation, -len(subset.columns)))
        column, share = best_column.columns[0], best_column.separation
        weakest = text("quasi_identifier_ranking.weakest", columns=self.weakest.columns, k=self.weakest.k)
        if len(strongest.columns) == 1:
            return f"{text('quasi_identifier_ranking.single', column=column, share=share)} {weakest}"
        several = text(
            "quasi_identifier_ranking.several",
            column=column,
            share=share,
            columns=strongest.columns,
            together=strongest.separation,
        )
        return f"{several} {weakest}"


def subset(columns: tuple[str, ...], totals: Integers) -> Subset:
    """Distinction, separation and k, from the records of each combination (0 where it does not occur)."""
    present = totals[totals > 0].astype(np.float64)
    records = float(present.sum())
    pairs = records * (records - 1)
    # Each record differs from all those outside its group.
    separated = float((present * (records - present)).sum())
    return Subset(
        columns, len(present), len(present) / records, separated / pairs if pairs else 0.0, int(present.min())
    )


def rank_quasi_identifiers(classes: EquivalenceClasses, max_columns: int) -> QuasiIdentifierRanking:
    """Rank every subset of quasi-identifiers by its distinction and separation, 0 to 1, over records in classes.

    All quasi-identifiers together, and the subsets, the most telling one first. `classes`: the equivalence classes; at
    least one. Raises Unavailable if there are too many subsets of columns.
    Source: R. Motwani, Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers", 2007, whose distinct
    ratio and separation ratio ARX calls distinction and separation. (ARX gives 0 for columns whose every cell is `*`.)
    """
    names = classes.quasi_identifiers
    number = number_of_subsets(len(names), max_columns, "quasi_identifier_ranking.max_columns")
    counts, subsets = SubsetCounts(classes), []
    for size in range(1, min(max_columns, len(names)) + 1):
        for indices in combinations(range(len(names)), size):
            subsets.append(subset(tuple(names[index] for index in indices), counts.groups(indices)[1]))
            report(len(subsets) / number)
    # Ties go to fewer columns, then by name, so that the order of columns does not matter.
    subsets.sort(
        key=lambda ranked: (-ranked.distinction, -ranked.separation, len(ranked.columns), sorted(ranked.columns))
    )
    return QuasiIdentifierRanking(subset(names, classes.sizes), tuple(subsets))


def _compute(aggregates: Aggregates, parameters: Parameters) -> QuasiIdentifierRanking:
    settings = parameters.quasi_identifier_ranking
    return rank_quasi_identifiers(require_classes(aggregates), settings.max_columns)


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.quasi_identifier_ranking.chart import ranked_subsets

    return ranked_subsets(result)


QUASI_IDENTIFIER_RANKING = Metric(
    id="quasi_identifier_ranking",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\frac{|\{E\}|}{N},\quad \frac{|\{(r, s) : r_Q \ne s_Q\}|}{N(N-1)}\text{ for every }Q",
    reference="R. Motwani, Y. Xu, Efficient algorithms for masking and finding quasi-identifiers, 2007; as in F. "
    "Prasser et al., Flexible data anonymization using ARX, Software: Practice and Experience 50(7), 2020, doi "
    "10.1002/spe.2812",
    compute=_compute,
    on_demand=True,
    settings=("quasi_identifier_ranking",),
    charts=(MetricChart(_chart),),
    working=working.WORKING,
)
