"""The page about attacks: what is known moves the figures, the hold-out table is the control, classes can be opened."""

import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from metrics.candidates.methods.catalog import make_candidate
from metrics.config.roles import Role
from metrics.scoring.catalog import BY_ID
from metrics.tables.matching_rule import MatchingRule
from metrics.texts import text
from tests.dashboard.application import (
    FEW,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    opened,
    randomized,
    sample_workspace,
    state_of,
)
from tests.drawing.drawn import read

PEOPLE = csv(("age", "zip", "illness"), (31, 1, "flu"), (32, 2, "cold"))
ROLES = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}


def sentences(app: AppTest) -> str:
    """All that the page says."""
    return " ".join(shown.value.replace("\\", "") for shown in app.markdown)


def captions(app: AppTest) -> str:
    """All that it says in small print."""
    return " ".join(shown.value.replace("\\", "") for shown in app.caption)


def chart_rows(app: AppTest) -> dict[str, float]:
    """The attacks of the chart, by their names, with their success in percent."""
    chart = json.loads(app.get("plotly_chart")[0].proto.spec)
    names = {note["y"]: note["text"].split(" <b>")[0] for note in chart["layout"]["annotations"]}
    (attack,) = [trace for trace in chart["data"] if trace.get("name") == "attack"]
    return {read(names[key]): success for key, success in zip(attack["y"], attack["x"], strict=True)}


def attacked(script: str) -> AppTest:
    """A page on the sample's first records; each quasi-identifier more doubles the work of the attacks."""
    state = sample_workspace(FEW)
    state.roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    return opened(state, script)


def test_attack_figures_follow_the_known_columns_and_are_judged_by_the_limits_set() -> None:
    app = attacked("attacks")
    heading = "## The table helps an attacker: records of 63.7% of people found, 0.333% without the table"
    assert heading in sentences(app)
    found = chart_rows(app)
    assert found["Inference of diagnosis"] == pytest.approx(67, abs=0.1)
    assert found["Record linkage attack"] == pytest.approx(63.7, abs=0.1)
    assert "Membership attack" in found  # the sample has a hold-out table
    assert "Record linkage attack:" not in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 60.0)
    assert "Record linkage attack: ✗ fails (≤ 60%)" in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 70.0)
    assert "Record linkage attack: ✓ meets (≤ 70%)" in captions(app)
    choose(app, "attack_known", ["age", "sex", "zip_code"])
    assert state_of(app).policy.parameters.attack.known == ("sex", "age", "zip_code")
    assert chart_rows(app)["Inference of diagnosis"] == pytest.approx(47, abs=0.5)
    go(app, "verdict")
    go(app, "attacks")
    assert app.get_by_key("attack_known").value == ["sex", "age", "zip_code"]
    choose(app, "attack_known", ["age", "diagnosis"])
    assert [name for name in chart_rows(app) if name.startswith("Inference")] == ["Inference of length_of_stay (±1.65)"]
    choose(app, "attack_known", [])
    assert state_of(app).policy.parameters.attack.known == ()
    assert heading in sentences(app)


def test_how_an_attack_works_is_told_in_four_points_without_its_values() -> None:
    app = choose(attacked("attacks"), "attacks_view", "How each attack works")
    told = BY_ID["record_linkage_attack"].notes
    assert told.count("- **") == 4
    choose(app, "attack_explained", "Record linkage attack")
    assert told.strip() in sentences(app)


def test_people_with_several_records_are_attacked_where_a_column_says_whose_they_are() -> None:
    rows = [("1", "30", "flu"), ("1", "40", "flu"), ("2", "30", "cold"), ("3", "40", "cold")]
    content = csv(("who", "age", "illness"), *rows)
    app = opened(loaded(content, content, who="insensitive", age="quasi-identifier", illness="sensitive"), "attacks")
    assert "Linkage attack on people" not in chart_rows(app)
    state_of(app).person = "who"
    app.run()
    assert chart_rows(app)["Linkage attack on people"] == 100
    assert state_of(app).card("c0.csv")["people_linkage_attack"].value == 1


def test_a_known_column_that_another_candidate_lacks_is_left_out() -> None:
    lacking = csv(("age", "illness"), ("*", "flu"), ("*", "cold"))
    state = loaded(PEOPLE, PEOPLE, lacking, age="quasi-identifier", zip="insensitive", illness="sensitive")
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": ["age", "zip"]})
    assert [state.card(label).parameters.attack.known for label in state.tables.labels] == [("age", "zip"), ("age",)]


