"""δ-disclosure: by hand; against the oracle in test_judgement.py."""

import math

import pytest

from metrics import score
from tests.privacy.likeness import ROLES, TEN
from tests.support.small_tables import table, written

DELTA = "delta_disclosure"


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
