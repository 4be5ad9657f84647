"""The explore page: levels by hand, the search, and what becomes a candidate."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.state.search_state import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Slot, Workspace
from metrics.candidates.limits.enforced import search_limits
from metrics.candidates.search.finding import not_run_finding, proven_finding
from metrics.config.roles import Role
from metrics.explanations.what_matters import what_matters
from metrics.formatting import format_number
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.built_in_policies import PUBLIC_CLINICAL_DATA, STATISTICAL_TABLES
from metrics.policy.limitable_measures import Outcome, measure_text
from metrics.policy.policy import Policy
from metrics.tables.matching_rule import MatchingRule
from metrics.texts import text
from tests.dashboard.application import (
    FEW,
    captions,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    metric,
    opened,
    press,
    sample,
    sample_workspace,
    start,
    state_of,
)
from tests.support.reference_data import reference

LINKAGE = 0.01
"""Some generalizations exceed this success, others do not."""
LEVELS = {"level_age": 3, "level_zip_code": 3, "level_admission": 3, "level_occupation": 2}


def few() -> Workspace:
    """Four of the sample's quasi-identifiers, whose generalizations are searched in a moment."""
    state = sample_workspace(FEW)
    state.roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    return state


def test_without_an_original_the_explore_page_asks_for_one() -> None:
    app = go(start(), "explore")
    assert [info.value for info in app.info] == [
        "There is no original table yet. Load it, or the sample, to make anonymized versions of it."
    ]
    app = opened(loaded(None, csv(["q"], ["a"]), q="quasi-identifier"), "explore")
    assert [info.value for info in app.info] == [
        "Explore makes anonymized versions of the original table, and only the anonymized one is loaded."
    ]
    assert press(app, "load_original").title[0].value == "Data"
    app = opened(loaded(csv(["q"], ["a"]), csv(["q"], ["a"]), q="insensitive"), "explore")
    assert "tagged as a quasi-identifier" in app.info[0].value


def test_a_number_that_t_compares_for_equality_because_of_empty_cells_is_named() -> None:
    people = [(age, 1000 + age if age % 9 else "") for age in range(20, 60)]
    state = loaded(csv(("age", "pay"), *people), age="quasi-identifier", pay="sensitive")
    message = plain(text("search.not_ordered", columns=["pay"], number=1))
    app = opened(state, "explore")
    assert message in captions(app)
    state_of(app).hierarchies["pay"] = Hierarchy(
        [[label or "", "*"] for label in state.tables.original.table["pay"].labels]
    )
    assert message not in captions(go(app, "explore"))


def test_a_method_makes_a_table_of_an_original_alone() -> None:
    content = csv(("age", "illness"), *((age, "flu" if age % 2 else "cold") for age in range(20, 60)))
    app = opened(loaded(content, age="quasi-identifier", illness="sensitive"), "explore")
    choose(app, "explore_method", "Mondrian")
    press(app, "make_candidate")
    assert not app.exception
    assert metric(app, "k-anonymity") != "—"
    press(app, "make_keep")
    assert not app.exception
    assert list(state_of(app).tables.versions) == [app.selectbox(key="candidate").value]


def test_the_heading_claims_no_more_than_the_search_checks() -> None:
    state = few()
    state.policy.choose(Policy("Ours", {"k_anonymity": 1, "suppression": 1, "granularity": 1}))
    app = opened(state, "explore")
    (heading,) = [text.value for text in app.markdown if text.value.startswith("## These levels meet")]
    assert "every limit checked here\\: k and suppression\\. Not checked here\\: " in heading
    state_of(app).policy.choose(Policy("Ours", {"granularity": 1}))
    (heading,) = [text.value for text in go(app, "explore").markdown if "Not checked here" in text.value]
    assert heading.startswith("## Not checked here")


