"""The explore page's methods beside the lattice: a table is made, shown beside the current candidate, and kept."""

import hashlib

import numpy as np
from streamlit.testing.v1 import AppTest

from dashboard.components.release_file import for_release
from dashboard.state.making_state import ComparisonTarget, MakingState
from dashboard.text import plain
from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.costs import LATTICE, method_costs
from metrics.candidates.methods.epsilon_curve import EPSILONS
from metrics.config.roles import Role
from metrics.explanations.bounds import as_bound
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import measure_text
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.tables.export import to_csv
from metrics.texts import text
from pages.report.downloads import report_of
from tests.dashboard.application import (
    FEW,
    captions,
    choose,
    choose_all,
    go,
    metric,
    opened,
    press,
    sample_workspace,
    state_of,
)


def explore(*insensitive: str) -> AppTest:
    """The page with the sample's first records, where these columns are not quasi-identifiers."""
    state = sample_workspace(FEW)
    state.roles |= dict.fromkeys(insensitive, Role.INSENSITIVE)
    return opened(state, "explore")


def make(app: AppTest, title: str) -> AppTest:
    """Choose a method and press the button."""
    return press(choose(app, "explore_method", title), "make_candidate")


def test_a_table_made_becomes_the_current_candidate_with_the_figures_shown() -> None:
    app = explore()
    state = state_of(app)
    assert app.get_by_key("explore_method").value == LATTICE
    titles = {BY_ID[name].title: name for name in ("k_anonymity", "record_linkage_attack")}
    for number, method in enumerate((one for one in METHODS if one.takes_seed), 1):
        make(app, method.title)
        assert not app.error, method
        said = {name: metric(app, name) for name in titles}
        assert all(card.delta for card in app.metric if card.label.lstrip("✓✗ ") in titles)
        press(app, "make_keep")
        label = list(state.tables.versions)[-1]
        assert len(state.tables.versions) == 3 + number
        assert app.selectbox(key="candidate").value == label
        card = state.card(label)
        assert said == {
            title: as_bound(
                card[name], measure_text(name, card[name].value), perturbed=bool(perturbed_columns_of(card.aggregates))
            )
            for title, name in titles.items()
        }, method
        recipe, original = state.recipe_of(label), state.tables.original
        assert recipe is not None
        assert original is not None
        again = recipe.apply(original.table).table.to_arrow()
        assert (to_csv(again) == to_csv(state.tables.versions[label].table.to_arrow())) is method.takes_seed
    assert "Compare now" in [link.label for link in app.get("page_link")]
    said = report_of(state, label, card)
    kept = state.tables.versions[label].table
    released = for_release(kept)
    order = np.random.default_rng(1).permutation(kept.rows)
    assert for_release(kept.take(order)) == released  # the order of the original leaves no trace
    assert sorted(released.splitlines()) == sorted(to_csv(kept.to_arrow()).splitlines())
    assert f"Anonymized: {label}, " in said
    assert f"{hashlib.sha256(released).hexdigest()}</span>" in said
    file = "the checksum is that of its CSV file, sorted by its values"
    made = f"; made from the original by {recipe.steps[0].brief().partition(' (')[0]}"
    assert f"; {file}" in said
    assert made in said  # and not a file that nobody has


def test_parameters_and_seed_are_those_of_the_controls_until_the_roles_change() -> None:
    app = choose(explore(), "explore_method", "Mondrian")
    assert app.get_by_key("make_seed").value == state_of(app).making.seed
    assert app.get_by_key("make_mondrian_k").value == 5  # as the policy demands
    choose_all(app, {"make_mondrian_k": 20, "make_seed": 3})
    press(app, "make_candidate")
    assert plain("Mondrian: k 20, l 2, seed 3.") in captions(app)
    assert int(metric(app, "k-anonymity")) >= 20
    state_of(app).roles["sex"] = Role.INSENSITIVE
    go(go(app, "verdict"), "explore")
    assert app.get_by_key("explore_method").value == "Mondrian"
    assert [info.value for info in app.info] == ["Select “Make the table” to see the result of Mondrian."]
    choose(app, "make_mondrian_k", FEW + 1)
    press(app, "make_candidate")
    assert "fewer than k" in app.error[0].value


