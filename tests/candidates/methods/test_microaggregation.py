"""MDAV: the groups of the published algorithm, and what they are released as."""

import random
from collections import Counter
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, Roles, score
from metrics.candidates.methods import microaggregation
from metrics.candidates.methods.microaggregation import Microaggregation, Space, mdav
from tests.oracle.mdav import mdav as point_by_point
from tests.support.small_tables import cells_of, columns_of, table

ROLES = Roles(quasi_identifiers=["a", "b", "c"], sensitive=["ill"])


def numbers() -> dict[str, list[int]]:
    chance = random.Random(19)
    return {name: chance.sample(range(100_000), 200) for name in "abc"}


@pytest.mark.parametrize(
    ("k", "sizes", "spread"),
    [
        (3, {3: 65, 5: 1}, 24.878382470281696),
        (5, {5: 40}, 46.91311886104194),
        (10, {10: 20}, 93.05423015481806),
    ],
)
def test_anonypyx_finds_groups_of_the_same_spread(k: int, sizes: dict[int, int], spread: float) -> None:
    """anonypyx 0.2.11 (MDAV-generic): sizes, and the squared distances within groups in standard deviations.

    Its distances from the average are NaN where no column is categorical (scipy's Hamming distance of no columns), so
    that it takes the first record for the farthest; for these figures they were made 0.
    """
    columns = {name: list(map(float, of)) for name, of in numbers().items()}
    original = table({name: [f"{number:.0f}" for number in of] for name, of in columns.items()})
    groups = list(mdav(Space.from_columns(original.columns), k))
    assert Counter(map(len, groups)) == sizes
    found = 0.0
    for of in columns.values():
        for group in groups:
            own = [of[i] for i in group]
            found += sum((number - mean(own)) ** 2 for number in own) / stdev(of) ** 2
    assert found == pytest.approx(spread, rel=1e-9)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=3, max_size=40), st.integers(1, 5))
def test_groups_are_those_found_point_by_point(points: list[tuple[int, int]], k: int) -> None:
    if len(points) < k:
        return
    unit = 2**30  # what a whole number of a space is a part of
    columns = tuple(np.array(column, dtype=np.int64) * unit for column in zip(*points, strict=True))
    found = [group.tolist() for group in mdav(Space(columns, ()), k)]
    assert found == [group for group in point_by_point(points, k)]


def test_groups_get_means_and_the_most_frequent_values() -> None:
    original = table(
        {
            "a": ["1", "2", "4", "90", "91", "93"],
            "b": ["1.5", "1.5", "1.6", "9.0", "9.1", "9.2"],
            "c": ["f", "f", "m", "m", "m", "m"],
            "ill": list("xyzxyz"),
        }
    )
    made = Microaggregation(3).apply(original, ROLES)
    assert columns_of(made) == {
        "a": ["2"] * 3 + ["91"] * 3,
        "b": ["1.5"] * 3 + ["9.1"] * 3,
        "c": ["f"] * 3 + ["m"] * 3,
        "ill": list("xyzxyz"),
    }


def test_missing_numbers_stay_missing_and_form_a_group() -> None:
    original = table({"a": ["1", "2", None, "50", "51", None], "b": ["1"] * 6, "c": ["f"] * 6, "ill": ["x"] * 6})
    made = Microaggregation(2).apply(original, ROLES)
    assert cells_of(made["a"]) == ["2", "2", None, "50", "50", None]


@pytest.mark.parametrize("rows", [90, 101])
def test_microaggregation_in_blocks_keeps_every_class_at_k_records_or_more(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(microaggregation, "BLOCK", 30)
    chance = random.Random(rows)
    cells = {name: [str(chance.randrange(1_000)) for _ in range(rows)] for name in "ab"}
    original = table({**cells, "c": [chance.choice("fm") for _ in range(rows)], "ill": ["x"] * rows})
    made = Microaggregation(4).apply(original, ROLES)
    smallest = score(made, ROLES, metrics=["k_anonymity"])["k_anonymity"].value
    assert smallest is not None
    assert smallest >= 4
    only = Microaggregation(4).apply(original, Roles(quasi_identifiers=["c"]))
    assert min(Counter(cells_of(only["c"])).values()) >= 4


def test_fewer_records_than_k_are_refused() -> None:
    original = table({"a": ["1"], "b": ["1"], "c": ["f"], "ill": ["x"]})
    with pytest.raises(InputError, match="fewer than k"):
        Microaggregation(2).apply(original, ROLES)
    assert columns_of(Microaggregation(1).apply(original, ROLES)) == columns_of(original)