def test_explore_starts_from_the_levels_of_the_candidate_and_keeps_what_it_shows() -> None:
    app = sample("explore", FEW)
    state = state_of(app)
    inputs = state.search_inputs()
    assert sum(state.search.chosen_levels(inputs).values()) > 0
    assert metric(app, "Record suppression") != "100%"
    choose(app, "candidate", "candidate_strict.csv")
    assert any(level > 1 for level in state.search.chosen_levels(inputs).values())
    before = metric(app, "Information kept")
    choose(app, "level_age", state.search.heights(inputs)["age"])
    assert metric(app, "Information kept") != before
    (tile,) = [card for card in app.metric if card.label == "Information kept"]
    assert tile.delta.startswith("-")
    choose_all(app, LEVELS)
    said = metric(app, "t-closeness"), metric(app, "Information kept")
    press(app, "explore_keep")
    assert len(state.tables.versions) == 4
    assert "Compare now" in [link.label for link in app.get("page_link")]
    label = list(state.tables.versions)[-1]
    assert app.selectbox(key="candidate").value == label
    card = state.card(label)
    assert label == f"hospital_generalized_k5_{100 * card['non_uniform_entropy'].value:.0f}pct"
    assert said == (
        format_number(card["t_closeness"].value),
        measure_text("non_uniform_entropy", card["non_uniform_entropy"].value),
    )
    press(app, "explore_keep")
    assert len(state.tables.versions) == 4


def kept_notices(app: AppTest) -> list[str]:
    """What the page says on tables that were kept."""
    return [text.value for text in app.caption if text.value.startswith("Kept as")]


def test_the_page_says_kept_only_while_it_shows_the_levels_that_were_kept() -> None:
    app = opened(few(), "explore")
    level = app.button_group(key="level_age").value
    press(app, "explore_keep")
    assert len(kept_notices(app)) == 1
    choose(app, "level_age", level + 1)
    assert kept_notices(app) == []
    choose(app, "level_age", level)
    assert len(kept_notices(app)) == 1


def test_the_page_says_which_columns_the_table_to_keep_hides_as_identifiers() -> None:
    state = few()
    message = plain("Columns tagged as identifiers (record_id) contain only * in this table.")
    assert message in captions(opened(state, "explore"))
    state.roles["record_id"] = Role.INSENSITIVE
    assert message not in captions(opened(state, "explore"))


def test_without_limits_the_page_does_not_ask_for_a_search_that_it_does_not_offer() -> None:
    state = few()
    asked = "Select “Find the best” to plot the generalizations here."
    assert asked in captions(opened(state, "explore"))
    state.policy.choose(Policy("Ours", {}))
    assert asked not in captions(opened(state, "explore"))


@pytest.mark.parametrize("t", [0.5, 0.2, 0.1])
def test_without_a_candidates_levels_it_starts_within_the_limits_and_never_with_everything_suppressed(t: float) -> None:
    state = sample_workspace(FEW)
    state.policy.set_limit("t_closeness", t)
    inputs = state.search_inputs()
    state.search.set_limits(search_limits(state.policy.current), inputs)
    state.search.start_from(inputs, None, "none")
    assert state.search.unmet(inputs) == []
    assert state.search.chosen_levels(inputs) != state.search.heights(inputs)
    figures = state.search.current_measures(inputs)
    assert figures["suppressed_rows"] <= 0.1 * inputs.original.rows


def begin(state: Workspace, label: str = "none") -> Inputs:
    """Begin on the page without a candidate's levels, by the policy as it is."""
    inputs = state.search_inputs()
    state.search.set_limits(search_limits(state.policy.current), inputs)
    state.search.start_from(inputs, None, label)
    return inputs


@pytest.mark.parametrize("policy", [PUBLIC_CLINICAL_DATA, STATISTICAL_TABLES, Policy("strict", {"p29": 0.99})])
def test_without_a_limit_on_suppression_it_does_not_start_with_most_records_suppressed(policy: Policy) -> None:
    state = sample_workspace(FEW)
    state.policy.choose(policy)
    inputs = begin(state)
    assert state.search.current_measures(inputs)["suppressed_rows"] <= 0.5 * inputs.original.rows
    assert state.search.chosen_levels(inputs) != state.search.heights(inputs)


def test_another_policy_is_started_from_unless_levels_were_chosen_by_hand() -> None:
    state = sample_workspace(FEW)
    begin(state)
    before = dict(state.search.levels)
    state.policy.set_limit("t_closeness", 0.2)
    inputs = begin(state)
    assert state.search.levels != before
    assert state.search.unmet(inputs) == []
    state.search.levels = before
    state.policy.set_limit("t_closeness", 0.1)
    begin(state)
    assert state.search.levels == before
    begin(state, "another candidate")
    assert state.search.levels != before


