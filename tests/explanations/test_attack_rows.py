"""The rows of the chart of attacks agree with the results of the attacks, the largest gain first."""

import pytest

import metrics
from metrics import Roles
from metrics.attacks.membership.measure import MEMBERSHIP_ATTACK
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION
from metrics.explanations.attack_rows import attack_rows, model_adds
from metrics.texts import text
from tests.support.small_tables import table

IDS = [identifier for of in ATTACKS_BY_QUESTION.values() for identifier in of]
ORIGINAL = {"age": ["20", "20", "20", "30"] * 3, "ill": ["flu", "flu", "flu", "cold"] * 3}
ORIGINAL["job"] = [job for job in "abc" for _ in range(4)]


def test_rows_hold_the_rates_of_the_attacks_and_the_certain_answers() -> None:
    released = {**ORIGINAL, "age": ["40", "40", "40", "20"] * 3}
    card = metrics.score(table(released), Roles(["age", "job"], ["ill"]), original=table(ORIGINAL))
    rows = {row.attacker: row for row in attack_rows(card)}
    inference = card["attribute_inference_attack"].result
    assert rows["Inference of ill"].success == inference.inferred["ill"].rate.value
    assert rows["Inference of ill"].baseline == inference.inferred["ill"].rate.baseline
    assert rows["Record linkage attack"].success == card["record_linkage_attack"].value
    assert rows["Inference of ill, ignoring age"].success == pytest.approx(0.75)
    guess = inference.inferred["ill"]
    share = guess.certain + guess.misled
    right, baseline = guess.certain / share, guess.certain_baseline
    assert rows["Inference of ill"].remarks[0] == text(
        "attack.row.certain", share=share, right=right, baseline=baseline
    )


def test_every_sensitive_attribute_and_every_attack_has_a_row_the_largest_gain_first() -> None:
    columns = {**ORIGINAL, "pay": ["1", "1", "1", "2"] * 3}
    # Pay is released as another person's, so that it is guessed less often than illness.
    released = {**columns, "pay": ["2", "1", "1", "1"] * 3}
    others = {**columns, "age": ["21"] * 12}
    card = metrics.score(
        table(released),
        Roles(["age", "job"], ["pay", "ill"]),
        original=table(columns),
        holdout=table(others),
        metrics=[*IDS, MEMBERSHIP_ATTACK.id],
    )
    rows = attack_rows(card)
    inference = card["attribute_inference_attack"].result
    assert inference.by_gain == ("ill", "pay")
    by_name = {row.attacker: row for row in rows}
    assert {text("attack.row.inference", column=name) for name in ("ill", "pay")} <= set(by_name)
    gains = [row.gain for row in rows if row.gain is not None]
    assert gains == sorted(gains, reverse=True)
    assert by_name["Inference of ill"].holdout == inference.inferred["ill"].rate.control
    singled_out = card["singling_out_attack"].result
    assert [(row.attacker, row.success) for row in rows[-2:]] == [
        (text("attack.row.singling_out", knowledge=knowledge), share)
        for knowledge, share in singled_out.singled_out.items()
    ]
    assert rows[-2].success == singled_out.class_and_all_values
    membership = card[MEMBERSHIP_ATTACK.id].result
    row = by_name[MEMBERSHIP_ATTACK.title]
    assert (row.success, row.baseline, row.remarks) == (membership.value, 0, (membership.summary(),))


def test_without_an_original_no_attacker_is_compared() -> None:
    assert attack_rows(metrics.score(table(ORIGINAL), Roles(["age", "job"], ["ill"]))) == ()


def test_what_a_model_adds_is_told_of_the_attribute_where_it_adds_most() -> None:
    """The example on Learn: the model joins two l-diverse classes by smoking. Of weight it learns nothing."""
    cells = [line.split() for line in ["yes cancer", "no flu", "yes cancer", "yes cough", "no flu", "no ulcer"]]
    smokes, ill = ([row[at] for row in cells] for at in (0, 1))
    original = {"age": ["30", "35", "40", "45", "41", "46"], "smokes": smokes, "ill": ill, "weight": list("121212")}
    released = original | {"age": ["3?"] * 2 + ["4?"] * 4, "smokes": ["*", "*", *smokes[2:]]}
    chosen = ["learning_attack", "attribute_inference_attack"]
    roles = Roles(["age", "smokes"], ["weight", "ill"])
    card = metrics.score(table(released), roles, original=table(original), metrics=chosen)
    assert card["learning_attack"].result.most_exposed == "ill"
    assert card["learning_attack"].shown_text() == "66.7% (ill)"
    added = "A model adds to what a class gives away: ill for 66.7% of people, 50% from classes and 33.3% without"
    assert added in model_adds(card)
