"""Propensity mean squared error (pMSE): how well a model distinguishes released records from original ones."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import tables_of_single_values
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.interruption import report
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.matching.shared_values import shared_codes
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Column, Floats, Integers, Table
from metrics.texts import text
from metrics.working import two_step_measures

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_MAX_RECORDS: Final = 20_000
"""Records of each table that the model learns from; a seeded sample where there are more."""
_NUMBER_GROUPS: Final = 5
_MAX_VALUES: Final = 20
"""Most frequent values of a column that are kept apart; all others are one group."""
_MAX_INDICATORS: Final = 400
"""Largest number of indicators; beyond it, pairs of columns are left out of the model."""
_MAX_STEPS: Final = 1000


@dataclass(frozen=True)
class Propensity(Result):
    """`value` is the mean squared deviation of the propensity score from the share of released records."""

    value: float
    expected: float
    """Mean of the value if both tables were drawn from one population."""
    columns: tuple[str, ...]
    pairs: bool
    """Whether the model has terms for pairs of columns, so that it sees relations and not only single columns."""
    coefficients: int
    """Independent coefficients of the model besides the intercept."""
    records: tuple[int, int]
    """Original and released records that the model has learned from."""
    settled: bool
    """Whether the model had settled after the most steps allowed."""

    @property
    def ratio(self) -> float | None:
        """The value over the expected one; None for a model without coefficients."""
        return self.value / self.expected if self.expected else None

    def details(self) -> dict[str, Any]:
        """The value relative to chance, and the model."""
        return {
            "ratio": self.ratio,
            "expected": self.expected,
            "model": "logistic regression",
            "columns": list(self.columns),
            "pairs_of_columns": self.pairs,
            "coefficients": self.coefficients,
            "original_records": self.records[0],
            "released_records": self.records[1],
            "settled": self.settled,
        }

    def summary(self) -> str:
        if self.ratio is None or self.value <= 1e-12:
            return text("pmse.none")
        return text("pmse.finding", ratio=self.ratio)


def value_groups(original: Column, released: Column) -> tuple[list[Integers], int]:
    """For each record of both tables the group of its value, and how many groups there are.

    Numbers are in five groups of about equal size in the original, missing ones apart; of other values the most
    frequent are distinguished.
    """
    columns = (original, released)
    if holds_numbers(original):
        numbers = [plain_numbers(column) for column in columns]
        edges = _edges(numbers[0], original.counts())
        groups = [
            np.where(np.isnan(cells), len(edges) + 1, np.searchsorted(edges, cells, side="right")) for cells in numbers
        ]
        return [group[column.codes] for group, column in zip(groups, columns, strict=True)], len(edges) + 2
    codes, distinct = shared_codes(columns)
    records, names = np.zeros(distinct), [""] * distinct
    for code, column in zip(codes, columns, strict=True):
        records += np.bincount(code, weights=column.counts(), minlength=distinct)
        for number, label in zip(code.tolist(), column.labels, strict=True):
            names[number] = label or ""
    order = sorted(range(distinct), key=lambda number: (-records[number], names[number]))
    group = np.empty(distinct, dtype=np.int64)
    group[order] = np.minimum(np.arange(distinct), _MAX_VALUES)
    return [group[code][column.codes] for code, column in zip(codes, columns, strict=True)], min(
        distinct, _MAX_VALUES + 1
    )


def _edges(numbers: Floats, records: Integers) -> Floats:
    """Find the lower bounds of the groups of numbers except the first."""
    with_number = np.flatnonzero(~np.isnan(numbers))
    order = with_number[np.argsort(numbers[with_number])]
    ranks = np.cumsum(records[order])
    target_ranks = ranks[-1] * np.arange(1, _NUMBER_GROUPS) / _NUMBER_GROUPS
    edges: Floats = np.unique(numbers[order][np.searchsorted(ranks, target_ranks, side="right")])
    return edges


def _sampled_records(groups: Sequence[Integers], seed: int) -> Integers:
    """Records in an order that does not depend on theirs, a seeded sample of them where they are many."""
    positions = np.lexsort(list(groups)[::-1])
    if len(positions) <= _MAX_RECORDS:
        return positions
    sample = np.random.default_rng(seed).choice(len(positions), _MAX_RECORDS, replace=False)
    return positions[np.sort(sample)]


def _design(groups: Sequence[Integers], widths: Sequence[int]) -> csr_array:
    """One column of 0 and 1 for each group of each column."""
    from scipy.sparse import csr_array

    starts = np.cumsum([0, *widths])
    cells = np.column_stack([start + group for start, group in zip(starts[:-1], groups, strict=True)])
    rows = np.arange(len(cells) + 1) * len(groups)
    return csr_array((np.ones(cells.size), cells.ravel(), rows), shape=(len(cells), int(starts[-1])))


def propensity(original: Table, released: Table, names: Sequence[str]) -> Propensity:
    r"""pMSE: the mean of :math:`(\hat p_i - c)^2` over the records of both tables; 0 to 0.25, lower is better.

    :math:`\hat p_i` is the probability of being a released record that logistic regression gives record i, c the share
    of released records. The model has an indicator for each group of values and, unless they are more than 400, for
    each pair of groups of two columns. `expected` is the mean :math:`k (1 - c)^2 c / N` that chance gives a model of k
    coefficients, `ratio` the value over it. Unlike synthpop's `utility.gen`, numbers are in five groups and at most 20
    values of a column are distinguished.

    The mean, beside what chance alone gives. Raises Unavailable if scikit-learn is not installed.
    Source: J. Snoke, G. M. Raab, B. Nowok, C. Dibben, A. Slavkovic, "General and specific utility measures for
    synthetic data", JRSS A 181(3), 2018, doi 10.1111/rssa.12358.
    """
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise Unavailable(text("classification_accuracy.unavailable.no_scikit")) from None
    names = sorted(names)
    grouped_columns = [value_groups(original[name], released[name]) for name in names]
    samples = [_sampled_records([groups[table] for groups, _ in grouped_columns], table) for table in (0, 1)]
    columns = [np.concatenate([groups[table][samples[table]] for table in (0, 1)]) for groups, _ in grouped_columns]
    widths = [width for _, width in grouped_columns]
    column_pairs = list(combinations(range(len(names)), 2))
    pairs = bool(column_pairs) and sum(widths) + sum(widths[i] * widths[j] for i, j in column_pairs) <= _MAX_INDICATORS
    if pairs:
        columns += [columns[i] * widths[j] + columns[j] for i, j in column_pairs]
        widths += [widths[i] * widths[j] for i, j in column_pairs]
    report(0.1)
    is_released = np.repeat([0, 1], [len(samples[0]), len(samples[1])])
    # Records that are equal in everything are learned once, with their number as weight.
    rows = np.column_stack([*columns, is_released])
    _, first, weights = np.unique(rows, axis=0, return_index=True, return_counts=True)
    design = _design([column[first] for column in columns], widths)
    model = LogisticRegression(C=np.inf, max_iter=_MAX_STEPS, tol=1e-7)
    with warnings.catch_warnings(), threadpool_limits(1):
        # Reported in the result instead.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(design, is_released[first], sample_weight=weights)
    report(0.9)
    records, share = len(is_released), len(samples[1]) / len(is_released)
    scores = model.predict_proba(design)[:, 1]
    gram = (design.T @ design).toarray()
    coefficients = int(np.linalg.matrix_rank(gram, hermitian=True)) - 1
    return Propensity(
        value=float((weights * (scores - share) ** 2).sum()) / records,
        expected=coefficients * (1 - share) ** 2 * share / records,
        columns=tuple(names),
        pairs=pairs,
        coefficients=coefficients,
        records=(len(samples[0]), len(samples[1])),
        settled=bool(model.n_iter_.max() < _MAX_STEPS),
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> Propensity:
    return propensity(*tables_of_single_values(aggregates))


PMSE = Metric(
    id="pmse",
    family=Family.UTILITY,
    minimum=0,
    maximum=0.25,
    direction=Direction.LOWER,
    formula=r"\frac{1}{N} \sum_i (\hat p_i - c)^2",
    reference="J. Snoke, G. M. Raab, B. Nowok, C. Dibben, A. Slavkovic, General and specific utility measures for "
    "synthetic data, JRSS A 181(3), 2018, doi 10.1111/rssa.12358",
    compute=_compute,
    on_demand=True,
    about_perturbation=True,
    working=two_step_measures.PMSE,
)
