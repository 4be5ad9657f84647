"""Recipes in the dashboard: what Explore and Repair offer, applied to the loaded tables."""

from streamlit.testing.v1 import AppTest

import metrics
from metrics.candidates.limits.enforced import K
from metrics.policy.policy import Policy
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.recipes.steps import Unknown
from tests.dashboard.application import FEW, choose, go, press, sample, state_of, upload
from tests.support.small_tables import columns_of


def explored() -> tuple[AppTest, Recipe]:
    """The page Explore with the sample's first records, and the recipe of the levels that it starts with."""
    app = sample("explore", FEW)
    state = state_of(app)
    return app, state.search.recipe(state.search_inputs())


def applied(app: AppTest, recipe: Recipe) -> AppTest:
    return upload(app, "upload_recipe", {"recipe.yaml": recipe.to_yaml().encode()})


def test_a_recipe_applied_to_the_original_becomes_a_candidate() -> None:
    app, recipe = explored()
    state = state_of(app)
    inputs = state.search_inputs()
    assert columns_of(recipe.apply(inputs.original).table) == columns_of(state.search.table(inputs))
    app = applied(app, recipe)
    assert "Applied to hospital.csv: 300 records" in app.success[0].value.replace("\\", "")
    assert any("age: level" in one.value.replace("\\", "") for one in app.markdown)
    before = set(state.tables.versions)
    app = press(app, "recipe_keep")
    (label,) = set(state.tables.versions) - before
    assert app.selectbox(key="candidate").value == label
    assert columns_of(state.tables.versions[label].table) == columns_of(recipe.apply(inputs.original).table)
    assert state.card(label)["non_uniform_entropy"].value is not None


def test_values_that_the_recipe_lacks_are_named_and_refused_or_suppressed() -> None:
    app, _ = explored()
    state = state_of(app)
    inputs = state.search_inputs()
    men = inputs.original.take(inputs.original["sex"].codes == inputs.original["sex"].code_of["Male"])
    roles = metrics.Roles(quasi_identifiers=["sex"])
    tree = metrics.Hierarchy([["Male", "*"]], name="sex.csv")
    app = applied(app, recipe_of_levels(men, roles, {"sex": tree}, {}, rule={K: 2}))
    assert "The recipe lacks 1 value of sex" in app.warning[0].value
    assert "the recipe lacks 1 of the 2 values" in app.error[0].value.replace("\\", "")
    app = choose(app, "recipe_treatment", Unknown.SUPPRESS)
    assert not app.error
    assert "1 value not in the recipe, cells suppressed" in app.success[0].value.replace("\\", "")


def test_a_file_that_is_no_recipe_is_refused_in_one_sentence() -> None:
    app, _ = explored()
    for content in (b"", b"recipe: 1", b"\xff\xfe", b"steps: [<b>]"):
        upload(app, "upload_recipe", {"bad.yaml": content})
        (error,) = app.error
        assert error.value.replace("\\", "").startswith("bad.yaml: "), content


def test_a_recipe_of_a_repair_is_for_a_candidate() -> None:
    app, _ = explored()
    table = state_of(app).tables.versions["candidate_balanced.csv"].table
    recipe = recipe_of_levels(table, metrics.Roles(quasi_identifiers=["sex"]), None, {"sex": 1})
    app = choose(applied(app, recipe), "recipe_table", "candidate_balanced.csv")
    message = app.success[0].value.replace("\\", "")
    assert "Applied to candidate_balanced.csv: 300 records; 300 records suppressed" in message


def test_a_repaired_candidate_from_explore_has_the_recipe_of_both_and_one_that_was_uploaded_none() -> None:
    app = go(press(explored()[0], "explore_keep"), "report")
    state = state_of(app)
    choose(app, "candidate", "candidate_balanced.csv")
    assert state.recipe_of("candidate_balanced.csv") is None
    assert "download_recipe" not in [found.key for found in app.get("download_button")]
    original = state.search_inputs().original
    kept = state.search.kept(state.search_inputs())
    assert kept is not None
    assert state.recipe_of(kept) is not None
    choose(app, "candidate", kept)
    state.policy.choose(Policy("Ours", {"k_anonymity": 20}))
    before = set(state.tables.versions)
    app = press(go(app, "repair"), "keep_repair")
    (label,) = set(state_of(app).tables.versions) - before
    recipe = state_of(app).recipe_of(label)
    assert recipe is not None
    assert columns_of(recipe.apply(original).table) == columns_of(state_of(app).tables.versions[label].table)
    report = go(app, "report")
    assert report.get_by_key("download_recipe").label == "Recipe"
