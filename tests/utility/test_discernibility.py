"""Discernibility: against the oracle, by hand, and where there is no figure."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from metrics import Roles, score
from metrics.counting.classes import class_sizes
from metrics.texts import text
from metrics.utility.discernibility.measure import discernibility, penalties
from tests.oracle import losses as oracle
from tests.support.against_oracle import as_read, near
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import records, written
from tests.utility.losses import BEFORE, GONE, SIZES, of_table


def test_worked_example() -> None:
    original, released = written("age\n21\n22\n33\n44"), written("age\n20-29\n20-29\n30-39\n*")
    found = score(released, Roles(["age"]), original=original)["discernibility"]
    penalty = 2**2 + 1**2 + 4  # a suppressed record counts as all four
    assert found.details == {"raw": penalty, "raw_original": 4, "raw_largest": 4**2, "wholly_lost_records": 1}
    assert found.value == pytest.approx(1 - (penalty - 4) / (4**2 - 4))


@given(pair_scenes())
def test_the_penalty_of_all_records_equals_that_of_the_oracle(scene: Scene) -> None:
    found = scene.score("discernibility")["discernibility"]
    before, after = (records(cells) for cells in as_read(scene)[:2])
    if not scene.rows:
        assert found.unavailable == text("unavailable.no_records")
        return
    expected = oracle.discernibility(before, after, scene.quasi_identifiers)
    assert (found.details["raw"], found.details["raw_original"]) == (expected.raw, expected.raw_original)
    assert found.value == near(expected.score)


def test_everything_suppressed_is_everything_lost_and_an_unchanged_table_loses_nothing() -> None:
    gone = of_table(GONE, "discernibility")
    assert (gone.value, gone.details["raw"]) == (0, 16)
    assert of_table(BEFORE, "discernibility").value == 1


def test_ten_million_records_are_counted_exactly() -> None:
    total = sum(size**2 for size in SIZES) + 17 * 10_000_000
    now, before = class_sizes(np.array(SIZES), 17), class_sizes(np.array([1] * 3))
    assert penalties(now) == total
    assert penalties(now, 5) == sum(size**2 for size in SIZES) + 22 * 10_000_005
    found: Any = discernibility(now, before)
    assert (found.raw, found.value) == (total, float(1 - Fraction(total - 3, 10**14 - 3)))
