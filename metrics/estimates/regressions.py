"""Linear and logistic regressions of distinct combinations, each as often as it occurs, by statsmodels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.counting.counts import combination_codes
from metrics.counting.share_interval import NORMAL_95
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
                groups = range(len(records.grouping(part).names))
                found += [(part, group) for group in groups if group != self.references[part]]
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
    lost = dict.fromkeys(_absent(coefficients, points.records, model), Lost.GROUP)
    if model.is_logistic:
        kept, separated = _set_aside(points, model)
        lost = {**dict.fromkeys(separated, Lost.SEPARATED), **lost}
        points = points.where(kept)
    if not len(points.outcome):
        return Fit({}, {each: lost.get(each, Lost.SEPARATED) for each in coefficients})
    whole = _design(points, model)
    kept_columns, scale, estimable = _independent(_products(whole, points.records.counts))
    design = whole[:, kept_columns] / scale[kept_columns]
    if model.is_logistic and _is_separated(design, points.outcome):
        return Fit({}, {each: lost.get(each, Lost.SEPARATED) for each in coefficients})
    solved = _solve(design, points, model)
    place = {int(column): position for position, column in enumerate(kept_columns)}
    values: dict[Coefficient, Value] = {}
    in_design = sorted(coefficients, key=lambda coefficient: coefficient[1] >= 0)  # numbers first
    for column, coefficient in enumerate(in_design, start=1):
        if not estimable[column] or column not in place:
            lost.setdefault(coefficient, Lost.COLLINEAR)
        elif coefficient not in lost:
            values[coefficient] = solved.value(place[column], float(scale[column]), records.used)
    return Fit({each: values[each] for each in coefficients if each in values}, lost)


def _absent(coefficients: Sequence[Coefficient], records: Records, model: Model) -> list[Coefficient]:
    """The coefficients of groups that no record belongs to."""
    present = {part: records.profiles(part).max(axis=0) for part in model.references if part in model.terms}
    return [(part, group) for part, group in coefficients if group >= 0 and not present[part][group] > 0]


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


def _design(points: _Points, model: Model) -> Floats:
    """A row per point: the intercept, numbers, and the shares of groups."""
    records, counts = points.records, points.records.counts
    numbers = [records.numbers(part) for part in model.terms if part not in model.references]
    centered = [column - np.average(column, weights=counts) for column in numbers]  # the intercept takes it up
    groups = [
        np.delete(records.grouping(part).shares, model.references[part], axis=1)[records.codes[part]]
        for part in model.terms
        if part in model.references
    ]
    return np.column_stack([np.ones(len(counts)), *centered, *groups])


def _products(design: Floats, weights: Floats) -> Floats:
    """By two columns the sum of their weighted products."""
    found: Floats = (design.T * weights) @ design
    return found


def _independent(products: Floats) -> tuple[Integers, Floats, Flags]:
    """Columns that determine the others, the norm of each, and whether its coefficient is the only possible one."""
    scale = np.sqrt(np.diag(products))
    scale[scale == 0] = 1
    scaled = products / np.outer(scale, scale)
    roots, vectors = np.linalg.eigh(scaled)
    basis = vectors[:, roots > _RANK * roots[-1]]
    estimable: Flags = np.abs(1 - (basis**2).sum(axis=1)) < _COLLINEAR
    _, pivots = scipy.linalg.qr(scaled, mode="r", pivoting=True)
    return np.sort(pivots[: basis.shape[1]]), scale, estimable


@dataclass(frozen=True, eq=False)
class _Solution:
    parameters: Floats
    covariance: Floats
    quantile: float

    def value(self, place: int, scale: float, records: int) -> Value:
        """The estimate of a column that is in units of a scale."""
        estimate = float(self.parameters[place]) / scale
        error = float(np.sqrt(max(float(self.covariance[place, place]), 0.0))) / scale
        half = self.quantile * error if error else 0.0
        return Value(
            estimate, estimate - half, estimate + half, error, abs(estimate) > half, int(np.sign(estimate)), records
        )


def _solve(design: Floats, points: _Points, model: Model) -> _Solution:
    """Least squares or maximum likelihood; with survey weights the sandwich of both."""
    from statsmodels.regression.linear_model import WLS

    outcome, total, size = points.outcome, points.records.counts, points.records.counts.sum()
    if model.weight is not None:
        design, outcome = design[points.member], points.source.numbers(model.outcome)
        weights, total = points.source.numbers(model.weight), points.source.counts
        total = total * weights
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if model.is_logistic:
            found: Any = _logistic(outcome, design, total)
        else:
            found = WLS(outcome, design, weights=total, hasconst=False).fit(method="qr")
    bread = np.asarray(found.normalized_cov_params)
    fitted = design @ found.params
    residuals, freedom = outcome - (scipy.special.expit(fitted) if model.is_logistic else fitted), size - len(bread)
    covariance = bread
    if model.weight is not None:
        middle = _products(design, points.source.counts * (residuals * weights) ** 2)
        covariance = bread @ middle @ bread * size / max(size - 1, 1)
    elif not model.is_logistic:
        squares = float((total * residuals**2).sum() + points.squares.sum())
        covariance = bread * (squares / freedom if freedom > 0 else 0.0)
    quantile = NORMAL_95 if model.is_logistic else float(scipy.special.stdtrit(max(freedom, 1), 0.975))
    return _Solution(np.asarray(found.params), covariance, quantile)


def _logistic(outcome: Floats, design: Floats, total: Floats) -> Any:
    """Maximum likelihood by Newton's method, which takes a tenth of GLM's time and memory for many points."""
    from statsmodels.base.model import LikelihoodModel
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    family = Binomial()

    class Grouped(LikelihoodModel):  # type: ignore[misc]
        """The likelihood of statsmodels' family, each point as often as it occurs."""

        def loglike(self, params: Floats) -> float:
            return float(family.loglike(outcome, family.fitted(design @ params), freq_weights=total))

        def score(self, params: Floats) -> Floats:
            found: Floats = design.T @ (total * (outcome - family.fitted(design @ params)))
            return found

        def hessian(self, params: Floats) -> Floats:
            return -_products(design, total * family.variance(family.fitted(design @ params)))

    found: Any = Grouped(outcome).fit(np.zeros(design.shape[1]), method="newton", maxiter=30, tol=1e-12, disp=False)
    if not np.isfinite(found.params).all() or not found.mle_retvals["converged"]:
        # Slower, but its steps do not go too far.
        model = GLM(outcome, design, family=family, freq_weights=total, hasconst=False)
        found = model.fit(maxiter=100, tol_criterion="params", tol=1e-10, rtol=1e-10, wls_method="qr")
    return found


