"""The page about attacks: what is known moves the figures, the hold-out table is the control, classes can be opened."""

import pandas as pd
from streamlit.testing.v1 import AppTest

from metrics.config.roles import Role
from metrics.texts import text
from tests.dashboard.application import (
    FEW,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    opened,
    sample_workspace,
    state_of,
)

PEOPLE = csv(("age", "zip", "illness"), (31, 1, "flu"), (32, 2, "cold"))
ROLES = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}


def sentences(app: AppTest) -> str:
    """All that the page says."""
    return " ".join(shown.value.replace("\\", "") for shown in app.markdown)


def captions(app: AppTest) -> str:
    """All that it says in small print."""
    return " ".join(shown.value.replace("\\", "") for shown in app.caption)


def explained(app: AppTest) -> AppTest:
    """The page with what each figure means."""
    return choose(app, "attacks_view", "How each attack works")


def attacked(script: str) -> AppTest:
    """A page on the sample's first records; each quasi-identifier more doubles the work of the attacks."""
    state = sample_workspace(FEW)
    state.roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    return opened(state, script)


def test_attack_figures_follow_the_known_columns_and_are_judged_by_the_limits_set() -> None:
    app = explained(attacked("attacks"))
    assert "guesses diagnosis correctly for 67% of people, compared with 9.67% without the table" in sentences(app)
    assert "For 42.3% of people, all possible records" in sentences(app)
    assert "finds the records of 63.7% of people, compared with 0.333% without the table" in sentences(app)
    # The sample has a hold-out table.
    assert "For people who are not in the table, the same attack succeeds for" in sentences(app)
    assert "of the people in the table match an anonymized record" in sentences(app)
    assert "Record linkage attack:" not in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 60.0)
    assert "Record linkage attack: ✗ fails (≤ 60%)" in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 70.0)
    assert "Record linkage attack: ✓ meets (≤ 70%)" in captions(app)
    choose(app, "attack_known", ["age", "sex", "zip_code"])
    assert state_of(app).policy.parameters.attack.known == ("sex", "age", "zip_code")
    assert "Knowing sex, age and zip_code, an attacker guesses diagnosis correctly for 47%" in sentences(app)
    go(app, "verdict")
    go(app, "attacks")
    assert app.get_by_key("attack_known").value == ["sex", "age", "zip_code"]
    choose(app, "attack_known", ["age", "diagnosis"])
    assert "guesses length_of_stay (±" in sentences(app)
    assert "guesses diagnosis" not in sentences(app)
    choose(app, "attack_known", [])
    assert state_of(app).policy.parameters.attack.known == ()
    assert "guesses diagnosis correctly for 67%" in sentences(app)


def test_people_with_several_records_are_attacked_where_a_column_says_whose_they_are() -> None:
    rows = [("1", "30", "flu"), ("1", "40", "flu"), ("2", "30", "cold"), ("3", "40", "cold")]
    content = csv(("who", "age", "illness"), *rows)
    app = opened(loaded(content, content, who="insensitive", age="quasi-identifier", illness="sensitive"), "attacks")
    explained(app)
    assert "of all records of a person" not in sentences(app)
    state_of(app).person = "who"
    app.run()
    assert "Knowing age of all records of a person, an attacker finds 100% of people" in sentences(app)
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
    assert f"## {text('attack.people.nobody')}" in [shown.value for shown in app.markdown]
    assert not app.warning
    unique = csv(("age", "zip", "illness"), (31, 1, "flu"), (32, 1, "cold"))
    (warning,) = known_only("zip", unique, unique).warning
    assert "2 of 2 classes (2 records) contain a single value" in warning.value
    moved = csv(("age", "zip", "illness"), *[(50, 1, one) for one in ("flu", "cold")] * 2)
    app = known_only("zip", varied, moved)
    perturbed = text("attack.people.nobody_but_perturbed", nobody=text("attack.people.nobody"))
    assert any(perturbed in shown.value for shown in app.markdown)


def test_people_without_a_possible_record_are_counted_where_possible_records_are_explained() -> None:
    twenty_years_older = csv(("age", "zip", "illness"), (51, 1, "flu"), (32, 2, "cold"))
    app = opened(loaded(PEOPLE, twenty_years_older, **ROLES), "attacks")
    nearest = text("attack.nearest", no_possible_record=0.5)
    assert text("attack.row.certain_help") + f" {nearest}" in captions(app)
    assert nearest in sentences(explained(app))


def test_people_exposed_although_their_record_is_suppressed_are_counted() -> None:
    people = (("1", "flu"), ("1", "cold"), ("2", "flu"))
    released = (*people[:2], ("*", "flu"))
    roles = {"age": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(csv(("age", "illness"), *people), csv(("age", "illness"), *released), **roles), "attacks")
    assert "1 of these people has a suppressed record and is in no class below" in captions(app)
    assert "agree on the right illness for " in sentences(app)
    assert "Nobody is linked" not in sentences(app)


def test_the_table_of_attackers_tells_right_from_wrong_answers() -> None:
    people = (("20", "flu"), ("21", "cold"), ("30", "cold"), ("30", "cough"))
    released = (("*", "flu"), ("20-29", "cold"), *people[2:])
    roles = {"age": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(csv(("age", "illness"), *people), csv(("age", "illness"), *released), **roles), "attacks")
    rows = {row[0]: tuple(row[1:]) for row in app.table[0].value.itertuples(index=False)}
    excluding = text("attack.row.suppressed_excluded", row="Inference of illness")
    assert rows[text("attack.row.certain", row=excluding)] == ("50%", "50%", "50%")
    disclosed = text("attack.people.of_people_misled", column="illness", people=1, wrong=1)
    identified = text("attack.people.identified", identified=1)
    assert text("attack.people.disclosed", disclosed=disclosed, identified=identified) in sentences(app)
    assert "## An attacker who knows age and excludes suppressed records finds the records of " in sentences(app)


def test_a_limit_on_an_attack_without_a_result_is_not_measured() -> None:
    state = loaded(PEOPLE, PEOPLE, age="quasi-identifier", zip="insensitive", illness="sensitive")
    state.policy.set_limit("two_source_linkage_attack", 0.1)
    assert "Two-source linkage attack: not measured (≤ 10%)" in captions(opened(state, "attacks"))


def test_without_a_sensitive_attribute_the_inference_attack_states_the_reason() -> None:
    app = opened(loaded(PEOPLE, PEOPLE, age="quasi-identifier", zip="insensitive", illness="insensitive"), "attacks")
    assert "no column is tagged as sensitive" in sentences(app)
    explained(app)
    assert "finds the records of" in sentences(app)


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