def test_without_an_original_the_pages_say_why() -> None:
    app = opened(loaded(None, PEOPLE, csv(("age", "zip", "illness"), (3, 1, "flu")), **ROLES), "attacks")
    assert any("original" in info.value for info in app.info)
    choose(go(app, "compare"), "compare_view", "Attacks")
    assert any("original" in info.value for info in app.info)


def known_only(column: str, original: bytes, anonymized: bytes) -> AppTest:
    """The page where age and zip are quasi-identifiers and the attacker knows one of them."""
    return choose(opened(loaded(original, anonymized, **ROLES), "attacks"), "attack_known", [column])


def test_a_warning_remains_if_classes_have_a_single_value_although_no_attack_succeeds() -> None:
    varied = csv(("age", "zip", "illness"), *[(30, 1, one) for one in ("flu", "cold")] * 2)
    app = known_only("zip", varied, varied)
    assert text("attack.people.nobody_exposed", nobody=text("attack.people.nobody")) in sentences(app)
    assert (
        "## The table does not noticeably help an attacker: records of 25% of people found, 25% without"
        in sentences(app)
    )
    assert not app.warning
    unique = csv(("age", "zip", "illness"), (31, 1, "flu"), (32, 1, "cold"))
    (warning,) = known_only("zip", unique, unique).warning
    assert "2 of 2 classes (2 records) contain a single value" in warning.value
    drawn = randomized(loaded(unique, unique, **ROLES), illness=["flu", "cold"])
    assert not choose(opened(drawn, "attacks"), "attack_known", ["zip"]).warning


def test_people_exposed_although_their_record_is_suppressed_are_counted() -> None:
    people = (("1", "flu"), ("1", "cold"), ("2", "flu"))
    released = (*people[:2], ("*", "flu"))
    roles = {"age": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(csv(("age", "illness"), *people), csv(("age", "illness"), *released), **roles), "attacks")
    assert "1 of these people has a suppressed record and is in no class below" in captions(app)
    assert "An attacker is certain of illness for " in sentences(app)


def test_who_is_certain_of_a_wrong_value_is_counted_too() -> None:
    people = (("20", "flu"), ("21", "cold"), ("30", "cold"), ("30", "cough"))
    released = (("*", "flu"), ("20-29", "cold"), *people[2:])
    roles = {"age": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(csv(("age", "illness"), *people), csv(("age", "illness"), *released), **roles), "attacks")
    disclosed = text("attack.people.of_people_misled", column="illness", people=1, wrong=1)
    assert text("attack.people.certain", disclosed=disclosed) in sentences(app)
    assert text("attack.people.identifies", identified=1) in sentences(app)
    assert "Record linkage attack, suppressed excluded" in chart_rows(app)


def test_a_few_people_exposed_are_the_finding_where_the_table_helps_hardly_with_others() -> None:
    ages = ["20"] * 400 + ["70"]
    illnesses = [("flu", "cold")[at % 2] for at in range(400)] + ["flu"]
    people = csv(("age", "illness"), *zip(ages, illnesses, strict=True))
    app = opened(loaded(people, people, age="quasi-identifier", illness="sensitive"), "attacks")
    assert "## An attacker is certain of illness for 1 person, and identifies 1 person" in sentences(app)


def test_a_limit_on_an_attack_without_a_result_is_not_measured() -> None:
    state = loaded(PEOPLE, PEOPLE, age="quasi-identifier", zip="insensitive", illness="sensitive")
    state.policy.set_limit("two_source_linkage_attack", 0.1)
    assert "Two-source linkage attack: not measured (≤ 10%)" in captions(opened(state, "attacks"))


def test_without_a_sensitive_attribute_the_inference_attack_states_the_reason() -> None:
    app = opened(loaded(PEOPLE, PEOPLE, age="quasi-identifier", zip="insensitive", illness="insensitive"), "attacks")
    assert "no column is tagged as sensitive" in captions(app)
    assert "Record linkage attack" in chart_rows(app)


