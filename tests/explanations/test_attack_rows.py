"""The table of attackers agrees with the results of the attacks and names who answers for some people only."""

import pytest

import metrics
from metrics import Roles
from metrics.explanations.attack_rows import attack_rows
from metrics.texts import text
from tests.support.small_tables import table

ORIGINAL = {"age": ["20", "20", "20", "30"] * 3, "ill": ["flu", "flu", "flu", "cold"] * 3}
ORIGINAL["job"] = [job for job in "abc" for _ in range(4)]


def test_rows_hold_the_rates_of_the_attacks_and_the_certain_answers() -> None:
    released = {**ORIGINAL, "age": ["40", "40", "40", "20"] * 3}
    card = metrics.score(table(released), Roles(["age", "job"], ["ill"]), original=table(ORIGINAL))
    rows = {row.attacker: row for row in attack_rows(card)}
    inference = card["attribute_inference_attack"].result
    assert rows["Inference of ill"].right == inference.inferred["ill"].rate.value
    assert rows["Inference of ill"].guessing == inference.inferred["ill"].rate.baseline
    assert rows["Record linkage attack"].right == card["record_linkage_attack"].value
    assert rows["Inference of ill, ignoring age"].right == pytest.approx(0.75)
    certain = rows[text("attack.row.certain", row="Inference of ill")]
    guess = inference.inferred["ill"]
    assert certain.answered == pytest.approx(guess.certain + guess.misled)
    assert (certain.right, certain.guessing) == (pytest.approx(guess.certain / certain.answered), None)


def test_without_an_original_no_attacker_is_compared() -> None:
    assert attack_rows(metrics.score(table(ORIGINAL), Roles(["age", "job"], ["ill"]))) == ()
