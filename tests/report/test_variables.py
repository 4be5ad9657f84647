"""The variables of a release with their treatment, and its risk before and after."""

import pandas as pd

import metrics
from metrics.report.variables import key_sets, risks, variables

ORIGINAL = pd.DataFrame(
    {
        "name": ["Ann", "Bob", "Cem", "Dee"],
        "age": ["31", "32", "47", "48"],
        "sex": ["f", "m", "m", "f"],
        "illness": ["flu", "cold", "ulcer", "flu"],
        "ward": ["1", "1", "2", "2"],
    }
)
RELEASED = pd.DataFrame(
    {
        "age": ["30-39", "30-39", "40-49", "*"],
        "sex": ["f", "m", "m", "f"],
        "illness": ["flu", "cold", "ulcer", "flu"],
        "ward": ["1", "1", "2", "2"],
        "region": ["n", "n", "s", "s"],
    }
)
ROLES = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"], identifiers=["name"])


def test_every_column_is_listed_with_its_treatment() -> None:
    card = metrics.score(RELEASED, ROLES, original=ORIGINAL)
    found = {one.name: (one.role, one.treatment, one.distinct) for one in variables(card)}
    assert found == {
        "age": ("quasi-identifier", "generalized in 75%; suppressed in 25%", "4 → 2"),
        "sex": ("quasi-identifier", "unchanged", "2 → 2"),
        "illness": ("sensitive", "unchanged", "3 → 3"),
        "name": ("identifier", "removed", "4 → —"),
        "ward": ("insensitive", "released", "2 → 2"),
        "region": ("insensitive", "not in the original", "— → 2"),
    }
    assert next(iter(found)) == "age"


def test_risks_are_listed_before_and_after_anonymization() -> None:
    original = pd.DataFrame({"age": ["31", "31", "47", "48"], "illness": ["flu"] * 4})
    released = original.assign(age=["31", "31", "40-49", "40-49"])
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    found = {one.title: (one.initial, one.residual) for one in risks(metrics.score(released, roles, original=original))}
    assert found["Smallest class"] == ("1", "2")
    assert found["Highest risk of a record"] == ("100%", "50%")
    assert found["Average risk of a record"] == ("75%", "50%")
    assert found["Unique records"] == ("2", "0")


def test_people_and_households_are_listed_with_their_residual_risk() -> None:
    cells = {"age": ["31", "31", "47", "48"], "who": ["1", "2", "3", "3"], "home": ["a", "a", "b", "b"]}
    original = pd.DataFrame({**cells, "illness": ["flu"] * 4})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"], person="who", household="home")
    found = {one.title: (one.initial, one.residual) for one in risks(metrics.score(original, roles, original=original))}
    assert found["Smallest group of people (k)"] == ("—", "1")
    assert found["Average risk of a person"] == ("—", "66.7%")  # 1 and 2 are alike, 3 is alone
    assert found["People found by a linkage attack"] == ("—", "66.7%")
    assert found["Highest risk of a household"] == ("—", "100%")
    plain = metrics.score(original, metrics.Roles(["age"], ["illness"]), original=original)
    assert [one.title for one in risks(plain)] == list(found)[:4]


def test_without_an_original_only_suppression_is_known() -> None:
    card = metrics.score(RELEASED, ROLES)
    assert {one.treatment for one in variables(card)} == {"not compared", "suppressed in 25%; otherwise not compared"}
    assert risks(card) == []


def test_every_key_set_has_its_risk_the_weakest_first() -> None:
    roles = metrics.Roles(["age", "sex"], ["illness"], key_sets={"employer": ["sex"], "neighbour": ["age", "sex"]})
    found = key_sets(metrics.score(RELEASED, roles, original=ORIGINAL))
    assert [(one.name, one.columns, one.k, one.highest, one.linkage) for one in found] == [
        ("neighbour", "age and sex", "1", "100%", "87.5%"),  # `*` covers every age: Ann has two possible records
        ("employer", "sex", "2", "50%", "50%"),
    ]
    assert key_sets(metrics.score(RELEASED, ROLES)) == []
