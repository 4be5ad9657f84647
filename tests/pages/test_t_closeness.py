"""The t-closeness page: its numbers, what its controls change, and what it keeps."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.text import plain
from metrics.config.parameters import GroundDistance
from metrics.config.roles import Role
from metrics.formatting import format_number
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.privacy.t_closeness.measure import T_CLOSENESS
from metrics.scoring.scorecard import score_metric
from metrics.texts import text
from pages.data.uploads import add_hierarchy
from tests.dashboard.application import (
    choose,
    choose_all,
    csv,
    go,
    loaded,
    metric,
    opened,
    press,
    randomized,
    sample,
    state_of,
    titles,
)

TWO = ("aa", "ab", "bb", "bc")
"""Two classes of two records."""


def finding(app: AppTest) -> str:
    """The sentences that lead the page."""
    return next(one.value for one in app.markdown if "largest" in one.value).replace("\\", "")


def largest(app: AppTest) -> str:
    """The largest distance, as they say it."""
    return re.search(r"largest(?: distance)? is ([\d.]+)", finding(app))[1]  # type: ignore[index]


def counts(app: AppTest) -> tuple[int, int]:
    """Classes and records beyond the limit, as they say them."""
    found = re.search(r"([\d,]+) of [\d,]+ class.* contains? ([\d,]+) of", finding(app))
    classes, records = (0, 0) if found is None else (int(number.replace(",", "")) for number in found.groups())
    return classes, records


def words(app: AppTest) -> str:
    """All running text of the page."""
    return "\n".join(text.value for kind in (app.markdown, app.caption, app.info, app.warning) for text in kind)


@pytest.fixture
def patient(seed_tables: Path) -> AppTest:
    """The page on patient_anonymized with its hierarchies."""
    folder = seed_tables / "patient"
    roles = {"ZIPCode": "quasi-identifier", "Age": "quasi-identifier", "Salary": "sensitive", "Disease": "sensitive"}
    state = loaded(None, (folder / "patient_anonymized.csv").read_bytes(), **roles)
    for path in (folder / "patient_hierarchy").glob("*.csv"):
        add_hierarchy(state, path.name, path.read_bytes())
    return opened(state, "t_closeness")


def test_the_limit_moves_the_counts_and_nothing_is_lost() -> None:
    app = choose(sample("t_closeness"), "candidate", "candidate_balanced.csv")
    seen = []
    for limit in (0.0, 0.2, 0.3, 0.99):
        choose(app, "t_limit", limit)
        seen.append(counts(app))
        state = state_of(app)
        aggregates = state.card("candidate_balanced.csv").aggregates
        result = score_metric(T_CLOSENESS, aggregates, state.policy.what_if("t_closeness").parameters)
        assert result.details["violating_classes"] == seen[-1][0]
        assert largest(app) == format_number(result.value)
    assert seen[0] == (122, 9_921)
    assert seen[-1] == (0, 0)
    assert seen == sorted(seen, reverse=True)
    assert "Not counted, neither in a class nor in the whole table: 79 suppressed records." in words(app)
    choose(app, "closeness_view", "Classes above the limit")
    assert "No class exceeds the limit." in words(app)
    choose(app, "t_limit", 1.0)
    assert counts(app) == (0, 0)
    assert "The policy sets no limit on t." in words(app)
    assert "exceed" not in " ".join(titles(app))
    choose(app, "t_limit", 0.25)
    go(app, "verdict")
    go(app, "t_closeness")
    assert app.get_by_key("t_limit").value == 0.25
    assert "exceed t \\= 0\\.25" in words(app)


def test_changing_the_ground_distance_changes_t_and_changing_back_restores_it(patient: AppTest) -> None:
    assert largest(patient) == "0.296"
    assert any("of the distance of 0.296 lies" in title for title in titles(patient))
    choose(patient, "t_distance_Disease", "equal")
    assert largest(patient) == "0.556"
    assert any("would have to change their Disease: t = 0.556" in title for title in titles(patient))
    go(patient, "verdict")
    assert metric(patient, "t-closeness") == "0.296"
    press(go(patient, "t_closeness"), "use_everywhere")
    assert metric(go(patient, "verdict"), "t-closeness (changed settings)") == "0.556"
    assert "ground distance of Disease equal instead of automatic" in words(patient)
    go(patient, "t_closeness")
    assert patient.get_by_key("t_distance_Disease").value == "equal"
    choose(patient, "t_distance_Disease", "automatic")
    assert largest(press(patient, "use_everywhere")) == "0.296"
    assert state_of(patient).policy.parameters.t_closeness.distance == {}


def test_a_distance_that_does_not_apply_is_refused_in_a_sentence(patient: AppTest) -> None:
    for column, choice, why in (("Disease", "ordered", "no order"), ("Salary", "hierarchical", "has no hierarchy")):
        choose(patient, f"t_distance_{column}", choice)
        (warning,) = patient.warning
        assert warning.value.startswith("Not changed")
        assert why in warning.value
        assert largest(patient) == "0.296"
        assert patient.get_by_key(f"t_distance_{column}").value == "automatic"
    choose(patient, "t_limit", 0.3)
    assert not patient.warning


def test_the_chosen_class_and_attribute_survive_a_page_switch(patient: AppTest) -> None:
    assert "ZIPCode = **4790\\***, Age" in words(patient)
    options = patient.get_by_key("t_class").options
    assert options[0] == "t = 0.296 · 3 records · ZIPCode = 4790*, Age = >40"
    assert len(options) == 3
    choose_all(patient, {"t_attribute": "Salary", "t_class": 0})
    assert any("values of Salary" in title for title in titles(patient))
    go(patient, "p29")
    go(patient, "t_closeness")
    assert patient.get_by_key("t_class").value == 0
    assert patient.get_by_key("t_attribute").value == "Salary"
    assert "ZIPCode = **4760\\***" in words(patient)


def test_another_candidate_has_a_choice_of_its_own() -> None:
    roles = {"q": "quasi-identifier", "s": "sensitive"}
    app = opened(loaded(None, csv(["q", "s"], *TWO), csv(["q", "s"], *TWO, "bc"), **roles), "t_closeness")
    choose(app, "t_class", 1 - int(app.get_by_key("t_class").value))
    chosen = app.get_by_key("t_class").value
    choose(app, "candidate", "c1.csv")
    other = app.get_by_key("t_class").value
    assert other != chosen
    choose(app, "candidate", "c0.csv")
    assert app.get_by_key("t_class").value == chosen
    choose(app, "candidate", "c1.csv")
    assert app.get_by_key("t_class").value == other


def test_the_ground_distance_of_a_column_that_is_no_longer_sensitive_is_dropped(patient: AppTest) -> None:
    press(choose(patient, "t_distance_Disease", "equal"), "use_everywhere")
    state = state_of(patient)
    state.roles["Disease"] = Role.INSENSITIVE
    assert largest(patient.run()) == "0.167"
    state.roles["Disease"] = Role.SENSITIVE
    assert largest(patient.run()) == "0.556"
    assert state.policy.parameters.t_closeness.distance == {"Disease": GroundDistance.EQUAL}


def test_a_hierarchy_that_misses_values_can_be_passed_over() -> None:
    state = loaded(None, csv(["q", "s"], *TWO), q="quasi-identifier", s="sensitive")
    state.hierarchies["s"] = Hierarchy([["a", "*"], ["b", "*"]])
    app = opened(state, "t_closeness")
    (info,) = app.info
    assert "are leaves of its hierarchy" in info.value
    choose(app, "t_distance_s", "equal")
    assert not app.info
    assert largest(app) == "0.25"
    choose(app, "t_distance_s", "automatic")
    assert "are leaves of its hierarchy" in app.warning[0].value
    assert largest(app) == "0.25"


def test_without_a_sensitive_column_the_t_closeness_page_asks_for_one() -> None:
    state = loaded(None, csv(["q", "s"], *TWO), q="quasi-identifier", s="insensitive")
    app = opened(state, "t_closeness")
    assert [info.value for info in app.info] == ["Unavailable: no column is tagged as sensitive."]
    assert not app.metric


def test_a_table_of_a_single_class_has_distance_0() -> None:
    state = loaded(None, csv(["q", "s"], "a1", "a2", "a3"), q="quasi-identifier", s="sensitive")
    app = opened(state, "t_closeness")
    assert largest(app) == "0"
    assert any("s has the same distribution in this class as in the whole table" in text.value for text in app.markdown)


def test_the_page_says_that_values_of_a_randomized_column_may_be_false() -> None:
    content = csv(("age", "illness"), *[(age, "flu" if age < 30 else "cold") for age in (20, 20, 40, 40)])
    state = loaded(None, content, age="quasi-identifier", illness="sensitive")
    said = plain(text("verdict.randomized", columns=["illness"]))
    assert said not in words(opened(state, "t_closeness"))
    assert said in words(opened(randomized(state, illness=["flu", "cold"]), "t_closeness"))
