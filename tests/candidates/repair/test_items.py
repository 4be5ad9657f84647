"""Items repaired until enough people share any few of them: by hand, and for generated people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, InputError, Parameters, Roles, Table, score
from metrics.candidates.repair import repair_items
from metrics.config.parameters import KmParameters
from tests.support.small_tables import Cells, columns_of, table

ROLES = Roles(["q"], person="who", item="item")
TREE = {"item": Hierarchy([["a1", "A", "*"], ["a2", "A", "*"], ["b1", "B", "*"], ["b2", "B", "*"], ["c1", "C", "*"]])}


def people(*baskets: str) -> Table:
    pairs = [(str(who), item) for who, items in enumerate(baskets) for item in items.split()]
    return table({"who": [who for who, _ in pairs], "q": ["x"] * len(pairs), "item": [item for _, item in pairs]})


def smallest(repaired: Table, settings: KmParameters) -> int | None:
    parameters = Parameters().with_settings({"km_anonymity.m": settings.m, "km_anonymity.k": settings.k})
    found = score(repaired, ROLES, parameters=parameters, hierarchies=TREE, metrics=["km_anonymity"])["km_anonymity"]
    assert not found.details.get("overlapping")
    return None if found.value is None else int(found.value)


def test_the_purchases_of_the_paper_are_generalized_as_there() -> None:
    """Terrovitis, Mamoulis and Kalnis: with a1 and a2 as A any two items are shared by two people."""
    repaired = repair_items(people("a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"), ROLES, TREE, KmParameters(2, 2))
    assert repaired.labels == {"a1": "A", "a2": "A"}
    assert columns_of(repaired.table)["item"] == ["A", "b1", "b2", "A", "b1", "A", "b1", "b2", "A", "A", "b2"]
    assert smallest(repaired.table, KmParameters(2, 2)) == 2


def test_without_a_level_below_the_root_items_are_suppressed() -> None:
    baskets = people("a1 c1", "a1", "a1", "a1")
    assert repair_items(baskets, ROLES, TREE, KmParameters(2, 2)).labels == {"c1": "*"}
    assert repair_items(baskets, ROLES, None, KmParameters(2, 2)).labels == {"c1": "*"}
    assert repair_items(people("a1", "b1"), ROLES, None, KmParameters(1, 2)).labels == {"a1": "*", "b1": "*"}


def test_what_is_enough_stays() -> None:
    baskets = people("a1 b1", "a1 b1")
    repaired = repair_items(baskets, ROLES, TREE, KmParameters(2, 2))
    assert (repaired.labels, columns_of(repaired.table)) == ({}, columns_of(baskets))


PAIRS = st.lists(
    st.tuples(st.sampled_from([*"123456", None]), st.sampled_from(["a1", "a2", "b1", "b2", "c1", "d", None, "*"])),
    max_size=30,
)


@given(PAIRS, st.integers(1, 3), st.integers(2, 3), st.booleans())
def test_enough_people_share_any_items_of_the_result(
    pairs: list[tuple[str | None, str | None]], m: int, k: int, with_hierarchy: bool
) -> None:
    cells: dict[str, Cells] = {"who": [who for who, _ in pairs], "q": ["x"] * len(pairs), "item": [i for _, i in pairs]}
    settings = KmParameters(m, k)
    repaired = repair_items(table(cells), ROLES, TREE if with_hierarchy else None, settings).table
    found = smallest(repaired, settings)
    assert found is None or found >= k
    after = columns_of(repaired)
    assert (after["who"], after["q"]) == (cells["who"], cells["q"])
    assert all(
        new in (old, (old or "")[:1].upper(), "*") for old, new in zip(cells["item"], after["item"], strict=True)
    )


def test_it_needs_people_and_items() -> None:
    with pytest.raises(InputError, match="no person or no item"):
        repair_items(people("a1"), Roles(["q"], person="who"))
