"""Columns of codes and distinct values, and tables of them."""

import numpy as np
import pyarrow as pa
import pytest

from metrics import InputError
from metrics.tables.table import Column, quoted
from tests.support.small_tables import cells_of, columns_of, table, written


def test_cells_are_trimmed_and_equal_ones_merged() -> None:
    column = Column.from_arrow("c", pa.array([" a", "a\t", "b", "\u00a0b\u3000", "\ufeffa", " ", "", None]))
    assert cells_of(column) == ["a", "a", "b", "b", "a", "", "", None]
    assert set(column.labels) == {"a", "b", "", None}
    assert column.distinct == 4
    assert column.codes.dtype == np.int32


def test_texts_that_look_missing_or_numeric_stay_text() -> None:
    cells = ["None", "NA", "NaN", "null", "?", "", "00123", "1e5", "TRUE", None]
    column = Column.from_arrow("c", pa.array(cells))
    assert cells_of(column) == cells
    assert column.distinct == len(cells)


@pytest.mark.parametrize("chunks", [[["a", "b"], ["b", None]], [[], ["x"]], [["a"], ["a"], ["a"]], []])
def test_chunks_and_dictionaries_are_one_column(chunks: list[list[str | None]]) -> None:
    expected = [cell for chunk in chunks for cell in chunk]
    plain = pa.chunked_array([pa.array(chunk, pa.string()) for chunk in chunks], pa.string())
    encoded = pa.chunked_array(
        [pa.array(chunk, pa.string()).dictionary_encode() for chunk in chunks], pa.dictionary(pa.int32(), pa.string())
    )
    for cells in (plain, encoded):
        column = Column.from_arrow("c", cells)
        assert cells_of(column) == expected
        assert len(column.labels) == len(set(expected))


def test_values_that_no_cell_holds_are_dropped() -> None:
    cells = pa.DictionaryArray.from_arrays(pa.array([2, 2, 0], pa.int32()), pa.array(["a", "unused", "c"]))
    column = Column.from_arrow("c", cells)
    assert cells_of(column) == ["c", "c", "a"]
    assert set(column.labels) == {"a", "c"}


def test_each_label_of_a_column_has_a_code_and_its_count() -> None:
    column = table({"c": ["b", "a", "b", None]})["c"]
    assert {label: int(column.counts()[code]) for label, code in column.code_of.items()} == {"b": 2, "a": 1, None: 1}


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["10", "9", "-1", "1e1"], ["-1", "9", "10", "1e1"]),
        (["b", "a", "", None, "B"], [None, "", "B", "a", "b"]),
        (["10-14", "5-9", "x"], ["5-9", "10-14", "x"]),
    ],
)
def test_values_are_ordered_as_numbers_or_else_as_text(cells: list[str | None], order: list[str | None]) -> None:
    column = table({"c": cells})["c"]
    assert [column.labels[code] for code in column.order] == order
    assert [order[rank] for rank in column.rank[column.codes]] == cells


def test_a_decimal_comma_makes_numbers_where_it_is_the_columns() -> None:
    cells = pa.array(["1,5", "2"])
    assert Column.from_arrow("c", cells).numbers is None
    numbers = Column.from_arrow("c", cells, ",").numbers
    assert numbers is not None
    assert sorted(numbers) == [1.5, 2]


@pytest.mark.parametrize("records", [[2, 0], [], [1, 1], [True, False, True, False]])
def test_take_gives_the_chosen_records_and_only_their_values(records: list[int]) -> None:
    content = table({"a": ["x", "y", "x", None], "b": ["1", "2", "3", "4"]})
    chosen = np.array(records, dtype=bool if True in records and len(records) == 4 else np.int64)
    taken = content.take(chosen)
    rows = list(zip(*columns_of(content).values(), strict=True))
    expected = (
        [row for row, kept in zip(rows, records, strict=True) if kept]
        if chosen.dtype == bool
        else [rows[i] for i in records]
    )
    assert list(zip(*columns_of(taken).values(), strict=True)) == expected
    assert taken.rows == len(expected)
    for column in taken.columns:
        assert set(column.labels) == set(cells_of(column))


def test_a_column_can_be_extended_by_repeats_of_one_value() -> None:
    column = table({"c": ["a", "*", "b"]})["c"]
    assert cells_of(column.followed_by("*", 2)) == ["a", "*", "b", "*", "*"]
    assert cells_of(column.followed_by("z", 1)) == ["a", "*", "b", "z"]
    assert column.followed_by("z", 0) is column
    assert cells_of(column) == ["a", "*", "b"]


def test_what_is_found_of_a_column_is_kept_with_it() -> None:
    asked = []
    column = Column.from_arrow("q", pa.array(["a", "b"]))

    def find(of: Column) -> int:
        asked.append(of.name)
        return of.distinct

    assert [column.memoize(find), column.memoize(find), column.take(np.array([0])).memoize(find)] == [2, 2, 1]
    assert asked == ["q", "q"]


def test_a_table_knows_its_columns() -> None:
    content = written("a b\n1 x\n2 -", "t.csv")
    assert content.names == ("a", "b")
    assert "a" in content
    assert "c" not in content
    assert [column.name for column in content.select(["b", "a"])] == ["b", "a"]
    assert content.head(9) == [["1", "x"], ["2", None]]
    assert content.head(1) == [["1", "x"]]
    assert content.to_arrow().to_pylist() == [{"a": "1", "b": "x"}, {"a": "2", "b": None}]
    with pytest.raises(InputError, match=r't\.csv, column "c": the table has no such column') as raised:
        content["c"]
    assert '"a", "b"' in str(raised.value)


def test_long_lists_of_names_are_cut() -> None:
    assert quoted(["a", "b"]) == '"a", "b"'
    assert quoted([str(i) for i in range(14)]).endswith('"11" and 2 more')


def test_the_sorted_table_does_not_depend_on_the_order_of_the_records() -> None:
    cells = {"age": ["1", "1.0", None, "", "1", "10"], "sex": ["f", "m", None, "f", None, "f"]}
    forwards = table(cells)
    backwards = table({name: column[::-1] for name, column in cells.items()})
    found = forwards.sorted_by_cells()
    assert found.head(6) == backwards.sorted_by_cells().head(6)
    assert sorted(map(str, found.head(6))) == sorted(map(str, forwards.head(6)))