def _set_aside(points: _Points, model: Model) -> tuple[Flags, list[Coefficient]]:
    """The points that are not in a group of a single outcome, and the coefficients that are infinite for it."""
    outcome, records = points.outcome, points.records
    kept = np.ones(len(outcome), dtype=bool)
    separated: list[Coefficient] = []
    found = True
    while found:
        found = False
        for part in (part for part in model.terms if part in model.references):
            shares, codes = records.grouping(part).shares, records.codes[part]
            with_event, without = (
                np.bincount(codes, kept & flags, len(shares)) > 0 for flags in (outcome > 0, outcome < 1)
            )
            of_group = shares > 0
            single = of_group.T @ with_event != of_group.T @ without
            for group in np.flatnonzero(single):
                members = kept & of_group[codes, group]
                if not members.any():
                    continue
                kept &= ~members
                found = True
                is_reference = group == model.references[part]
                groups = range(shares.shape[1]) if is_reference else [int(group)]
                separated += [(part, each) for each in groups if each != model.references[part]]
    return kept, separated


def _is_separated(rows: Floats, outcome: Floats) -> bool:
    """Whether a combination of the columns divides the outcomes: then no maximum likelihood exists (Konis 2007).

    No column is a combination of others. Points with both outcomes are on the line that divides.
    """
    mixed = (outcome > 0) & (outcome < 1)
    roots = np.linalg.eigvalsh(_products(rows[mixed], np.ones(mixed.sum()))) if mixed.any() else np.zeros(1)
    if roots[0] > _RANK * roots[-1]:
        return False
    sides = np.where(outcome == 1, 1.0, -1.0)[~mixed, np.newaxis] * rows[~mixed]
    found = scipy.optimize.linprog(
        -sides.sum(axis=0),
        A_ub=-sides,
        b_ub=np.zeros(len(sides)),
        A_eq=rows[mixed] if mixed.any() else None,
        b_eq=np.zeros(int(mixed.sum())) if mixed.any() else None,
        bounds=(-1, 1),
        method="highs",
    )
    return not found.success or bool(-(found.fun or 0.0) > 1e-7)
