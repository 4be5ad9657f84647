"""Buckets of class sizes: nothing lost, few of them, thresholds between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.buckets import MOST, short_number, size_buckets
from tests.drawing.drawn import SIZES


@given(SIZES, st.lists(st.integers(1, 10**6), max_size=2))
def test_every_class_is_in_one_bucket_that_spans_its_size(sizes, thresholds):
    buckets = size_buckets(sizes, thresholds)
    assert buckets.classes.sum() == len(sizes)
    assert buckets.records.sum() == sizes.sum()
    assert (buckets.low[buckets.bucket] <= sizes).all()
    assert (sizes <= buckets.high[buckets.bucket]).all()
    assert (buckets.low <= buckets.high).all()
    assert (buckets.low[1:] > buckets.high[:-1]).all()
    assert len(buckets) <= MOST + len(thresholds)
    assert len(set(buckets.labels)) == len(buckets) == len(buckets.ticks)


@given(SIZES, st.integers(1, 10**6))
def test_no_bucket_lies_on_both_sides_of_a_threshold(sizes, threshold):
    buckets = size_buckets(sizes, [threshold])
    assert not ((buckets.low < threshold) & (buckets.high >= threshold)).any()
    assert buckets.position(threshold) == (buckets.low < threshold).sum() - 0.5
    assert buckets.total(sizes < threshold)[buckets.low >= threshold].sum() == 0


@given(SIZES)
def test_sums_per_bucket_add_up(sizes):
    buckets = size_buckets(sizes)
    assert buckets.total(sizes).tolist() == buckets.records.tolist()


def test_few_sizes_and_close_ones_have_a_bucket_each():
    assert size_buckets(np.array([1, 10**6])).labels == ["1", "1,000,000"]
    assert size_buckets(np.array([7, 9])).labels == ["7", "8", "9"]
    assert size_buckets(np.array([5])).labels == ["5"]


def test_many_sizes_have_round_bounds():
    buckets = size_buckets(np.arange(1, 5001), [5])
    assert buckets.low.tolist()[:12] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15]
    assert buckets.high[-1] == 5000
    narrow = size_buckets(np.arange(1000, 2000))
    assert set(np.diff(narrow.low).tolist()) == {50}


def test_sizes_over_twelve_powers_of_ten_make_few_buckets():
    sizes = np.unique(np.logspace(0, 12, 500).astype(np.int64))
    buckets = size_buckets(sizes)
    assert len(buckets) <= MOST
    assert buckets.classes.sum() == len(sizes)


def test_no_class_makes_no_bucket():
    buckets = size_buckets(np.zeros(0, dtype=np.int64), [5])
    assert (len(buckets), buckets.labels, buckets.ticks) == (0, [], [])


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1"), (999, "999"), (1000, "1k"), (1250, "1.2k"), (3_000_000, "3M"), (150_500, "150k")]
)
def test_large_numbers_are_abbreviated_with_k_and_m(number, text):
    assert short_number(number) == text