def test_safepub_asks_for_no_seed_and_its_version_has_a_recipe_without_one() -> None:
    app = choose(explore("occupation", "admission", "zip_code", "marital_status"), "explore_method", "SafePub")
    assert "make_seed" not in [field.key for field in app.number_input]
    choose_all(app, {"make_safepub_delta": 0.09, "make_safepub_levels": ["sex=1", "age=2"]})
    press(app, "make_candidate")
    assert [error.value for error in app.error] == []
    assert "seed" not in next(caption for caption in captions(app) if "SafePub" in caption)
    assert not [caption for caption in captions(app) if "matched by position" in caption]
    assert [caption for caption in captions(app) if "If levels and hierarchies were chosen" in caption]
    inferred, kept = plain(text("attack.unavailable.sampled")), metric(app, "Information kept")
    assert [caption for caption in captions(app) if "Record linkage attack" in caption and inferred in caption]
    press(app, "make_keep")
    state = state_of(app)
    label = list(state.tables.versions)[-1]
    card, recipe = state.card(label), state.recipe_of(label)
    assert measure_text("non_uniform_entropy", card["non_uniform_entropy"].value) == kept
    assert card["attribute_inference_attack"].unavailable == text("attack.unavailable.sampled")
    assert text("matched.drawn", left_out=FEW - state.tables.versions[label].table.rows) in report_of(
        state, label, card
    )
    assert not said(card, FindingKind.ORDER)
    assert recipe is not None
    assert "seed" not in recipe.to_yaml()
    assert list(state.tables.versions.values())[-1].table.sampled == recipe.sampling is not None


def test_the_first_seed_of_a_session_is_unpredictable() -> None:
    assert MakingState().seed != MakingState().seed


def test_a_candidate_perturbed_in_all_columns_is_labelled_as_perturbed_or_synthetic() -> None:
    app = explore("occupation", "admission", "zip_code", "sex", "marital_status")
    said = "perturbed or synthetic"
    assert any(said in caption for caption in captions(make(app, "Rank swapping")))
    assert not any(said in caption for caption in captions(make(app, "Mondrian")))


def test_the_methods_are_compared_as_the_library_does() -> None:
    app = choose(explore("occupation", "admission", "zip_code"), "explore_method", "PRAM")
    choose(app, "make_seed", 0)
    press(app, "compare_methods")
    assert [error.value for error in app.error] == []
    (found,) = [element.value for element in app.dataframe if "Method" in element.value]
    state = state_of(app)
    inputs = state.search_inputs()
    compared = state.making.costs(inputs)
    assert compared is not None
    assert compared[0] == ComparisonTarget(5, 2, 0, state.policy.current)
    given = (inputs.original, inputs.roles, inputs.hierarchies)
    costs = method_costs(*given, k=5, l=2, parameters=inputs.parameters, policy=state.policy.current)
    assert compared[1] == costs
    assert list(found["Method"]) == [cost.title for cost in costs if cost.figures is not None]
    name = state.policy.current.name
    state.policy.set_limit("k_anonymity", 7)
    app.run()
    assert plain(f"Compared at k = 5, l = 2, seed 0, policy “{name}”.") in captions(app)


def test_only_the_candidate_made_last_is_drawn_beside_the_lattice() -> None:
    app = explore()
    for last, before in (("Mondrian", "PRAM"), ("PRAM", "Mondrian")):
        choose(make(app, last), "explore_method", LATTICE)
        spec = app.get("plotly_chart")[0].proto.spec
        assert last in spec
        assert before not in spec


def test_the_page_says_what_pram_protects_before_it_is_made() -> None:
    app = choose(explore(), "explore_method", "PRAM")
    (said,) = [caption for caption in captions(app) if caption.startswith("At this probability, ε is at least ")]
    assert plain("2.27 for sex") in said


def test_the_page_says_what_a_table_made_at_random_protects() -> None:
    app = choose(explore("occupation", "admission", "zip_code"), "explore_method", "Randomized response (k-RR)")
    assert plain(text("epsilon_curve.at", epsilon=1, success=0.11461, guessing=1 / 22, values=22)) in captions(app)
    press(app, "make_candidate")
    assert metric(app, "ε of randomized columns") == "1"
    (guessed,) = [
        one for one in captions(app) if one.startswith(plain(text("attack.guessed_beside", column="length_of_stay")))
    ]
    assert plain("; diagnosis, randomized: ") in guessed
    found = plain(text("local_dp.finding", sign="=", value=1, columns=["diagnosis"]))
    (said,) = [one for one in captions(app) if one.startswith(found)]
    assert said.endswith(plain(text("verdict.randomized", columns=["diagnosis"])))
    assert "make_seed" not in {element.key for element in app.number_input}
    choose(app, "make_k-rr_columns", ["diagnosis", "sex"])
    choose(app, "make_k-rr_epsilon_sex", 0.5)
    assert plain(text("epsilon_curve.record", epsilon=1.5)) in captions(app)
    press(app, "make_candidate")
    assert metric(app, "ε of randomized columns") == "1.5"
    press(app, "epsilon_curve")
    state = state_of(app)
    points = state.making.curve(state.search_inputs(), {"diagnosis": 1, "sex": 0.5})
    assert [point.epsilon for point in points] == list(EPSILONS)
    assert points[0].values["attribute_inference_attack"] is not None
    assert plain(text("epsilon_curve.p29_is_zero")) in captions(app)
    make(app, "PRAM")
    assert [one for one in captions(app) if plain(text("local_dp.from_data")) in one]
    make(app, "Additive noise")
    assert not [one for one in captions(app) if "ε of randomized columns" in one]
