"""An attacker who takes no suppressed record for possible, against one that looks at each person beside each record."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import metrics
from metrics.attacks.exposed_people import exposed_people
from metrics.explanations.criteria import criteria
from tests.attacks.scenes import KNOWN, TREE, Scene, scenes
from tests.oracle import attacks as oracle
from tests.support.small_tables import table


@given(scenes(), st.lists(st.sampled_from(KNOWN), min_size=2, max_size=3, unique=True))
def test_ruling_out_suppressed_records_gives_the_rates_of_a_release_without_them(
    scene: Scene, known: list[str]
) -> None:
    kept = [at for at, record in enumerate(scene.release) if any(record[name] != "*" for name in KNOWN)]
    card = scene.score("record_linkage_attack", "attribute_inference_attack", **{"attack.known": ",".join(known)})
    linked, inferred = (
        card[name].details["suppressed_ruled_out"] for name in ("record_linkage_attack", "attribute_inference_attack")
    )
    assert (linked is None) == (inferred is None) == (len(kept) in (0, len(scene.release)))
    assume(linked is not None)
    release = [scene.release[at] for at in kept]
    sets = [oracle.candidates(person, release, scene.people, known, TREE)[0] for person in scene.people]
    own = [{kept.index(at)} if at in kept else set[int]() for at in range(len(scene.people))]
    rate = sum(Fraction(len(one & of), len(of)) for one, of in zip(own, sets, strict=True)) / len(sets)
    alone = Fraction(sum(one == of for one, of in zip(own, sets, strict=True)), len(sets))
    assert linked == {"value": pytest.approx(float(rate)), "unique_right": pytest.approx(float(alone))}
    expected = oracle.infer(scene.people, release, scene.people, known, TREE, "illness")
    assert inferred["illness"] == {
        "value": pytest.approx(float(expected.rate)),
        "certain": pytest.approx(float(expected.certain)),
    }


def test_suppressed_records_hide_no_person_from_an_attacker_who_rules_them_out() -> None:
    """A class with a single illness is certain only without the suppressed records, which have another."""
    original = {"age": [*["21"] * 3, *["35"] * 3, "61"], "ill": ["flu", "flu", "flu", "cold", "cough", "cold", "gout"]}
    released = {**original, "age": [*["2*"] * 3, *["3*"] * 3, "*"]}
    card = metrics.score(
        table(released), metrics.Roles(quasi_identifiers=["age"], sensitive=["ill"]), original=table(original)
    )
    inference = card["attribute_inference_attack"]
    assert inference.details["certain"] == {"ill": pytest.approx(1 / 7)}  # the suppressed person
    assert inference.details["suppressed_ruled_out"]["ill"]["certain"] == pytest.approx(3 / 7)
    assert "guesses ill correctly for 85.7% of people, compared with" in inference.summary()
    assert "the guess is certain and right for 42.9% of people." in inference.summary()
    linkage = card["record_linkage_attack"]
    assert linkage.value == pytest.approx((6 / 4 + 1) / 7)
    assert linkage.details["suppressed_ruled_out"]["value"] == pytest.approx((3 / 3 + 3 / 3) / 7)
    found = criteria(card.scores)
    (rates,) = [one.rates for one in found if one.id == "inference"]
    assert list(rates) == ["ill"]  # with or without the suppressed record, as many guesses are right
    people = exposed_people(card.aggregates, card.parameters)
    assert (people.ruled_out, people.disclosed["ill"].tolist()) == (1, [3, 0])
