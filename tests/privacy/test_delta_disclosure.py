"""δ-disclosure: against the oracle, by hand, and what it says where there is none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import score
from tests import oracle
from tests.privacy.likeness import ROLES, TEN, Judges, assert_as_the_oracle, assert_copies_change_no_bit, assert_reasons
from tests.privacy.others_known import assert_others_known
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import table, written

DELTA = "delta_disclosure"
JUDGES: Judges = {DELTA: ("delta", oracle.delta_disclosure)}


@given(sensitive_scenes(30))
def test_the_largest_change_of_a_share_in_every_class_equals_that_of_the_oracle(scene: Scene) -> None:
    assert_as_the_oracle(scene, JUDGES)


@given(sensitive_scenes(30))
def test_with_all_other_sensitive_attributes_known_the_largest_change_in_a_part_of_a_class_counts(scene: Scene) -> None:
    assert_others_known(scene, {DELTA: oracle.delta_disclosure})


def test_of_ten_people_the_share_of_the_rarest_value_changes_the_most() -> None:
    # c: 1/6 in y, 1/10 in the table.
    assert score(TEN, ROLES)[DELTA].value == pytest.approx(math.log2(5 / 3), rel=1e-15)


def test_the_share_of_a_value_that_all_have_does_not_change() -> None:
    found = score(written("q s\nx a\nx a\ny a"), ROLES)[DELTA]
    assert found.value == 0
    assert found.summary().endswith("(δ = 0).")


def test_classes_like_the_table_are_at_exactly_zero() -> None:
    # Shares of 1/3, which no float holds.
    cells = {"q": [str(i // 3) for i in range(21)], "s": ["a", "b", "c"] * 7}
    assert score(table(cells), ROLES)[DELTA].value == 0


def test_in_a_table_of_one_record_no_share_changes() -> None:
    assert score(written("q s\nx a"), ROLES)[DELTA].value == 0


def test_without_sensitive_attribute_class_or_record_the_reason_is_given() -> None:
    assert_reasons(JUDGES)


@given(sensitive_scenes(20), st.integers(2, 400))
def test_a_table_repeated_many_times_has_exactly_the_same_values(scene: Scene, times: int) -> None:
    assert_copies_change_no_bit(scene, times, JUDGES)
