"""k^m-anonymity: by hand, against every combination of every person, and who is left out."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Hierarchy, InputError, Parameters, Roles, read_roles, score
from metrics.privacy.km_anonymity.measure import KmAnonymity
from metrics.scoring.metric_score import Score
from metrics.texts import text
from tests.support.small_tables import Cells, table, written

ROLES = Roles(["q"], person="who", item="item")
BASKETS = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"]


def test_worked_example() -> None:
    """The purchases of Terrovitis, Mamoulis and Kalnis: two people share a1 and b2, nobody else a1 and a2 or b1."""
    released = written("who q item\n" + "\n".join(f"{who} x {item}" for who, items in enumerate(BASKETS)
                                                  for item in items.split()))  # fmt: skip
    found = score(released, ROLES, metrics=["km_anonymity"])["km_anonymity"]
    assert found.value == 1
    assert found.details["unique_people"] == 2  # the first by a1 and b1, the last by a1 and a2
    assert [row["value"] for row in found.details["curve"]] == [2, 1, 1]
    assert found.details["people_below"] == 4  # everybody: no two items are shared by five


def of(who: Cells, item: Cells, roles: Roles = ROLES, **given: Any) -> Score:
    settings = {name: given.pop(name.replace(".", "__")) for name in ("km_anonymity.m", "km_anonymity.k")
                if name.replace(".", "__") in given}  # fmt: skip
    cells: dict[str, Cells] = {"who": who, "q": ["x"] * len(who), "item": item}
    parameters = Parameters().with_settings(settings)
    return score(table(cells), roles, parameters=parameters, metrics=["km_anonymity"], **given)["km_anonymity"]


def generalized(m: int) -> Score:
    pairs = [(str(who), "A" if item[0] == "a" else item) for who, items in enumerate(BASKETS) for item in items.split()]
    return of([who for who, _ in pairs], [item for _, item in pairs], km_anonymity__m=m)


def test_after_global_recoding_more_people_share_items() -> None:
    assert [generalized(m).value for m in (1, 2, 3)] == [3, 2, 2]


PEOPLE = st.lists(
    st.tuples(st.sampled_from(["1", "2", "3", "4", "5", None, "*"]), st.sampled_from([*"abcdef", "*", None, ""])),
    max_size=40,
)


@given(PEOPLE, st.integers(1, 3), st.integers(2, 4))
def test_every_figure_is_that_of_all_combinations(pairs: list[tuple[str | None, str | None]], m: int, k: int) -> None:
    found = of([who for who, _ in pairs], [item for _, item in pairs], km_anonymity__m=m, km_anonymity__k=k)
    nobody, nothing = (None, "*"), (None, "*", "")
    sets: dict[str, set[str]] = {}
    for who, item in pairs:
        if who not in nobody and item not in nothing:
            sets.setdefault(str(who), set()).add(str(item))
    if not pairs:
        assert found.unavailable == text("unavailable.no_records")
        return
    if not sets:
        assert found.unavailable == text("km_anonymity.unavailable.no_item_of_a_person", item="item")
        return
    supports = Counter(
        chosen for items in sets.values() for size in range(1, m + 1) for chosen in combinations(sorted(items), size)
    )

    def people_with_fewer(limit: int) -> int:
        rare = [set(chosen) for chosen, support in supports.items() if support < limit]
        return sum(any(chosen <= items for chosen in rare) for items in sets.values())

    assert found.value == min(supports.values())
    assert found.details["people_below"] == people_with_fewer(k)
    assert found.details["unique_people"] == people_with_fewer(2)
    assert found.details["people"] == len(sets)
    everybody = {who for who, _ in pairs} - set(nobody)
    assert found.details["people_without_items"] == len(everybody) - len(sets)
    assert found.details["records_without_person"] == sum(who in nobody for who, _ in pairs)
    assert isinstance(found.result, KmAnonymity)
    rarest = {frozenset(items): people for items, people in found.result.rarest}
    assert rarest == {frozenset(chosen): support for chosen, support in supports.items() if support < k}
    assert [people for _, people in found.result.rarest] == sorted(rarest.values())
    values = [row["value"] for row in found.details["curve"]]
    assert values == sorted(values, reverse=True)
    assert "rarest" not in str(found.details)


def test_an_item_under_two_labels_takes_the_guarantee_away() -> None:
    tree = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "C", "*"]])
    apart, both = ["AB", "c", "AB", "c"], ["AB", "a", "AB", "a"]
    assert of([*"1122"], apart, hierarchies={"item": tree}).details["overlapping"] is False
    found = of([*"1122"], both, hierarchies={"item": tree})
    assert found.details["overlapping"] is True
    assert found.summary().endswith(text("km_anonymity.overlapping", item="item"))


def test_records_of_nobody_are_left_out_and_said_to_be() -> None:
    found = of([*"1122", "*", None], [*"ababrr"])
    assert found.value == 2
    assert found.summary().endswith(text("km_anonymity.nobody", records=2))
    assert "nobody," not in of([*"1122"], [*"abab"]).summary()


def test_the_roles_that_it_needs(tmp_path: Path) -> None:
    assert of([*"12"], [*"ab"], Roles(["q"], item="item")).unavailable == text("unavailable.no_person")
    found = of([*"12"], [*"ab"], Roles(["q"], person="who"))
    assert found.unavailable == text("km_anonymity.unavailable.no_item")
    file = tmp_path / "roles.yaml"
    file.write_text("quasi_identifiers: [q]\nperson: who\nitem: item\n")
    assert read_roles(file).roles == ROLES
    with pytest.raises(InputError, match="the item column has another role"):
        of([*"12"], [*"ab"], Roles(["q"], person="who", item="who"))
    assert of([*"1122"], [*"abab"], Roles(["q"], ["item"], person="who", item="item")).value == 2


def test_people_with_too_many_items_are_not_counted() -> None:
    items = [f"i{number}" for number in range(20_000)]
    assert of(["1"] * 20_000, items).unavailable == text("km_anonymity.unavailable.too_many", m=2)
    assert of(["1"] * 20_000, items, km_anonymity__m=1).value == 1


def test_one_function_for_a_data_frame() -> None:
    frame = table({"who": [*"1122"], "q": [*"xxxx"], "item": [*"abac"]})
    assert metrics.km_anonymity(frame, "q", person="who", item="item", m=1) == 1
