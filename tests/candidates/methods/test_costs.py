"""What the methods cost beside each other: the same k, and no more success of record linkage."""

import random
from dataclasses import dataclass
from typing import ClassVar

import pytest

from metrics import Hierarchy, InputError, Policy, Roles, Table, make_candidate, score
from metrics.candidates.methods import catalog
from metrics.candidates.methods.costs import ATTACKS, COSTS, LATTICE, method_costs
from metrics.candidates.methods.method import parameter, with_columns
from tests.support.small_tables import table

ROLES = Roles(quasi_identifiers=["age", "size"], sensitive=["ill"])
TREES = {
    "age": Hierarchy([[str(age), f"{age // 10}0s", "*"] for age in range(20, 60)]),
    "size": Hierarchy([[str(size), f"{size // 10}0s", "*"] for size in range(150, 190)]),
}
CANDIDATES = len(catalog.METHODS) + 2
"""Of every method, of Mondrian's relaxed form and of the lattice."""


def people(rows: int = 200) -> dict[str, list[str]]:
    chance = random.Random(3)
    return {
        "age": [str(chance.randrange(20, 60)) for _ in range(rows)],
        "size": [str(chance.randrange(150, 190)) for _ in range(rows)],
        "ill": chance.choices("xyz", k=rows),
    }


def test_methods_with_k_meet_it_and_the_others_the_success_of_mondrian() -> None:
    original = table(people())
    assert [cost.meets for cost in method_costs(original, ROLES, TREES, k=4)] == [None] * CANDIDATES
    policy = Policy("Small", {"k_anonymity": 4, "suppression": 0.2})
    judged = {cost.title: cost for cost in method_costs(original, ROLES, TREES, k=4, policy=policy)}
    assert judged["Mondrian"].meets is judged[LATTICE].meets is True
    assert judged["PRAM"].meets is False
    assert judged[LATTICE].settings.startswith("k 4, at most 20% suppressed, levels: age ")
    costs = {cost.settings + cost.title: cost for cost in method_costs(original, ROLES, TREES, k=4)}
    assert len(costs) == CANDIDATES
    by_title = {cost.title: cost for cost in costs.values()}
    target = (costs["k 4, l 1Mondrian"].figures or {})["record_linkage_attack"]
    assert target is not None
    for cost in costs.values():
        assert cost.figures is not None
        assert set(cost.figures) == {*ATTACKS, *COSTS}
    for title in ("Mondrian", LATTICE, "Microaggregation"):
        assert (by_title[title].smallest_class or 0) >= 4
    for title in ("PRAM", "Additive noise", "Rank swapping"):
        found = (by_title[title].figures or {})["record_linkage_attack"]
        assert found is not None
        assert (found <= target) is by_title[title].reached
    made = make_candidate(original, "mondrian", ROLES, TREES, k=4)
    card = score(made, ROLES, original=original, hierarchies=TREES)
    assert target == card["record_linkage_attack"].value


def test_a_method_that_the_table_does_not_suit_says_why() -> None:
    cells = people()
    words = {"age": [f"a{age}" for age in cells["age"]], "size": [f"s{size}" for size in cells["size"]]}
    costs = method_costs(table({**cells, **words}), ROLES, k=2)
    unavailable = {cost.title for cost in costs if cost.unavailable is not None}
    assert {"Additive noise", "Rank swapping", "Top and bottom coding"} <= unavailable
    assert "PRAM" not in unavailable


@dataclass(frozen=True)
class Blurring:
    """Numbers are rounded to the size of a group; nothing but the catalog knows it."""

    name: ClassVar[str] = "blurring"
    title: ClassVar[str] = "Blurring"
    about: ClassVar[str] = "Numbers are rounded."
    generalizes: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    takes_seed: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True

    width: float = parameter(2.0, "Width", "Width of a group.", 0)

    def apply(self, original: Table, roles: Roles, hierarchies: object = None, *, seed: int | None = None) -> Table:
        def blurred(label: str | None) -> str:
            return str(int(int(label or 0) // (1 + self.width)))

        columns = (original[name] for name in roles.quasi_identifiers)
        cells = {column.name: [blurred(column.labels[code]) for code in column.codes] for column in columns}
        return with_columns(original, {column.name: column for column in table(cells).columns})


@dataclass(frozen=True)
class Grouping(Blurring):
    """The same by k, or not at all."""

    title: ClassVar[str] = "Grouping"
    k: int = parameter(5, "k", "Records per group.", 1)

    def apply(self, original: Table, roles: Roles, hierarchies: object = None, *, seed: int | None = None) -> Table:
        raise InputError(f"k {self.k} is not possible", remedy="choose another")


def test_a_method_of_the_catalog_is_compared_without_being_listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "METHODS", (*catalog.METHODS, Blurring, Grouping))
    costs = {cost.title: cost for cost in method_costs(table(people()), ROLES, TREES, k=4)}
    assert {method.title for method in catalog.METHODS} < costs.keys()
    found, target = (costs[title].figures or {} for title in ("Blurring", "Mondrian"))
    assert costs["Blurring"].reached
    assert found["record_linkage_attack"] <= target["record_linkage_attack"]  # type: ignore[operator]
    assert costs["Blurring"].settings.startswith("width ")
    assert costs["Grouping"].unavailable == "k 4 is not possible; choose another."


def test_comparing_methods_is_refused_for_fewer_records_than_k() -> None:
    with pytest.raises(InputError, match="fewer than k"):
        method_costs(table(people(3)), ROLES, TREES, k=4)
