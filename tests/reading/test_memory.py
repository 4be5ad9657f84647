"""pandas, Polars and Arrow tables."""

import datetime as dt

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from metrics.reading import read_table
from tests.reading.expectations import SECRET, columns, refusal


def test_pandas_columns_of_every_type_become_text() -> None:
    frame = pd.DataFrame(
        {
            "text": ["a", None, " 00123 "],
            "integer": [1, 2, 3],
            "widened": [1.0, None, 3.0],
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "float": [0.1, 2.0, float("nan")],
            "boolean": [True, False, True],
            "date": pd.to_datetime(["2024-01-31", None, "2024-02-29"]),
            "category": pd.Categorical(["x", "y", "x"], categories=["z", "y", "x"]),
            "mixed": [35, "*", 2.5],
        }
    )
    table = read_table(frame, name="frame")
    assert columns(table) == {
        "text": ["a", None, "00123"],
        "integer": ["1", "2", "3"],
        "widened": ["1", None, "3"],
        "nullable": ["1", None, "3"],
        "float": ["0.1", "2.0", None],
        "boolean": ["True", "False", "True"],
        "date": ["2024-01-31", None, "2024-02-29"],
        "category": ["x", "y", "x"],
        "mixed": ["35", "*", "2.5"],
    }
    assert table.name == "frame"
    assert table.source.plan.kind == "memory"


def test_filtered_pandas_frame_gets_no_index_column() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    assert columns(read_table(frame[frame["a"] > 1])) == {"a": ["2", "3"], "b": ["y", "z"]}


def test_a_pandas_category_with_unused_values_and_missing_cells_is_read() -> None:
    labels = [f"v{i}" for i in range(128)]
    frame = pd.DataFrame({"c": pd.Categorical([labels[127], None, labels[3]], categories=labels)})
    assert columns(read_table(frame)) == {"c": ["v127", None, "v3"]}


def test_numeric_names_of_pandas_columns_become_text() -> None:
    assert read_table(pd.DataFrame([["x", "y"]])).names == ("0", "1")


def test_pandas_as_read_from_a_file_equals_the_file() -> None:
    import io

    content = b"age,city,score\n35,Porto,0.5\n40,Taipei,2.25\n"
    assert columns(read_table(pd.read_csv(io.BytesIO(content)))) == columns(read_table(content))


def test_polars_columns_of_every_type_become_text() -> None:
    frame = pl.DataFrame(
        {"a": [1, None, 3], "b": ["x", None, ""], "c": [0.5, 1.0, None], "d": [dt.date(2024, 1, 31)] * 3},
    ).with_columns(pl.col("b").cast(pl.Categorical).alias("e"))
    assert columns(read_table(frame)) == {
        "a": ["1", None, "3"],
        "b": ["x", None, ""],
        "c": ["0.5", "1.0", None],
        "d": ["2024-01-31"] * 3,
        "e": ["x", None, ""],
    }


def test_arrow_tables_and_record_batches_are_read() -> None:
    table = pa.table({"a": pa.chunked_array([["x"], ["y", None]])})
    for source in (table, table.combine_chunks().to_batches()[0]):
        assert columns(read_table(source)) == {"a": ["x", "y", None]}


def test_missing_markers_and_decimal_sign_apply_to_a_data_frame() -> None:
    table = read_table(pd.DataFrame({"a": ["1,5", "?"]}), missing=["?"])
    assert columns(table) == {"a": ["1,5", None]}
    assert table.source.plan.decimal == ","


def test_frames_without_records_columns_or_plain_cells_are_refused() -> None:
    assert "columns but no records" in str(refusal(pd.DataFrame({"a": []})))
    assert "the table has no columns" in str(refusal(pd.DataFrame()))
    assert "is not a table" in str(refusal(pl.Series("s", [SECRET])))
    assert "is not a table" in str(refusal(pd.Series([SECRET])))
    assert read_table(pd.DataFrame([[1, 2, 3]], columns=["a", "", "a "])).names == ("a", "column 2", "a (2)")
    assert 'column "n": the column holds nested data' in str(refusal(pd.DataFrame({"n": [[SECRET]]})))
    assert 'column "n": the column holds objects' in str(refusal(pd.DataFrame({"n": [1, {SECRET}]})))


@pytest.mark.parametrize("rows", [1, 1000])
def test_every_row_of_a_data_frame_is_read(rows: int) -> None:
    frame = pd.DataFrame({"i": range(rows), "s": [f"s{i % 3}" for i in range(rows)]})
    assert columns(read_table(frame))["i"] == [str(i) for i in range(rows)]
