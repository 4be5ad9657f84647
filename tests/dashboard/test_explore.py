"""The explore page: levels by hand, the search, and what becomes a candidate."""

import json
from threading import Timer

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.search import SearchState
from dashboard.text import plain
from dashboard.workspace import Slot, Workspace
from metrics.candidates.policy_limits import search_constraints
from metrics.config.matching_rule import MatchingRule
from metrics.config.roles import Role
from metrics.explanations.decision import figure_text
from metrics.explanations.search import search_finding
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.wording import format_number
from tests.dashboard.application import choose, csv, go, metric, press, sample, start, state_of, tag
from tests.support.reference_data import reference


def explore() -> AppTest:
    return sample("explore")


def explore_few() -> AppTest:
    """The page with four of the sample's quasi-identifiers, whose generalizations are searched in a moment."""
    app = sample()
    state_of(app).roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    return go(app, "explore")


def test_without_an_original_the_page_says_so() -> None:
    app = go(start(), "explore")
    assert [info.value for info in app.info] == [
        "There is no original table yet. Load it, or the sample, to make anonymized versions of it."
    ]
    app = sample()
    tag(app, dict.fromkeys(state_of(app).columns, "insensitive"))
    go(app, "explore")
    assert "tagged as a quasi-identifier" in app.info[0].value


def test_it_starts_from_the_candidates_levels() -> None:
    app = explore()
    state = state_of(app)
    inputs = state.search_inputs()
    assert sum(state.search.chosen_levels(inputs).values()) > 0
    assert metric(app, "Suppressed or removed") != "100%"
    choose(app, "candidate", "candidate_strict.csv")
    strict = state.search.chosen_levels(inputs)
    assert any(level > 1 for level in strict.values())


def test_without_a_candidates_levels_it_starts_within_the_limits() -> None:
    app = explore()
    state = state_of(app)
    inputs = state.search_inputs()
    state.search.start_from(inputs, None, "none")
    figures = state.search.tried(inputs)
    assert 0 < figures["suppressed_rows"] <= 0.1 * inputs.original.rows


def test_a_level_moves_the_figures_and_their_change() -> None:
    app = explore()
    before = metric(app, "Information kept")
    highest = state_of(app).search.heights(state_of(app).search_inputs())["age"]
    choose(app, "level_age", highest)
    assert metric(app, "Information kept") != before
    (card,) = [card for card in app.metric if card.label == "Information kept"]
    assert card.delta.startswith("-")


def test_a_kept_table_scores_as_the_tiles_said() -> None:
    app = explore()
    for name, level in {"level_age": 3, "level_zip_code": 3, "level_admission": 3, "level_occupation": 2}.items():
        choose(app, name, level)
    said = metric(app, "t-closeness"), metric(app, "Information kept")
    press(app, "explore_keep")
    state = state_of(app)
    assert len(state.candidates) == 4
    assert "Compare now" in [link.label for link in app.get("page_link")]
    label = list(state.candidates)[-1]
    assert app.selectbox(key="candidate").value == label
    card = state.card(label)
    assert label == f"hospital_generalized_k5_{100 * card['non_uniform_entropy'].value:.0f}pct"
    assert said == (
        format_number(card["t_closeness"].value),
        figure_text("non_uniform_entropy", card["non_uniform_entropy"].value),
    )
    press(app, "explore_keep")
    assert len(state_of(app).candidates) == 4


def test_a_search_finds_the_best_under_the_policy_and_tries_its_levels() -> None:
    app = press(explore_few(), "explore_search")
    state = state_of(app)
    inputs = state.search_inputs()
    found = state.search.found(inputs)
    assert found is not None
    assert found.proven
    assert not state.search.searching
    assert state.search.limits == search_constraints(state.policy)
    best = found.best_by("non_uniform_entropy", state.search.limits)
    assert best is not None
    assert state.search.chosen_levels(inputs) == found.levels_of(best)
    assert metric(app, "k-anonymity") == str(found.node(best)["smallest_class"])
    assert found.history[-1].bound == found.node(best)["non_uniform_entropy"]
    assert f"## {plain(search_finding(found))}" in [text.value for text in app.markdown]
    (front,) = [element.value for element in app.dataframe if "information kept" in element.value]
    assert set(front["k"]) <= set(found.figures["smallest_class"].tolist())
    assert front["k"].min() >= 5


def test_a_limit_on_record_linkage_is_part_of_the_search() -> None:
    app = explore_few()
    state = state_of(app)
    state.set_limit("record_linkage_attack", 0.0003)
    press(app, "explore_search")
    found = state.search.found(state.search_inputs())
    assert found is not None
    assert found.best is not None
    assert 0 < found.figures["record_linkage_attack"][found.best] <= 0.0003
    assert (found.figures["record_linkage_attack"] > 0.0003).any()
    assert not [caption for caption in app.caption if caption.value.startswith("Not part of the search")]
    label = press(app, "explore_keep") and state.search.kept
    assert state.card(label)["record_linkage_attack"].value == pytest.approx(
        found.figures["record_linkage_attack"][found.best]
    )


