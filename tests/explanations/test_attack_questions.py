"""The three criteria in sentences: the figures, the control, the interval, and why there is none."""

from dataclasses import replace

from metrics import Roles, score
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION, criteria, largest_risk
from metrics.formatting import percent
from metrics.scoring.catalog import BY_ID
from metrics.texts import text
from tests.support.small_tables import table

IDS = [identifier for of in ATTACKS_BY_QUESTION.values() for identifier in of]
CELLS = {"age": ["20", "20", "30", "31"], "sex": list("ffmm"), "illness": ["flu", "flu", "cold", "cough"]}
ROLES = Roles(["age", "sex"], ["illness"])


def test_every_criterion_says_what_its_attacks_achieve() -> None:
    others = table({"age": ["50", "20"], "sex": ["f", "f"], "illness": ["gout", "cold"]})
    card = score(table(CELLS), ROLES, original=table(CELLS), holdout=others, metrics=IDS)
    found = {one.id: one for one in criteria(card.scores)}
    assert list(found) == ["singling_out", "linkability", "inference"]
    certain = text("attribute_inference_attack.certain", certain=1.0)
    assert found["inference"].sentences == (
        "Attribute inference attack: Knowing age and sex, an attacker guesses illness correctly for 100% of people, "
        f"compared with 50% without the table. {certain} For people who are not in the table, the same attack "
        "succeeds for 0%.",
    )
    record, sources = found["linkability"].sentences
    assert record.startswith("Record linkage attack: Knowing age and sex, an attacker finds the records of 75% of")
    assert sources.startswith("Two-source linkage attack: Knowing age from one source and sex from another")
    assert list(found["linkability"].rates) == ["Record linkage attack", "Two-source linkage attack"]
    assert list(found["linkability"].metrics) == list(found["linkability"].rates)
    assert "too few for a reliable share" in found["singling_out"].sentences[-1]
    # Both gain half: three of four records are found, and a quarter by chance; all values, and half by chance.
    assert found["inference"].leading.gain == found["linkability"].leading.gain == 0.5
    assert largest_risk([found["inference"]]) == card["attribute_inference_attack"].result.brief


def test_singling_out_does_not_lead_where_an_attack_on_a_person_was_computed() -> None:
    card = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)
    found = criteria(card.scores)
    said = largest_risk(found)
    assert said is not None
    assert "descriptions" not in said
    assert largest_risk(found[:1]) is None  # a share of so few descriptions is no risk to compare


def test_no_attack_leads_where_none_is_better_than_guessing() -> None:
    alike = table({"age": ["*"] * 4, "sex": ["*"] * 4, "illness": CELLS["illness"]})
    card = score(alike, ROLES, original=table(CELLS), metrics=IDS)
    assert largest_risk(criteria(card.scores)) == (
        text("attack.criterion.none", points=1, other=text("attack.criterion.without_table"))
    )


def test_without_an_original_each_criterion_states_why_it_has_no_figure() -> None:
    card = score(table(CELLS), ROLES, metrics=IDS)
    found = criteria(card.scores)
    assert largest_risk(found) is None
    for one in found:
        assert not one.rates
        assert one.leading is None
        attacks = [identifier for identifier in ATTACKS_BY_QUESTION[one.id] if not BY_ID[identifier].needs_role]
        for identifier, sentence in zip(attacks, one.sentences, strict=True):
            assert sentence.startswith(f"{BY_ID[identifier].title}: no original table is given")


def test_a_share_of_few_descriptions_is_called_unreliable() -> None:
    card = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)
    attempts = card["singling_out_attack"].details["attempts"]
    assert 0 < attempts < 30
    assert not card["singling_out_attack"].is_reliable
    assert card["record_linkage_attack"].is_reliable
    shares, *_, said = criteria(card.scores)[0].sentences
    result = card["singling_out_attack"].result
    assert f"{percent(result.class_and_value['illness'])} (illness)" in shares
    assert said.startswith(f"Only {attempts} random descriptions fit a single anonymized record")
    assert not criteria(card.scores)[0].rates
    assert "too few for a reliable share" in said
    assert result.brief.startswith(str(result.in_short))
    many = {name: cells * 20 for name, cells in CELLS.items()} | {"age": [str(one) for one in range(80)]}
    card = score(table(many), ROLES, original=table(many), metrics=IDS)
    assert card["singling_out_attack"].is_reliable
    (enough, *_) = criteria(card.scores)
    assert "95% interval" in enough.sentences[-1]
    assert largest_risk([enough]) == card["singling_out_attack"].result.brief
    assert card["singling_out_attack"].brief().startswith(card["singling_out_attack"].result.in_short)


def test_nothing_is_singled_out_where_all_records_are_alike() -> None:
    alike = table({"age": ["*"] * 4, "sex": ["*"] * 4, "illness": ["flu"] * 4})
    card = score(alike, ROLES, original=table(CELLS), metrics=IDS)
    assert criteria(card.scores)[0].sentences == (
        "Singling-out attack: No random description singles out an anonymized record.",
    )


def test_records_singled_out_are_named_where_no_random_description_happens_to_fit() -> None:
    result = score(table(CELLS), ROLES, original=table(CELLS), metrics=IDS)["singling_out_attack"].result
    none_drawn = replace(result, rate=replace(result.rate, attempts=0, successes=0))
    assert result.class_and_value["illness"] > 0
    assert none_drawn.headline.startswith(percent(result.class_and_value["illness"]))
    assert len(none_drawn.sentences()) == 2


def test_people_with_several_records_are_linked_where_the_role_says_whose_they_are() -> None:
    cells = {**CELLS, "who": ["1", "1", "2", "3"]}
    roles = replace(ROLES, person="who")
    ids = IDS
    (linkage,) = [
        one
        for one in criteria(score(table(cells), roles, original=table(cells), metrics=ids).scores)
        if one.id == "linkability"
    ]
    assert list(linkage.rates) == ["Record linkage attack", "Linkage attack on people", "Two-source linkage attack"]
    assert any("of all records of a person" in sentence for sentence in linkage.sentences)
