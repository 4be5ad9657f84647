"""Direct identifiers do not leave with a table: they fail every policy, and what is made here has none."""

from pathlib import Path

import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.method import CandidateMethod
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.explanations.brief_finding import before_release
from metrics.identifiers.released import released_identifiers, released_keys, suppress_identifiers
from metrics.policy.policy import Outcome, Policy, Status
from metrics.tables.table import Table
from tests.support.small_tables import columns_of, table

ROLES = metrics.Roles(["age"], ["illness"], identifiers=["name", "number"])
CELLS = {"age": ["30"] * 4 + ["40"] * 4, "illness": ["flu", "cold"] * 4, "name": list("abcdefgh"), "number": ["*"] * 8}


def people(**columns: list[str]) -> Table:
    return table({**CELLS, **columns})


def test_an_identifier_is_released_where_a_cell_is_neither_missing_nor_suppressed() -> None:
    assert released_identifiers(people(), ROLES) == ("name",)
    assert released_identifiers(people(name=["*", ""] * 4), ROLES) == ()
    assert released_identifiers(people(name=["*"] * 7 + ["a"]), ROLES) == ("name",)
    assert released_identifiers(table({"age": ["30"], "illness": ["flu"]}), ROLES) == ()


def test_what_records_are_matched_by_or_people_counted_by_serves_the_assessment() -> None:
    assert released_identifiers(people(), metrics.Roles(["age"], identifiers=["name"], key="name")) == ()
    assert released_identifiers(people(), metrics.Roles(["age"], identifiers=["name"], person="name")) == ()


def test_what_only_serves_the_assessment_is_to_be_removed_before_release() -> None:
    roles = metrics.Roles(["age"], ["illness"], identifiers=["name", "number"], key="number", person="name")
    assert released_keys(people(), roles) == ("name",)
    assert released_keys(people(), metrics.Roles(["age"], key="age")) == ()
    warnings = before_release(metrics.score(people(), roles))
    assert warnings[0] == (
        "The table shows name, which serves only to match records or count people here: remove it, or "
        "replace its values by random ones."
    )


def test_suppressing_leaves_every_other_cell() -> None:
    before, after = columns_of(people()), columns_of(suppress_identifiers(people(), ROLES))
    assert after == {**before, "name": ["*"] * 8}


def test_a_policy_with_a_limit_fails_a_table_that_shows_identifiers_and_none_else() -> None:
    policy = Policy("Ours", {"k_anonymity": 2})
    shown, hidden = (policy.judge(metrics.score(one, ROLES)) for one in (people(), people(name=["*"] * 8)))
    assert (shown.status, hidden.status) == (Status.FAILS, Status.MEETS)
    assert [(one.metric, one.value, one.outcome) for one in shown.failed] == [("direct_identifiers", 1, Outcome.FAILED)]
    assert len(hidden.limits) == 1
    assert Policy().judge(metrics.score(people(), ROLES)).status is Status.NO_LIMITS


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_no_method_lets_identifiers_through(method: type[CandidateMethod]) -> None:
    ages = people() if method.name != "pram" else people(age=["young"] * 4 + ["old"] * 4)
    made = metrics.make_candidate(ages, method.name, ROLES, seed=1)
    assert columns_of(made)["name"] == ["*"] * 8


@pytest.mark.parametrize("method", Method)
def test_a_repair_suppresses_them_and_its_recipe_does_so_again(method: Method) -> None:
    aggregates = TableAggregates(people(), ROLES)
    repair = repair_to(aggregates, Constraints(k=3), method)
    assert columns_of(repair.table) == {**columns_of(people()), "name": ["*"] * 8}
    recipe = metrics.recipe_of_repair(aggregates, repair)
    assert columns_of(recipe.apply(people()).table) == columns_of(repair.table)


def test_a_generalized_table_and_its_recipe_suppress_them_even_where_new_data_lack_them(
    tmp_path: Path,
) -> None:
    made = metrics.generalized_table(people(), ROLES, None, [1])
    (tmp_path / "recipe.yaml").write_text(metrics.recipe_of_levels(people(), ROLES, None, [1]).to_yaml())
    recipe = metrics.read_recipe(tmp_path / "recipe.yaml")
    assert columns_of(recipe.apply(people()).table) == columns_of(made)
    assert columns_of(made)["name"] == ["*"] * 8
    fewer = table({name: cells for name, cells in CELLS.items() if name != "name"})
    assert "name" not in recipe.apply(fewer).table
