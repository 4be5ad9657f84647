"""Minimal sample uniques: the fewest columns that already single a record out, and the SUDA scores they add up to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.aggregates import Aggregates, require_classes
from metrics.config.parameters import Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.interruption import report
from metrics.metric import Direction, Family, Metric, PerClass, Result
from metrics.privacy.classes.column_subsets import SubsetCounts, number_of_subsets
from metrics.privacy.minimal_sample_uniques import working
from metrics.tables.table import Floats, Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class MinimalSampleUniques(Result):
    """Minimal sample uniques (MSUs) of up to `max_columns` columns, and the scores of each class that follow from them.

    Only classes of one record have any.
    """

    columns: tuple[str, ...]
    sizes: Integers
    """Records per class."""
    max_columns: int
    fraction: float
    found: Integers
    """MSUs by class and number of columns less 1."""
    part: Floats
    """By class and column: the score of the MSUs that hold the column."""

    @cached_property
    def weights(self) -> Floats:
        """Addition to the score by an MSU of 1, 2, … columns."""
        return msu_weights(len(self.columns), self.max_columns)

    @cached_property
    def scores(self) -> Floats:
        """SUDA score of each class's records: 0 upwards."""
        return self.found @ self.weights

    @cached_property
    def uniques(self) -> int:
        """Records that are unique in all columns together."""
        return int((self.sizes == 1).sum())

    @cached_property
    def risk(self) -> float | None:
        """DIS: the chance that a unique match is a correct one, at the assumed sampling fraction; None without any.

        Source: C. J. Skinner, M. J. Elliot, "A measure of disclosure risk for microdata", 2002,
        doi 10.1111/1467-9868.00365: U f / (U f + P (1 - f)), P the records in classes of two.
        """
        if not self.uniques:
            return None
        pairs = 2 * int((self.sizes == 2).sum())
        return self.uniques * self.fraction / (self.uniques * self.fraction + pairs * (1 - self.fraction))

    @cached_property
    def dis_scores(self) -> Floats:
        """DIS-SUDA score of each class's records, 0 to 1: the file's DIS spread by their SUDA scores."""
        return spread_risk(self.scores, self.uniques, self.risk, len(self.columns))

    @property
    def records(self) -> int:
        """Records that have an MSU."""
        return int((self.found.sum(axis=1) > 0).sum())

    @property
    def value(self) -> float:
        """The share of records that have an MSU: 0 to 1."""
        return self.records / int(self.sizes.sum())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The share of the sum of all scores that each column has a part in; they overlap, so they exceed 1 in sum."""
        total = float(self.scores.sum())
        parts = self.part.sum(axis=0)
        return {name: float(parts[i]) / total if total else 0.0 for i, name in enumerate(self.columns)}

    @property
    def per_class(self) -> Mapping[str, npt.NDArray[np.float64]]:
        """SUDA scores by class."""
        return {"": self.scores}

    def details(self) -> dict[str, Any]:
        """Records with an MSU, MSUs by size, largest scores, DIS, and each column's part in the scores."""
        return {
            "records": self.records,
            "most": self.max_columns,
            "fraction": self.fraction,
            "by_size": [int(number) for number in self.found.sum(axis=0)],
            "highest_score": float(self.scores.max()),
            "dis": self.risk,
            "highest_dis_score": float(self.dis_scores.max()),
            "contributions": dict(self.attributes),
        }

    def summary(self) -> str:
        if not self.records:
            return text("minimal_sample_uniques.none", columns=self.max_columns)
        return text(
            "minimal_sample_uniques.some",
            records=self.records,
            columns=self.max_columns,
            score=float(self.dis_scores.max()),
        )


def spread_risk(scores: Floats, uniques: int, risk: float | None, columns: int) -> Floats:
    """DIS-SUDA scores, 0 to 1: a file's DIS spread over its records by their SUDA scores; 0 where the score is 0.

    1 / (1 + U (1/DIS - 1) / (s^Q A)), A the sum of s^-Q over records with a score and Q = 1 + (8 - columns)/20, as in
    sdcMicro. (It counts as unique, U, only records that share no slot of its hash table with another record.)
    """
    spread = np.zeros(len(scores))
    scored = scores > 0
    if risk is not None and scored.any():
        # Only ratios of scores count; dividing by the largest keeps the powers within range.
        powers = (scores[scored] / scores.max()) ** (1 + (8 - columns) / 20)
        spread[scored] = 1 / (1 + uniques * (1 / risk - 1) / (powers * (1 / powers).sum()))
    return spread


