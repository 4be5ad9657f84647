"""k-anonymity of people against groups formed person by person, and where the role person reaches."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from metrics import InputError, Roles, read_roles, score
from metrics.texts import text
from tests.privacy.grouped_records import tables
from tests.support.command_line import call
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    released = written("""
        who visit
        ann foo
        bob bar
        cat foo
        cat bar
        dan foo
        eve bar
    """)
    card = score(released, Roles(["visit"], person="who"))
    assert card["k_anonymity"].value == 3
    # foo: ann and dan; bar: bob and eve; foo and bar: cat.
    assert card["people_k_anonymity"].value == min(2, 2, 1)
    assert card["people_k_anonymity"].details["unique_people"] == 1


ROLES = Roles(quasi_identifiers=["q", "r"], person="who")
NAME = "people_k_anonymity"
# Google's example of its former rule: 3 is the only one with both values, which entity by entity and class goes unseen.
FOO_AND_BAR: dict[str, Cells] = {"who": ["1", "2", "3", "3"], "q": ["foo", "bar", "foo", "bar"], "r": ["x"] * 4}


CELLS = {"who": list("123456789"), "q": ["a", "b", "*"], "r": ["x", "*"]}


def people_by_group(columns: dict[str, Cells]) -> list[int]:
    """The people of each group, smallest first: a person's key is the multiset of the records that are in classes."""
    keys: dict[object, Counter[tuple[object, object]]] = {}
    for who, *key in zip(columns["who"], columns["q"], columns["r"], strict=True):
        if key != ["*", "*"]:
            keys.setdefault(who, Counter())[key[0], key[1]] += 1
    return sorted(Counter(frozenset(key.items()) for key in keys.values()).values())


@given(tables(CELLS))
def test_groups_are_those_formed_person_by_person(columns: dict[str, Cells]) -> None:
    groups = people_by_group(columns)
    found = score(table(columns), ROLES)[NAME]
    if not groups:
        assert found.unavailable == text("unavailable.all_suppressed")
        return
    assert found.value == groups[0]
    assert found.details == {
        "people": sum(groups),
        "records": sum(pair != ("*", "*") for pair in zip(columns["q"], columns["r"], strict=True)),
        "groups": len(groups),
        "unique_people": groups.count(1),
        "highest_risk": 1 / groups[0],
        "average_risk": len(groups) / sum(groups),
    }


def test_people_with_different_numbers_of_equal_records_are_distinguished() -> None:
    columns: dict[str, Cells] = {"who": ["1", "2", "2"], "q": ["a"] * 3, "r": ["x"] * 3}
    assert score(table(columns), ROLES)[NAME].details["groups"] == 2


@given(tables(CELLS))
def test_one_record_per_person_gives_k_anonymity(columns: dict[str, Cells]) -> None:
    columns["who"] = [f"p{i}" for i in range(len(columns["q"]))]
    card = score(table(columns), ROLES)
    assert card[NAME].value == card["k_anonymity"].value


@given(tables(CELLS))
def test_the_role_changes_no_other_figure(columns: dict[str, Cells]) -> None:
    with_role = score(table(columns), ROLES).to_dict()["metrics"]
    without = score(table(columns), Roles(quasi_identifiers=["q", "r"])).to_dict()["metrics"]
    for name in (NAME, "people_linkage_attack"):
        assert without.pop(name)["value"] is None
        del with_role[name]
    assert with_role == without


@pytest.mark.parametrize("nobody", [None, "", "*"])
def test_a_record_without_a_person_is_reported_unless_it_is_suppressed(nobody: str | None) -> None:
    columns: dict[str, Cells] = {"who": ["1", nobody], "q": ["a", "a"], "r": ["x", "x"]}
    assert score(table(columns), ROLES)[NAME].unavailable == '1 record in classes has no person in "who"'
    assert score(table(columns | {"q": ["a", "*"], "r": ["x", "*"]}), ROLES)[NAME].value == 1


@pytest.mark.parametrize("roles", [Roles(["q", "who"], person="who"), Roles(["q"], ["who"], person="who")])
def test_the_person_is_neither_quasi_identifier_nor_sensitive(roles: Roles) -> None:
    with pytest.raises(InputError, match="the person column has another role"):
        score(table(FOO_AND_BAR), roles)


def test_a_role_file_can_name_the_person_column_for_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles, release = tmp_path / "roles.yaml", tmp_path / "release.csv"
    roles.write_text("quasi_identifiers: [q, r]\nidentifiers: [who]\nperson: who\n")
    release.write_text("who,q,r\nP1,foo,x\nP2,bar,x\nP3,foo,x\nP3,bar,x\n")
    assert read_roles(roles).roles.person == "who"
    done = call(capsys, "score", "--anonymized", release, "--roles", roles, "--json")
    assert done.object["metrics"][NAME]["details"]["people"] == 3
