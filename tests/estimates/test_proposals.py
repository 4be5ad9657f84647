"""Analyses proposed from roles."""

from typing import Any

from metrics import (
    Crosstab,
    Hierarchy,
    Linear,
    Logistic,
    Mean,
    Roles,
    Term,
    propose_analyses,
    read_hierarchies,
    read_roles,
    read_table,
)
from metrics.identifiers.column_names import says_age, says_sex
from tests.support.sample import SAMPLE
from tests.support.small_tables import table


def test_the_sample() -> None:
    roles, trees = read_roles(SAMPLE / "roles.yaml").roles, read_hierarchies(SAMPLE / "hierarchies")
    proposed = propose_analyses(read_table(SAMPLE / "hospital.csv"), roles, trees)
    age, place = Term("age", level=2), Term("zip_code", level=2)
    assert list(proposed.values()) == [
        Mean("length_of_stay", "sex"),
        Mean("length_of_stay", age),
        Crosstab(["diagnosis", "sex"]),
        Crosstab(["diagnosis", age]),
        Linear("length_of_stay", ["sex", "age", place, "marital_status"]),
        Mean("length_of_stay", place),
        Mean("length_of_stay", "marital_status"),
        Mean("length_of_stay", Term("occupation", level=1)),
    ]
    assert list(proposed)[:5:2] == ["length_of_stay by sex", "diagnosis and sex", "length_of_stay (regression)"]


def test_a_regression_is_among_those_of_many_attributes_without_hierarchies() -> None:
    cells: dict[str, Any] = {
        "Age": [str(number % 30) for number in range(90)],
        "region": ["north", "south", "west"] * 30,
        **{name: ["yes", "no", "no"] * 30 for name in ("ill", "poor", "old", "out")},
    }
    proposed = propose_analyses(table(cells), Roles(["Age", "region"], ["ill", "poor", "old", "out"]))
    assert [type(one) for one in proposed.values()] == [Crosstab, Crosstab, Logistic, Crosstab, Crosstab]
    assert Logistic("ill", "yes", ["Age", "region"]) in proposed.values()


def test_neither_the_order_of_roles_nor_that_of_records_matters() -> None:
    cells: dict[str, Any] = {name: ["a", "b"] * 3 for name in ("p", "sex", "q", "r", "s", "t", "u")}
    of = table(cells)
    proposed = propose_analyses(of, Roles(["p", "sex", "q", "r", "s"], ["t", "u"]))
    again = propose_analyses(of, Roles(["s", "r", "q", "sex", "p"], ["u", "t"]))
    assert list(again.items()) == list(proposed.items())
    backwards = table({name: column[::-1] for name, column in cells.items()})
    assert propose_analyses(backwards, Roles(["p", "sex", "q", "r", "s"], ["t", "u"])) == proposed
    assert proposed["t (regression)"] == Logistic("t", "b", ["sex", "p", "q", "r"])


def test_nothing_to_propose() -> None:
    cells: dict[str, Any] = {"q": ["a", "b"], "s": ["c", "c"], "n": [None, None]}
    assert propose_analyses(table(cells), Roles("q")) == {}
    assert propose_analyses(table(cells), Roles("s", ["q"])) == {}
    assert propose_analyses(table(cells), Roles(["q", "x"], ["s", "y"])) == {"s and q": Crosstab(["s", "q"])}
    assert list(propose_analyses(table(cells), Roles("q", "n"))) == ["n and q"]
    long: dict[str, Any] = {"q": [str(n) for n in range(40)], "s": ["a", "b"] * 20}
    flat = Hierarchy([[str(n), "*"] for n in range(40)])
    assert list(propose_analyses(table(long), Roles("q", "s"), {"q": flat})) == ["s (regression)"]


def test_names_of_sex_and_age() -> None:
    assert all(map(says_sex, ["sex", "Gender", "patient_sex", "Geschlecht", "性別"]))
    assert all(map(says_age, ["age", "AGE_GROUP", "year of birth", "Alter", "年齡"]))
    assert not any(says(name) for says in (says_sex, says_age) for name in ["sextant", "wage", "stage", "language"])
