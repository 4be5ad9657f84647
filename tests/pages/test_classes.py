"""The page of classes: filtered, paged, sorted, and a class opened from another page."""

import re

import numpy as np
from streamlit.testing.v1 import AppTest

from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy
from metrics.scoring.class_filter import Violation, limits_failed
from pages.classes.browser import measure_title
from tests.dashboard.application import (
    FEW,
    STRICT,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    opened,
    sample,
    state_of,
)


def test_classes_are_filtered_paged_and_sorted_as_chosen() -> None:
    app = choose(sample("classes"), "class_filter", "all")
    choose(app, "class_page", 3)
    assert len(app.dataframe[0].value) == 293
    choose(app, "class_filter", "fails a limit")
    assert app.get_by_key("class_page").value == 1
    assert app.dataframe[0].value["fails"].all()
    choose(app, "k_limit", 100)
    small = app.dataframe[0].value["size"] < 100
    assert (app.dataframe[0].value["fails"].str.split(", ").map(lambda names: "k" in names) == small).all()
    choose_all(app, {"class_filter": "all", "class_order": "largest t"})
    largest = app.dataframe[0].value["largest t"]
    assert largest.is_monotonic_decreasing
    assert largest.iloc[0] == state_of(app).card("candidate_light.csv")["t_closeness"].value
    for measure, descending in {"length_of_stay.t": True, "diagnosis.normalized_entropy": False}.items():
        choose(app, "class_order", measure)
        for falls in (descending, not descending):
            if falls is not descending:
                choose(app, "class_descending", falls)
            column = app.dataframe[0].value[measure_title(measure)]
            assert column.is_monotonic_decreasing if falls else column.is_monotonic_increasing


def test_no_page_assesses_classes_by_a_limit_that_the_policy_does_not_have() -> None:
    app = choose(sample("classes"), "policy", "No limits")
    said = " ".join(one.value for one in (*app.caption, *app.markdown))
    assert "all classes are listed" in said
    assert "exceeds the t-closeness limit" not in said
    assert app.get_by_key("k_limit").value == 1
    for page, control in (("t_closeness", "t_limit"), ("risk", "risk_threshold")):
        assert go(app, page).get_by_key(control).value == 1
        assert "no limit" in app.get_by_key(control).label
        assert not [one for one in app.markdown if "limit (1)" in one.value or "100% for" in one.value]
    choose(app, "policy", DEFAULT_POLICY.name)
    assert go(app, "t_closeness").get_by_key("t_limit").value == DEFAULT_POLICY.limits["t_closeness"]


def listed(app: AppTest) -> str:
    """How many classes the list says that it has."""
    (heading,) = [one.value for one in app.markdown if re.match(r"## [\d,]+ class", one.value)]
    return str(heading)


def test_a_class_opened_from_another_page_keeps_the_filter_if_it_fails_a_limit() -> None:
    app = choose(sample("classes"), "k_limit", 3)
    for opened_class, kept in ((True, True), (False, False)):
        failing = listed(app)
        table = state_of(app).card("candidate_light.csv").classes
        fails = limits_failed(table, class_limits(state_of(app).policy.current)) > 0
        app.session_state["class_selected"] = "candidate_light.csv", int(np.flatnonzero(fails == opened_class)[0])
        app.run()
        assert ("all classes are listed" in " ".join(one.value for one in app.caption)) is not kept
        assert (listed(app) == failing) is kept
    choose(app, "candidate", "candidate_balanced.csv")  # the class is not one of this table
    assert "class that you opened" not in " ".join(one.value for one in app.caption)


def test_the_list_of_classes_survives_limits_that_none_fails_and_other_sensitive_columns() -> None:
    state = loaded(None, STRICT, age="quasi-identifier", zip="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 2}))
    state.policy.parameters = state.policy.parameters.with_settings({"t_closeness.t": 1})
    app = opened(state, "classes")
    assert any("No class fails " in caption.value for caption in app.caption)
    assert not any("No class is left" in info.value for info in app.info)
    choose(app, "class_order", "illness.t")
    state.roles["illness"] = Role.INSENSITIVE
    app.run()
    assert app.get_by_key("class_order").value == "worst first"


def test_a_class_opens_on_an_attribute_that_fails() -> None:
    people = [("a", "flu", "1"), ("a", "cold", "1"), ("b", "flu", "1"), ("b", "flu", "2"), ("c", "gout", "2")]
    roles = {"q": "quasi-identifier", "ill": "sensitive", "stay": "sensitive"}
    state = loaded(None, csv(tuple(roles), *people), **roles)
    state.policy.choose(Policy("Ours", {"distinct_l_diversity": 2}))
    (candidate,) = state.tables.versions
    app = opened(state, "classes")

    def shown(index: int) -> object:
        app.session_state["class_selected"] = candidate, index
        return app.run().button_group(key="class_attribute").value

    assert [shown(index) for index in (0, 1, 0)] == ["stay", "ill", "stay"]
    choose(app, "class_attribute", "ill")  # stays while this class is shown
    assert shown(0) == "ill"
    assert shown(2) == "ill"  # fails both


def test_the_tree_begins_with_the_chosen_column() -> None:
    app = choose(sample("classes", FEW), "classes_view", "By quasi-identifier")
    for column in ("sex", "age"):
        choose(app, "tree_first", column)
        assert any(text.value.startswith("## ") and f"records by {column}" in text.value for text in app.markdown)


def test_a_class_that_fails_only_p29_is_listed_with_the_condition_that_it_fails() -> None:
    app = choose(sample("classes"), "candidate", "candidate_balanced.csv")
    choose(app, "class_filter", Violation.P_29)
    reasons = list(app.dataframe[0].value["fails"])
    assert len(reasons) == 7
    assert all("t = 0." in reason for reason in reasons), reasons


def test_without_a_distance_the_page_says_why_there_is_no_map_of_classes() -> None:
    content = csv(("age", "illness"), *[("20", "flu"), ("20", "lungs")])
    state = loaded(None, content, age="quasi-identifier", illness="sensitive")
    state.hierarchies["illness"] = Hierarchy([["flu", "lungs"], ["asthma", "lungs"]])
    said = [caption.value for caption in opened(state, "classes").caption]
    assert any("not all values of" in caption for caption in said)
