"""Average class size: against the oracle, by hand, and where there is no figure."""

import numpy as np
import pytest
from hypothesis import event, given

from metrics import Roles, score
from metrics.counting.classes import class_sizes
from metrics.texts import text
from metrics.utility.average_class_size.measure import average_class_size
from tests.oracle import losses as oracle
from tests.support.against_oracle import as_read, near
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import records, written
from tests.utility.losses import BEFORE, SIZES, by_hand, of_table


def test_worked_example() -> None:
    original, released = written("age\n21\n22\n33\n34"), written("age\n20-29\n20-29\n30-39\n30-39")
    found = score(released, Roles(["age"]), original=original)["average_class_size"]
    # Classes have 2 records instead of 1, of at most 4.
    assert (found.details["raw"], found.details["raw_original"]) == (4 / 2, 4 / 4)
    assert found.value == pytest.approx(1 - (2 - 1) / (4 - 1))


@given(pair_scenes())
def test_the_mean_size_of_the_classes_equals_that_of_the_oracle(scene: Scene) -> None:
    found = scene.score("average_class_size")["average_class_size"]
    before, after = (records(cells) for cells in as_read(scene)[:2])
    if not scene.rows:
        assert found.unavailable == text("unavailable.no_records")
        return
    mean = oracle.average_class_size(before, after, scene.quasi_identifiers)
    event(f"classes: {mean is not None}")
    if mean is None:
        assert found.unavailable == text("unavailable.all_suppressed")
        return
    assert (found.details["raw"], found.details["raw_original"]) == (near(mean.raw), near(mean.raw_original))
    assert found.value == near(mean.score)


def test_classes_of_one_record_lose_nothing_and_suppressed_records_do_not_count() -> None:
    assert by_hand("average_class_size").value == 1


def test_an_unchanged_table_loses_nothing() -> None:
    assert of_table(BEFORE, "average_class_size").value == 1


def test_ten_million_records_are_counted_exactly() -> None:
    now, before = class_sizes(np.array(SIZES), 17), class_sizes(np.array([1] * 3))
    assert average_class_size(now, before).raw == 9_999_983 / 3
