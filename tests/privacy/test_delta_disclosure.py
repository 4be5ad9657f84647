"""δ-disclosure: by hand; against the oracle in classes/test_worst_class.py."""

import math

import pytest

from metrics import Roles, score
from tests.support.small_tables import table, written


def test_worked_example() -> None:
    released = written("""
        age   illness
        20-29 flu
        20-29 flu
        20-29 cold
        30-39 flu
        30-39 cold
        30-39 cold
    """)
    found = score(released, Roles(["age"], ["illness"]))["delta_disclosure"]
    # Either illness has a share of 1/2 in the table, and of 2/3 in one class and 1/3 in the other.
    assert found.value == pytest.approx(max(abs(math.log2((2 / 3) / (1 / 2))), abs(math.log2((1 / 3) / (1 / 2)))))


DELTA = "delta_disclosure"
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])


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
