"""What a session keeps of an applied recipe."""

import metrics
from dashboard.state.recipe_state import RecipeState
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.recipes.steps import Unknown
from tests.support.small_tables import columns_of, written


def test_a_recipe_is_applied_once_until_something_changes() -> None:
    table, other = written("age\n21\n33"), written("age\n21\n47")
    recipe = recipe_of_levels(table, metrics.Roles(quasi_identifiers=["age"]), None, {"age": 1})
    state, content = RecipeState(), recipe.to_yaml().encode()
    first = state.applied(recipe, content, table, Unknown.REFUSE)
    assert state.applied(recipe, content, table, Unknown.REFUSE) is first
    assert state.applied(recipe, content, other, Unknown.REFUSE) is not first
    assert columns_of(state.applied(Recipe(()), b"", other, Unknown.REFUSE).table) == {"age": ["21", "47"]}
