"""What the distinct values of a released column are taken for."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics import Hierarchy
from metrics.hierarchies.domain import is_code
from metrics.matching.released_values import holds_numbers, new_categories, plain_numbers, stand_for_several
from metrics.tables.table import Column
from metrics.tables.values import parse_number
from tests.support.small_tables import Cells, table

AGES = Hierarchy([["41", "45", "50", "*"], ["42", "45", "50", "*"], ["45", "45", "50", "*"], ["50", "50", "50", "*"]])
SIGNS = st.text("0159+-.,eE *[)x\n٣", max_size=7)


def column(cells: Cells, decimal: str = ".") -> Column:
    of = table({"q": cells})["q"]
    return Column(of.name, of.codes, of.values, decimal)


def several(original: Cells, released: Cells, hierarchy: Hierarchy | None = None) -> list[str | None]:
    of = column(released)
    flags = stand_for_several(column(original), of, hierarchy)
    return [label for label, flag in zip(of.labels, flags, strict=True) if flag]


@given(st.lists(SIGNS | st.floats().map(str) | st.none(), max_size=8), st.sampled_from(".,"))
@example(["5.", ".5", "+1", "1e5", "1E+05", "-3.0e0", "1e309", "9" * 400, "1e-320", "-0"], ".")
@example(["1,5", "1.5", "1,5,5", "+,5", "1.000,5"], ",")
@example(["1\n", "٣", "00123", "0012e1", "-01", None, "", "++1"], ".")
def test_numbers_read_at_once_equal_those_read_one_by_one(cells: list[str | None], decimal: str) -> None:
    of = column(cells, decimal)
    expected = [
        math.nan if label is None or is_code(label) or (number := parse_number(label, decimal)) is None else number
        for label in of.labels
    ]
    assert plain_numbers(of).tolist() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


def test_a_column_is_numeric_if_all_its_values_except_missing_ones_are_numbers() -> None:
    assert holds_numbers(column(["1", None, "*", "", "2.5"]))
    for cells in (["1", "a"], ["00123", "5"], [None, ""], ["*"], []):
        assert not holds_numbers(column(cells))


def test_a_released_label_is_a_value_or_a_group_depending_on_the_original() -> None:
    numbers = ["10", "20", None]
    assert several(numbers, ["10", "20.0", "17.3", "00012", None]) == []
    assert several(numbers, ["*", "10-19", "[10,20)", ">10", "1*", "young"]) == [
        *["*", "10-19", "[10,20)", ">10", "1*", "young"]
    ]
    # A cell that was emptied is suppressed, unless the original has empty cells, too.
    assert several(["1", "2"], ["1", None, ""]) == ["", None]
    assert several(["1", "*"], ["1", "*"]) == ["*"]
    assert several(["a", "b"], ["a", "AB"]) == ["AB"]
    assert several(["04038", "02116"], ["04038", "09999", "04***"]) == ["04***"]


def test_a_new_word_beside_original_values_is_a_category_unless_it_covers_some_of_them() -> None:
    def new(original: Cells, released: Cells, hierarchy: Hierarchy | None = None) -> list[str | None]:
        of = column(released)
        return [
            label
            for label, flag in zip(of.labels, new_categories(column(original), of, hierarchy), strict=True)
            if flag
        ]

    words = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"]])
    assert new(["a", "b"], ["a", "AB", "*", None, "", "{a, b}", "a*"]) == ["AB"]
    assert new(["a", "b"], ["a", "AB", "new"], words) == ["new"]
    assert new(["a", "b"], ["AB", "CD", "*"]) == []
    assert new(["1", "2", "30"], ["1", "2-5", "young"]) == ["young"]


def test_labels_of_a_hierarchy_are_groups_unless_they_are_also_values() -> None:
    words = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "c", "*"]])
    assert several(["a", "c"], ["a", "b", "c", "AB"], words) == ["AB"]
    # 45 and 50 are ages, too; where nothing else is left, they are groups.
    assert several(["41", "45"], ["41", "45", "43"], AGES) == []
    assert several(["41", "42", "45"], ["45", "50"], AGES) == ["45", "50"]
    assert several([], []) == []
