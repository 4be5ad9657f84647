"""PRAM: the transition matrix that it states."""

from collections import Counter
from math import sqrt

import pytest

from metrics.candidates.methods.pram import PRAM
from tests.candidates.methods.workers import ROLES, ROWS, SIGMAS, people
from tests.support.small_tables import cells_of


@pytest.mark.parametrize("probability", [0.0, 0.3, 1.0])
def test_pram_has_the_transition_matrix_that_it_states(probability: float) -> None:
    original = people()
    made = PRAM(probability).apply(original, ROLES, seed=1)
    before, after = cells_of(original["job"]), cells_of(made["job"])
    shares = {value: count / ROWS for value, count in Counter(before).items()}
    counted = Counter(zip(before, after, strict=True))
    for value, share in shares.items():
        held = share * ROWS
        for other, drawn in shares.items():
            expected = probability * drawn + (1 - probability) * (value == other)
            allowed = SIGMAS * sqrt(expected * (1 - expected) / held) + 1e-12
            assert abs(counted[value, other] / held - expected) <= allowed
    assert made["age"] is original["age"]
