"""What the table adds for an attacker: the attack with the largest gain, and why there is none."""

from dataclasses import replace

from metrics import Roles, score
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION, leading_attack, table_adds
from metrics.formatting import percent
from metrics.texts import text
from tests.support.small_tables import table

IDS = [identifier for of in ATTACKS_BY_QUESTION.values() for identifier in of]
CELLS = {"age": ["20", "20", "30", "31"], "sex": list("ffmm"), "illness": ["flu", "flu", "cold", "cough"]}
ROLES = Roles(["age", "sex"], ["illness"])


def test_the_attack_with_the_largest_gain_says_what_the_table_adds() -> None:
    others = table({"age": ["50", "20"], "sex": ["f", "f"], "illness": ["gout", "cold"]})
    card = score(table(CELLS), ROLES, original=table(CELLS), holdout=others, metrics=IDS)
    # Both gain half: three of four records are found, and a quarter by chance; all values, and half by chance.
    gains = [card[name].result.gain for name in ("record_linkage_attack", "attribute_inference_attack")]
    assert gains == [0.5, 0.5]
    assert table_adds(leading_attack(card.scores)) == (
        "The table helps an attacker: records of 75% of people found, 25% without the table"
    )
    inference = card["attribute_inference_attack"]
    assert inference.brief() == "illness guessed for 100% of people, 50% without the table."


def test_singling_out_does_not_lead_where_an_attack_on_a_person_was_computed() -> None:
    card = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)
    assert leading_attack(card.scores) is card["record_linkage_attack"].result
    # A share of so few descriptions is no risk to compare.
    assert leading_attack({**card.scores, **score(table(CELLS), ROLES, metrics=IDS).scores}) is None


def test_a_table_that_adds_nothing_is_said_to() -> None:
    alike = table({"age": ["*"] * 4, "sex": ["*"] * 4, "illness": CELLS["illness"]})
    card = score(alike, ROLES, original=table(CELLS), metrics=IDS)
    leading = leading_attack(card.scores)
    assert leading is not None
    assert table_adds(leading) == text("attack.adds.nothing", success=leading.in_short)


def test_a_small_gain_beside_what_is_known_anyway_is_said_to_help_barely() -> None:
    card = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)
    inference = card["attribute_inference_attack"].result
    for successes, key in ((2.1, "little"), (2.3, "much"), (2.0, "nothing")):
        rate = replace(inference.rate, successes=successes)
        illness = replace(inference.inferred["illness"], rate=rate)
        other = replace(inference, inferred={"illness": illness}, class_known={})
        assert table_adds(other) == text(f"attack.adds.{key}", success=other.in_short)


def test_singling_out_is_shown_as_the_share_of_records() -> None:
    card = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)
    result, shares = card["singling_out_attack"].result, card["singling_out_attack"].result.singled_out
    assert 0 < card["singling_out_attack"].details["attempts"] < 30
    assert not card["singling_out_attack"].is_reliable
    assert not result.rates
    assert card["singling_out_attack"].shown_text() == next(map(percent, shares.values()))
    none_drawn = replace(result, rate=replace(result.rate, attempts=0, successes=0))
    assert none_drawn.headline.startswith(percent(result.class_and_value["illness"]))
    many = {name: cells * 20 for name, cells in CELLS.items()} | {"age": [str(one) for one in range(80)]}
    card = score(table(many), ROLES, original=table(many), metrics=IDS)
    assert card["singling_out_attack"].is_reliable
    assert "95% interval" in card["singling_out_attack"].summary()
    assert card["singling_out_attack"].brief() == "100% of records are singled out by class and illness."


def test_people_with_several_records_are_linked_where_the_role_says_whose_they_are() -> None:
    cells = {**CELLS, "who": ["1", "1", "2", "3"]}
    card = score(table(cells), replace(ROLES, person="who"), original=table(cells), metrics=IDS)
    assert card["people_linkage_attack"].brief().endswith("without the table.")
