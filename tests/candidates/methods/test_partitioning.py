"""Partitions of numbers, as another library finds them."""

import random
from collections import Counter

import numpy as np
import pytest

from metrics.candidates.methods.dimensions import numbers_in_order
from metrics.candidates.methods.partitioning import PartitionRequirements, divide
from tests.support.small_tables import table


@pytest.mark.parametrize(
    ("k", "sizes", "spans"),
    [
        (3, {3: 56, 4: 8}, 8_006_660),
        (5, {6: 24, 7: 8}, 14_321_310),
        (10, {12: 8, 13: 8}, 21_000_041),
    ],
)
def test_anonypyx_finds_the_same_partitions_of_numbers(k: int, sizes: dict[int, int], spans: int) -> None:
    """anonypyx 0.2.11: its partitions' sizes, and the sum over records and columns of the partition's span."""
    chance = random.Random(19)
    numbers = {name: chance.sample(range(100_000), 200) for name in "abc"}
    original = table({name: list(map(str, of)) for name, of in numbers.items()})
    dimensions = [numbers_in_order(original[name]) for name in "abc"]
    starts = np.zeros(1, dtype=np.int64)
    demand = PartitionRequirements(k, 1, ())
    of = divide(dimensions, np.arange(200), starts, demand, strict=True, weights=np.ones(3)).of_record
    assert Counter(np.bincount(of).tolist()) == sizes
    parts = [np.flatnonzero(of == part) for part in range(int(of.max()) + 1)]
    found = sum(int(np.ptp(np.array(numbers[name])[part])) * len(part) for part in parts for name in "abc")
    assert found == spans
