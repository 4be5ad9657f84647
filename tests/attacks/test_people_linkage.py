"""Linkage of people against one that looks at every released person, and its identities."""

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from metrics.attacks import people_linkage
from metrics.texts import text
from tests.attacks.scenes import KNOWN, TREE, Scene, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import Cells, records, table, written


def test_worked_example() -> None:
    original = written("who age\nann 21\nann 35\nbob 22\ncat 23")
    released = written("who age\np1 20-29\np1 30-39\np2 20-29\np3 20-29")
    card = score(released, Roles(["age"], person="who"), original=original, metrics=["people_linkage_attack"])
    # Only p1 has a record for each of Ann's; Bob and Cat, who have one record, may be p2 or p3.
    assert card["people_linkage_attack"].value == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)


NAME = "people_linkage_attack"
ROLES = Roles(quasi_identifiers=KNOWN, sensitive=["illness", "days"], person="who")
TREES = {name: Hierarchy(rows) for name, rows in TREE.items()}


def attack(
    original: dict[str, Cells], released: dict[str, Cells], roles: Roles = ROLES, **settings: object
) -> Scorecard:
    return score(
        table(released),
        roles,
        original=table(original),
        hierarchies=TREES,
        parameters=Parameters().with_settings({f"attack.{name}": value for name, value in settings.items()}),
        metrics=[NAME, "people_k_anonymity"],
    )


@fewer_examples()
@given(scenes(), st.data())
def test_linkage_of_people_equals_that_found_person_by_person(scene: Scene, data: st.DataObject) -> None:
    rows = len(scene.people)
    people = data.draw(st.lists(st.sampled_from(["1", "2", "3", None]), min_size=rows, max_size=rows))
    pseudonyms: list[str | None] = [None if who is None else f"p{who}" for who in people]
    for at in data.draw(st.sets(st.integers(0, rows - 1), max_size=2)):
        pseudonyms[at] = data.draw(st.sampled_from(["*", "p1"]))
    original, released = {**scene.original, "who": people}, {**scene.released, "who": pseudonyms}
    found = attack(original, released)[NAME]
    if not any(people) or not {*pseudonyms} - {None, "*"}:
        assert found.unavailable == '"who" names a person in none of the records'
        return
    named = {(who, name) for who, name in zip(people, pseudonyms, strict=True) if who and name not in {None, "*"}}
    if len(named) > len({who for who, _ in named}):
        assert found.unavailable == text("unavailable.divided", role="person", column="who")
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people_linkage, "_AT_ONCE", 2)
        assert attack(original, released)[NAME].to_dict() == found.to_dict()
    rate, alone = oracle.link_people(list(records(original)), list(records(released)), KNOWN, TREE, "who")
    event(f"somebody is found {rate > 0}")
    assert found.value == pytest.approx(float(rate), rel=1e-12, abs=1e-12)
    assert found.details["unique_right"] == pytest.approx(float(alone))
    assert found.details["baseline"] == 1 / len({*pseudonyms} - {None, "*"})
    assert found.details["attempts"] == len({*people} - {None})


def test_two_records_with_the_same_possible_records_need_two_of_them() -> None:
    """Both records of ann are released as (20, 11*); bob has one such record, so bob's is not possible for ann."""
    original: dict[str, Cells] = {
        "who": ["ann", "ann", "bob", "bob"],
        "tree": ["a"] * 4,
        "age": ["20", "20", "20", "30"],
        "zip": ["111", "112", "111", "111"],
    }
    released = {**original, "zip": ["11*"] * 4}
    found = attack(original, released, roles=Roles(quasi_identifiers=KNOWN, person="who"))[NAME]
    assert (found.value, found.details["unique_right"]) == (1, 1)


def generalized(seed: int) -> tuple[dict[str, Cells], dict[str, Cells]]:
    rng = np.random.default_rng(seed)
    original: dict[str, Cells] = {
        "who": rng.integers(0, 60, 150).astype(str).tolist(),
        "tree": rng.choice(list("abcd"), 150).tolist(),
        "age": rng.integers(20, 30, 150).astype(str).tolist(),
        "zip": ["111"] * 150,
    }
    labels = {row[0]: row[1] for row in TREE["tree"]}
    released = {**original, "tree": [labels[str(value)] for value in original["tree"]], "age": ["20-29"] * 150}
    return original, released


@pytest.mark.parametrize("seed", [1, 2])
def test_under_global_recoding_linkage_of_people_is_their_average_risk(seed: int) -> None:
    card = attack(*generalized(seed), roles=Roles(quasi_identifiers=KNOWN, person="who"))
    assert card[NAME].value == pytest.approx(card["people_k_anonymity"].details["average_risk"])


def test_records_of_a_person_that_each_have_a_name_of_their_own_are_not_several_people() -> None:
    original: dict[str, Cells] = {"who": list("aaabbb"), "age": ["20"] * 6, "item": list("xyzxyz")}
    roles = Roles(quasi_identifiers=["age"], person="who", item="item")
    ids = [NAME, "people_k_anonymity", "km_anonymity"]
    for pseudonyms, reason in (("pppqqq", None), ("pqrstu", text("unavailable.divided", role="person", column="who"))):
        card = score(table({**original, "who": list(pseudonyms)}), roles, original=table(original), metrics=ids)
        assert {card[name].unavailable for name in ids} == {reason}


def test_people_with_one_record_each_are_found_as_their_records_are() -> None:
    original, released = generalized(3)
    original["who"] = released["who"] = [str(row) for row in range(150)]
    roles = Roles(quasi_identifiers=KNOWN, person="who")
    both = score(
        table(released), roles, original=table(original), hierarchies=TREES, metrics=[NAME, "record_linkage_attack"]
    )
    assert both[NAME].value == pytest.approx(both["record_linkage_attack"].value)
