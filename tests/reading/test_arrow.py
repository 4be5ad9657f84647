"""Parquet files."""

import datetime as dt
import io
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics.errors import InputError
from metrics.reading import ReadPlan, propose, read_table
from tests.reading.expectations import SECRET, columns, refusal


def written(table: pa.Table, **options: object) -> bytes:
    target = io.BytesIO()
    pq.write_table(table, target, **options)
    return target.getvalue()


def test_columns_of_every_type_are_read_across_row_groups() -> None:
    table = pa.table({"text ": ["a", "b", None, "a"], "n": [1, 2, 3, None], "f": [0.5, 1.0, None, 2.0]})
    read = read_table(written(table, row_group_size=2), name="t.parquet")
    assert columns(read) == {
        "text": ["a", "b", None, "a"],
        "n": ["1", "2", "3", None],
        "f": ["0.5", "1.0", None, "2.0"],
    }
    assert read.source.plan.kind == "parquet"


@pytest.mark.parametrize("packed", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_packed_as_differences_are_read(packed: str) -> None:
    table = pa.table({"a": ["ab", "ac", None], "b": ["x", "y", "y"]})
    content = written(table, use_dictionary=["b"], column_encoding={"a": packed})
    assert columns(read_table(content)) == {"a": ["ab", "ac", None], "b": ["x", "y", "y"]}


def test_the_kind_is_recognized_by_content(tmp_path: Path) -> None:
    path = tmp_path / "misnamed.csv"
    path.write_bytes(written(pa.table({"a": ["x"]})))
    assert read_table(path).source.plan.kind == "parquet"


def test_dictionary_and_large_text_columns_are_read() -> None:
    cells = pa.table(
        {"d": pa.array(["x", None, "x"]).dictionary_encode(), "l": pa.array(["p", "q", "p"], pa.large_string())}
    )
    assert columns(read_table(written(cells))) == {"d": ["x", None, "x"], "l": ["p", "q", "p"]}


def test_row_numbers_of_pandas_are_no_column() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3]})
    target = io.BytesIO()
    frame[frame["a"] > 1].to_parquet(target)
    assert columns(read_table(target.getvalue())) == {"a": ["2", "3"]}
    named = io.BytesIO()
    frame.assign(key=["x", "y", "z"]).set_index("key").to_parquet(named)
    assert columns(read_table(named.getvalue())) == {"a": ["1", "2", "3"], "key": ["x", "y", "z"]}


def test_a_missing_marker_makes_cells_of_a_parquet_file_missing() -> None:
    assert columns(read_table(written(pa.table({"a": ["?", "x"]})), missing=["?"])) == {"a": [None, "x"]}


def test_nested_columns_are_refused_by_name() -> None:
    error = refusal(written(pa.table({"a": ["x"], "deep": [[SECRET]]})), name="t.parquet")
    assert str(error).startswith('t.parquet, column "deep": the column holds nested data')


@pytest.mark.parametrize("damage", ["truncated", "middle", "footer"])
def test_a_damaged_or_truncated_parquet_file_is_refused(damage: str) -> None:
    content = bytearray(written(pa.table({"a": [f"{SECRET}{i}" for i in range(5000)]})))
    if damage == "truncated":
        content = content[: len(content) // 2]
    elif damage == "middle":
        content[4:2000] = b"\x00" * 1996
    else:
        content[-40:-8] = b"\xff" * 32
    assert "t.parquet: the Parquet file is damaged or incomplete" in str(refusal(bytes(content), name="t.parquet"))


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_damaged_byte_of_a_text_has_its_record_and_column(dictionary: bool, kind: Any) -> None:
    cells = pa.table({"n": range(5), "a": pa.array(["x", None, f"{SECRET}ab", "x", "y"], kind)})
    expected = 't.parquet, column "a": record 3 holds bytes that are not text in UTF-8; '
    for size in (2, 5):
        content = written(cells, use_dictionary=dictionary, row_group_size=size)
        damaged = content.replace(f"{SECRET}ab".encode(), SECRET.encode() + b"\xff\xfe")
        assert damaged != content
        assert str(refusal(damaged, name="t.parquet")).startswith(expected)
    with pytest.raises(InputError, match=expected):
        propose(damaged, name="t.parquet")


def test_a_damaged_byte_of_a_name_is_refused() -> None:
    content = written(pa.table({"name_of_it": ["x"]}), store_schema=False)
    damaged = content.replace(b"name_of_it", b"name_o\xff_it")
    assert "t.parquet: the Parquet file is damaged or incomplete" in str(refusal(damaged, name="t.parquet"))


def test_an_encrypted_parquet_file_is_refused_as_encrypted() -> None:
    assert "is encrypted" in str(refusal(b"PARE\x15\x04" + bytes(100) + b"PARE", name="t.parquet"))


def test_a_parquet_file_without_records_is_refused_and_missing_names_are_made() -> None:
    assert "columns but no records" in str(refusal(written(pa.table({"a": pa.array([], pa.string())}))))
    assert read_table(written(pa.table({" ": ["x"], "a": ["y"], "a ": ["z"]}))).names == ("column 1", "a", "a (2)")


def test_decimals_timestamps_and_coded_numbers_become_text() -> None:
    table = pa.table(
        {
            "money": pa.array([Decimal("1.50"), None], pa.decimal128(9, 2)),
            "when": pa.array([datetime(2024, 1, 31, 9, 30), datetime(2024, 2, 1)], pa.timestamp("us")),
            "code": pa.array([7, 8]).dictionary_encode(),
        }
    )
    assert columns(read_table(written(table))) == {
        "money": ["1.50", None],
        "when": ["2024-01-31 09:30:00", "2024-02-01 00:00:00"],
        "code": ["7", "8"],
    }


def test_a_proposal_reads_the_first_records_alone() -> None:
    content = written(pa.table({"a": [f"{n},5" for n in range(20_000)], "b": range(20_000)}))
    proposal = propose(content)
    assert (proposal.plan, proposal.questions) == (ReadPlan("parquet", decimal=","), ())
    assert proposal.preview[:2] == (("0,5", "0"), ("1,5", "1"))
    left_out = read_table(content, plan=ReadPlan("parquet", omitted_columns=(1,)))
    assert (left_out.names, left_out.rows) == (("b",), 20_000)


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
    with pytest.raises((InputError, TypeError)) as caught:  # pandas 2 offers only whole frames as tables
        read_table(pd.Series([SECRET]))
    assert SECRET not in str(caught.value)
    assert read_table(pd.DataFrame([[1, 2, 3]], columns=["a", "", "a "])).names == ("a", "column 2", "a (2)")
    assert 'column "n": the column holds nested data' in str(refusal(pd.DataFrame({"n": [[SECRET]]})))
    assert 'column "n": the column holds objects' in str(refusal(pd.DataFrame({"n": [1, {SECRET}]})))


@pytest.mark.parametrize("rows", [1, 1000])
def test_every_row_of_a_data_frame_is_read(rows: int) -> None:
    frame = pd.DataFrame({"i": range(rows), "s": [f"s{i % 3}" for i in range(rows)]})
    assert columns(read_table(frame))["i"] == [str(i) for i in range(rows)]