def test_after_a_search_another_candidate_starts_from_the_best() -> None:
    state = sample_workspace(FEW)
    inputs = begin(state)
    for _ in state.search.search(inputs, 60):
        pass
    found = state.search.found(inputs)
    assert found is not None
    assert found.best is not None
    begin(state, "another candidate")
    assert state.search.levels == found.levels_of(found.best)


def test_it_starts_although_what_is_looked_for_is_not_computed_under_the_roles() -> None:
    state = sample_workspace(FEW)
    state.search.measure = "t_closeness"
    for name in state.search_inputs().roles.sensitive:
        state.roles[name] = Role.INSENSITIVE
    inputs = state.search_inputs()
    state.search.set_limits(search_limits(state.policy.current), inputs)
    state.search.start_from(inputs, None, "none")
    assert state.search.unmet(inputs) == []


def test_a_search_finds_the_best_under_the_policy_tries_its_levels_and_is_old_under_other_roles() -> None:
    app = press(opened(few(), "explore"), "explore_search")
    state = state_of(app)
    inputs = state.search_inputs()
    found = state.search.found(inputs)
    assert found is not None
    assert found.proven
    assert not state.search.searching
    assert state.search.limits == search_limits(state.policy.current)
    best = found.best_by("non_uniform_entropy", state.search.limits)
    assert best is not None
    assert state.search.chosen_levels(inputs) == found.levels_of(best)
    assert metric(app, "k-anonymity") == str(found.node(best)["smallest_class"])
    assert found.history[-1].bound == found.node(best)["non_uniform_entropy"]
    assert f"## {plain(proven_finding(found)[0])}" in [text.value for text in app.markdown]
    (front,) = [element.value for element in app.dataframe if "kept" in element.value]
    assert set(front["k"]) <= set(found.figures["smallest_class"].tolist())
    assert front["k"].min() >= 5
    assert found.nodes_evaluated < found.nodes_total
    press(app, "explore_every")
    all_of_them = state.search.found(inputs)
    assert all_of_them is not None
    assert all_of_them.nodes_evaluated == found.nodes_total
    assert all_of_them.node(all_of_them.best_by("non_uniform_entropy") or 0) == found.node(best)
    assert "explore_every" not in [button.key for button in app.button]
    found = all_of_them
    state.policy.set_limit("suppression", 0.2)
    app.run()
    assert state.search.found(inputs) is None
    assert any("have changed since the last search." in caption for caption in captions(app))
    state.policy.set_limit("suppression", 0.1)
    app.run()
    assert state.search.found(inputs) is found
    state.roles["sex"] = Role.INSENSITIVE
    app.run()
    assert state.search.found(state.search_inputs()) is None
    assert not [element for element in app.dataframe if "information kept" in element.value]


def test_a_limit_on_record_linkage_is_part_of_the_search_unless_it_is_by_some_columns() -> None:
    app = opened(few(), "explore")
    state = state_of(app)
    state.policy.set_limit("record_linkage_attack", LINKAGE)
    press(app, "explore_search")
    found = state.search.found(state.search_inputs())
    assert found is not None
    assert found.best is not None
    assert 0 < found.figures["record_linkage_attack"][found.best] <= LINKAGE
    assert (found.figures["record_linkage_attack"] > LINKAGE).any()
    assert not [caption for caption in captions(app) if caption.startswith("The search cannot check")]
    assert "✓ Record linkage" in [one.label for one in app.metric]
    label = press(app, "explore_keep") and state.search.kept(state.search_inputs())
    judged = {one.metric: one.outcome for one in state.policy.current.check(state.card(label)).limits}
    assert judged["record_linkage_attack"] is Outcome.MET
    assert state.card(label)["record_linkage_attack"].value == pytest.approx(
        found.figures["record_linkage_attack"][found.best]
    )
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": ["age"]})
    app.run()
    assert "The search cannot check: record linkage attack." in captions(app)
    press(app, "explore_search")
    assert state.search.found(state.search_inputs()).best is not None


