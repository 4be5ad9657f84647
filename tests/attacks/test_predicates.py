"""Predicates made of released labels: those that are drawn, and the records that match them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from metrics import Hierarchy, Roles
from metrics.attacks import predicates
from metrics.attacks.predicates import CLASS_AND_VALUE, CountedRecords, Matcher, Predicates, draw_predicates
from metrics.tables.table import Table
from tests.attacks.scenes import KNOWN, TREE, Scene, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import records, table

RELEASED = {"age": ["3*", "3*", "45", "*"], "sex": ["m", "f", "f", "f"], "ill": ["flu", "flu", "cold", "gout"]}
ROLES = Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"])


def labels_of(released: Table, drawn: Predicates) -> list[dict[str, str | None]]:
    """The labels of each predicate."""
    return [
        {name: released[name].labels[code[at]] for name, code in zip(drawn.columns, drawn.codes, strict=True)}
        for at in range(len(drawn.order))
    ]


def test_a_small_table_gives_every_predicate_once() -> None:
    released = table(RELEASED)
    counted = CountedRecords.from_table(released, released.names)
    drawn = draw_predicates(counted, ROLES, ["age", "sex", "ill"], np.random.default_rng(0))
    rows = records(RELEASED)
    for of in drawn:
        found = [tuple(one.items()) for one in labels_of(released, of)]
        assert sorted(found) == sorted({tuple((name, row[name]) for name in of.columns) for row in rows})
    columns = [of.columns for of in drawn if of.kind != CLASS_AND_VALUE]
    assert columns == [names for size in (1, 2, 3) for names in combinations(("age", "sex", "ill"), size)]
    assert [of.columns for of in drawn if of.kind == CLASS_AND_VALUE] == [("age", "sex", "ill")]


def test_of_a_large_table_predicates_are_drawn_by_the_seed() -> None:
    released = table({name: cells * 10 for name, cells in RELEASED.items()})
    counted = CountedRecords.from_table(released, released.names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predicates, "ATTEMPTS", 50)
        first, again, other = (
            draw_predicates(counted, ROLES, ["age", "sex", "ill"], np.random.default_rng(seed)) for seed in (1, 1, 2)
        )
    assert [labels_of(released, of) for of in first] == [labels_of(released, of) for of in again]
    assert [of.order.tolist() for of in first] == [of.order.tolist() for of in again]
    assert [of.order.tolist() for of in first] != [of.order.tolist() for of in other]
    assert sum(len(of.order) for of in first) <= 50


@fewer_examples()
@given(scenes())
def test_a_record_matches_a_predicate_if_each_label_covers_its_value(scene: Scene) -> None:
    released, original = table(scene.released), table(scene.original)
    counted = CountedRecords.from_table(released, KNOWN)
    matcher = Matcher(counted, original, {name: Hierarchy(rows) for name, rows in TREE.items()})
    for of in draw_predicates(counted, Roles(list(KNOWN)), list(KNOWN), np.random.default_rng(0)):
        expected = [oracle.matching(one, scene.people, TREE) for one in labels_of(released, of)]
        assert matcher.matches(of).tolist() == expected
