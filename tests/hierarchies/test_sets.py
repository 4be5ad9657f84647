"""Sets of values, written so that they can be read back."""

import pytest

from metrics.hierarchies.sets import MAX_MEMBERS, set_label, set_members
from tests.support.small_tables import Cells


@pytest.mark.parametrize(
    "values", [["a", "b"], ["New York", "x-y", "1"], ["{"], ["a,b", "c"], ["a", None], ["", "a"], ["*"]]
)
def test_a_written_set_is_read_back(values: Cells) -> None:
    label = set_label(values)
    assert label is None or list(set_members(label)) == list(values)
    assert (label is None) is any(value in (None, "", "{", "a,b", "*") for value in values)


def test_long_sets_are_not_written() -> None:
    assert set_label(["a"] * MAX_MEMBERS) is not None
    assert set_label(["a"] * (MAX_MEMBERS + 1)) is None


@pytest.mark.parametrize("label", ["a", "{a", "a}", "{}", "{ , }", ""])
def test_labels_without_complete_braces_are_no_sets(label: str) -> None:
    assert set_members(label) == ()
