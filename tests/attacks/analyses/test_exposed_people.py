"""Who is exposed for certain, by class."""

import pytest
from hypothesis import given

from metrics import Parameters, Roles, k_rr
from metrics.aggregates import TableAggregates
from metrics.attacks.analyses.exposed_people import exposed_people
from metrics.errors import Unavailable
from tests.attacks.scenes import Scene, scenes
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

ORIGINAL = {"age": ["20", "21", "30", "30", "41"], "illness": ["flu", "flu", "cold", "cough", "cold"]}
RELEASED = {"age": ["20-29", "20-29", "30", "30", "*"], "illness": ["flu", "flu", "cold", "cough", "cold"]}
ROLES = Roles(["age"], ["illness"])


def test_suppressed_records_may_belong_to_any_person_unless_ruled_out() -> None:
    aggregates = TableAggregates(table(RELEASED), ROLES, table(ORIGINAL))
    found = exposed_people(aggregates, Parameters())
    labels = [aggregates.classes.labels(index)["age"] for index in range(aggregates.classes.count)]
    assert labels == ["20-29", "30"]
    # The suppressed record is possible for everybody; the person of 41 years has no other.
    assert (found.identified.tolist(), found.suppressed, found.totals[""]) == ([0, 0], 1, 1)
    # Who rules it out is certain of the illness in the first class.
    assert (found.disclosed["illness"].tolist(), found.ruled_out) == ([2, 0], 1)
    kept = {name: cells[:4] for name, cells in RELEASED.items()}, {name: cells[:4] for name, cells in ORIGINAL.items()}
    found = exposed_people(TableAggregates(table(kept[0]), ROLES, table(kept[1])), Parameters())
    assert found.disclosed["illness"].tolist() == [2, 0]
    assert found.worst_first.tolist() == [0]
    assert (found.targets, found.exact, found.suppressed) == (4, True, 0)


def test_people_whose_possible_records_share_another_value_are_counted_apart() -> None:
    """The person of 20 years is certainly taken for one with a cold: nobody else of that age has a record."""
    released = {"age": ["*", "20-29", "30", "30"], "illness": ["flu", "cold", "cold", "cough"]}
    original = {"age": ["20", "21", "30", "30"], "illness": ["flu", "cold", "cold", "cough"]}
    found = exposed_people(TableAggregates(table(released), ROLES, table(original)), Parameters())
    assert (found.totals["illness"], found.misled) == (1, {"illness": 1})


def test_nobody_is_certain_of_a_value_that_was_drawn_at_random() -> None:
    cells = {"age": ["20", "20", "30", "30"], "illness": ["flu", "flu", "cold", "cold"]}
    drawn = table(cells).randomized({"illness": k_rr(["flu", "cold"], 1)})
    found = exposed_people(TableAggregates(drawn, ROLES, table(cells)), Parameters())
    assert (found.totals, found.misled, found.worst_first.tolist()) == ({"": 0}, {}, [])


def test_a_class_with_somebody_identified_comes_before_larger_ones() -> None:
    cells = {"age": ["20", "20", "20", "30", "41"], "illness": ["flu", "flu", "flu", "cold", "cold"]}
    found = exposed_people(TableAggregates(table(cells), ROLES, table(cells)), Parameters())
    assert found.identified.tolist() == [0, 1, 1]
    assert found.worst_first.tolist() == [1, 2, 0]


def test_nothing_is_exposed_without_an_original() -> None:
    with pytest.raises(Unavailable, match="original"):
        exposed_people(TableAggregates(table(RELEASED), ROLES), Parameters())


@fewer_examples()
@given(scenes())
def test_the_numbers_of_exposed_people_agree_with_the_attack_rates(scene: Scene) -> None:
    card = scene.score("record_linkage_attack", "attribute_inference_attack")
    found = exposed_people(card.aggregates, card.parameters)
    number = found.targets
    linkage, inference = card["record_linkage_attack"].details, card["attribute_inference_attack"].details
    assert inference["no_candidate"] == linkage["no_candidate"]
    ruled_out = {name: dict[str, float]() for name in ("", *inference["certain"])}
    if linkage["suppressed_ruled_out"] is not None:
        ruled_out = {"": linkage["suppressed_ruled_out"]} | inference["suppressed_ruled_out"]
    for name, numbers in {"": found.identified, **found.disclosed}.items():
        share = inference["certain"][name] if name else linkage["unique_right"]
        other = ruled_out[name].get("certain" if name else "unique_right", 0)
        assert number * max(share, other) - 1e-9 <= found.totals[name] <= numbers.sum() + found.suppressed
        assert numbers.sum() <= number * (share + other) + 1e-9
