"""Counts of classes by size hold what a list of all sizes holds."""

from collections import Counter

import numpy as np
import pytest

from metrics.counting.classes import class_sizes, sum_class_sizes


@pytest.mark.parametrize("seed", range(5))
def test_sizes_are_counted_as_one_by_one(seed: int) -> None:
    sizes = np.random.default_rng(seed).integers(1, 12, 30)
    found, one_by_one = class_sizes(sizes, suppressed=4), Counter(sizes.tolist())
    assert dict(zip(found.sizes.tolist(), found.counts.tolist(), strict=True)) == one_by_one
    assert found.sizes.tolist() == sorted(one_by_one)
    assert (found.count, found.kept, found.rows) == (30, sizes.sum(), sizes.sum() + 4)
    assert (found.smallest, found.largest) == (sizes.min(), sizes.max())
    assert [found.of_size(size) for size in range(15)] == [one_by_one[size] for size in range(15)]


def test_a_table_without_classes_has_only_suppressed_records() -> None:
    nothing = class_sizes(np.zeros(0, dtype=np.int64), suppressed=3)
    assert (nothing.count, nothing.kept, nothing.rows) == (0, 0, 3)
    assert nothing.of_size(1) == 0


@pytest.mark.parametrize("parts", range(4))
def test_class_sizes_of_parts_add_up_to_those_of_the_whole(parts: int) -> None:
    random = np.random.default_rng(parts)
    pieces = [random.integers(1, 6, 10) for _ in range(parts)]
    whole = class_sizes(np.concatenate([np.zeros(0, dtype=np.int64), *pieces]), suppressed=2 * parts)
    found = sum_class_sizes(class_sizes(piece, suppressed=2) for piece in pieces)
    assert found.sizes.tolist() == whole.sizes.tolist()
    assert found.counts.tolist() == whole.counts.tolist()
    assert found.suppressed == whole.suppressed
