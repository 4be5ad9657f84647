"""Direct identifiers do not leave with a table: they fail every policy, and what is made here has none."""

from pathlib import Path

import pytest

import metrics
from dashboard.environment import ROOT
from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.method import CandidateMethod
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.explanations.findings import findings, said
from metrics.identifiers.released import released_identifiers, released_keys, suppress_identifiers
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import Outcome
from metrics.policy.policy import Policy, Status
from metrics.tables.table import Table
from tests.identifiers.generated import HARMLESS, columns
from tests.support.small_tables import columns_of, table

ROLES = metrics.Roles(["age"], ["illness"], identifiers=["name", "number"])
CELLS = {"age": ["30"] * 4 + ["40"] * 4, "illness": ["flu", "cold"] * 4, "name": list("abcdefgh"), "number": ["*"] * 8}


def people(**columns: list[str]) -> Table:
    return table({**CELLS, **columns})


def test_an_identifier_is_released_where_a_cell_is_neither_missing_nor_suppressed() -> None:
    assert released_identifiers(people(), ROLES) == {"name": None}
    assert released_identifiers(people(name=["*", ""] * 4), ROLES) == {}
    assert released_identifiers(people(name=["*"] * 7 + ["a"]), ROLES) == {"name": None}
    assert released_identifiers(table({"age": ["30"], "illness": ["flu"]}), ROLES) == {}


def test_what_records_are_matched_by_or_people_counted_by_serves_the_assessment() -> None:
    assert released_identifiers(people(), metrics.Roles(["age"], identifiers=["name"], key="name")) == {}
    assert released_identifiers(people(), metrics.Roles(["age"], identifiers=["name"], person="name")) == {}


def test_what_only_serves_the_assessment_is_to_be_removed_before_release() -> None:
    roles = metrics.Roles(["age"], ["illness"], identifiers=["name", "number"], key="number", person="name")
    assert released_keys(people(), roles) == ("name",)
    assert released_keys(people(), metrics.Roles(["age"], key="age")) == ()
    assert said(metrics.score(people(), roles), FindingKind.COLUMNS_TO_SETTLE) == (
        "The table shows name, which serves only to match records or count people here: remove it, or "
        "replace each of its values by a random one of its own."
    )


def test_suppressing_leaves_every_other_cell() -> None:
    before, after = columns_of(people()), columns_of(suppress_identifiers(people(), ROLES))
    assert after == {**before, "name": ["*"] * 8}


def test_a_policy_with_a_limit_fails_a_table_that_shows_identifiers_and_none_else() -> None:
    policy = Policy("Ours", {"k_anonymity": 2})
    shown, hidden = (policy.check(metrics.score(one, ROLES)) for one in (people(), people(name=["*"] * 8)))
    assert (shown.status, hidden.status) == (Status.FAILS, Status.MEETS)
    assert [(one.metric, one.value, one.outcome) for one in shown.failed] == [("direct_identifiers", 1, Outcome.FAILED)]
    assert len(hidden.limits) == 1
    assert Policy().check(metrics.score(people(), ROLES)).status is Status.NO_LIMITS


@pytest.mark.parametrize("method", [one for one in METHODS if one.takes_seed], ids=lambda method: method.name)
def test_no_method_lets_identifiers_through(method: type[CandidateMethod]) -> None:
    ages = people() if method.name != "pram" else people(age=["young"] * 4 + ["old"] * 4)
    made = metrics.make_candidate(ages, method.name, ROLES, seed=1)
    assert columns_of(made)["name"] == ["*"] * 8


@pytest.mark.parametrize("method", Method)
def test_a_repair_suppresses_them_and_its_recipe_does_so_again(method: Method) -> None:
    aggregates = TableAggregates(people(), ROLES)
    repair = repair_to(aggregates, {"k_anonymity": 3}, method)
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


def clinic(**cells: list[str]) -> Table:
    """400 records in ten classes, with columns of which the roles say nothing."""
    ages = {"age": [f"{10 * (i % 10)}-{10 * (i % 10) + 9}" for i in range(400)], "illness": ["flu", "cold"] * 200}
    return table({**ages, **cells})


UNSUSPECTING = metrics.Roles(["age"], ["illness"])


