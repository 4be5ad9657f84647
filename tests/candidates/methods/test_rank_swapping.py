"""Rank swapping: exchanges within the distance chosen, between partners that are equally likely."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from metrics.candidates.methods.rank_swapping import RankSwapping, swaps
from tests.candidates.methods.workers import ROLES, SIGMAS, numbers_of, people


@pytest.mark.parametrize("distance", [0.0, 0.01, 0.2, 1.0])
def test_swapped_values_differ_in_rank_by_at_most_the_distance_chosen(distance: float) -> None:
    original = people(2_000)
    made = RankSwapping(distance).apply(original, ROLES, seed=3)
    before, after = numbers_of(original, "age"), numbers_of(made, "age")
    assert Counter(before) == Counter(after)
    ordered = np.sort(before)
    for own, given in zip(before, after, strict=True):
        low, high = sorted((own, given))
        # The least ranks between the two values: what lies strictly between them.
        between = np.searchsorted(ordered, high, "left") - np.searchsorted(ordered, low, "right") + 1
        assert own == given or between <= distance * len(before)
    assert (before != after) is (distance > 0)


@pytest.mark.parametrize(("number", "distance"), [(0, 3), (1, 3), (2, 0), (9, 1), (500, 20), (500, 499)])
def test_swaps_are_exchanges_within_the_distance(number: int, distance: int) -> None:
    partner = swaps(number, distance, np.random.default_rng(5))
    ranks = np.arange(number)
    assert (partner[partner] == ranks).all()
    assert (np.abs(partner - ranks) <= distance).all()
    alone = np.flatnonzero(partner == ranks)
    # Whoever has no partner had none left: two such ranks are never within the distance.
    assert (np.diff(alone) > distance).all()


def test_partners_are_equally_likely() -> None:
    first = Counter(int(swaps(5, 4, np.random.default_rng(seed))[0]) for seed in range(4_000))
    assert set(first) == {1, 2, 3, 4}
    assert all(abs(count - 1_000) < SIGMAS * sqrt(4_000 * 0.25 * 0.75) for count in first.values())
