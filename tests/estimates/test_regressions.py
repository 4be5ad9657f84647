"""Maximum likelihood where the steps of Newton's method go too far, and where no maximum exists."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import expit

from metrics.estimates.regressions import _independent, _is_separated, _logistic, _products


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(40))
def test_the_score_vanishes_unless_a_line_divides_the_outcomes(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows, columns = int(generator.integers(6, 60)), int(generator.integers(1, 4))
    numbers = generator.normal(size=(rows, columns)) * 10 ** generator.uniform(-2, 3, size=columns)
    design = np.column_stack([np.ones(rows), numbers - numbers.mean(axis=0)])
    slopes = generator.normal(size=columns) * 8 / np.abs(design[:, 1:]).max(axis=0)
    chance = 1 / (1 + np.exp(-design[:, 1:] @ slopes - 2 * generator.normal()))
    outcome = (generator.random(rows) < chance).astype(np.float64)
    counts = generator.integers(1, 200, rows).astype(np.float64)
    kept, scale, estimable = _independent(_products(design, counts))
    reduced = design[:, kept] / scale[kept]
    assert estimable.all()
    sides = np.where(outcome == 1, 1.0, -1.0)[:, np.newaxis] * reduced
    found = linprog(-sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(rows), bounds=(-1, 1))
    least = float(found.fun or 0.0)
    assert _is_separated(reduced, outcome) == (least < -1e-7)
    if least >= -1e-7:
        parameters = _logistic(outcome, reduced, counts).params
        score = reduced.T @ (counts * (outcome - expit(reduced @ parameters)))
        assert np.abs(score).max() <= 1e-6 * counts.sum() * np.abs(reduced).max()
