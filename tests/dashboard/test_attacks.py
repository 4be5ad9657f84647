"""The page about attacks: what is known moves the figures, the hold-out table is the control, classes can be opened."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.attacks import AttackState
from metrics import Parameters, Roles
from metrics.aggregates import TableAggregates
from metrics.config.roles import Role
from tests.dashboard.application import choose, csv, go, press, sample, start, state_of, tag, upload
from tests.support.small_tables import table

KNOWN = ["age", "sex", "zip_code"]


def sentences(app: AppTest) -> str:
    """All that the page says."""
    return " ".join(text.value.replace("\\", "") for text in app.markdown)


def captions(app: AppTest) -> str:
    """All that it says in small print."""
    return " ".join(text.value.replace("\\", "") for text in app.caption)


def test_the_figures_follow_what_is_known() -> None:
    app = choose(sample("attacks"), "candidate", "candidate_light.csv")
    assert "names diagnosis correctly for 35 of 100 people; knowing nothing about them, for 11 of 100" in sentences(app)
    assert "For 8 of 100, the answer is certain" in sentences(app)
    assert "finds the right record of 23 of 100 people; choosing at random, of 1 of 10,000" in sentences(app)
    # The sample has a hold-out table.
    assert "For people who are not in the table, the same attack succeeds for" in sentences(app)
    choose(app, "attack_known", KNOWN)
    assert state_of(app).parameters.attack.known == ("sex", "age", "zip_code")
    assert "Knowing sex, age and zip_code, an attacker names diagnosis correctly for 15 of 100" in sentences(app)
    go(app, "scorecard")
    go(app, "attacks")
    assert app.get_by_key("attack_known").value == ["sex", "age", "zip_code"]
    choose(app, "attack_known", [])
    assert state_of(app).parameters.attack.known == ()
    assert "names diagnosis correctly for 35 of 100" in sentences(app)


def test_people_with_several_records_are_attacked_where_a_column_says_whose_they_are() -> None:
    rows = [("1", "30", "flu"), ("1", "40", "flu"), ("2", "30", "cold"), ("3", "40", "cold")]
    content = csv(("who", "age", "illness"), *rows)
    app = upload(start(), "upload_original", {"o.csv": content})
    upload(app, "upload_anonymized", {"a.csv": content})
    tag(app, {"age": "quasi-identifier", "illness": "sensitive"})
    go(app, "attacks")
    assert "of all records of a person" not in sentences(app)
    state_of(app).person = "who"
    app.run()
    assert "Knowing age of all records of a person, an attacker finds 100 of 100 people" in sentences(app)
    assert state_of(app).card("a.csv")["people_linkage_attack"].value == 1


def test_a_sensitive_attribute_can_be_known() -> None:
    app = choose(sample("attacks"), "attack_known", ["age", "diagnosis"])
    assert "names length_of_stay correctly" in sentences(app)
    assert "names diagnosis" not in sentences(app)


def test_a_known_column_that_another_candidate_lacks_is_left_out() -> None:
    app = choose(sample("attacks"), "attack_known", KNOWN)
    lacking = b"sex,age,occupation,diagnosis\n" + b"Male,*,*,Asthma\n" * 10
    upload(go(app, "data"), "upload_anonymized", {"lacking.csv": lacking})
    tag(app, dict.fromkeys(["zip_code", "marital_status", "admission", "length_of_stay"], "insensitive"))
    choose(app, "candidate", "lacking.csv")
    card = state_of(app).card("lacking.csv")
    assert card.parameters.attack.known == ("sex", "age")


def test_a_limit_is_judged_on_the_page() -> None:
    app = choose(sample("attacks"), "candidate", "candidate_light.csv")
    assert "Record linkage attack:" not in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 0.2)
    assert "Record linkage attack: ✗ fails at most 20%" in captions(app)
    choose(app, "attack_limit_record_linkage_attack", 0.3)
    assert "Record linkage attack: ✓ meets at most 30%" in captions(app)


def test_without_an_original_the_page_says_why() -> None:
    app = press(sample(), "remove_original_hospital.csv")
    go(app, "attacks")
    assert any("original" in info.value for info in app.info)


def test_a_holdout_with_records_of_the_original_is_refused() -> None:
    app = sample()
    before = state_of(app)
    assert before.attackable_holdout() is not None
    original = state_of(app).original
    assert original is not None
    press(app, "remove_hold-out_hospital_holdout.csv")
    assert state_of(app).holdout is None
    upload(app, "upload_holdout", {"same.csv": original.file.unpacked()[:100_000].rpartition(b"\n")[0] + b"\n"})
    assert state_of(app).holdout is not None
    # Its identifier shows that these are people of the original; without one or a key they cannot be recognized.
    assert state_of(app).attackable_holdout() is None
    held = state_of(app).holdout
    assert held is not None
    refused = AttackState().refused_holdout(held.table, original.table, Roles(["age"], key="record_id"))
    assert refused is not None
    assert "records of the original" in refused
    assert AttackState().refused_holdout(held.table, original.table, Roles(["age"])) is None
    lacking = AttackState().refused_holdout(table({"sex": ["f"]}), None, Roles(["age"]))
    assert lacking is not None
    assert "lacks" in lacking


def test_results_are_kept_by_what_is_known() -> None:
    cells = {"age": ["1", "1", "2", "3"], "sex": list("ffmm"), "s": list("xxyz")}
    aggregates = TableAggregates(table(cells), Roles(["age", "sex"], ["s"]), table(cells))
    state, parameters = AttackState(), Parameters()
    first = state.scores(aggregates, parameters)
    other = state.scores(aggregates, parameters.with_settings({"attack.known": ["age"]}))
    again = state.scores(aggregates, parameters)
    assert first["record_linkage_attack"].value == 0.75
    assert other["record_linkage_attack"] is not first["record_linkage_attack"]
    assert all(again[identifier] is first[identifier] for identifier in first)
    # Predicates do not depend on what is known.
    assert other["singling_out_attack"] is first["singling_out_attack"]


@pytest.mark.parametrize("role", [Role.INSENSITIVE])
def test_without_a_sensitive_attribute_inference_says_so(role: Role) -> None:
    app = sample()
    tag(app, dict.fromkeys(["diagnosis", "length_of_stay"], str(role)))
    go(app, "attacks")
    assert "no column is tagged sensitive" in sentences(app)
    assert "finds the right record" in sentences(app)


def test_attacks_on_all_candidates_and_on_those_published_together() -> None:
    app = choose(sample("compare"), "compare_view", "Attacks")
    assert "certain of length_of_stay" in sentences(app)
    (found,) = [element.value for element in app.dataframe if "only together" in element.value]
    assert list(found.columns) == [
        "attribute",
        "candidate_light.csv",
        "candidate_balanced.csv",
        "all together",
        "only together",
    ]
    light = found.set_index("attribute").loc["diagnosis"]
    assert light["candidate_light.csv"] == "8.5%"
    choose(app, "published_together", ["candidate_light.csv"])
    assert "Choose two or more." in captions(app)
    choose(app, "attack_known", ["age"])
    choose(app, "published_together", ["candidate_balanced.csv", "candidate_strict.csv"])
    (found,) = [element.value for element in app.dataframe if "only together" in element.value]
    assert found["all together"].tolist() == ["0%", "0%"]


def test_without_an_original_nothing_is_compared() -> None:
    app = press(sample(), "remove_original_hospital.csv")
    choose(go(app, "compare"), "compare_view", "Attacks")
    assert any("original" in info.value for info in app.info)


def test_names_of_columns_are_text_on_the_pills() -> None:
    name = "![x](http://outside.invalid/p.png)"
    content = csv((name, "illness"), ("a", "flu"), ("a", "cold"), ("b", "flu"), ("c", "flu"))
    app = upload(start(), "upload_original", {"original.csv": content})
    upload(app, "upload_anonymized", {"released.csv": content})
    tag(app, {name: "quasi-identifier", "illness": "sensitive"})
    choose(go(app, "attacks"), "attacks_view", "Success by columns known")
    labels = [str(option) for key in ("attack_known", "attack_growth") for option in app.get_by_key(key).options]
    assert len(labels) == 4
    assert not any("![x](http" in label for label in labels)
