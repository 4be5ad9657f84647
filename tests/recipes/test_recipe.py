"""Recipes: on the same table the same bytes, on another the same rules, and back from their files as they were."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.generalization.levels import lattice_columns
from metrics.candidates.limits.enforced import K, L, T
from metrics.candidates.methods.mondrian import Mondrian
from metrics.candidates.repair.to_limits import repair_to
from metrics.config.parameters import GroundDistance, Parameters, TClosenessParameters
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import Recipe, recipe_of_levels, recipe_of_method
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.recipes.steps import DeleteSuppressed, Generalize, Recode, Rule
from metrics.tables.table import Table
from tests.candidates.lattices import originals
from tests.recipes.people import AGES, PEOPLE, ROLES, people, same_bytes, through_its_file
from tests.support.examples import fewer_examples
from tests.support.small_tables import columns_of, records, table, written

ILLNESSES = Hierarchy([["flu", "lung", "*"], ["cough", "lung", "*"], ["ulcer", "stomach", "*"]])
LISTS = ("sensitive", "not_identifying")


@fewer_examples()
@given(originals(), st.data())
def test_the_same_table_gives_the_same_bytes(
    inputs: tuple[Table, metrics.Roles, dict[str, Hierarchy]], data: st.DataObject
) -> None:
    original, roles, hierarchies = inputs
    levels = [data.draw(st.integers(0, of.height)) for of in lattice_columns(original, roles, hierarchies)]
    limits = {K: st.sampled_from([1, 2, 4])}, {L: st.just(2), T: st.sampled_from([0.3, 0.6])}
    rule = data.draw(st.none() | st.fixed_dictionaries(limits[0], optional=limits[1]))
    expected = generalized_table(original, roles, hierarchies, levels, rule=rule)
    recipe = through_its_file(recipe_of_levels(original, roles, hierarchies, levels, rule=rule))
    assert same_bytes(recipe.apply(original).table, expected)


@fewer_examples()
@given(people)
def test_ground_distances_and_their_hierarchies_are_part_of_it(original: Table) -> None:
    for chosen in (GroundDistance.EQUAL, GroundDistance.HIERARCHICAL):
        parameters = Parameters(t_closeness=TClosenessParameters(distance={"illness": chosen}))
        rule, trees = {K: 1, T: 0.34}, {"illness": ILLNESSES}
        given = {"rule": rule, "parameters": parameters}
        expected = generalized_table(original, ROLES, trees, {}, **given)
        recipe = through_its_file(recipe_of_levels(original, ROLES, trees, {}, **given))
        assert same_bytes(recipe.apply(original).table, expected)


@given(people, people)
def test_new_data_get_the_labels_and_lose_their_own_small_classes(first: Table, second: Table) -> None:
    trees = {"age": Hierarchy([*AGES.rows, ("*", "*", "*"), ("", "none", "*")])}
    rule = {K: 2}
    recipe = through_its_file(recipe_of_levels(first, ROLES, trees, {"age": 1}, rule=rule))
    # Independently: a look-up, then a count of the pairs that result.
    label = {"21": "20s", "25": "20s", "33": "30s", "*": "*", None: "none"}
    pairs = [(label[one["age"]], one["sex"]) for one in records(columns_of(second))]
    expected = [pair if Counter(pairs)[pair] >= 2 else ("*", "*") for pair in pairs]
    # A value of the second table that the first lacks in a column without a hierarchy stays as it is.
    found = columns_of(recipe.apply(second).table)
    assert list(zip(found["age"], found["sex"], strict=True)) == expected
    assert found["illness"] == columns_of(second)["illness"]


def test_recipes_follow_one_another() -> None:
    levels = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {"age": 1})
    released = levels.apply(PEOPLE).table
    aggregates = TableAggregates(released, ROLES, None, {})
    repair = repair_to(aggregates, {"k_anonymity": 2})
    both = levels.then(recipe_of_repair(aggregates, repair))
    assert same_bytes(through_its_file(both).apply(PEOPLE).table, repair.table)


def test_a_value_that_the_recipe_lacks_is_refused_or_suppressed() -> None:
    recipe = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {"age": 1})
    new = written("age sex\n21 f\n47 f\n- m\n47 m", "new.csv")
    assert recipe.unknown_values(new) == {"age": ("47", None)}
    with pytest.raises(InputError) as raised:
        recipe.apply(new)
    message = 'new.csv, line 3, column "age": the recipe lacks 2 of the 3 values of the column, in 3 records; '
    assert str(raised.value).startswith(message)
    assert "47" not in str(raised.value)
    applied = recipe.apply(new, unknown="suppress")
    assert columns_of(applied.table) == {"age": ["20s", "*", "*", "*"], "sex": ["f", "f", "m", "m"]}
    assert applied.unknown == {"age": ("47", None)}
    with pytest.raises(InputError, match="there is no such treatment of unknown values"):
        recipe.apply(new, unknown="guess")


def test_a_level_without_change_refuses_unknown_values_too() -> None:
    recipe = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {})
    new = written("age sex\n21 f\n47 f")
    with pytest.raises(InputError, match="the recipe lacks 1 of the 2 values"):
        recipe.apply(new)
    assert columns_of(recipe.apply(new, unknown="suppress").table)["age"] == ["21", "*"]


def test_the_mapping_counts_what_each_value_became() -> None:
    recipe = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {"age": 1}, rule={K: 2}).then(
        Recipe((DeleteSuppressed(("age", "sex")),))
    )
    applied = recipe.apply(PEOPLE)
    before, after = columns_of(PEOPLE), columns_of(applied.table)
    expected: Counter[tuple[str, str | None, str | None]] = Counter()
    for name in ("age", "sex"):
        kept = [before[name][record] for record in applied.kept.tolist()]
        expected.update((name, *pair) for pair in zip(kept, after[name], strict=True))
    found = applied.mapping().to_pylist()
    assert {(row["column"], row["original"], row["released"]): row["records"] for row in found} == expected
    assert len(found) == len(expected)
    assert (applied.deleted, applied.suppressed) == (2, 0)
    assert Recipe(()).apply(PEOPLE).mapping().num_rows == 0


@pytest.mark.parametrize("rows", [0, 1])
def test_a_recipe_applies_to_tables_of_no_and_of_one_record(rows: int) -> None:
    few = table({"age": ["21"][:rows], "sex": ["f"][:rows], "illness": ["flu"][:rows]})
    made = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {"age": 1, "sex": 1}, rule={K: 2, L: 2})
    listed = Recode(("age", "sex"), (Rule(("*", "*"), None),))
    assert made.apply(few).table.rows == rows
    assert columns_of(made.apply(few).table)["age"] == ["*"] * rows
    assert made.then(Recipe((listed,))).apply(few).table.rows == 0


def test_a_table_that_lacks_a_column_is_refused() -> None:
    recipe = recipe_of_levels(PEOPLE, ROLES, {"age": AGES}, {}, rule={K: 2, L: 2})
    with pytest.raises(InputError, match='column "sex": the table lacks a column of the recipe'):
        recipe.apply(written("age illness\n21 flu", "new.csv"))
    with pytest.raises(InputError, match='column "illness"'):
        recipe.apply(written("age sex\n21 f", "new.csv"))


@pytest.mark.parametrize(
    "text", ["null", "~", "", "no", "01", "1e3", "a: b", "- x", "#", "é☺\u2028", "'\"", "x\ny", "*", "&a"]
)
def test_any_text_survives_writing_and_reading_a_recipe(text: str) -> None:
    labels = {"all": (text, "other"), "rest": ("z",)}
    recipe = Recipe((Generalize("c", 1, 2, text, labels), Recode(("c",), (Rule((text,), (None,)),))))
    first, second = through_its_file(recipe).steps
    assert isinstance(first, Generalize)
    assert isinstance(second, Recode)
    assert (first.labels, first.hierarchy) == (labels, text)
    assert second.rules == (Rule((text,), (None,)),)


def test_a_column_that_the_recipe_does_not_know_is_suppressed_if_its_values_identify_people() -> None:
    original = PEOPLE.take(np.repeat(np.arange(PEOPLE.rows), 10))
    names = [f"Ada{'abcdefghij'[i % 10]} Abel{'abcdefghij'[i // 10]}" for i in range(original.rows)]
    new = table({**columns_of(original), "contact": names, "ward": ["A"] * original.rows})
    recipe = through_its_file(recipe_of_levels(original, ROLES, {"age": AGES}, {"age": 1}))
    applied = recipe.apply(new)
    assert (applied.hidden, set(columns_of(applied.table)["contact"])) == (("contact",), {"*"})
    assert columns_of(applied.table)["ward"] == ["A"] * original.rows
    assert recipe.apply(original).hidden == ()
    by_hand = Recipe(tuple(step for step in recipe.steps if isinstance(step, Generalize)))
    assert by_hand.apply(new).hidden == ("contact",)


@pytest.mark.parametrize("use", ["sensitive", "key", "person", "not_identifying"])
def test_a_column_that_the_roles_keep_is_kept_again(use: str) -> None:
    people = PEOPLE.take(np.repeat(np.arange(PEOPLE.rows), 10))
    original = table({**columns_of(people), "mail": [f"p{i}@example.org" for i in range(people.rows)]})
    roles = metrics.Roles(**{"quasi_identifiers": ["age", "sex"], use: ["mail"] if use in LISTS else "mail"})
    expected = generalized_table(original, roles, {"age": AGES}, {"age": 1})
    applied = through_its_file(recipe_of_levels(original, roles, {"age": AGES}, {"age": 1})).apply(original)
    assert same_bytes(applied.table, expected)
    assert (applied.hidden, "*" in columns_of(applied.table)["mail"]) == ((), False)


def test_a_recipe_keeps_what_matters() -> None:
    roles = metrics.Roles(["age", "sex"], ["illness"], highest_levels={"sex": 0}, column_weights={"sex": 1.0})
    trees, method = {"age": AGES}, Mondrian(2)
    recipe = through_its_file(recipe_of_method(method, PEOPLE, roles, trees, seed=1))
    made = recipe.apply(PEOPLE).table
    assert columns_of(made) == columns_of(method.apply(PEOPLE, roles, trees))
    assert columns_of(made)["sex"] == columns_of(PEOPLE)["sex"]
    with pytest.raises(InputError, match="not between 0 and 1"):
        parse_recipe(recipe.to_yaml().replace("sex: 1.0", "sex: 2.0").encode(), "recipe.yaml")
