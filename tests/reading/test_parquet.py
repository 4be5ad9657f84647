"""Parquet files."""

import io
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
