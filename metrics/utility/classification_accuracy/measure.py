"""Classification accuracy: how well a model predicts a column from the quasi-identifiers, before and after."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from metrics.aggregates import Aggregates, require_matching, require_records
from metrics.config.parameters import AccuracyParameters, Parameters
from metrics.counting.classes import suppressed_records
from metrics.counting.counts import Matching, order_of_combinations
from metrics.counting.share_interval import NORMAL_95, wilson
from metrics.errors import Unavailable
from metrics.interruption import report
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import SUPPRESSED, Column, Flags, Integers
from metrics.texts import text
from metrics.utility.classification_accuracy import working

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_VALUES: Final = 100
"""Most distinct values of a target: beyond them it is a measurement or a name, which no classifier is for."""

_MAX_STEPS = 500

Booleans = Flags


@dataclass(frozen=True)
class Fold:
    """One part of the records, predicted by models that have learned from the others."""

    records: int
    before: int
    """Records predicted correctly from the original quasi-identifiers."""
    after: int
    """Records predicted correctly from the anonymized quasi-identifiers."""


@dataclass(frozen=True)
class ClassificationAccuracy(Result):
    """`value` is the share of records whose target is predicted correctly from the anonymized quasi-identifiers."""

    target: str
    labels: tuple[str | None, ...]
    """The target's values in reading order."""
    frequencies: tuple[int, ...]
    """Records used that hold each."""
    folds: tuple[Fold, ...]
    newly_right: int
    """Records predicted correctly after and wrongly before."""
    newly_wrong: int
    """Records predicted correctly before and wrongly after."""
    suppressed: int
    """Records used whose quasi-identifiers are suppressed, or that were deleted."""
    available: int
    """Records whose target is known; the records used are a sample of them where they are too many."""
    unfinished: int
    """Models that had not settled after the most steps allowed."""

    @property
    def records(self) -> int:
        """Records used."""
        return sum(self.frequencies)

    @property
    def value(self) -> float:
        """Accuracy after anonymization, 0 to 1."""
        return sum(fold.after for fold in self.folds) / self.records

    @property
    def before(self) -> float:
        """Accuracy from the original quasi-identifiers, 0 to 1."""
        return sum(fold.before for fold in self.folds) / self.records

    @property
    def baseline(self) -> float:
        """Accuracy of always guessing the most frequent value (ZeroR), 0 to 1."""
        return max(self.frequencies) / self.records

    @property
    def relative(self) -> float | None:
        """Remaining share of the original's gain over the baseline; None where the original adds nothing."""
        gain = self.before - self.baseline
        return (self.value - self.baseline) / gain if gain > 0 else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the accuracy after, each record counting as one independent prediction."""
        return wilson(sum(fold.after for fold in self.folds), self.records)

    @property
    def lost(self) -> float:
        """Accuracy before less accuracy after, on the same records; negative where it rose."""
        return (self.newly_wrong - self.newly_right) / self.records

    @property
    def lost_interval(self) -> tuple[float, float]:
        """95% interval of `lost` from the records whose two predictions differ, by the normal approximation."""
        differing = (self.newly_wrong + self.newly_right) / self.records
        margin = NORMAL_95 * math.sqrt(max(differing - self.lost**2, 0.0) / self.records)
        return max(self.lost - margin, -1.0), min(self.lost + margin, 1.0)

    def details(self) -> dict[str, Any]:
        """Accuracies before, after and of the baseline, and how they were found."""
        return {
            "target": self.target,
            "before": self.before,
            "after": self.value,
            "baseline": self.baseline,
            "relative": self.relative,
            "interval": list(self.interval),
            "lost": self.lost,
            "lost_interval": list(self.lost_interval),
            "model": "logistic regression",
            "folds": len(self.folds),
            "target_values": len(self.labels),
            "records": self.records,
            "available_records": self.available,
            "suppressed_records": self.suppressed,
            "unfinished_models": self.unfinished,
        }

    def summary(self) -> str:
        low, high = self.interval
        return text(
            "classification_accuracy.accuracy",
            column=self.target,
            value=self.value,
            low=low,
            high=high,
            before=self.before,
            baseline=self.baseline,
        )


def stratified_folds(target: Integers, folds: int, seed: int) -> Integers:
    """The fold, 0 to `folds` - 1, of each record: drawn at random, every value of the target spread evenly over them.

    Unlike scikit-learn's it takes values with fewer records than folds.
    """
    permutation = np.random.default_rng(seed).permutation(len(target))
    grouped_by_value = permutation[np.argsort(target[permutation], kind="stable")]
    numbers = np.empty(len(target), dtype=np.int64)
    numbers[grouped_by_value] = np.arange(len(target)) % folds
    return numbers


@dataclass(frozen=True, eq=False)
class Task:
    """Codes of the column to predict and of the columns to predict it from, for the same records."""

    name: str
    target: Column
    known: Booleans
    """Whether the record's target is known: a deleted record's is not, where the original lacks the column."""
    before: tuple[Column, ...]
    after: tuple[Column, ...]
    suppressed: Booleans

    def sample(self, max_records: int, seed: int) -> Integers:
        """Records with a known target in an order that does not depend on theirs, a seeded sample of `max_records`."""
        with_target = np.flatnonzero(self.known)
        columns = (self.target, *self.before, *self.after)
        ranks = [column.rank.astype(np.int32)[column.codes[with_target]] for column in columns]
        order = order_of_combinations(ranks, [column.distinct for column in columns])
        records = with_target if order is None else with_target[order]
        if len(records) <= max_records:
            return records
        return records[np.sort(np.random.default_rng(seed).choice(len(records), max_records, replace=False))]


def indicators(columns: Sequence[Column], records: Integers) -> csr_array:
    """One column of 0 and 1 for each value of each attribute, the missing value and `*` included."""
    from scipy.sparse import csr_array

    starts = np.cumsum([0, *(column.distinct for column in columns)])
    codes = [start + column.codes[records] for start, column in zip(starts[:-1], columns, strict=True)]
    cells = np.column_stack(codes).astype(np.int32).ravel()
    rows = np.arange(len(records) + 1, dtype=np.int32) * len(columns)
    return csr_array((np.ones(len(cells)), cells, rows), shape=(len(records), int(starts[-1])))


def classification_accuracy(task: Task, parameters: AccuracyParameters) -> ClassificationAccuracy:
    """Cross-validated accuracy of logistic regression on one-hot coded quasi-identifiers: 0 to 1, higher is better.

    Every record is predicted once, by a model that was not trained on it; both tables have the same folds. ARX leaves
    suppressed records out of the training of the second model; here every feature of theirs is `*`.

    The accuracy on both tables. Raises Unavailable if there is nothing to predict, or scikit-learn is not installed.
    Source: J. Eicher, R. Bild, H. Spengler, K. A. Kuhn, F. Prasser, "A comprehensive tool for creating and evaluating
    privacy-preserving biomedical prediction models", BMC Med. Inform. Decis. Mak. 20, 29, 2020, doi
    10.1186/s12911-020-1041-3.
    """
    predict = _predictor()
    records = task.sample(parameters.max_records, parameters.seed)
    present, target = np.unique(task.target.rank[task.target.codes[records]], return_inverse=True)
    _check_target(task, len(records), len(present))
    folds = min(parameters.folds, len(records))
    fold_of = stratified_folds(target, folds, parameters.seed)
    features = [indicators(columns, records) for columns in (task.before, task.after)]
    correct = np.zeros((2, len(records)), dtype=bool)
    unfinished = 0
    for fold in range(folds):
        in_fold = fold_of == fold
        for version, matrix in enumerate(features):
            guess, converged = predict(matrix[~in_fold], target[~in_fold], matrix[in_fold])
            correct[version, in_fold] = guess == target[in_fold]
            unfinished += not converged
            report((2 * fold + version + 1) / (2 * folds))
    sizes, *correct_by_fold = (np.bincount(fold_of, weights=weights, minlength=folds) for weights in (None, *correct))
    return ClassificationAccuracy(
        target=task.name,
        labels=tuple(task.target.labels[code] for code in task.target.order[present]),
        frequencies=tuple(np.bincount(target).tolist()),
        folds=tuple(Fold(int(n), int(b), int(a)) for n, b, a in zip(sizes, *correct_by_fold, strict=True)),
        newly_right=int((correct[1] & ~correct[0]).sum()),
        newly_wrong=int((correct[0] & ~correct[1]).sum()),
        suppressed=int(task.suppressed[records].sum()),
        available=int(task.known.sum()),
        unfinished=unfinished,
    )


def _check_target(task: Task, records: int, values: int) -> None:
    if not records:
        raise Unavailable(text("classification_accuracy.unavailable.unknown_target", column=task.name))
    if values == 1:
        raise Unavailable(text("classification_accuracy.unavailable.constant_target", column=task.name))
    if values > MAX_VALUES:
        reason = text(
            "classification_accuracy.unavailable.too_many_values", column=task.name, values=values, limit=MAX_VALUES
        )
        raise Unavailable(reason)


def _predictor() -> Callable[[Any, Integers, Any], tuple[Integers, bool]]:
    """Learn from features and targets, predict other features; and whether the model has settled."""
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise Unavailable(text("classification_accuracy.unavailable.no_scikit")) from None

    def predict(features: Any, target: Integers, new_features: Any) -> tuple[Integers, bool]:
        if (target == target[0]).all():
            return np.full(new_features.shape[0], target[0]), True
        # Records that are equal in everything are learned once, with their number as weight.
        rows = features.indices.reshape(features.shape[0], -1)
        _, first, weights = np.unique(np.column_stack([rows, target]), axis=0, return_index=True, return_counts=True)
        model = LogisticRegression(max_iter=_MAX_STEPS)
        # On matrices this small threads hinder one another.
        with warnings.catch_warnings(), threadpool_limits(1):
            # Reported in the result instead, as the number of unfinished models.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features[first], target[first], sample_weight=weights)
        return model.predict(new_features), bool(model.n_iter_.max() < _MAX_STEPS)

    return predict


def task_of(aggregates: Aggregates, target: str) -> Task:
    """The target's true values and the quasi-identifiers, before and after, of all original records.

    An empty target means the first sensitive attribute. Raises Unavailable if there is none, or no pair of
    tables.
    """
    roles = aggregates.roles
    if not target and not roles.sensitive:
        raise Unavailable(text("classification_accuracy.unavailable.no_target"))
    name = target or roles.sensitive[0]
    matching = require_matching(aggregates)
    anonymized, deleted = require_records(aggregates), matching.deleted
    features = [column for column in roles.quasi_identifiers if column != name]
    if not features:
        raise Unavailable(text("classification_accuracy.unavailable.no_features", column=name))
    if name not in matching.original and name not in anonymized:
        raise Unavailable(text("classification_accuracy.unavailable.missing_target", column=name))
    if not matching.original.rows:
        raise Unavailable(text("unavailable.no_records"))
    is_deleted = np.arange(matching.original.rows) >= anonymized.rows
    return Task(
        name=name,
        target=_truth(aggregates, matching, name),
        known=~is_deleted if name not in matching.original else np.ones(len(is_deleted), dtype=bool),
        before=matching.original.select(features),
        after=tuple(column.followed_by(SUPPRESSED, deleted) for column in anonymized.select(features)),
        suppressed=np.concatenate(
            [suppressed_records(anonymized, roles.quasi_identifiers), is_deleted[anonymized.rows :]]
        ),
    )


def _truth(aggregates: Aggregates, matching: Matching, name: str) -> Column:
    if name in matching.original:
        return matching.original[name]
    return aggregates.anonymized[name].followed_by(SUPPRESSED, matching.deleted)


def _compute(aggregates: Aggregates, parameters: Parameters) -> ClassificationAccuracy:
    settings = parameters.classification_accuracy
    return classification_accuracy(task_of(aggregates, settings.target), settings)


CLASSIFICATION_ACCURACY = Metric(
    id="classification_accuracy",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"\frac{1}{N} \sum_{f} \sum_{r \in f} \left[ \hat{y}_{-f}(x'_r) = y_r \right]",
    reference="J. Eicher et al., A comprehensive tool for creating and evaluating privacy-preserving biomedical "
    "prediction models, BMC Med. Inform. Decis. Mak. 20, 29, 2020, doi 10.1186/s12911-020-1041-3",
    compute=_compute,
    on_demand=True,
    settings=("classification_accuracy",),
    working=working.WORKING,
)
