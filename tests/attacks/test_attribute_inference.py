"""Attribute inference: against one person after the other, and where released values are not the original's."""

import random
from collections.abc import Callable
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Roles, score
from metrics.attacks.guessing import guesses
from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.policy.policy import Policy, Status
from metrics.texts import text
from tests.attacks.scenes import TREE, Scene, known_columns, mean_of, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("age illness\n21 flu\n22 flu\n23 cold\n34 cold\n35 ulcer")
    released = written("age illness\n20-29 flu\n20-29 flu\n20-29 cold\n30-39 cold\n30-39 ulcer")
    found = score(released, Roles(["age"], ["illness"]), original=original)["attribute_inference_attack"]
    # flu is guessed for everybody in their twenties, and one of two illnesses for the others.
    assert found.value == pytest.approx((1 + 1 + 0 + 1 / 2 + 1 / 2) / 5)
    assert found.details["baseline"] == 2 / 5  # flu, or cold, for everybody


ILLNESSES = ["flu", "cold", "ulcer", "gastritis"]
ORIGINAL = pd.DataFrame({"age": ["31", "32", "47", "48"] * 5, "illness": ILLNESSES * 5})
AGES = ["30-39", "30-39", "40-49", "40-49"] * 5
GROUPS = ["respiratory", "respiratory", "stomach", "stomach"] * 4 + ["chest", "chest", "belly", "belly"]
"""Each illness has two labels, so that nothing tells which one it became."""


def attacked(illness: list[str], original: pd.DataFrame = ORIGINAL) -> AttributeInference:
    released = pd.DataFrame({"age": AGES, "illness": illness})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    result = metrics.score(released, roles, original=original)["attribute_inference_attack"].result
    assert isinstance(result, AttributeInference)
    return result


def test_no_caveat_is_given_if_all_released_values_occur_in_the_original() -> None:
    result = attacked(ILLNESSES * 5)
    assert result.inferred["illness"].share_absent_from_original == 0
    assert "never occur" not in result.summary()


@pytest.mark.parametrize(
    ("illness", "share"),
    [
        (GROUPS, 1.0),
        (["flu", "cold", "ulcer", "stomach"] * 5, 0.25),
    ],
)
def test_values_absent_from_the_original_are_reported_to_understate_the_attack(
    illness: list[str], share: float
) -> None:
    result = attacked(illness)
    assert result.inferred["illness"].share_absent_from_original == share
    assert f"{share:.0%} of the released values of illness never occur in the original" in result.summary()
    assert result.details()["by_attribute"]["illness"]["unlike_original"] == share


@pytest.mark.parametrize(("own", "successes"), [("ulcer", 2), ("flu", 7), ("*", 5)])
def test_a_suppressed_value_is_guessed_only_if_it_occurs_in_the_original(own: str, successes: int) -> None:
    released = pd.DataFrame({"age": ["30-39"] * 3 + ["*"] * 5, "illness": ["flu", "flu", "cold"] + ["*"] * 5})
    original = pd.DataFrame({"age": ["31"] * 3 + ["60"] * 5, "illness": ["flu", "flu", "cold"] + [own] * 5})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    result = metrics.score(released, roles, original=original)["attribute_inference_attack"].result
    assert isinstance(result, AttributeInference)
    assert result.rate.successes == successes
    assert result.rate.baseline == successes / 8
    assert result.inferred["illness"].share_absent_from_original == 0


def test_released_labels_that_are_no_numbers_count_as_values_absent_from_the_original() -> None:
    ages = ["31", "32", "47", "48"] * 10
    original = pd.DataFrame({"age": ages, "illness": [str(number) for number in range(40)]})
    released = [f"{number // 10 * 10}-{number // 10 * 10 + 9}" for number in range(20)] + ["some"] * 20
    table = pd.DataFrame({"age": AGES * 2, "illness": released})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    result = metrics.score(table, roles, original=original)["attribute_inference_attack"].result
    assert isinstance(result, AttributeInference)
    assert result.inferred["illness"].within is not None
    assert result.inferred["illness"].share_absent_from_original == 0.5


def test_the_inference_criterion_warns_that_an_attacker_may_learn_more() -> None:
    released = pd.DataFrame({"age": AGES, "illness": GROUPS})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    card = metrics.score(released, roles, original=ORIGINAL)
    assert "An attacker may learn more than this figure shows." in card["attribute_inference_attack"].summary()


