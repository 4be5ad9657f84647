"""What a cluster would take: partial counts as chance makes them, rows as Spark lays them out, memory as measured."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import MAX_CLASSES
from metrics.counting.class_sizes import class_sizes
from metrics.engines.cost import GroupedCount, cluster_cost, cluster_costs, measured_counts, row_bytes
from metrics.errors import Unavailable
from tests.support.examples import fewer_examples

ROLES = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s", "t"])


def scored(records: int, *, original: bool = False, values: int = 30) -> metrics.Scorecard:
    """A card of random records."""
    chance = np.random.default_rng(29)
    frame = pd.DataFrame({name: chance.integers(0, values, records).astype(str) for name in "qrst"})
    return metrics.score(frame, ROLES, original=frame if original else None, metrics=[])


def counted(sizes: list[int]) -> GroupedCount:
    return GroupedCount(class_sizes(np.array(sizes)), 1e6, 10.0)


@fewer_examples(0.2)
@given(sizes=st.lists(st.integers(1, 60), min_size=40, max_size=400), partitions=st.integers(1, 300))
def test_predicted_partial_counts_equal_the_mean_of_random_partitions(sizes: list[int], partitions: int) -> None:
    of = counted(sizes)
    draws = [of.simulated_partial_counts(partitions, np.random.default_rng(seed)) for seed in range(20)]
    expected = of.partial_counts(of.records, partitions)
    # Five standard errors; a combination's number of partitions varies by no more than its expectation.
    assert np.mean(draws) == pytest.approx(expected, abs=5 * np.sqrt(expected / 20) + 1e-9)
    assert of.partial_counts(of.records, 1) == pytest.approx(len(sizes))


@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=200))
def test_combinations_grow_with_records_and_never_faster(sizes: list[int]) -> None:
    of = counted(sizes)
    records = [of.records * share for share in (0.01, 0.1, 0.5, 0.999, 1, 1.001, 2, 100, 1e6)]
    found = [of.distinct(number) for number in records]
    assert found == sorted(found)
    assert all(one <= number * (1 + 1e-9) for one, number in zip(found, records, strict=True))
    assert of.distinct(of.records) == len(sizes)
    assert of.distinct(1e12) <= max(1e6, len(sizes))
    slope = np.log(of.distinct(of.records * 1.001) / of.distinct(of.records * 0.999)) / np.log(1.001 / 0.999)
    assert slope == pytest.approx(of.growth, abs=0.02)


def test_the_sizes_measured_for_the_cost_equal_those_of_the_table() -> None:
    card = scored(5_000, original=True)
    of = measured_counts(card.aggregates)
    frame = pd.DataFrame(dict(zip("qrst", np.random.default_rng(29).integers(0, 30, (4, 5_000)), strict=True)))
    assert of.classes.sizes.count == frame.groupby(["q", "r"]).ngroups
    assert of.together.sizes.count == frame.groupby(["q", "r", "s", "t"]).ngroups
    assert {name: one.sizes.count for name, one in of.histograms.items()} == {
        name: frame.groupby(["q", "r", name]).ngroups for name in "st"
    }
    assert of.together.possible == 30**4
    # Four texts of at most eight letters, and the count.
    assert of.together.row_bytes == 4 + 8 + 5 * 8 + 4 * 8
    assert of.text == {"q": 8.0, "r": 8.0}
    assert measured_counts(scored(100).aggregates).text == {}
    keyed = metrics.Roles(quasi_identifiers=["q"], key="id")
    ids = pd.DataFrame({"id": [f"{number:020}" for number in range(9)], "q": "a"})
    assert measured_counts(metrics.score(ids, keyed, original=ids, metrics=[]).aggregates).key == 24.0


def test_rows_are_laid_out_in_words() -> None:
    assert row_bytes([8.0], 1) == 4 + 8 + 2 * 8 + 8
    assert row_bytes([0.0] * 64, 0) - row_bytes([0.0] * 63, 0) == 8
    assert row_bytes([0.0] * 65, 0) - row_bytes([0.0] * 64, 0) == 16


def test_the_driver_is_bounded_and_the_shuffle_is_not() -> None:
    of = measured_counts(scored(3_000, values=500).aggregates)
    costs = cluster_costs(of, [10**6, 10**9], 10**6)
    assert [cost.partitions for cost in costs] == [1, 1_000]
    assert costs[1].driver_bytes == MAX_CLASSES * of.combination_bytes < costs[1].undivided_bytes
    assert costs[1].counting_bytes > 100 * costs[0].counting_bytes
    assert costs[1].matching_bytes == 0
    beside = measured_counts(scored(3_000, original=True, values=5).aggregates)
    assert cluster_cost(beside, 10**9, 100).partial_counts < cluster_cost(beside, 10**9, 1_000).partial_counts
    # Two tables: the key with a count, the key, and it with each of two columns.
    key, text = 16, 8
    each = (4 + 8 + 16 + key) + (4 + 8 + 8 + key) + 2 * (4 + 8 + 16 + key + text)
    assert cluster_cost(beside, 1_000, 1).matching_bytes == 2 * 1_000 * each


def test_the_predicted_memory_of_the_driver_is_within_40_percent_of_the_peak() -> None:
    chance = np.random.default_rng(29)
    frame = pl.DataFrame({name: chance.integers(0, 400, 60_000).astype(str) for name in "qr"}).with_columns(
        s=pl.Series(chance.integers(0, 20, 60_000).astype(str))
    )
    roles = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
    metrics.score(frame.head(2_000).lazy(), roles)  # imports what is needed
    tracemalloc.start()
    try:
        card = metrics.score(frame.lazy(), roles)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    of = measured_counts(card.aggregates)
    assert 0.6 < peak / cluster_cost(of, 60_000, 1).driver_bytes < 1.4


def test_a_table_without_classes_has_no_cost() -> None:
    frame = pd.DataFrame({"q": ["*"], "r": ["*"], "s": ["a"], "t": ["b"]})
    with pytest.raises(Unavailable, match="every record is suppressed or empty"):
        measured_counts(metrics.score(frame, ROLES, metrics=[]).aggregates)