def test_a_policy_that_nothing_meets_is_reported() -> None:
    state = few()
    for name, limit in {"t_closeness": 0.0, "non_uniform_entropy": 0.5, "distinct_l_diversity": 100}.items():
        state.policy.set_limit(name, limit)
    app = press(opened(state, "explore"), "explore_search")
    assert any("No generalization meets the limits" in warning.value for warning in app.warning)


def test_hierarchies_that_come_later_add_their_levels() -> None:
    state = sample_workspace(FEW)
    age = state.hierarchies.pop("age")
    app = opened(state, "explore")
    assert state.search.heights(state.search_inputs())["age"] == 1
    state.hierarchies["age"] = age
    app.run()
    assert len(app.button_group(key="level_age").options) == age.height + 1
    assert state.search.heights(state.search_inputs())["age"] == age.height


def test_a_hierarchy_that_misses_values_is_reported() -> None:
    state = loaded(csv(["q", "s"], ["a", "x"], ["b", "y"]), q="quasi-identifier", s="sensitive")
    assert state.searchable
    assert state.search.heights(state.search_inputs()) == {"q": 1}
    state.hierarchies["q"] = Hierarchy([["a", "*"]], name="q.csv")
    (error,) = opened(state, "explore").error
    assert "q" in error.value


def test_a_hierarchy_that_misses_the_empty_cell_is_reported_on_each_visit() -> None:
    state = loaded(csv(["q", "s"], ["a", "x"], ["", "y"]), q="quasi-identifier", s="sensitive")
    state.hierarchies["q"] = Hierarchy([["a", "*"]], name="q.csv")
    app = opened(state, "explore")
    (error,) = app.error
    for _ in range(2):
        go(go(app, "classes"), "explore")
        assert [again.value for again in app.error] == [error.value]
        assert not app.exception


def test_levels_with_one_label_are_told_apart() -> None:
    races = {"White": "White", "Hispanic": "Hispanic", "Asian": "other", "Black": "other", "Other": "other"}
    people = [(race, 20 + 10 * i, "flu" if i % 2 else "cold") for race in races for i in range(4)]
    state = loaded(
        csv(("race", "age", "ill"), *people), race="quasi-identifier", age="quasi-identifier", ill="sensitive"
    )
    state.hierarchies["race"] = Hierarchy([[race, label, "*"] for race, label in races.items()], name="race.csv")
    app = opened(state, "explore")
    search, inputs = state.search, state.search_inputs()
    options = app.get_by_key("level_race").options
    assert options == [plain(name) for name in ("Hispanic (level 0)", "Hispanic (level 1)", "*")]
    seen = {}
    for level in (1, 0, 1, 2, 0):
        choose(app, "level_race", level)
        choose(app, "level_age", 1 - app.get_by_key("level_age").value)
        assert app.get_by_key("level_race").value == search.chosen_levels(inputs)["race"] == level
        shown = [tile.value for tile in app.metric]
        key = (level, app.get_by_key("level_age").value)
        assert seen.setdefault(key, shown) == shown
        assert set(search.table(inputs)["race"].labels) - {"*"} <= {
            row[level] for row in state.hierarchies["race"].rows
        }
    press(app, "explore_search")
    assert app.warning  # nothing meets the limits, and no figure is drawn
    state.policy.choose(Policy("Ours", {"k_anonymity": 4}))
    press(app, "explore_search")
    (front,) = [element.value for element in app.dataframe if "kept" in element.value]
    assert set(front["race"]) <= {"Hispanic (level 0)", "Hispanic (level 1)", "*"}


def test_a_search_by_analyses_shows_the_risk_against_what_is_kept_of_them() -> None:
    app = opened(few(), "explore")
    choose(app, "explore_measure", "analyses")
    press(app, "explore_search")
    state = state_of(app)
    exploration = state.search.found(state.search_inputs())
    assert exploration is not None
    assert exploration.best is not None
    best = exploration.node(exploration.best)["analyses"]
    assert metric(app, "Analyses kept") == measure_text("analyses", best)
    (front,) = [element.value for element in app.dataframe if "analyses" in element.value]
    assert front["analyses"].max() == pytest.approx(best, abs=1e-3)
    assert plain(not_run_finding(exploration)) in " ".join(captions(app))
    choose(app, "level_sex", 1)
    made = state.search.table(state.search_inputs())
    label = state.keep("made", made, MatchingRule(), state.search.recipe(state.search_inputs()))
    scored = state.with_analyses(state.card(label))["analyses"].value
    assert metric(app, "Analyses kept") == measure_text("analyses", scored)


