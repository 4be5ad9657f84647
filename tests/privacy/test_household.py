"""Household risk against the product over members, member by member."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from metrics import InputError, Roles, read_roles, score
from metrics.texts import text
from tests.privacy.grouped_records import tables
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    released = written("""
        home age
        A    20-29
        A    30-39
        B    20-29
        C    30-39
        D    30-39
        E    30-39
    """)
    found = score(released, Roles(["age"], household="home"))["household_risk"]
    # Home A is found if one of its two members is, who are in classes of 2 and of 4 records.
    assert found.value == pytest.approx(1 - (1 - 1 / 2) * (1 - 1 / 4))
    assert found.details["households_at_risk"] == 5  # the others have risks of 1/2 and 1/4, too: above 20%


NAME = "household_risk"
ROLES = Roles(quasi_identifiers=["q", "r"], household="home")
CELLS = {"home": list("123456789"), "q": ["a", "b", "*"], "r": ["x", "*"]}


@given(tables(CELLS))
def test_risks_are_one_less_the_product_over_members(columns: dict[str, Cells]) -> None:
    rows = list(zip(columns["home"], columns["q"], columns["r"], strict=True))
    sizes = Counter((q, r) for _, q, r in rows)
    missed: dict[object, float] = {}
    members: Counter[object] = Counter()
    for home, *key in rows:
        if key != ["*", "*"]:
            missed[home] = missed.get(home, 1.0) * (1 - 1 / sizes[key[0], key[1]])
            members[home] += 1
    found = score(table(columns), ROLES)[NAME]
    if not missed:
        assert found.unavailable == text("unavailable.all_suppressed")
        return
    assert found.value == pytest.approx(max(1 - one for one in missed.values()))
    expected = sum((1 - missed[home]) * members[home] for home in missed)
    assert found.details["expected_reidentifications"] == pytest.approx(expected)
    assert found.details["average"] == pytest.approx(expected / sum(members.values()))
    assert found.details["households"] == len(missed)


def test_households_of_one_have_the_risk_of_their_record() -> None:
    columns: dict[str, Cells] = {"home": ["1", "2", "3"], "q": ["a", "a", "a"], "r": ["x"] * 3}
    card = score(table(columns), ROLES)
    assert card[NAME].value == pytest.approx(card["reidentification_risk"].value)


@given(tables(CELLS))
def test_the_role_changes_no_other_figure(columns: dict[str, Cells]) -> None:
    with_role = score(table(columns), ROLES).to_dict()["metrics"]
    without = score(table(columns), Roles(quasi_identifiers=["q", "r"])).to_dict()["metrics"]
    assert without.pop(NAME)["value"] is None
    del with_role[NAME]
    assert with_role == without


def test_a_record_of_no_household_is_named() -> None:
    columns: dict[str, Cells] = {"home": ["1", None], "q": ["a", "a"], "r": ["x", "x"]}
    assert score(table(columns), ROLES)[NAME].unavailable == '1 record in classes has no household in "home"'


def test_a_household_is_no_quasi_identifier_and_not_the_person() -> None:
    for roles in (Roles(["q", "home"], household="home"), Roles(["q"], person="home", household="home")):
        with pytest.raises(InputError, match="the household column has another role"):
            score(table({"home": ["1"], "q": ["a"]}), roles)


def test_a_role_file_can_name_the_household_column(tmp_path: Path) -> None:
    roles = tmp_path / "roles.yaml"
    roles.write_text("quasi_identifiers: [q]\nidentifiers: [home]\nhousehold: home\n")
    assert read_roles(roles).roles.household == "home"
