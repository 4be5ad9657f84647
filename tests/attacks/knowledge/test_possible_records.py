"""The possible records of a person: covering records or the nearest ones, all at once or in small portions."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import metrics
from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.attacks.analyses.exposed_people import exposed_people
from metrics.attacks.knowledge.possible_records import ColumnMatch, PossibleRecords, Released
from metrics.counting.counts import MemoryRelation
from metrics.hierarchies import covering
from metrics.hierarchies.labels import Evidence
from metrics.texts import text
from tests.attacks.scenes import KNOWN, TREE, Scene, known_columns, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

IDS = (
    "record_linkage_attack",
    "attribute_inference_attack",
    "two_source_linkage_attack",
    "membership_attack",
    "singling_out_attack",
)


def test_possible_records_are_the_records_that_cover_a_person_or_else_the_nearest_ones() -> None:
    content = table({"age": ["20-29", "20-29", "45", "70"]})
    aggregates = TableAggregates(content, Roles(quasi_identifiers=["age"]))
    people = table({"age": ["21", "48"]})
    released = Released.from_relation(aggregates.relation, ["age"])
    sets = PossibleRecords(
        released,
        MemoryRelation(people),
        [ColumnMatch.from_columns(content["age"], people["age"], None, Evidence(people["age"]))],
        [np.ones(3)],
    )
    found = {
        int(person): (size, batch.covering)
        for batch in sets.batches()
        for person, size in zip(batch.people, batch.sizes(released), strict=True)
    }
    # Two records cover 21; nothing covers 48, and 45 is nearer to it than 70.
    assert found == {0: (2, True), 1: (1, False)}


@fewer_examples(0.2)
@given(scenes())
def test_possible_records_in_small_portions_give_the_figures_of_all_at_once(scene: Scene) -> None:
    whole = scene.score(*IDS, holdout=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covering, "MAX_PAIRS", 1)
        for module in ("possible_records", "nearest"):
            patch.setattr(f"metrics.attacks.knowledge.{module}._MAX_CELLS", 1)
        portioned = scene.score(*IDS, holdout=True)
    for identifier in IDS:
        assert portioned[identifier].to_dict() == {
            **whole[identifier].to_dict(),
            "value": pytest.approx(whole[identifier].value, rel=1e-12, abs=1e-12),
            "details": portioned[identifier].details,
        }


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
        possible, _ = oracle.possible_records(person, release, scene.people, known, TREE, scene.release)
        chosen = oracle.most_specific(possible, release, scene.people, known, TREE, scene.release)
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
        "the most specific labels finds the records of 25% of people (17.2% if all possible records are equally "
        "likely), compared with 12.5% without the table." in linkage.summary()
    )
    assert inference.result.most_specific["illness"].value == 1
    assert "correctly for 100% of people, compared with" in inference.summary()
    assert text("attribute_inference_attack.alike", column="illness", value=0.625) in inference.summary()
    assert list(inference.result.rates) == ["illness", "illness, most specific labels"]


def test_under_global_recoding_no_possible_record_is_more_specific_than_another() -> None:
    original = pd.DataFrame({"age": ["21", "22", "35", "36"], "illness": [*"abab"]})
    released = original.assign(age=["20-29", "20-29", "30-39", "*"])
    card = metrics.score(released, metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"]), original=original)
    for name in ("record_linkage_attack", "attribute_inference_attack"):
        assert card[name].details["most_specific"] is None


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
    sets = [
        oracle.possible_records(person, release, scene.people, known, TREE, scene.release)[0] for person in scene.people
    ]
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
    assert text("attribute_inference_attack.certain_excluding", certain=3 / 7) in inference.summary()
    linkage = card["record_linkage_attack"]
    assert linkage.value == pytest.approx((6 / 4 + 1) / 7)
    assert linkage.details["suppressed_ruled_out"]["value"] == pytest.approx((3 / 3 + 3 / 3) / 7)
    assert list(card["attribute_inference_attack"].result.rates) == [
        "ill"
    ]  # with or without the suppressed record, as many guesses are right
    people = exposed_people(card.aggregates, card.parameters)
    assert (people.ruled_out, people.disclosed["ill"].tolist()) == (1, [3, 0])