def test_a_limit_on_record_linkage_by_some_columns_is_judged_on_the_result() -> None:
    app = explore_few()
    state = state_of(app)
    state.set_limit("record_linkage_attack", 0.0003)
    state.parameters = state.parameters.with_settings({"attack.known": ["age"]})
    app.run()
    assert [caption for caption in app.caption if caption.value == "Not part of the search: Record linkage attack."]
    press(app, "explore_search")
    assert state.search.found(state.search_inputs()).best is not None


def test_a_policy_that_nothing_meets_is_reported() -> None:
    app = explore_few()
    state_of(app).set_limit("t_closeness", 0.0)
    state_of(app).set_limit("non_uniform_entropy", 0.5)
    state_of(app).set_limit("distinct_l_diversity", 100)
    press(app, "explore_search")
    assert any("No generalization meets the limits" in warning.value for warning in app.warning)


def test_other_roles_make_a_search_old() -> None:
    app = press(explore_few(), "explore_search")
    go(app, "data")
    tag(app, {"sex": "insensitive"})
    state = state_of(app)
    assert state.search.found(state.search_inputs()) is None
    go(app, "explore")
    assert not [element for element in app.dataframe if "information kept" in element.value]


def test_hierarchies_that_come_later_add_their_levels() -> None:
    app = sample()
    state = state_of(app)
    age = state.hierarchies.pop("age")
    go(app, "explore")
    assert state.search.heights(state.search_inputs())["age"] == 1
    go(app, "data")
    state_of(app).hierarchies["age"] = age
    go(app, "explore")
    assert len(app.button_group(key="level_age").options) == age.height + 1
    assert state.search.heights(state.search_inputs())["age"] == age.height


def test_a_hierarchy_that_misses_values_is_reported() -> None:
    state = Workspace()
    state.add(Slot.ORIGINAL, "o.csv", csv(["q", "s"], ["a", "x"], ["b", "y"]))
    state.roles = {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    assert state.searchable
    assert state.search.heights(state.search_inputs()) == {"q": 1}
    app = sample()
    app.session_state["workspace"].hierarchies["sex"] = state_of(app).hierarchies["age"]
    go(app, "explore")
    assert len(app.error) == 1
    assert "sex" in app.error[0].value


@pytest.mark.reference
def test_whoever_stops_keeps_the_part() -> None:
    state = Workspace()
    folder = reference("petworks", "adult")
    state.add(Slot.ORIGINAL, "adult.csv", (folder / "adult.csv").read_bytes())
    state.roles = {name: Role.INSENSITIVE for name in state.columns} | dict.fromkeys(
        ["sex", "race", "salary-class", "workclass"], Role.QUASI_IDENTIFIER
    )
    inputs = state.search_inputs()
    search = SearchState()
    steps = search.search(inputs, 60)
    first = next(steps)
    so_far = search.found(inputs)
    assert so_far is not None
    assert so_far.nodes_evaluated == first.nodes_evaluated
    steps.close()
    found = search.found(inputs)
    assert found is not None
    assert found.nodes_evaluated == first.nodes_evaluated < found.nodes_total
    assert not found.proven


@pytest.mark.parametrize("name", ["q", "<b>q</b>"])
def test_kept_tables_are_what_they_were(name: str) -> None:
    state = Workspace()
    state.add(Slot.ORIGINAL, "o.csv", csv([name, "s"], ["=1+1", "x"], ["00123", ""], ["None", "y"]))
    state.roles = {name: Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    assert label == "kept"
    assert state.original is not None
    assert state.candidates[label].table.head(3) == state.original.table.head(3)
    assert json.dumps(state.card(label).to_dict())


def test_a_decimal_comma_is_kept() -> None:
    state = Workspace()
    content = csv(["q", "s"], ["1,5", "x"], ["2,5", "y"], ["3,5", "y"], delimiter=";")
    state.add(Slot.ORIGINAL, "o.csv", content)
    state.roles = {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    numbers = state.candidates[label].table["q"].numbers
    assert numbers is not None
    assert sorted(numbers) == [1.5, 2.5, 3.5]


def test_labels_of_two_levels_are_warned_of_and_a_kept_table_has_the_levels_tried() -> None:
    app = sample()
    rows = [[str(age), str(age // 10 * 10 + 5), "50"] for age in range(121)]
    state_of(app).hierarchies["age"] = Hierarchy(rows)
    go(app, "explore")
    assert any("Information kept is overstated for age" in warning.value for warning in app.warning)
    for name, level in {"level_age": 2, "level_zip_code": 3, "level_admission": 3, "level_occupation": 2}.items():
        choose(app, name, level)
    state = state_of(app)
    levels = state.search.chosen_levels(state.search_inputs())
    press(app, "explore_keep")
    go(app, "classes")
    go(app, "explore")
    assert state_of(app).search.chosen_levels(state.search_inputs()) == levels


def test_the_page_waits_for_an_interrupted_search_to_keep_its_best() -> None:
    app = explore_few()
    search, lock = state_of(app).search, app.session_state["search_at_work"]
    lock.acquire()

    def end() -> None:
        search.levels = {"sex": 1, "age": 4, "zip_code": 5, "marital_status": 2}
        lock.release()

    Timer(0.5, end).start()
    app.run()
    assert "## Every record is suppressed" in [text.value for text in app.markdown]
