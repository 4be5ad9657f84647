"""Which quasi-identifiers tell people apart: distinction and separation of every subset of them."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from metrics.classes import EquivalenceClasses
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.privacy.column_subsets import SubsetCounts, number_of_subsets
from metrics.specification import Direction, Family, Metric, finish
from metrics.table import Integers
from metrics.wording import listed

MOST_LISTED = 1000
"""Subsets that the details list."""


@dataclass(frozen=True)
class Subset:
    """What some columns together tell of the records."""

    columns: tuple[str, ...]
    combinations: int
    """Different combinations of values."""
    distinction: float
    """Combinations over records: above 0, at most 1."""
    separation: float
    """Share of pairs of records that differ in at least one of the columns: 0 to 1; 0 where there is no pair."""


@dataclass(frozen=True)
class QuasiIdentifierRanking:
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
        return {one.columns[0]: one.distinction for one in self.ranking if len(one.columns) == 1}

    def details(self) -> dict[str, Any]:
        """The ranking, and the separation of all columns together."""
        return {
            "separation": self.together.separation,
            "subsets": len(self.ranking),
            "ranking": [
                {"columns": list(one.columns), "distinction": one.distinction, "separation": one.separation}
                for one in self.ranking[:MOST_LISTED]
            ],
        }

    def in_words(self) -> str:
        """The finding."""
        alone = max((one for one in self.ranking if len(one.columns) == 1), key=lambda one: one.separation)
        strongest = max(self.ranking, key=lambda one: (one.separation, -len(one.columns)))
        sentence = f"Alone, {alone.columns[0]} tells the most pairs of records apart: {alone.separation:.1%}"
        if len(strongest.columns) == 1:
            return f"{sentence}."
        return f"{sentence}; {listed(strongest.columns)} together tell {strongest.separation:.1%} apart."


def subset(columns: tuple[str, ...], totals: Integers) -> Subset:
    """Distinction and separation, from the records of each combination (0 where it does not occur)."""
    present = totals[totals > 0].astype(np.float64)
    records = float(present.sum())
    pairs = records * (records - 1)
    # Each record differs from all those outside of its group.
    apart = float((present * (records - present)).sum())
    return Subset(columns, len(present), len(present) / records, apart / pairs if pairs else 0.0)


def rank_quasi_identifiers(classes: EquivalenceClasses, most: int) -> Generator[float, None, QuasiIdentifierRanking]:
    """Count every subset of up to `most` quasi-identifiers, over records in classes. Takes at least one class.

    Yields the share done. Raises Unavailable where there are too many subsets.
    Source: R. Motwani, Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers", 2007, whose distinct
    ratio and separation ratio ARX calls distinction and separation. (ARX gives 0 for columns whose every cell is `*`.)
    """
    names = classes.quasi_identifiers
    number = number_of_subsets(len(names), most, "quasi_identifier_ranking.most")
    counts, found = SubsetCounts(classes), []
    for size in range(1, min(most, len(names)) + 1):
        for chosen in combinations(range(len(names)), size):
            found.append(subset(tuple(names[place] for place in chosen), counts.groups(chosen)[1]))
            yield len(found) / number
    # Ties go to fewer columns, then by name, so that the order of columns does not matter.
    found.sort(key=lambda one: (-one.distinction, -one.separation, len(one.columns), sorted(one.columns)))
    return QuasiIdentifierRanking(subset(names, classes.sizes), tuple(found))


def _steps(evidence: Evidence, parameters: Parameters) -> Generator[float, None, QuasiIdentifierRanking]:
    return (yield from rank_quasi_identifiers(evidence.need_classes(), parameters.quasi_identifier_ranking.most))


def _compute(evidence: Evidence, parameters: Parameters) -> QuasiIdentifierRanking:
    result = finish(_steps(evidence, parameters))
    assert isinstance(result, QuasiIdentifierRanking)
    return result


QUASI_IDENTIFIER_RANKING = Metric(
    id="quasi_identifier_ranking",
    title="Quasi-identifier ranking",
    family=Family.PRIVACY,
    unit="combinations per record",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="How many different combinations of all quasi-identifiers there are per record, and which columns do it.",
    good="Near 0; 1 means that every record has a combination of its own.",
    formula=r"\frac{|\{E\}|}{N},\quad \frac{|\{(r, s) : r_Q \ne s_Q\}|}{N(N-1)}\text{ for every }Q",
    reference="R. Motwani, Y. Xu, Efficient algorithms for masking and finding quasi-identifiers, 2007; as in "
    "F. Prasser et al., Flexible data anonymization using ARX, Software: Practice and Experience 50(7), 2020",
    doi="10.1002/spe.2812",
    compute=_compute,
    gradual=_steps,
)
