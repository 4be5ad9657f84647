"""t-closeness of every class by each ground distance, against the oracle."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import metrics
from metrics import Roles, Scorecard, score
from tests import oracle
from tests.privacy.others_known import MODE, assert_judged
from tests.support.against_oracle import blank_for_missing, class_rows, near, no_class
from tests.support.scenes import NUMBERS, Scene, columns, sensitive_scenes
from tests.support.small_tables import Cells, records, table, written


def test_worked_example() -> None:
    released = written("""
        age   illness salary
        20-29 flu     1000
        20-29 cold    2000
        30-39 cough   3000
        30-39 ulcer   4000
    """)
    found = score(released, Roles(["age"], ["illness", "salary"]))["t_closeness"]
    # Two values of 1/2 in a class, four of 1/4 in the table: half of it is moved. Of numbers, that a half of the share
    # is moved by two of three ranks: the cumulative shares differ by 1/4, 2/4 and 1/4.
    assert found.attributes == {"illness": 4 * (1 / 4) / 2, "salary": pytest.approx((1 / 4 + 2 / 4 + 1 / 4) / 3)}
    assert found.value == 1 / 2


def check_closeness(card: Scorecard, scene: Scene, grounds: Mapping[str, str], limit: float) -> None:
    closeness = card["t_closeness"]
    hierarchical = {
        name: scene.hierarchies.get(name, []) for name, ground in grounds.items() if ground == "hierarchical"
    }
    cells = records(blank_for_missing(scene.anonymized, hierarchical))
    try:
        judged = {
            name: oracle.t_closeness(cells, scene.quasi_identifiers, name, ground, scene.hierarchies.get(name))
            for name, ground in grounds.items()
        }
    except ValueError:
        event("unavailable")
        assert closeness.value is None
        assert closeness.unavailable
        return
    assert closeness.details["distance"] == dict(grounds)
    assert closeness.attributes == {name: near(of.value) for name, of in judged.items()}
    assert closeness.value == near(max(of.value for of in judged.values()))
    for key, row in class_rows(card).items():
        assert {name: row[f"{name}.t"] for name in judged} == {
            name: near(of.per_class[key]) for name, of in judged.items()
        }
    exact_limit = Fraction(str(limit))
    farther = {key for of in judged.values() for key, distance in of.per_class.items() if distance > exact_limit}
    assert closeness.details["violating_classes"] == len(farther)
    assert closeness.details["fulfilled"] is (not farther)
    assert closeness.details["t"] == limit


@given(sensitive_scenes(), st.integers(0, 20))
def test_every_class_is_as_far_as_the_oracle_finds_it_by_the_distance_that_fits(scene: Scene, twentieths: int) -> None:
    limit = twentieths / 20
    card = scene.score("t_closeness", **{"t_closeness.t": limit})
    if no_class(card, scene):
        return
    grounds = {
        name: oracle.ground_distance_of(scene.records, scene.quasi_identifiers, name, scene.hierarchies)
        for name in scene.sensitive
    }
    event(f"distances {sorted(set(grounds.values()))}")
    check_closeness(card, scene, grounds, limit)


@given(sensitive_scenes(), st.lists(st.sampled_from(["equal", "ordered", "hierarchical"]), min_size=2, max_size=2))
def test_every_class_is_as_far_as_the_oracle_finds_it_by_a_chosen_distance(scene: Scene, chosen: list[str]) -> None:
    grounds = dict(zip(scene.sensitive, chosen, strict=False))
    card = scene.score("t_closeness", **{f"t_closeness.distance.{name}": ground for name, ground in grounds.items()})
    if not no_class(card, scene):
        check_closeness(card, scene, grounds, 0.2)


@given(st.integers(1, 40).flatmap(lambda rows: st.tuples(columns(["x", "y", "z"], rows), columns([*NUMBERS], rows))))
def test_equal_numbers_share_a_rank_however_they_are_written(cells: tuple[Cells, Cells]) -> None:
    scene = Scene(["q"], ["s"], dict(zip("qs", cells, strict=True)), {}, {})
    check_closeness(scene.score("t_closeness"), scene, {"s": "ordered"}, 0.2)


@given(sensitive_scenes(30), st.sampled_from(["equal", "ordered", "hierarchical", "automatic"]))
def test_with_all_other_sensitive_attributes_known_the_farthest_part_of_a_class_counts(
    scene: Scene, chosen: str
) -> None:
    distances = {} if chosen == "automatic" else {f"t_closeness.distance.{name}": chosen for name in scene.sensitive}
    card = scene.score("t_closeness", **{MODE: True}, **distances)
    if no_class(card, scene):
        return
    judged = {}
    for name in scene.sensitive:
        ground = (
            oracle.ground_distance_of(scene.records, scene.quasi_identifiers, name, scene.hierarchies)
            if chosen == "automatic"
            else chosen
        )
        # A blank leaf stands for missing cells of the attribute judged alone: others keep the two apart.
        cells = dict(scene.anonymized)
        if ground == "hierarchical":
            cells[name] = blank_for_missing({name: cells[name]}, scene.hierarchies)[name]

        def distance(*given: Any, ground: str = ground) -> Any:
            return oracle.t_closeness(*given, ground, scene.hierarchies.get(given[-1]))

        try:
            judged[name] = oracle.with_others_known(
                distance, max, records(cells), scene.quasi_identifiers, scene.sensitive, name
            )
        except ValueError:
            event("unavailable")
            assert card["t_closeness"].unavailable
            return
    assert_judged(card, "t_closeness", judged)
    farther = {key for of in judged.values() for key, distance in of.per_class.items() if 5 * distance > 1}
    assert card["t_closeness"].details["violating_classes"] == len(farther)


def test_a_group_is_as_far_from_the_others_as_their_shares_differ_unless_values_have_an_order() -> None:
    cells: dict[str, Cells] = {"q": [*"aabb"], "illness": [*"xyxy"], "salary": [*"1212"]}
    result: Any = metrics.score(table(cells), metrics.Roles(["q"], ["illness", "salary"]))["t_closeness"].result
    group, others = np.array([3, 1]), np.array([2, 6])
    assert result.distance_of_group("illness", group, others) == 0.5
    assert result.distance_of_group("salary", group, others) is None