def test_what_matters_bounds_the_levels_and_is_saved() -> None:
    app = opened(few(), "explore")
    state = state_of(app)
    choose(app, "keep_sex", 0)
    choose(app, "keep_age", 2)
    choose(app, "weight_age", 1.0)
    assert len(app.get_by_key("level_sex").options) == 1
    assert len(app.get_by_key("level_age").options) == 3
    saved = state.chosen_roles()
    assert (saved.highest_levels, saved.column_weights) == ({"sex": 0, "age": 2}, {"age": 1.0})
    assert plain(what_matters(saved)) in app.expander[0].label
    choose(app, "keep_age", state.hierarchies["age"].height)
    choose(app, "weight_age", 0.5)
    assert (state.highest_levels, state.column_weights) == ({"sex": 0}, {})
    state.highest_levels["age"] = 99
    assert not go(app, "explore").error


def warnings(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning]


def test_a_search_that_was_left_says_after_how_many_and_offers_to_finish() -> None:
    app = opened(few(), "explore")
    state = state_of(app)
    inputs = state.search_inputs()
    assert app.button(key="explore_search").label == "Find the best"
    search = state.search
    steps = search.search(inputs, 60)
    next(steps)
    steps.close()  # as it is where the page is left
    search.propose_best(inputs)
    go(app, "explore")
    evaluated = search.found(inputs).nodes_evaluated
    assert 0 < evaluated < search.found(inputs).nodes_total
    said = text("search.stopped", evaluated=evaluated, generalizations=search.found(inputs).nodes_total)
    assert said in warnings(app)
    assert app.button(key="explore_search").label == "Finish the search"
    # The heading of the search and the tile give one number.
    (so_far,) = [heading.value for heading in app.markdown if "Best so far" in heading.value]
    assert metric(app, "Information kept") in so_far.replace("\\", "")
    press(app, "explore_search")
    assert search.found(inputs).proven
    assert not [one for one in warnings(app) if "stopped" in one]
    assert app.button(key="explore_search").label == "Find the best"


def test_a_stopped_search_does_not_say_that_no_generalization_meets_the_limits() -> None:
    app = opened(few(), "explore")
    state = state_of(app)
    state.policy.current = Policy("Own", {"k_anonymity": 10_000})
    search = state.search
    go(app, "explore")
    steps = search.search(state.search_inputs(), 60)
    next(steps)
    steps.close()
    go(app, "explore")
    assert search.stopped(state.search_inputs())
    assert not [one for one in warnings(app) if "No generalization meets" in one]
    press(app, "explore_search")
    assert [one for one in warnings(app) if "No generalization meets" in one]


