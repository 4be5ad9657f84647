"""Linear and logistic regressions of distinct combinations, each as often as it occurs, by statsmodels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.estimates.crosstabs import Z
from metrics.estimates.estimate import Lost, Value
from metrics.estimates.records import Records
from metrics.tables.table import Flags, Floats

_COLLINEAR: Final = 1e-7
_RANK: Final = 1e-10
"""Of the largest singular value, below which one is none."""

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
    lost: dict[Coefficient, Lost] = {
        (part, group): Lost.GROUP
        for part, group in coefficients
        if group >= 0 and not (records.shares(part)[:, group] > 0).any()
    }
    kept = np.ones(len(records.counts), dtype=bool)
    if model.is_logistic:
        kept, separated = _set_aside(records, model)
        lost = {**dict.fromkeys(separated, Lost.SEPARATED), **lost}
        records = records.where(kept)
    design = _design(records, coefficients)
    if model.is_logistic and (not kept.any() or _is_separated(design, records.numbers(model.outcome))):
        return Fit({}, {each: lost.get(each, Lost.SEPARATED) for each in coefficients})
    basis, estimable = _row_space(design)
    solved = _solve(design @ basis, records, model)
    values: dict[Coefficient, Value] = {}
    for position, coefficient in enumerate(coefficients, start=1):
        if not estimable[position]:
            lost.setdefault(coefficient, Lost.COLLINEAR)
        elif coefficient not in lost:
            values[coefficient] = solved.value(basis[position], records.used)
    return Fit(values, lost)


def _design(records: Records, coefficients: Sequence[Coefficient]) -> Floats:
    """The intercept, and a column for each coefficient."""
    columns = [np.ones(len(records.counts))]
    shares: dict[int, Floats] = {}
    for part, group in coefficients:
        if group < 0:
            columns.append(records.numbers(part))
        else:
            columns.append(shares.setdefault(part, records.shares(part))[:, group])
    return np.stack(columns, axis=1)


def _row_space(design: Floats) -> tuple[Floats, Flags]:
    """An orthonormal basis of the rows in units of the columns, and which coefficients the rows determine."""
    scale = np.sqrt((design**2).sum(axis=0))
    scale[scale == 0] = 1
    _, singular, rows = np.linalg.svd(np.linalg.qr(design / scale, mode="r"))
    basis = rows[: int((singular > _RANK * singular[0]).sum())].T
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


def _solve(design: Floats, records: Records, model: Model) -> _Solution:
    """Least squares or maximum likelihood; with survey weights the sandwich of both."""
    outcome = records.numbers(model.outcome)
    weights = np.ones(len(outcome)) if model.weight is None else records.numbers(model.weight)
    total, size = records.counts * weights, records.counts.sum()
    freedom = size - design.shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if model.is_logistic:
            from statsmodels.genmod.families import Binomial
            from statsmodels.genmod.generalized_linear_model import GLM

            found = GLM(outcome, design, family=Binomial(), freq_weights=total).fit(maxiter=200, tol=1e-12)
            residuals = outcome - found.fittedvalues
        else:
            from statsmodels.regression.linear_model import WLS

            found = WLS(outcome, design, weights=total).fit()
            residuals = outcome - design @ found.params
    bread = np.asarray(found.normalized_cov_params)
    parameters = np.asarray(found.params)
    if model.weight is not None:
        scores = design * (residuals * weights)[:, np.newaxis]
        covariance = bread @ (scores.T @ (scores * records.counts[:, np.newaxis])) @ bread * size / max(size - 1, 1)
    elif model.is_logistic:
        covariance = bread
    else:
        squares = float((records.counts * residuals**2).sum())
        covariance = bread * (squares / freedom if freedom > 0 else 0.0)
    quantile = Z if model.is_logistic else float(scipy.special.stdtrit(max(freedom, 1), 0.975))
    return _Solution(parameters, covariance, quantile)


def _set_aside(records: Records, model: Model) -> tuple[Flags, list[Coefficient]]:
    """The records that are not in a group of a single outcome, and the coefficients that are infinite for it."""
    outcome = records.numbers(model.outcome)
    kept = np.ones(len(outcome), dtype=bool)
    separated: list[Coefficient] = []
    of_part = {part: records.shares(part) for part in model.references if part in model.terms}
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
    """Whether a combination of the columns divides the outcomes: then no maximum likelihood exists (Konis 2007)."""
    rows, member = np.unique(design, axis=0, return_inverse=True)
    events = np.bincount(member.ravel(), weights=outcome)
    share = events / np.bincount(member.ravel())
    mixed = (share > 0) & (share < 1)
    rank = np.linalg.matrix_rank(rows)
    if mixed.any() and np.linalg.matrix_rank(rows[mixed]) == rank:
        return False
    sides = np.where(share == 1, 1.0, -1.0)[~mixed, np.newaxis] * rows[~mixed]
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
