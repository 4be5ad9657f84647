"""Whether suppression removes some values more often than others."""

import numpy as np
import pytest

import metrics
from metrics import Roles
from metrics.config.analyses import Crosstab, Logistic, Mean
from metrics.explanations.suppression import left_out, removed_groups, suppressed_cells, uneven_suppression
from tests.support.small_tables import table

SEX = ["f", "f", "m", "m", "m", "m", "m", "m", "m", "m"]
AGE = [str(20 + number % 2) for number in range(10)]


def said(sex: list[str], age: list[str]) -> str | None:
    """What is said of a released table."""
    original = table({"sex": SEX, "age": AGE})
    card = metrics.score(table({"sex": sex, "age": age}), Roles(["sex", "age"]), original=original)
    return uneven_suppression(card.aggregates)


def test_a_value_that_all_its_records_lose_is_named() -> None:
    assert said(["*", "*", *SEX[2:-1], "*"], AGE) == (
        "1 of 2 values of sex (f) is suppressed in every record (2 records)."
    )


def test_the_value_that_is_suppressed_most_often_is_named() -> None:
    assert said(["*", *SEX[1:]], AGE) == (
        "sex f is under-represented: 50% of these records are suppressed, against 10% of all records."
    )


def test_even_suppression_and_tables_without_an_original_are_not_remarked() -> None:
    assert said(SEX, AGE) is None
    assert said(["*", "f", "*", "*", "*", "*", "m", "m", "m", "m"], AGE) is None  # half of each
    assert uneven_suppression(metrics.score(table({"sex": SEX, "age": AGE}), Roles(["sex"])).aggregates) is None


def test_values_that_all_their_records_lose_are_counted_in_each_column() -> None:
    """The one record of an age is suppressed, too few to name the age, and that of a ward; one of two women is, too."""
    sex, age, ward = ["f", "f", *["m"] * 298], ["20", "30"] * 149, ["a"] * 299
    original = table({"sex": sex, "age": [*age, "20", "40"], "ward": ["b", *ward]})
    anonymized = table({"sex": ["*", *sex[1:]], "age": [*["20-30"] * 299, "*"], "ward": ["*", *ward]})
    found = uneven_suppression(metrics.score(anonymized, Roles(["sex", "age", "ward"]), original=original).aggregates)
    assert found is not None
    assert found.endswith(" Suppressed in every record: 1 of 3 values of age and 1 of 2 values of ward.")


def test_empty_cells_are_said_beside_records_without_a_verdict_on_either() -> None:
    card = metrics.score(table({"sex": ["*", *SEX[1:]], "age": AGE}), Roles(["sex", "age"]))
    assert [*suppressed_cells(card)] == [
        "5% of the quasi-identifiers' cells are empty; "
        "0% of the records have every quasi-identifier suppressed or are removed."
    ]


@pytest.mark.parametrize("deletes", [False, True])
def test_the_value_whose_records_an_analysis_loses_most_often_is_named(deletes: bool) -> None:
    """Of 30 others 20 are lost, of 9 of ward c all; 10 of the others have no pay in the original."""
    people = [("other", "a")] * 40 + [("white", "c")] * 9 + [("white", "a"), ("white", "b")] * 100
    lost = np.array([*range(20), *range(40, 49)])
    race, ward = (np.array(cells, dtype=object) for cells in zip(*people, strict=True))
    pay = np.array([*["1"] * 30, *[None] * 10, *["1", "2"] * 104, "1"], dtype=object)
    number = [*map(str, range(len(people)))]
    original = table({"race": [*race], "ward": [*ward], "pay": [*pay], "id": number})
    if deletes:
        released = original.take(np.delete(np.arange(len(people)), lost))
    else:
        race[lost] = "*"
        released = table({"race": [*race], "ward": ["*"] * len(people), "pay": [*pay], "id": number})
    roles = Roles(["race", "ward"], identifiers=["id"], key="id")
    aggregates = metrics.score(released, roles, original=original, metrics=["k_anonymity"]).aggregates
    expected = "29 left out (12.1%); of values with 10 records or more, above all 20 of 30 of race other"
    for analysis in (Mean("pay", "race"), Logistic("race", "white", ["pay", "ward"])):
        assert left_out(aggregates, analysis) == expected
    assert (left_out(aggregates, Mean("pay")) is None) is not deletes
    unmatched = metrics.score(released, Roles(["race"]), original=original.take(lost), metrics=["k_anonymity"])
    assert left_out(unmatched.aggregates, Crosstab(["race", "ward"])) is None


@pytest.mark.parametrize("deletes", [False, True])
def test_groups_of_several_columns_that_lose_every_record_are_named_the_largest_first(deletes: bool) -> None:
    """All seven old widows, and six men in ward b; other widows, old people, men and records of ward b are left."""
    people = [("f", "old", "a", "widowed")] * 7 + [("m", "young", "b", "single")] * 6
    people += [
        ("f", "young", "a", "widowed"),
        ("f", "old", "b", "single"),
        ("m", "young", "a", "single"),
        ("m", "old", "a", "single"),
    ] * 4
    names = ["sex", "age", "ward", "status"]
    original = table(
        {**dict(zip(names, zip(*people, strict=True), strict=True)), "id": [*map(str, range(len(people)))]}
    )
    released = original.take(np.arange(13, len(people))) if deletes else None
    if released is None:
        cells = [("*",) * 4] * 13 + people[13:]
        released = table({**dict(zip(names, zip(*cells, strict=True), strict=True)), "id": original["id"].labels})
    roles = Roles(names, identifiers=["id"], key="id")
    card = metrics.score(released, roles, original=original, metrics=["k_anonymity"])
    assert removed_groups(card.aggregates) == (
        "More than half of the records are suppressed in these groups, which may overlap: "
        "age old and status widowed (7 of 7); "
        "sex m and ward b (6 of 6)."
    )


def test_a_value_of_which_nobody_is_left_belongs_to_the_label_above_it() -> None:
    """Peru and Chile are South America, of whom three of 15 are left, all Peruvian; Mali is in no tree."""
    tree = metrics.Hierarchy([["Peru", "South", "*"], ["Chile", "South", "*"], ["Spain", "Europe", "*"]])
    cells = [("Peru", "South")] * 3 + [("Chile", "*")] * 12 + [("Spain", "Europe")] * 20 + [("Mali", "*")] * 6
    before, after = (table({"country": [*column]}) for column in zip(*cells, strict=True))
    for trees, expected in (({"country": tree}, "South (12 of 15)"), ({}, "Chile (12 of 12)")):
        card = metrics.score(after, Roles("country"), original=before, hierarchies=trees, metrics=["k_anonymity"])
        found = removed_groups(card.aggregates)
        assert found is not None
        assert f"country {expected}; country Mali (6 of 6)" in found