@pytest.mark.parametrize("column", ["c01", "c03", "c07", "c14", "c20", "c29", "c30", "c31", "c34"])
def test_a_column_that_identifies_people_by_its_values_fails_every_policy(column: str) -> None:
    policy = Policy("Ours", {"k_anonymity": 2})
    released = clinic(note=columns(0)[column])
    judged = policy.check(metrics.score(released, UNSUSPECTING))
    assert judged.status is Status.FAILS
    assert [(one.metric, one.value, one.columns) for one in judged.failed] == [("direct_identifiers", 1, ("note",))]
    assert "is 1 (note; at most 0 required)" in judged.summary()
    stated = metrics.Roles(["age"], ["illness"], not_identifying=["note"])
    assert policy.check(metrics.score(released, stated)).status is Status.MEETS
    assert findings(metrics.score(released, UNSUSPECTING))[0].sentence.startswith("The values of note look like ")


def test_a_harmless_column_fails_none() -> None:
    policy = Policy("Ours", {"k_anonymity": 2})
    for name, maker in HARMLESS.items():
        assert released_identifiers(clinic(**{name: columns(0)[name]}), UNSUSPECTING) == {}, (name, maker)
    assert policy.check(metrics.score(clinic(d03=columns(0)["d03 salary"]), UNSUSPECTING)).status is Status.MEETS


def test_the_role_settles_what_classes_judge_and_nothing_else() -> None:
    released = clinic(born=columns(0)["c07"], name=columns(0)["c34"], phone=columns(0)["c03"])

    def found(**roles: list[str]) -> list[str]:
        return list(released_identifiers(released, metrics.Roles(**{"quasi_identifiers": ["age"], **roles})))

    assert found() == ["born", "name", "phone"]
    assert found(sensitive=["born", "name", "phone"]) == ["name", "phone"]
    assert found(quasi_identifiers=["age", "born", "name", "phone"]) == ["phone"]
    assert found(identifiers=["phone"]) == ["phone", "born", "name"]


def test_a_key_of_names_is_released_and_one_of_record_numbers_serves_the_assessment() -> None:
    released = clinic(name=columns(0)["c34"], number=columns(0)["c31"])
    by_name, by_number = (metrics.Roles(["age"], key=key) for key in ("name", "number"))
    assert list(released_identifiers(released, by_name)) == ["name", "number"]
    assert list(released_identifiers(released, by_number)) == ["name"]
    assert released_keys(released, metrics.Roles(["age"], insensitive=["number"], key="number")) == ("number",)


def test_what_is_made_of_a_table_does_not_show_what_identifies_by_its_values() -> None:
    original = clinic(name=columns(0)["c34"])
    made = metrics.make_candidate(original, "mondrian", UNSUSPECTING, seed=1)
    assert set(columns_of(made)["name"]) == {"*"}
    stated = metrics.Roles(["age"], ["illness"], not_identifying=["name"])
    made = metrics.make_candidate(original, "mondrian", stated, seed=1)
    assert columns_of(made)["name"] == columns_of(original)["name"]
    levels = {"levels": [0]}
    recipe = metrics.recipe_of_levels(original, UNSUSPECTING, None, **levels)
    assert set(columns_of(recipe.apply(original).table)["name"]) == {"*"}


def test_insensitive_columns_with_hundreds_of_rare_values_are_named_before_release() -> None:
    amounts = [f"{number / 7:.3f}" for number in range(400)]
    warning = said(metrics.score(clinic(amount=amounts), UNSUSPECTING), FindingKind.COLUMNS_TO_SETTLE)
    assert warning.startswith(
        "amount is tagged insensitive, but 400 of its values occur in fewer than 5 records each: whoever knows one "
        "finds the record."
    )
    few = [*amounts[:99], *["1.5"] * 301]
    assert not said(metrics.score(clinic(amount=few), UNSUSPECTING), FindingKind.COLUMNS_TO_SETTLE)
    stated = metrics.Roles(["age"], ["illness"], not_identifying=["amount"])
    assert not said(metrics.score(clinic(amount=amounts), stated), FindingKind.COLUMNS_TO_SETTLE)


def test_no_file_of_the_sample_raises_an_alarm() -> None:
    roles = metrics.read_roles(ROOT / "sample_data" / "roles.yaml").roles
    for path in sorted((ROOT / "sample_data").glob("candidate_*.csv")):
        card = metrics.score(metrics.read_table(path), roles, metrics=["k_anonymity"])
        assert released_identifiers(metrics.read_table(path), roles) == {}
        assert "insensitive" not in said(card, FindingKind.COLUMNS_TO_SETTLE)
