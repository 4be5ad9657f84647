"""The benchmark of randomized response: the intervals hold the true shares as often as they say."""

import numpy as np

from benchmarks.randomization import missed


def test_about_5_percent_of_the_intervals_miss_the_true_share() -> None:
    assert 0.02 <= missed(np.array([0.5, 0.3, 0.2]), 1.0, 1000, 300) <= 0.09
