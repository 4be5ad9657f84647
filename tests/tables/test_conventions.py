"""Texts that stand for missing values, and the decimal mark of a table."""

import pyarrow as pa
import pytest

from metrics.tables.conventions import DECIMAL_SAMPLE, decimal_mark, declare_missing
from tests.support.small_tables import Cells, cells_of, table


def mark_of(*columns: Cells) -> str:
    return decimal_mark(pa.array(column, pa.string()) for column in columns)


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1.5", "2"], "."),
        (["1,5", "2"], ","),
        (["-0,25"], ","),
        (["1,5", "2.5"], "."),  # a point proves that commas are none
        (["1,234"], "."),  # may be more than a thousand
        (["1,234", "0,234"], ","),
        (["1,5 kg", "a,b"], "."),
        ([None, ""], "."),
        ([], "."),
        (["1" * 40 + ",5"], "."),
        (["-2,500e+01", "3"], ","),
        (["1,5", "2.5e3"], "."),
        # bounds of intervals
        (["[-23,75, -11,25]"], ","),
        (["[-10, -1,25["], ","),
        (["(1,25; 10]"], ","),
        (["-1,5 - 2"], ","),
        (["0,5-1"], ","),
        (["≥2,5"], ","),
        (["<= 2,5"], ","),
        (["1,5 to 3"], ","),
        (["[1,5]", "(2,7)", "1,234-2,345", "[1,234, 2,345[", "18-24", "5, 6"], "."),  # prove nothing
        (["1,5", "[2.5, 3.5["], "."),
    ],
)
def test_the_decimal_mark_is_told_by_numbers_that_prove_it(cells: Cells, mark: str) -> None:
    assert mark_of(cells) == mark


def test_a_point_in_one_column_decides_for_all() -> None:
    assert mark_of(["1,5"], ["2.5"]) == mark_of(["2.5"], ["1,5"]) == "."
    assert mark_of(["a"], ["1,5"]) == ","
    assert mark_of() == "."


def test_only_the_first_values_of_a_column_are_looked_at() -> None:
    words = ["word"] * DECIMAL_SAMPLE
    assert mark_of(["1,5", *words, "2.5"]) == ","
    assert mark_of(["1,5", *words[2:], "2.5"]) == "."


def test_cells_of_declared_texts_become_missing() -> None:
    column = table({"age": ["31", "?", None, "n/a", "31"]})["age"]
    declared = declare_missing(column, ("?", "n/a"))
    assert cells_of(declared) == ["31", None, None, None, "31"]
    assert declared.distinct == 2


def test_a_column_without_the_declared_texts_stays_as_it_is() -> None:
    column = table({"age": ["31", "??"]})["age"]
    assert declare_missing(column, ("?",)) is column
    assert declare_missing(column, ()) is column
