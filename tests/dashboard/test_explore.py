"""The explore page: levels by hand, the search, and what becomes a candidate."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.search import SearchState
from dashboard.workspace import Slot, Workspace
from metrics.candidates.constraints import Constraints
from metrics.matching_rule import MatchingRule
from metrics.roles import Role
from metrics.wording import shown
from tests.dashboard.application import choose, csv, go, metric, press, sample, start, state_of, tag
from tests.reference_data import reference


def explore() -> AppTest:
    return go(sample(), "explore")


def test_without_an_original_the_page_says_so() -> None:
    app = go(start(), "explore")
    assert [info.value for info in app.info] == [
        "There is no original table yet. Load it, or the sample, to make anonymized versions of it."
    ]
    app = sample()
    tag(app, dict.fromkeys(state_of(app).columns, "insensitive"))
    go(app, "explore")
    assert "tagged as a quasi-identifier" in app.info[0].value


def test_a_level_moves_the_figures() -> None:
    app = explore()
    before = metric(app, "Suppressed records")
    choose(app, "level_age", 3)
    choose(app, "level_zip_code", 2)
    assert metric(app, "Suppressed records") != before
    choose(app, "explore_k", 1)
    assert metric(app, "Suppressed records") == "0"


def test_a_kept_table_scores_as_the_sliders_said() -> None:
    app = explore()
    for name, level in {"level_age": 3, "level_zip_code": 3, "level_admission": 4, "level_occupation": 2}.items():
        choose(app, name, level)
    said = {title: metric(app, title) for title in ("Granularity (loss)", "Non-uniform entropy", "t-closeness")}
    press(app, "keep_levels")
    state = state_of(app)
    assert len(state.candidates) == 4
    label = list(state.candidates)[-1]
    choose(app, "candidate", label)
    card = state.card(label)
    assert said["Granularity (loss)"] == shown(card["granularity"].value)
    assert said["Non-uniform entropy"] == shown(card["non_uniform_entropy"].value)
    go(app, "explore")
    press(app, "keep_levels")
    assert len(state_of(app).candidates) == 4


def test_a_search_finds_limits_filter_and_the_best_goes_to_the_sliders() -> None:
    app = press(explore(), "search_lattice")
    state = state_of(app)
    inputs = state.search_inputs()
    found = state.search.found(inputs)
    assert found is not None
    assert found.finished
    assert not state.search.searching
    assert state.search.limits == Constraints(max_suppression=0.04)
    assert found.best == found.best_by("loss", state.search.limits)
    choose(app, "limit_found_suppression", 0.02)
    inside = found.best_by("loss", Constraints(k=1, max_suppression=0.02))
    assert inside is not None
    choose(app, "limit_found_k", 100)
    choose(app, "limit_found_no_attack", True)
    hopeless = found.best_by("loss", state.search.limits) is None
    assert any("misses" in warning.value for warning in app.warning) is hopeless
    choose(app, "limit_found_no_attack", False)
    choose(app, "limit_found_k", 1)
    press(app, "take_best")
    assert state_of(app).search.chosen_levels(inputs) == found.levels_of(inside)
    assert metric(app, "Suppressed records") == f"{found.node(inside)['suppressed_rows']:,}"


def test_other_roles_make_a_search_old() -> None:
    app = press(explore(), "search_lattice")
    go(app, "data")
    tag(app, {"sex": "insensitive"})
    state = state_of(app)
    assert state.search.found(state.search_inputs()) is None
    go(app, "explore")
    assert "What was found" not in [header.value for header in app.header]


def test_a_hierarchy_that_misses_values_is_told() -> None:
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
    steps.close()
    found = search.found(inputs)
    assert found is not None
    assert found.nodes_evaluated == first.nodes_evaluated < found.nodes_total
    assert not found.finished


@pytest.mark.parametrize("name", ["q", "<b>q</b>"])
def test_kept_tables_are_what_they_were(name: str) -> None:
    state = Workspace()
    state.add(Slot.ORIGINAL, "o.csv", csv([name, "s"], ["=1+1", "x"], ["00123", ""], ["None", "y"]))
    state.roles = {name: Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    state.search.k = 1
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    assert label == "kept.parquet"
    assert state.original is not None
    assert state.candidates[label].table.head(3) == state.original.table.head(3)
    assert json.dumps(state.card(label).to_dict())


def test_a_decimal_comma_is_kept() -> None:
    state = Workspace()
    content = csv(["q", "s"], ["1,5", "x"], ["2,5", "y"], ["3,5", "y"], delimiter=";")
    state.add(Slot.ORIGINAL, "o.csv", content)
    state.roles = {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    state.search.k = 1
    label = state.keep("kept", state.search.table(state.search_inputs()), MatchingRule())
    numbers = state.candidates[label].table["q"].numbers
    assert numbers is not None
    assert sorted(numbers) == [1.5, 2.5, 3.5]
