"""The benchmark of the learning attack: its null rejects as often as it says."""

import numpy as np

from benchmarks.learning import rejected


def test_about_5_percent_of_independent_guesses_are_called_better() -> None:
    assert 0.03 <= rejected(np.array([0.5, 0.3, 0.2]), 200, 1_000) <= 0.07
