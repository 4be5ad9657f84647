"""Additive noise: the deviation asked for, no bias, and cells that stay as they are written."""

from math import sqrt

import numpy as np
import pytest

from metrics.candidates.methods.additive_noise import AdditiveNoise
from tests.candidates.methods.workers import ROLES, ROWS, SIGMAS, numbers_of, people
from tests.support.small_tables import cells_of, table


def test_noise_has_the_deviation_asked_for_and_no_bias() -> None:
    original = people()
    made = AdditiveNoise(0.5).apply(original, ROLES, seed=2)
    before, after = np.array(numbers_of(original, "age")), np.array(numbers_of(made, "age"))
    noise = after - before
    assert (noise == np.round(noise)).all()
    deviation = 0.5 * np.std(before, ddof=1)
    assert abs(noise.mean()) < SIGMAS * deviation / sqrt(ROWS)
    assert np.std(noise) == pytest.approx(sqrt(deviation**2 + 1 / 12), rel=SIGMAS / sqrt(2 * ROWS))
    assert abs(np.corrcoef(before, noise)[0, 1]) < SIGMAS / sqrt(ROWS)


def test_noise_keeps_decimal_places_and_cells_without_a_number() -> None:
    original = table({"age": ["1.25", None, "*", "7", "4"], "job": ["n"] * 5, "ill": ["x"] * 5})
    made = cells_of(AdditiveNoise(0.3).apply(original, ROLES, seed=1)["age"])
    assert made[1:3] == [None, "*"]
    assert all(len(str(cell).partition(".")[2]) == 2 for cell in (made[0], made[3], made[4]))
    assert AdditiveNoise(0).apply(original, ROLES, seed=1)["age"] is original["age"]