def test_attacks_are_compared_for_each_candidate_and_for_all_published_together() -> None:
    app = choose(attacked("compare"), "compare_view", "Attacks")
    assert "1 more column determines length_of_stay for 44.3% of people" in sentences(app)
    found = together_table(app)
    assert found.columns.tolist() == ["light", "balanced", "all together", "only together"]
    assert found.loc["diagnosis", "light"] == "42.3%"
    assert found.loc["diagnosis, suppressed excluded", "balanced"] == "5%"
    choose(app, "published_together", ["candidate_light.csv"])
    assert "Choose at least two releases." in captions(app)
    choose_all(app, {"attack_known": ["age"], "published_together": ["candidate_balanced.csv", "candidate_strict.csv"]})
    assert together_table(app)["all together"].tolist() == ["0%"] * 4


@pytest.mark.parametrize("records", [500, 400])
def test_two_draws_of_a_column_that_are_published_together_add_up(records: int) -> None:
    state = sample_workspace(500)
    inputs = state.search_inputs()
    for label in ("one", "two"):
        made = make_candidate(inputs.original, "k-rr", inputs.roles, inputs.hierarchies, columns=["diagnosis"])
        state.keep(label, made.take(np.arange(records)), MatchingRule())
    app = choose(opened(state, "compare"), "compare_view", "Attacks")
    options = app.get_by_key("published_together").options
    labels = [option for option in options if option.startswith(("one", "two"))]
    choose(app, "published_together", labels)
    summed = text("pram.of_column", epsilon=2, column="diagnosis")
    assert text("intersection_attack.drawn", columns=["diagnosis"], number=1, sums=summed, total=2) in warnings(app)
    is_matched = any("only together" in element.value for element in app.dataframe)
    assert is_matched == (records == 500)
    choose(app, "published_together", [labels[0], "candidate_strict.csv"])
    assert "without known randomization" in warnings(app)
    assert text("intersection_attack.choice") in warnings(app)
    assert text("comparison.different_epsilon") not in captions(choose(app, "compared", labels))


def test_a_table_of_safepub_is_not_covered_beside_another() -> None:
    state = sample_workspace(500)
    inputs = state.search_inputs()
    made = make_candidate(inputs.original, "safepub", inputs.roles, inputs.hierarchies, epsilon=1, delta=0.1)
    state.keep("sampled", made, MatchingRule())
    app = choose(opened(state, "compare"), "compare_view", "Attacks")
    (label,) = [option for option in app.get_by_key("published_together").options if option.startswith("sampled")]
    choose(app, "published_together", ["candidate_strict.csv", label])
    assert "not covered by SafePub's (ε, δ)" in warnings(app)
    assert "a table made otherwise has no such bound" in warnings(app).lower()
    assert any("Exposure together is not available" in info.value for info in app.info)


def warnings(app: AppTest) -> str:
    """All that it warns of."""
    return " ".join(shown.value.replace("\\", "") for shown in app.warning)


def together_table(app: AppTest) -> pd.DataFrame:
    (found,) = [element.value for element in app.dataframe if "only together" in element.value]
    return found.set_index("attribute")


def test_names_of_columns_are_text_on_the_pills() -> None:
    name = "![x](http://outside.invalid/p.png)"
    content = csv((name, "illness"), ("a", "flu"), ("a", "cold"), ("b", "flu"), ("c", "flu"))
    app = opened(loaded(content, content, **{name: "quasi-identifier", "illness": "sensitive"}), "attacks")
    choose(app, "attacks_view", "Success by columns known")
    labels = [str(option) for key in ("attack_known", "attack_growth") for option in app.get_by_key(key).options]
    assert len(labels) == 4
    assert not any("![x](http" in label for label in labels)


def test_the_learning_attack_is_computed_on_request_and_compared_with_what_classes_give_away() -> None:
    app = attacked("attacks")
    assert "A model" not in captions(app)
    app.get_by_key("compute_learning_attack").click().run()
    while any(button.key == "cancel_learning_attack" for button in app.button):
        app.run()
    assert not app.exception
    assert {"Model of diagnosis", "Inference of diagnosis"} <= set(chart_rows(app))
    added = "A model adds nothing to what a class gives away: diagnosis for 30.7% of people, 67% from classes"
    assert added in " ".join(shown.value for shown in app.markdown).replace("\\", "")
    choose(app, "learning_model", "boosting")
    assert "Model of diagnosis" not in chart_rows(app)
    assert app.get_by_key("compute_learning_attack") is not None
    choose(app, "learning_model", "naive_bayes")
    choose(app, "attack_known", ["sex"])
    assert "Model of diagnosis" not in chart_rows(app)