def msu_weights(columns: int, max_columns: int) -> Floats:
    """Return the addition to the score by an MSU of each size k = 1 … max_columns.

    It is the product of (columns - i) over i = k … max_columns, without its factor 0.

    Source: M. J. Elliot et al., "SUDA: a program for detecting special uniques", 2005; with `max_columns` = `columns`
    that of sdcMicro's suda2, which has no limit.
    """
    last = min(max_columns, columns - 1)
    products = [math.prod(range(columns - last, columns - size + 1)) for size in range(1, max_columns + 1)]
    return np.array(products, np.float64)


def find_minimal_sample_uniques(classes: EquivalenceClasses, max_columns: int, fraction: float) -> MinimalSampleUniques:
    """Find every minimal sample unique (MSU): columns in which a record is unique, but in no smaller part of them.

    The search goes level by level: a record that is unique in some columns is unique in more of them, so a set is
    minimal if no subset with one column less makes the record unique. Records in classes are searched; a missing value
    is a value.

    How many MSUs of each size every class has, and what each column contributes. `classes`: the equivalence classes; at
    least one. Raises Unavailable if there are too many subsets of columns.
    Source: A. M. Manning, D. J. Haglin, J. A. Keane, "A recursive search algorithm for statistical disclosure
    assessment", 2008, doi 10.1007/s10618-007-0078-6.
    """
    width = len(classes.columns)
    max_columns = min(max_columns, width)
    number = number_of_subsets(width, max_columns, "minimal_sample_uniques.max_columns")
    uniques = np.flatnonzero(classes.sizes == 1)
    msu_counts = np.zeros((classes.count, max_columns), dtype=np.int64)
    contributions = np.zeros((classes.count, width))
    weights, counts, done = msu_weights(width, max_columns), SubsetCounts(classes), 0
    # Bits that say which records are unique in each subset of one column less.
    previous: dict[tuple[int, ...], npt.NDArray[np.uint8]] = {}
    for size in range(1, max_columns + 1):
        level: dict[tuple[int, ...], npt.NDArray[np.uint8]] = {}
        for subset in combinations(range(width), size):
            group, totals = counts.groups(subset)
            unique = totals[group[uniques]] == 1
            packed = np.packbits(unique)
            minimal = packed.copy()
            for smaller in combinations(subset, size - 1):
                if smaller:
                    minimal &= ~previous[smaller]
            level[subset] = packed
            members = uniques[np.unpackbits(minimal, count=len(uniques)).astype(bool)]
            msu_counts[members, size - 1] += 1
            for column in subset:
                contributions[members, column] += weights[size - 1]
            done += 1
            report(done / number)
        previous = level
    return MinimalSampleUniques(
        classes.quasi_identifiers, classes.sizes, max_columns, fraction, msu_counts, contributions
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> MinimalSampleUniques:
    settings = parameters.minimal_sample_uniques
    return find_minimal_sample_uniques(require_classes(aggregates), settings.max_columns, settings.fraction)


MINIMAL_SAMPLE_UNIQUES = Metric(
    id="minimal_sample_uniques",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\frac{|\{r : \text{MSU}(r) \ne \emptyset\}|}{N},\quad"
    r" \text{score}(r) = \sum_{Q \in \text{MSU}(r)} \prod_{i=|Q|}^{M} (m - i)",
    reference="A. M. Manning, D. J. Haglin, J. A. Keane, A recursive search algorithm for statistical disclosure "
    "assessment, Data Mining and Knowledge Discovery 16, 2008, doi 10.1007/s10618-007-0078-6",
    compute=_compute,
    on_demand=True,
    settings=("minimal_sample_uniques",),
    working=working.WORKING,
    per_class=PerClass("suda_score", limited=None),
)