@pytest.mark.reference
def test_stopping_a_search_keeps_the_generalizations_found_so_far() -> None:
    state = Workspace()
    folder = reference("petworks", "adult")
    state.tables.add(Slot.ORIGINAL, "adult.csv", (folder / "adult.csv").read_bytes())
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
def test_a_table_kept_as_a_candidate_has_unchanged_cells(name: str) -> None:
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, "o.csv", csv([name, "s"], ["=1+1", "x"], ["00123", ""], ["None", "y"]))
    state.roles = {name: Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    assert label == "kept"
    assert state.tables.original is not None
    assert state.tables.versions[label].table.head(3) == state.tables.original.table.head(3)
    assert json.dumps(state.card(label).to_dict())


def test_a_decimal_comma_is_kept() -> None:
    state = Workspace()
    content = csv(["q", "s"], ["1,5", "x"], ["2,5", "y"], ["3,5", "y"], delimiter=";")
    state.tables.add(Slot.ORIGINAL, "o.csv", content)
    state.roles = {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    numbers = state.tables.versions[label].table["q"].numbers
    assert numbers is not None
    assert sorted(numbers) == [1.5, 2.5, 3.5]


def test_labels_of_two_levels_are_warned_of_and_a_kept_table_has_the_levels_tried() -> None:
    state = sample_workspace(FEW)
    state.hierarchies["age"] = Hierarchy([[str(age), str(age // 10 * 10 + 5), "50"] for age in range(121)])
    app = opened(state, "explore")
    assert any("with two meanings" in warning.value for warning in app.warning)
    options = [option.replace("\\", "") for option in app.get_by_key("level_age").options]
    assert options[1:] == ["45 (40 to 49)", "50 (0 to 120)"]
    choose_all(app, LEVELS | {"level_age": 2})
    levels = state.search.chosen_levels(state.search_inputs())
    press(app, "explore_keep")
    go(app, "classes")
    go(app, "explore")
    assert state.search.chosen_levels(state.search_inputs()) == levels


def test_labels_that_mislead_are_replaced_by_intervals() -> None:
    state = sample_workspace(FEW)
    middles = Hierarchy([[str(age), f"{age // 10 * 10}-{age // 10 * 10 + 8}", "50"] for age in range(121)])
    state.hierarchies["age"] = middles
    app = opened(state, "explore")
    warning, removed = app.warning
    # Nobody in the table is 109 or 119 years old.
    assert "9 values under intervals that do not contain them, for example 9 under 0-8" in warning.value
    assert "values of zip_code, among them" in plain(removed.value)
    press(app, "use_intervals_age")
    assert len(app.warning) == 1
    assert state.hierarchies["age"].rows[29] == ("29", "20-29", "*")
    press(app, "undo_intervals_age")
    assert state.hierarchies["age"] is middles
    assert app.get_by_key("use_intervals_age") is not None


def test_labels_that_a_loaded_table_has_are_replaced_under_a_warning() -> None:
    state = few()
    label = next(iter(state.tables.versions))
    labels = [one for one in state.tables.versions[label].table["age"].labels if one not in (None, "*")]
    ages = sorted((age for age in state.tables.original.table["age"].labels if age is not None), key=int)
    # Each stands for other ages than it says.
    groups = [sorted(labels, reverse=True)[i * len(labels) // len(ages)] for i in range(len(ages))]
    former = Hierarchy([[age, group, "50"] for age, group in zip(ages, groups, strict=True)])
    state.hierarchies["age"] = former
    app = opened(state, "explore")
    said = plain(f"{label} may then have other figures of age")
    assert any(said in warning.value for warning in app.warning)
    press(app, "use_intervals_age")
    assert state.hierarchies["age"].rows[0][1] != former.rows[0][1]
    press(app, "undo_intervals_age")
    assert state.hierarchies["age"] is former
    # One of its labels alone is a value that happens to be a label.
    state.hierarchies["age"] = Hierarchy([[age, str(labels[0]), "50"] for age in ages])
    assert all(said not in warning.value for warning in go(app, "explore").warning)


def test_labels_that_a_kept_table_has_are_not_replaced() -> None:
    state = sample_workspace(FEW)
    state.hierarchies["age"] = Hierarchy([[str(age), str(age // 10 * 10 + 4.5), "50"] for age in range(121)])
    app = opened(state, "explore")
    press(choose_all(app, LEVELS | {"level_age": 1}), "explore_keep")
    kept = state.making.kept or next(reversed(state.tables.versions))
    assert plain(f"{kept} was made with these labels") in app.warning[0].value
    assert "use_intervals_age" not in {button.key for button in app.button}
    state.remove(Slot.ANONYMIZED, kept)
    press(app.run(), "use_intervals_age")
    press(choose_all(app, LEVELS | {"level_age": 1}), "explore_keep")
    assert "undo_intervals_age" not in {button.key for button in app.button}


def test_the_page_waits_for_an_interrupted_search_to_keep_its_best() -> None:
    state = few()
    app = opened(state, "explore")

    class Lock:
        """Whoever has waited for it finds what the search kept last."""

        def __enter__(self) -> None:
            state.search.levels = {"sex": 1, "age": 4, "zip_code": 5, "marital_status": 2}

        def __exit__(self, *_: object) -> None:
            pass

    app.session_state["search_at_work"] = Lock()
    app.run()
    assert "## Every record is suppressed" in [text.value for text in app.markdown]
