"""Linear and logistic regressions of distinct combinations, each as often as it occurs, by statsmodels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.counting.counts import combination_codes
from metrics.estimates.crosstabs import Z
from metrics.estimates.estimate import Lost, Value
from metrics.estimates.records import Records
from metrics.tables.table import Flags, Floats, Integers

_COLLINEAR: Final = 1e-7
_RANK: Final = 1e-12
"""Of the largest eigenvalue, below which one is none."""

Coefficient = tuple[int, int]
"""The part of a term, and its group or block; -1 for a number."""


@dataclass(frozen=True, eq=False)
class Model:
    """What a regression is made of: the parts of its records, in their order."""

    terms: tuple[int, ...]
    """Parts that enter: numbers, and groups that are not all one."""
    references: dict[int, int]
    """By part of groups, the group that others are compared with."""
    outcome: int
    weight: int | None
    is_logistic: bool

    def coefficients(self, records: Records) -> list[Coefficient]:
        """In the order of the terms."""
        found: list[Coefficient] = []
        for part in self.terms:
            if part in self.references:
                found += [
                    (part, group) for group in range(records.grouping(part).groups) if group != self.references[part]
                ]
            else:
                found.append((part, -1))
        return found


@dataclass(frozen=True, eq=False)
class Fit:
    """The coefficients of a regression, and why others have none."""

    values: dict[Coefficient, Value]
    lost: dict[Coefficient, Lost]


def fit(records: Records, model: Model) -> Fit:
    """Fit the regression; a coefficient that the records do not determine is lost, and the others stand."""
    coefficients = model.coefficients(records)
    if not len(records.counts):
        return Fit({}, dict.fromkeys(coefficients, Lost.RECORDS))
    points = _points(records, model)
    present = {part: points.shares(part).max(axis=0) for part in model.references if part in model.terms}
    absent = [(part, group) for part, group in coefficients if group >= 0 and not present[part][group] > 0]
    lost = dict.fromkeys(absent, Lost.GROUP)
    if model.is_logistic:
        kept, separated = _set_aside(points, model)
        lost = {**dict.fromkeys(separated, Lost.SEPARATED), **lost}
        points = points.where(kept)
    if not len(points.outcome):
        return Fit({}, {each: lost.get(each, Lost.SEPARATED) for each in coefficients})
    design = _design(points, coefficients)
    basis, estimable = _row_space(design)
    if model.is_logistic and _is_separated(design @ basis, points.outcome):
        return Fit({}, {each: lost.get(each, Lost.SEPARATED) for each in coefficients})
    solved = _solve(design @ basis, points, model)
    values: dict[Coefficient, Value] = {}
    for position, coefficient in enumerate(coefficients, start=1):
        if not estimable[position]:
            lost.setdefault(coefficient, Lost.COLLINEAR)
        elif coefficient not in lost:
            values[coefficient] = solved.value(basis[position], records.used)
    return Fit(values, lost)


@dataclass(frozen=True, eq=False)
class _Points:
    """The distinct combinations of terms."""

    records: Records
    """One combination of each, as often as all of them."""
    outcome: Floats
    """The mean outcome."""
    squares: Floats
    """The sum of squared differences from it."""
    member: Integers
    """The point of each combination of records."""
    source: Records

    def shares(self, part: int) -> Floats:
        """By point and group the probability of the group."""
        return self.records.shares(part)

    def where(self, kept: Flags) -> _Points:
        """Some of the points, with their records."""
        source = self.source.where(kept[self.member])
        member = (np.cumsum(kept) - 1)[self.member[kept[self.member]]]
        return _Points(self.records.where(kept), self.outcome[kept], self.squares[kept], member, source)


def _points(records: Records, model: Model) -> _Points:
    codes = [records.distinct_codes(part) for part in model.terms]
    member, points = combination_codes([(code, int(code.max()) + 1) for code in codes], len(records.counts))
    representative = np.empty(points, dtype=np.int64)
    representative[member] = np.arange(len(member))
    outcome = records.numbers(model.outcome)
    counts = np.bincount(member, weights=records.counts).astype(np.float64)
    means: Floats = np.bincount(member, weights=records.counts * outcome) / counts
    squares = np.bincount(member, weights=records.counts * (outcome - means[member]) ** 2).astype(np.float64)
    of_points = replace(records.where(representative), counts=counts)
    return _Points(of_points, means, squares, member.astype(np.int64), records)


def _design(points: _Points, coefficients: Sequence[Coefficient]) -> Floats:
    """The intercept, and a column for each coefficient."""
    records = points.records
    columns = [np.ones(len(records.counts))]
    shares: dict[int, Floats] = {}
    for part, group in coefficients:
        if group < 0:
            numbers = records.numbers(part)
            columns.append(numbers - numbers.mean())  # the intercept takes it up
        else:
            if part not in shares:
                shares[part] = records.shares(part)
            columns.append(shares[part][:, group])
    return np.stack(columns, axis=1)


def _row_space(design: Floats) -> tuple[Floats, Flags]:
    """An orthonormal basis of the rows in units of the columns, and which coefficients the rows determine."""
    scale = np.sqrt((design**2).sum(axis=0))
    scale[scale == 0] = 1
    products = design.T @ design / np.outer(scale, scale)
    roots, vectors = np.linalg.eigh(products)
    basis = vectors[:, roots > _RANK * roots[-1]]
    estimable: Flags = np.abs(1 - (basis**2).sum(axis=1)) < _COLLINEAR
    return basis / scale[:, np.newaxis], estimable


@dataclass(frozen=True, eq=False)
class _Solution:
    parameters: Floats
    covariance: Floats
    quantile: float

    def value(self, direction: Floats, records: int) -> Value:
        """The estimate of a linear combination of the parameters."""
        estimate = float(direction @ self.parameters)
        error = float(np.sqrt(max(float(direction @ self.covariance @ direction), 0.0)))
        half = self.quantile * error if error else 0.0
        return Value(
            estimate, estimate - half, estimate + half, error, abs(estimate) > half, int(np.sign(estimate)), records
        )


def _solve(design: Floats, points: _Points, model: Model) -> _Solution:
    """Least squares or maximum likelihood; with survey weights the sandwich of both."""
    outcome, total, size = points.outcome, points.records.counts, points.records.counts.sum()
    if model.weight is not None:
        design, outcome = design[points.member], points.source.numbers(model.outcome)
        weights, total = points.source.numbers(model.weight), points.source.counts
        total = total * weights
    freedom = size - design.shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _logistic(outcome, design, total) if model.is_logistic else _linear(outcome, design, total)
    residuals, bread = outcome - np.asarray(found.fittedvalues), np.asarray(found.normalized_cov_params)
    if model.weight is not None:
        scores = design * (residuals * weights)[:, np.newaxis]
        middle = scores.T @ (scores * points.source.counts[:, np.newaxis])
        covariance = bread @ middle @ bread * size / max(size - 1, 1)
    elif model.is_logistic:
        covariance = bread
    else:
        squares = float((total * residuals**2).sum() + points.squares.sum())
        covariance = bread * (squares / freedom if freedom > 0 else 0.0)
    quantile = Z if model.is_logistic else float(scipy.special.stdtrit(max(freedom, 1), 0.975))
    return _Solution(np.asarray(found.params), covariance, quantile)


def _linear(outcome: Floats, design: Floats, total: Floats) -> Any:
    from statsmodels.regression.linear_model import WLS

    return WLS(outcome, design, weights=total, hasconst=False).fit(method="qr")


def _logistic(outcome: Floats, design: Floats, total: Floats) -> Any:
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    class FullRank(GLM):  # type: ignore[misc]
        """Whose rank is known: to compute it anew takes longer than to fit."""

        def initialize(self) -> None:
            self.df_model, self.wnobs = self.exog.shape[1] - 1, self.freq_weights.sum()
            self.df_resid = self.wnobs - self.df_model - 1

    model = FullRank(outcome, design, family=Binomial(), freq_weights=total, hasconst=False)
    found = model.fit(np.zeros(design.shape[1]), method="newton", max_start_irls=0, maxiter=30, tol=1e-12, disp=False)
    if np.isfinite(found.params).all() and found.mle_retvals["converged"]:
        return found
    # Slower, but its steps do not go too far.
    return model.fit(maxiter=100, tol_criterion="params", tol=1e-10, rtol=1e-10, wls_method="qr")


def _set_aside(points: _Points, model: Model) -> tuple[Flags, list[Coefficient]]:
    """The points that are not in a group of a single outcome, and the coefficients that are infinite for it."""
    outcome = points.outcome
    kept = np.ones(len(outcome), dtype=bool)
    separated: list[Coefficient] = []
    of_part = {part: points.shares(part) for part in model.references if part in model.terms}
    found = True
    while found:
        found = False
        for part, shares in of_part.items():
            for group in range(shares.shape[1]):
                members = kept & (shares[:, group] > 0)
                if members.any() and (outcome[members] == outcome[members][0]).all() and outcome[members][0] in (0, 1):
                    kept &= ~members
                    found = True
                    is_reference = group == model.references[part]
                    groups = range(shares.shape[1]) if is_reference else [group]
                    separated += [(part, each) for each in groups if each != model.references[part]]
    return kept, separated


def _is_separated(design: Floats, outcome: Floats) -> bool:
    """Whether a combination of the columns divides the outcomes: then no maximum likelihood exists (Konis 2007).

    No column of the design is a combination of others. Points with both outcomes are on the line that divides.
    """
    mixed = (outcome > 0) & (outcome < 1)
    roots = np.linalg.eigvalsh(design[mixed].T @ design[mixed]) if mixed.any() else np.zeros(1)
    if roots[0] > _RANK * roots[-1]:
        return False
    sides = np.where(outcome == 1, 1.0, -1.0)[~mixed, np.newaxis] * design[~mixed]
    found = scipy.optimize.linprog(
        -sides.sum(axis=0),
        A_ub=-sides,
        b_ub=np.zeros(len(sides)),
        A_eq=design[mixed] if mixed.any() else None,
        b_eq=np.zeros(int(mixed.sum())) if mixed.any() else None,
        bounds=(-1, 1),
        method="highs",
    )
    return not found.success or bool(-(found.fun or 0.0) > 1e-7)