RECODED: dict[str, dict[str, str]] = {
    "other letters": {"HIV": "hiv", "flu": "flu", "cold": "cold", "ms": "ms"},
    "translated": {"HIV": "SIDA", "flu": "grippe", "cold": "rhume", "ms": "SEP"},
    "codes": {"HIV": "1", "flu": "2", "cold": "3", "ms": "4"},
    "permuted": {"HIV": "flu", "flu": "cold", "cold": "ms", "ms": "HIV"},
    "groups": {"HIV": "chronic", "ms": "chronic", "flu": "acute", "cold": "acute"},
}
PEOPLE = [(20 + at % 40, "MF"[at % 2], ["HIV", "flu", "cold", "ms"][at % 40 // 10]) for at in range(200)]
"""Their age group tells their disease."""


def scored(before: list[str], after: list[str]) -> metrics.Scorecard:
    """A release whose sensitive values were changed, beside the original."""
    sexes = [sex for _, sex, _ in PEOPLE]
    original = pd.DataFrame({"age": [str(age) for age, _, _ in PEOPLE], "sex": sexes, "secret": before})
    decades = [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age, _, _ in PEOPLE]
    released = pd.DataFrame({"age": decades, "sex": sexes, "secret": after})
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["secret"])
    return metrics.score(released, roles, original=original)


@pytest.mark.parametrize("label_of", RECODED.values(), ids=RECODED)
def test_a_guess_is_right_if_it_is_the_label_that_the_value_became(label_of: dict[str, str]) -> None:
    """Nobody has a possible record with another label: everybody's value, or its group, is disclosed."""
    diseases = [disease for _, _, disease in PEOPLE]
    card = scored(diseases, [label_of[disease] for disease in diseases])
    inference = card["attribute_inference_attack"]
    assert inference.value == 1
    assert inference.details["certain"] == {"secret": 1}
    assert inference.details["baseline"] == 0.25 * (4 / len(set(label_of.values())))
    assert inference.not_checked is None
    assert Policy("p", {"attribute_inference_attack": 0.3}).check(card).status is Status.FAILS
    assert_derives(card, "attribute_inference_attack")


def test_numbers_in_another_unit_are_guessed_by_those_that_became_them() -> None:
    incomes = [10_000 + 20_000 * (at % 40 // 10) + 70 * (at % 4) + at % 40 for at in range(200)]
    card = scored([str(income) for income in incomes], [str(income // 1000) for income in incomes])
    inference = card["attribute_inference_attack"]
    assert inference.details["guess"] == {"secret": "median"}
    assert inference.value == 1
    assert inference.not_checked is None


@pytest.mark.parametrize(
    "write",
    [
        lambda income: f"{income:,}",
        lambda income: f"{income // 1000}k",
        lambda income: str(income // 1000),
        lambda income: f"{income // 10_000 * 10}-{income // 10_000 * 10 + 9}",
    ],
)
def test_no_limit_is_judged_where_values_are_none_of_the_original(write: Callable[[int], str]) -> None:
    """Each income stands alone, so that nothing tells what became of it."""
    incomes = [10_000 + 20_000 * (at % 40 // 10) + 7 * at for at in range(200)]
    card = scored([str(income) for income in incomes], [write(income) for income in incomes])
    inference = card["attribute_inference_attack"]
    assert inference.not_checked == "up to 100% of the released values of secret are none of the original's"
    assert Policy("p", {"attribute_inference_attack": 0.3}).check(card).status is Status.FAILS


def test_numbers_with_noise_are_judged_although_some_leave_the_range_of_the_original() -> None:
    draw = random.Random(4)
    incomes = [10_000 + 20_000 * (at % 40 // 10) + 7 * at for at in range(200)]
    noisy = [str(income + draw.randint(-5_000, 5_000)) for income in incomes]
    assert min(map(int, noisy)) < min(incomes)
    inference = scored([str(income) for income in incomes], noisy)["attribute_inference_attack"]
    assert inference.not_checked is None
    assert inference.value is not None
    assert inference.value > 0.9


def test_who_knows_the_class_of_each_record_guesses_from_it_alone() -> None:
    """Locally recoded: ages of 20 to 29 stand in both classes, so that each misleads about the other's people."""
    original = pd.DataFrame({"age": ["21", "22", "23", "24", "25", "46", "47"], "illness": [*"aa", *"bbbbb"]})
    released = pd.DataFrame({"age": ["20-29"] * 2 + ["20-49"] * 5, "illness": [*"aa", *"bbbbb"]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    found = metrics.score(released, roles, original=original)["attribute_inference_attack"]
    assert found.value == pytest.approx(5 / 7)  # of all records that include the age, b is the most frequent value
    assert found.result.most_specific["illness"].value == pytest.approx(4 / 7)  # a for everybody from 21 to 25
    assert found.result.class_known["illness"].value == 1
    from_class = text(
        "attribute_inference_attack.from_class", column="illness", unknown=5 / 7, baseline=5 / 7, value=1.0
    )
    assert found.summary().startswith(from_class)
    assert not found.result.understates_risk
    assert "illness, class known" in found.result.rates


@fewer_examples()
@given(scenes(), known_columns, st.booleans())
def test_every_inference_rate_equals_that_found_person_by_person(scene: Scene, known: list[str], numeric: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guesses, "_MIN_NUMBERS", 1 if numeric else 20)
        chosen = {"attack.known": ",".join(known), "attack.tolerance": 0.25}
        card = scene.score("attribute_inference_attack", holdout=True, **chosen)
        found = card["attribute_inference_attack"]
        worst = Fraction(0)
        for column in ("illness", "days"):
            median = numeric and column == "days" and len(set(scene.original["days"])) > 1
            tolerance = Fraction(1, 4) if median else None
            given = (scene.release, scene.people, known, TREE, column, tolerance)
            expected = oracle.infer(scene.people, *given)
            control = oracle.infer(scene.others, *given)
            own = found.details["by_attribute"][column]
            assert found.attributes[column] == near(expected.rate)
            assert own["baseline"] == near(expected.baseline)
            assert own["control"] == near(control.rate)
            assert found.details["certain"][column] == near(expected.certain)
            assert found.result.inferred[column].misled == near(expected.misled)
            assert found.result.inferred[column].certain_baseline == near(expected.certain_baseline)
            assert found.details["guess"][column] == ("median" if median else "plurality")
            excess = (expected.rate - control.rate) / (1 - control.rate) if control.rate < 1 else Fraction(0)
            assert own["excess"] == near(max(excess, Fraction(0)))
            assert own["excess_over"] == "control"
            worst = max(worst, expected.rate)
        assert found.value == near(worst)
        assert_derives(card, "attribute_inference_attack")
        for column in ("illness", "days"):
            right = mean_of(card, "attribute_inference_attack", "The guess for this person", column)
            assert right == pytest.approx(found.attributes[column])
