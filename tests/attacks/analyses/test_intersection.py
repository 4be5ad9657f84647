"""Whom several releases of one original disclose together."""

from itertools import permutations
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Hierarchy, Parameters, k_rr
from metrics.aggregates import TableAggregates
from metrics.attacks.analyses.intersection import intersect_releases
from tests.attacks.scenes import ROLES as SCENE_ROLES
from tests.attacks.scenes import TREE, known_columns, near, people, releases
from tests.oracle import attacks as oracle
from tests.oracle.classes import Record
from tests.support.examples import fewer_examples
from tests.support.small_tables import records, table

ORIGINAL = pd.DataFrame({"age": ["31", "32", "33", "34"], "visits": ["1", "2", "3", "4"]})
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["visits"])


def test_numbers_written_in_two_ways_are_one_value() -> None:
    by_text = ["1", "2", "3", "4"]
    by_decimals = ["1.0", "2.0", "3.0", "4.0"]
    plain, written = (_together(first, second) for first, second in ((by_text, by_text), (by_text, by_decimals)))
    assert plain == written == 1


def _together(first: list[str], second: list[str]) -> float:
    """Two releases whose groups overlap in one person each."""
    original = metrics.read_table(ORIGINAL, name="original")
    ages = (["31-32", "31-32", "33-34", "33-34"], ["31", "32-33", "32-33", "34"])
    tables = [ORIGINAL.assign(age=age, visits=visits) for age, visits in zip(ages, (first, second), strict=True)]
    cards = [metrics.score(table, ROLES, original=original) for table in tables]
    return intersect_releases([card.aggregates for card in cards], Parameters()).value


def test_who_excludes_suppressed_records_is_sure_of_what_others_leave_open() -> None:
    original = metrics.read_table(ORIGINAL, name="original")
    released = metrics.read_table(ORIGINAL.assign(age=["31", "32", "*", "*"]), name="released")
    releases = [metrics.score(released, ROLES, original=original).aggregates] * 2
    assert intersect_releases(releases, Parameters()).value == 0
    excluding = intersect_releases(releases, Parameters(), exclude_suppressed=True)
    assert excluding.value == 0.5
    assert "age and excludes suppressed records determines visits for 50% of people" in excluding.summary()


@st.composite
def several(draw: st.DrawFn) -> tuple[list[Record], list[Any]]:
    original = draw(people(draw(st.integers(1, 10)), draw(st.booleans())))
    return original, [draw(releases(original, 2)) for _ in range(draw(st.integers(2, 3)))]  # type: ignore[return-value]


@fewer_examples()
@given(several(), known_columns)
def test_joint_disclosure_by_several_releases_equals_that_found_person_by_person(
    published: Any, known: list[str]
) -> None:
    cells, released = published
    original = table(cells)
    trees = {name: Hierarchy(rows) for name, rows in TREE.items()}
    parameters = Parameters().with_settings({"attack.known": known})
    found = intersect_releases(
        [TableAggregates(table(one), SCENE_ROLES, original, trees) for one in released], parameters
    )
    before, after = list(records(cells)), [list(records(one)) for one in released]
    for column in ("illness", "days"):
        together, alone, only = oracle.jointly_disclosed(before, after, known, TREE, column)
        one = found.disclosed[column]
        assert one.together.value == near(together)
        assert list(one.alone) == [near(share) for share in alone]
        assert one.only_together == near(only)
    assert found.value == max(one.together.value for one in found.disclosed.values())


@given(several(), known_columns, st.booleans())
def test_exposure_together_is_that_of_each_release_or_more_in_any_order(
    published: Any, known: list[str], excluding: bool
) -> None:
    cells, released = published
    original, trees = table(cells), {name: Hierarchy(rows) for name, rows in TREE.items()}
    parameters = Parameters().with_settings({"attack.known": known})
    aggregates = [TableAggregates(table(one), SCENE_ROLES, original, trees) for one in released]
    found, reverse = (
        intersect_releases(order, parameters, exclude_suppressed=excluding).disclosed
        for order in (aggregates, aggregates[::-1])
    )
    for column, one in found.items():
        assert one.together == reverse[column].together
        assert one.alone == reverse[column].alone[::-1]
        assert one.only_together == reverse[column].only_together
        assert one.together.value >= max(one.alone)


def test_a_release_of_false_values_rules_out_no_record() -> None:
    """The first shows every value; the second swaps two of the ages, and the third has values of visits drawn."""
    original = metrics.read_table(ORIGINAL, name="original")
    swapped = metrics.read_table(ORIGINAL.assign(age=["32", "31", "33", "34"]), name="swapped")
    drawn = original.randomized({"visits": k_rr(["1", "2", "3", "4"], 1)})
    releases = [TableAggregates(each, ROLES, original) for each in (original, swapped, drawn)]
    for order in permutations(releases, 2):
        assert intersect_releases(order, Parameters()).value == 1


def test_the_people_who_are_drawn_do_not_depend_on_the_order_of_the_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.attacks.knowledge.scenario._MAX_WORK", 1)
    monkeypatch.setattr("metrics.attacks.knowledge.scenario._MIN_TARGETS", 20)
    cells = pd.DataFrame({"age": [str(max(row, 50)) for row in range(100)], "visits": list(map(str, range(100)))})
    original = metrics.read_table(cells, name="original")
    coarse = [metrics.read_table(cells.assign(age=cells["age"].str[0] + "*"), name="coarse"), original]
    releases = [TableAggregates(each, ROLES, original) for each in coarse]
    found, reverse = (intersect_releases(order, Parameters()) for order in (releases, releases[::-1]))
    assert not found.disclosed["visits"].together.exact
    assert found.value == reverse.value
