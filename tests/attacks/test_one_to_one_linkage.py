"""One-to-one linkage: by hand, against all assignments, and where it adds nothing."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, score
from metrics.attacks import one_to_one_linkage
from metrics.attacks.one_to_one_linkage import OneToOneLinkage
from metrics.interruption import reporting
from metrics.scoring.metric_score import Score
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    """Alone, the first person is nearest to the record of the second; together each has the own record."""
    original = written("age\n30\n40\n60")
    released = written("age\n42\n41\n60")
    found = score(released, Roles(["age"]), original=original, metrics=["one_to_one_linkage"])["one_to_one_linkage"]
    # 30 and 40 are both nearest to 41. All at once: 30 with 42 and 40 with 41 differ by 13, 30 with 41 and 40 with 42
    # by 13, too; but people with different values do not share their links, so one of the two assignments is drawn.
    assert found.details["record_by_record"] == pytest.approx(2 / 3)  # 40 and 60
    assert found.value in (pytest.approx(1 / 3), pytest.approx(1))
    assert found.details["mean_distance"] == pytest.approx(13 / 3 / 30)


def linked(before: dict[str, Cells], after: dict[str, Cells], seed: int = 0, **given: Any) -> Score:
    parameters = Parameters().with_settings({"attack.seed": seed})
    released, original = table(after, "after"), table(before, "before")
    card = score(released, Roles(list(before)), original=original, parameters=parameters, **given)
    return card["one_to_one_linkage"]


NUMBERS = st.lists(st.integers(0, 1_000), min_size=2, max_size=6, unique=True)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_the_sum_of_distances_is_the_least_of_all_assignments(numbers: list[int], random: Any) -> None:
    noisy = [number + random.randint(-400, 400) + number_of / 17 for number_of, number in enumerate(numbers)]
    found = linked({"n": list(map(str, numbers))}, {"n": list(map(str, noisy))}, metrics=["one_to_one_linkage"])
    reach = max(numbers) - min(numbers)
    totals = {
        order: sum(abs(numbers[i] - noisy[order[i]]) for i in range(len(numbers))) / reach
        for order in permutations(range(len(numbers)))
    }
    least = min(totals.values())
    assert found.details["mean_distance"] == pytest.approx(least / len(numbers), abs=1e-9)
    rates = {
        sum(i == j for i, j in enumerate(order)) / len(numbers)
        for order, total in totals.items()
        if total <= least + 1e-9
    }
    assert any(found.value == pytest.approx(rate) for rate in rates)


@given(st.lists(st.sampled_from([*"abcd"]), min_size=1, max_size=25), st.integers(0, 3))
def test_under_global_recoding_it_adds_nothing(cells: list[str], seed: int) -> None:
    tree = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]])
    recoded: Cells = ["AB" if cell in "ab" else "CD" for cell in cells]
    found = linked(
        {"q": cells}, {"q": recoded}, seed, hierarchies={"q": tree},
        metrics=["one_to_one_linkage", "record_linkage_attack"],
    )  # fmt: skip
    assert found.value == pytest.approx(len(Counter(recoded)) / len(cells))
    assert found.details["record_by_record"] == pytest.approx(found.value)


def test_the_order_of_the_tables_does_not_find_the_right_records() -> None:
    """Everything is suppressed: each assignment is as good, so of 60 people one is right in the mean."""
    values: Cells = [f"v{n}" for n in range(60)]
    tree = {"q": Hierarchy([[str(value), "*"] for value in values])}
    rates = [
        float(
            linked({"q": values}, {"q": ["*"] * 60}, seed, hierarchies=tree, metrics=["one_to_one_linkage"]).value or 0
        )
        for seed in range(20)
    ]
    assert np.mean(rates) == pytest.approx(1 / 60)  # equal records share their links


def test_the_order_of_the_tables_changes_nothing() -> None:
    generator = np.random.default_rng(5)
    sex, values = generator.choice([*"fm"], 60), generator.normal(50, 10, 60).round(3)
    before: dict[str, Any] = {"id": range(60), "sex": sex, "n": values}
    after = {**before, "n": (values + generator.normal(0, 4, 60)).round(3)}

    def found(*orders: np.ndarray) -> float | bool | None:
        original, released = (
            table({name: [str(cells[at]) for at in order] for name, cells in part.items()}, "t")
            for part, order in zip((before, after), orders, strict=True)
        )
        card = score(released, Roles(["sex", "n"], key="id"), original=original, metrics=["one_to_one_linkage"])
        return card["one_to_one_linkage"].value

    shuffled = [generator.permutation(60) for _ in range(6)]
    assert {found(*shuffled[at : at + 2]) for at in range(5)} == {found(np.arange(60), np.arange(60))}


def test_people_are_sought_among_the_records_with_their_unchanged_values() -> None:
    before: dict[str, Cells] = {"sex": [*"ffmm"], "age": ["30", "50", "31", "52"]}
    after: dict[str, Cells] = {"sex": [*"ffmm"], "age": ["33", "49", "30", "55"]}
    found = linked(before, after, metrics=["one_to_one_linkage"])
    assert isinstance(found.result, OneToOneLinkage)
    assert (found.result.exact_columns, found.result.blocks, found.result.largest_block) == (("sex",), 2, 2)
    assert found.value == 1


def test_of_large_blocks_people_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_to_one_linkage, "MAX_BLOCK", 10)
    numbers: Cells = [str(number) for number in range(0, 300, 10)]
    noisy: Cells = [str(int(str(number)) + 1) for number in numbers]
    shares: list[float] = []
    with reporting(shares.append):
        found = linked({"n": numbers}, {"n": noisy}, metrics=["one_to_one_linkage"])
    assert (found.value, found.details["exact"], found.details["attempts"]) == (1, False, 10)
    assert "10 people in all" in found.summary()
    assert shares == [1]
    assert linked({"n": numbers[::-1]}, {"n": noisy[::-1]}, metrics=["one_to_one_linkage"]).value == 1
