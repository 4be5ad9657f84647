"""Models of a sensitive value by the known columns, trained on the released labels: naive Bayes, and boosted trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.joint_counts import joint_counts
from metrics.aggregates.label_shares import column_domain, label_numbers, released_shares
from metrics.attacks.learning.target import MAX_VALUES, Target, share_matrix
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Shares, shares_of
from metrics.interruption import checkpoint, report
from metrics.tables.table import Codes, Column, Floats
from metrics.texts import text

Model = Callable[[Sequence[Column], Sequence[Codes]], Floats]
"""From people's exact known values, as columns and codes, by person and value the logarithm of its probability."""

_TREES: Final = 50
_TREES_AT_ONCE: Final = 10
_MAX_RECORDS: Final = 100_000
"""Released records that trees are trained on at most; of more a sample is drawn."""


def naive_bayes(aggregates: Aggregates, known: Sequence[str], target: Target) -> Model:
    """Naive Bayes in closed form: a value's share of the records times, column by column, the share of the known value.

    A label counts in each value that it covers by its share. Each share given a sensitive value has one record more,
    divided equally among the values of the column's domain.
    """
    tables = [_log_shares(aggregates, name, target) for name in known]
    with np.errstate(divide="ignore"):
        prior = np.log(target.prior)

    def log_chances(columns: Sequence[Column], codes: Sequence[Codes]) -> Floats:
        found = np.tile(prior, (len(codes[0]), 1))
        for table, column, of_person in zip(tables, columns, codes, strict=True):
            shares = shares_of(column, column_domain(aggregates, column.name))
            chances = share_matrix(shares) @ table
            chances[_untold(shares)] = 1.0
            found += np.log(chances)[of_person]
        return found

    return log_chances


def _log_shares(aggregates: Aggregates, name: str, target: Target) -> Floats:
    """By value of a known column's domain and sensitive value, the share of the first among records with the second."""
    shares = released_shares(aggregates, name)
    counted = joint_counts(aggregates, (name, target.name), original=False)
    size = (len(shares.unknown), target.chances.shape[0])
    records = scipy.sparse.coo_array((counted.counts, counted.codes), shape=size).tocsr() @ target.chances
    sums = np.asarray((share_matrix(shares).T @ records).todense())
    values = len(sums)
    of_known = np.asarray(records[np.flatnonzero(~_untold(shares))].sum(axis=0)).ravel()
    checkpoint()
    found: Floats = (sums + 1 / values) / (of_known + 1)
    return found


def _untold(shares: Shares) -> Any:
    """By label, whether it tells nothing of the domain's values."""
    return shares.unknown | shares.outside


def boosting(aggregates: Aggregates, known: Sequence[str], target: Target, seed: int) -> Model:
    """Gradient boosting of histogram trees, on the numbers of labels and the shares of values in them.

    Of many numbers the median is learned: the released one nearest to it gets all of the probability. Raises
    Unavailable without scikit-learn.
    """
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise Unavailable(text("learning_attack.unavailable.no_scikit")) from None
    relation = aggregates.relation
    groups, cells = relation.count(known), relation.count_within(known, target.name)
    every = _features(aggregates, groups.columns, groups.codes)
    # Values that labels do not tell apart have equal columns: trees would split by the first of them.
    kept = np.sort(np.unique(np.nan_to_num(every, nan=-np.inf), axis=1, return_index=True)[1])
    features = every[:, kept]
    of_cell = target.chances[cells.code].tocoo()
    cell, value = of_cell.coords
    records = np.repeat(np.arange(len(cell)), cells.count[cell])
    if len(records) > _MAX_RECORDS:
        records = np.sort(np.random.default_rng(seed).choice(records, _MAX_RECORDS, replace=False))
    options: dict[str, Any] = {"early_stopping": False, "random_state": 0, "warm_start": True}
    rows, guessed, weights = features[cells.group[cell[records]]], value[records], of_cell.data[records]
    model: Any = HistGradientBoostingClassifier(**options)
    if target.within is not None:
        model, guessed = HistGradientBoostingRegressor(loss="absolute_error", **options), target.numbers[guessed]
    for trees in range(_TREES_AT_ONCE, _TREES + 1, _TREES_AT_ONCE):
        with threadpool_limits(1):
            model.set_params(max_iter=trees).fit(rows, guessed, sample_weight=weights)
        report(trees / _TREES)

    def log_chances(columns: Sequence[Column], codes: Sequence[Codes]) -> Floats:
        found = np.full((len(codes[0]), len(target.prior)), -np.inf)
        if target.within is not None:
            middles = (target.numbers[1:] + target.numbers[:-1]) / 2
            nearest = np.searchsorted(middles, model.predict(_features(aggregates, columns, codes)[:, kept]))
            found[np.arange(len(found)), nearest] = 0.0
            return found
        with np.errstate(divide="ignore"):
            found[:, model.classes_] = np.log(model.predict_proba(_features(aggregates, columns, codes)[:, kept]))
        return found

    return log_chances


def _features(aggregates: Aggregates, columns: Sequence[Column], codes: Sequence[Codes]) -> Floats:
    """What trees see of records: numbers, and of other columns the shares of the domain's values; NaN of unknown ones.

    Columns of more values are left out.
    """
    features = []
    for column, of_record in zip(columns, codes, strict=True):
        domain = column_domain(aggregates, column.name)
        if domain.is_numeric:
            features.append(label_numbers(aggregates, column)[of_record, np.newaxis])
        elif domain.column.distinct <= MAX_VALUES:
            is_released = column.name in aggregates.anonymized and column is aggregates.anonymized[column.name]
            shares = released_shares(aggregates, column.name) if is_released else shares_of(column, domain)
            by_label = share_matrix(shares).toarray()
            by_label[_untold(shares)] = np.nan
            features.append(by_label[of_record])
    return np.column_stack(features) if features else np.zeros((len(codes[0]), 1))
