"""Whether records that are matched by position belong together."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.aggregates import TableAggregates
from tests.support.small_tables import Cells, table

RECORDS = 400
AGES = np.random.default_rng(1).integers(18, 90, RECORDS)


def is_reordered(before: Cells, after: Cells) -> bool:
    """Whether the records of two tables of ages, matched by position, are taken to be in different orders."""
    roles = metrics.Roles(quasi_identifiers=["age"])
    refusal = TableAggregates(table({"age": after}), roles, table({"age": before})).comparison.refusal
    return refusal is not None and "another order" in str(refusal)


def texts(numbers: np.ndarray) -> list[str | None]:
    return [str(number) for number in numbers.tolist()]


RELEASES: dict[str, Callable[[np.ndarray], list[str | None]]] = {
    "as it is": texts,
    "intervals": lambda ages: [f"[{age // 20 * 20}-{age // 20 * 20 + 20})" for age in ages.tolist()],
    "noise": lambda ages: texts(np.round(ages + np.random.default_rng(2).normal(0, 20, RECORDS), 3)),
    "mostly suppressed": lambda ages: ["*" if age % 4 else str(age) for age in ages.tolist()],
}


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_in_another_order_is_told_from_a_changed_one(release: str) -> None:
    released = RELEASES[release](AGES)
    shuffled = [released[position] for position in np.random.default_rng(3).permutation(RECORDS)]
    assert not is_reordered(texts(AGES), released)
    assert is_reordered(texts(AGES), shuffled)


def test_a_table_of_which_only_wards_are_in_order_is_told_from_one_with_a_changed_column() -> None:
    """Sorted within wards, record linkage was 20% instead of 100%; with the first record at the end, 25%."""
    wards = ["AB"[number // 200] for number in range(RECORDS)]
    stays: Cells = [str(stay) for stay in np.random.default_rng(5).integers(0, 30, RECORDS).tolist()]
    records = list(zip(wards, texts(AGES), stays, strict=True))

    def refused(released: list[tuple[str | None, ...]]) -> bool:
        original, release = (
            table(dict(zip(("ward", "age", "stay"), map(list, zip(*rows, strict=True)), strict=True)))
            for rows in (records, released)
        )
        return (
            TableAggregates(release, metrics.Roles(["ward", "age"], ["stay"]), original).comparison.refusal is not None
        )

    assert refused(sorted(records, key=str))
    assert refused([*records[1:], records[0]])
    random = np.random.default_rng(6)
    assert not refused(
        [
            (ward, age, stays[position])
            for (ward, age, _), position in zip(records, random.permutation(RECORDS), strict=True)
        ]
    )


def test_tables_that_say_nothing_of_the_order_are_not_refused() -> None:
    assert not is_reordered(["31"] * RECORDS, ["30-39"] * RECORDS)
    assert not is_reordered(texts(AGES), ["*"] * RECORDS)
    assert not is_reordered(texts(AGES[:50]), texts(AGES[:50][::-1]))


def test_figures_of_a_shuffled_table_are_unavailable_instead_of_harmless() -> None:
    """By position, record linkage would find 0.006% of people, of whom 22.9% are found in the table's own order."""
    original = metrics.read_table("sample_data/hospital.csv")
    released = metrics.read_table("sample_data/candidate_light.csv")
    roles = metrics.read_roles("sample_data/roles.yaml").roles
    shuffled = released.take(np.random.default_rng(4).permutation(released.rows))
    card = metrics.score(
        shuffled, roles, original=original, hierarchies=metrics.read_hierarchies("sample_data/hierarchies")
    )
    for metric in ("record_linkage_attack", "attribute_inference_attack", "non_uniform_entropy"):
        assert "another order" in str(card[metric].unavailable)
    assert card["k_anonymity"].value == 1


def test_records_sorted_anew_within_wards_are_in_another_order() -> None:
    """Most columns agree by position, since they are constant in a ward."""
    generator = np.random.default_rng(3)
    before = pd.DataFrame({"ward": np.repeat(list("abcdef"), 20), "zip": np.repeat([*"123456"], 20)})
    before["region"] = np.repeat(list("ns"), 60)
    before["birth"], before["ill"] = generator.integers(1000, 1900, 120), generator.choice(list("xyz"), 120)
    roles = metrics.Roles(["ward", "zip", "region", "birth"], ["ill"])

    def reason(after: pd.DataFrame) -> str:
        card = metrics.score(after, roles, original=before, metrics=["record_linkage_attack"])
        return card["record_linkage_attack"].unavailable or ""

    again = before.sort_values(["ward", "birth"], ignore_index=True)
    assert "in other rows" in reason(again)
    assert "in other rows" in reason(again.assign(region="*", zip=["*"] * 20 + [*again["zip"][20:]]))
    swapped = before.assign(birth=before["birth"].to_numpy()[::-1])
    assert not reason(swapped)
    assert not reason(before.assign(birth="*"))
