"""What a session keeps of an applied recipe."""

import pytest

import metrics
from dashboard.state.recipe_state import RecipeState
from metrics.errors import InputError
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.recipes.steps import Unknown
from tests.dashboard.reading_requests import reading_requests
from tests.support.small_tables import columns_of, written


def test_a_recipe_is_applied_once_until_something_changes() -> None:
    table, other = written("age\n21\n33"), written("age\n21\n47")
    recipe = recipe_of_levels(table, metrics.Roles(quasi_identifiers=["age"]), None, {"age": 1})
    state = RecipeState()
    first = state.applied(recipe, table, Unknown.REFUSE)
    assert state.applied(recipe, table, Unknown.REFUSE) is first
    assert state.applied(recipe, other, Unknown.REFUSE) is not first
    assert columns_of(state.applied(Recipe(()), other, Unknown.REFUSE).table) == {"age": ["21", "47"]}


def test_the_recipe_of_a_file_is_parsed_once_in_a_process_of_its_own_until_the_file_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = reading_requests(monkeypatch)
    state = RecipeState()
    first = state.read("r.yaml", b"recipe: 1\nsteps: []\n")
    assert state.read("r.yaml", b"recipe: 1\nsteps: []\n") is first
    for _ in range(2):
        with pytest.raises(InputError, match=r"r\.yaml"):
            state.read("r.yaml", b"steps")
    assert state.read("r.yaml", b"recipe: 1\nsteps: []\n") is not first
    assert asked == [parse_recipe] * 3
