"""An attacker who takes only the most specific possible records, against one that looks at each of them."""

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given

import metrics
from tests.attacks.scenes import KNOWN, TREE, Scene, known_columns, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples


@fewer_examples()
@given(scenes(), known_columns)
def test_the_most_specific_records_give_the_rates_found_person_by_person(scene: Scene, known: list[str]) -> None:
    card = scene.score("record_linkage_attack", "attribute_inference_attack", **{"attack.known": ",".join(known)})
    linked, inferred = (
        card[name].details["most_specific"] for name in ("record_linkage_attack", "attribute_inference_attack")
    )
    assert (linked is None) == (inferred is None)
    assume(linked is not None)
    kept = [at for at, record in enumerate(scene.release) if any(record[name] != "*" for name in KNOWN)]
    release = [scene.release[at] for at in kept]
    illnesses = [record["illness"] for record in release]
    found = guessed = Fraction(0)
    for place, person in enumerate(scene.people):
        possible, _ = oracle.candidates(person, release, scene.people, known, TREE)
        chosen = oracle.most_specific(possible, release, scene.people, known, TREE)
        own = kept.index(place) if place in kept else None
        found += Fraction(own in chosen, len(chosen))
        values = [illnesses[at] for at in chosen]
        guessed += oracle.guess(values, illnesses, person["illness"], False, Fraction(0))
    assert linked == near(found / len(scene.people))
    assert inferred["illness"] == near(guessed / len(scene.people))


def test_the_strongest_attacker_leads_the_findings() -> None:
    """Locally recoded: who takes the narrower of two intervals finds everybody's class."""
    original = pd.DataFrame({"age": ["21", "22", "23", "35", "36", "45", "46", "47"], "illness": [*"aaa", *"bbbbb"]})
    released = pd.DataFrame({"age": ["20-29"] * 3 + ["20-49"] * 5, "illness": [*"aaa", *"bbbbb"]})
    card = metrics.score(released, metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"]), original=original)
    linkage, inference = card["record_linkage_attack"], card["attribute_inference_attack"]
    assert linkage.value == pytest.approx((3 / 8 + 5 / 5) / 8)
    assert linkage.details["most_specific"] == pytest.approx(2 / 8)  # one of three and one of five, as many as classes
    assert (
        "chooses the possible records with the most specific labels finds the records of 25% of people "
        "(17.2% if all possible records are equally likely), compared with 12.5% by guessing." in linkage.summary()
    )
    assert inference.result.most_specific["illness"].value == 1
    assert "correctly for 100% of people, compared with" in inference.summary()
    assert "If all possible records are equally likely, it is 62.5%." in inference.summary()
    assert list(inference.result.rates) == ["illness", "illness, most specific labels"]


def test_under_global_recoding_no_possible_record_is_more_specific_than_another() -> None:
    original = pd.DataFrame({"age": ["21", "22", "35", "36"], "illness": [*"abab"]})
    released = original.assign(age=["20-29", "20-29", "30-39", "*"])
    card = metrics.score(released, metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"]), original=original)
    for name in ("record_linkage_attack", "attribute_inference_attack"):
        assert card[name].details["most_specific"] is None
