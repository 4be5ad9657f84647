"""(α,k)-anonymity: against the oracle, by hand, and what it says where there is none."""

from hypothesis import given
from hypothesis import strategies as st

from metrics import score
from tests import oracle
from tests.privacy.likeness import ROLES, TEN, Judges, assert_as_the_oracle, assert_copies_change_no_bit, assert_reasons
from tests.privacy.others_known import assert_others_known
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import written

ALPHA = "alpha_k_anonymity"
JUDGES: Judges = {ALPHA: ("alpha", oracle.alpha_k_anonymity)}


@given(sensitive_scenes(30))
def test_the_largest_share_of_every_class_equals_that_of_the_oracle(scene: Scene) -> None:
    assert_as_the_oracle(scene, JUDGES)


@given(sensitive_scenes(30))
def test_with_all_other_sensitive_attributes_known_the_largest_share_in_a_part_of_a_class_counts(scene: Scene) -> None:
    assert_others_known(scene, {ALPHA: oracle.alpha_k_anonymity})


def test_of_ten_people_three_of_four_share_a_value_in_the_smallest_class() -> None:
    found = score(TEN, ROLES)[ALPHA]
    assert found.value == 3 / 4
    assert found.details["k"] == 4
    assert all(part in found.summary() for part in ("75%", "k = 4"))


def test_a_value_that_all_share_has_the_share_one() -> None:
    assert score(written("q s\nx a\nx a\ny a"), ROLES)[ALPHA].value == 1


def test_a_single_record_is_a_class_of_one_value() -> None:
    found = score(written("q s\nx a"), ROLES)[ALPHA]
    assert found.value == 1
    assert found.summary().endswith("1 record (k = 1).")


def test_a_missing_value_is_a_value() -> None:
    assert score(written("q s\n- a\n- -\nx -\nx -"), ROLES)[ALPHA].value == 1


def test_without_sensitive_attribute_class_or_record_the_reason_is_given() -> None:
    assert_reasons(JUDGES)


@given(sensitive_scenes(20), st.integers(2, 400))
def test_a_table_repeated_many_times_has_exactly_the_same_values(scene: Scene, times: int) -> None:
    assert_copies_change_no_bit(scene, times, JUDGES)
