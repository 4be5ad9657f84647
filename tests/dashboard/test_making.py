"""The explore page's methods beside the lattice: a table is made, shown beside the current candidate, and kept."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.making import Demand, MakingState
from dashboard.text import plain
from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.costs import LATTICE, method_costs
from metrics.config.roles import Role
from metrics.explanations.decision import figure_text
from metrics.scoring.catalog import BY_ID
from metrics.tables.export import to_csv
from tests.dashboard.application import choose, go, metric, press, sample, state_of


def making(title: str = "Mondrian") -> AppTest:
    return choose(sample("explore"), "explore_method", title)


def test_the_page_begins_with_the_lattice() -> None:
    app = sample("explore")
    assert app.get_by_key("explore_method").value == LATTICE
    assert app.button(key="explore_search")


@pytest.mark.parametrize("title", [method.title for method in METHODS])
def test_what_is_made_is_kept_as_the_current_candidate_and_scores_as_its_tiles_said(title: str) -> None:
    app = press(choose(making(title), "make_seed", 1), "make_candidate")
    assert not app.error
    titles = {BY_ID[name].title: name for name in ("k_anonymity", "record_linkage_attack")}
    said = {name: metric(app, name) for name in titles}
    assert all(card.delta for card in app.metric if card.label in titles)
    press(app, "make_keep")
    state = state_of(app)
    label = list(state.candidates)[-1]
    assert len(state.candidates) == 4
    assert app.selectbox(key="candidate").value == label
    card = state.card(label)
    assert said == {title: figure_text(name, card[name].value) for title, name in titles.items()}
    recipe, original = state.recipe_of(label), state.original
    assert recipe is not None
    assert original is not None
    again = recipe.apply(original.table).table.to_arrow()
    assert to_csv(again) == to_csv(state.candidates[label].table.to_arrow())
    assert "Compare now" in [link.label for link in app.get("page_link")]


def test_parameters_and_seed_are_those_of_the_controls() -> None:
    app = making()
    assert app.get_by_key("make_mondrian_k").value == 5  # as the policy demands
    choose(app, "make_mondrian_k", 20)
    choose(app, "make_seed", 3)
    press(app, "make_candidate")
    assert plain("Mondrian: k 20, l 2, seed 3.") in [caption.value for caption in app.caption]
    assert int(metric(app, "k-anonymity")) >= 20


def test_a_table_that_is_perturbed_throughout_is_called_so() -> None:
    app = sample()
    state_of(app).roles |= dict.fromkeys(
        ["occupation", "admission", "zip_code", "sex", "marital_status"], Role.INSENSITIVE
    )
    go(app, "explore")
    said = "perturbed or synthetic"
    press(choose(app, "explore_method", "Rank swapping"), "make_candidate")
    assert any(said in caption.value for caption in app.caption)
    press(choose(app, "explore_method", "Mondrian"), "make_candidate")
    assert not any(said in caption.value for caption in app.caption)


def test_nobody_can_guess_the_seed_that_a_session_begins_with() -> None:
    assert MakingState().seed != MakingState().seed
    app = making("PRAM")
    assert app.get_by_key("make_seed").value == state_of(app).making.seed


def test_what_the_table_does_not_allow_is_said() -> None:
    app = making()
    choose(app, "make_mondrian_k", 10_001)
    press(app, "make_candidate")
    assert "fewer than k" in app.error[0].value


def test_other_roles_make_the_table_old() -> None:
    app = press(making(), "make_candidate")
    assert app.get_by_key("make_keep")
    go(app, "data")
    choose(app, "role_sex", Role.INSENSITIVE)
    go(app, "explore")
    assert app.get_by_key("explore_method").value == "Mondrian"
    assert [info.value for info in app.info] == ["“Make candidate” shows here what Mondrian gives."]


def test_the_methods_are_compared_as_the_library_does() -> None:
    app = sample()
    state_of(app).roles |= dict.fromkeys(["occupation", "admission", "zip_code"], Role.INSENSITIVE)
    go(app, "explore")
    choose(app, "explore_method", "PRAM")
    choose(app, "make_seed", 0)
    press(app, "compare_methods")
    assert not app.error
    (found,) = [element.value for element in app.dataframe if "Method" in element.value]
    state = state_of(app)
    inputs = state.search_inputs()
    compared = state.making.costs(inputs)
    assert compared is not None
    assert compared[0] == Demand(5, 2, 0)
    given = (inputs.original, inputs.roles, inputs.hierarchies)
    costs = method_costs(*given, k=5, l=2, parameters=inputs.parameters)
    assert compared[1] == costs
    assert list(found["Method"]) == [cost.title for cost in costs if cost.figures is not None]
    state.set_limit("k_anonymity", 7)
    go(app, "explore")
    assert plain("Compared at k = 5, l = 2, seed 0.") in [caption.value for caption in app.caption]


def test_what_is_made_last_stands_in_the_figure_of_the_lattice() -> None:
    app = press(choose(making(), "make_seed", 1), "make_candidate")
    choose(app, "explore_method", LATTICE)
    assert "Mondrian" in app.get("plotly_chart")[0].proto.spec
    choose(app, "explore_method", "PRAM")
    press(app, "make_candidate")
    choose(app, "explore_method", LATTICE)
    spec = app.get("plotly_chart")[0].proto.spec
    assert "PRAM" in spec
    assert "Mondrian" not in spec
