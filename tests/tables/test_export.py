"""Files for other programs: formulas made harmless, and nothing half written."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as papq
import pytest

from metrics import InputError
from metrics.tables.export import to_csv, to_parquet, write_table

TABLE = pa.table({"q": ["a", '"b",\n;', None, ""], "n": [1, 2, 3, 4], "t": [0.1, 1 / 3, 1e-9, 2.0]})


def test_csv_keeps_every_cell_and_neutralizes_names_too() -> None:
    content = to_csv(pa.table({"=q": ['x"y', "=cmd|' /C calc'!A0", "漢字"], "n": [-1, 2, 3]}))
    read = pacsv.read_csv(pa.BufferReader(content)).to_pydict()
    assert read == {"'=q": ['x"y', "'=cmd|' /C calc'!A0", "漢字"], "n": [-1, 2, 3]}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_every_kind_of_text_is_neutralized(kind: pa.DataType) -> None:
    content = to_csv(pa.table({"q": pa.chunked_array([["=1+1", "a"], ["=1+1", None]], pa.string()).cast(kind)}))
    assert content.decode().splitlines() == ['"q"', '"\'=1+1"', '"a"', '"\'=1+1"', ""]


def test_csv_and_parquet_hold_the_table(tmp_path: Path) -> None:
    for suffix in (".csv", ".Parquet"):
        write_table(TABLE, tmp_path / f"out{suffix}")
    parquet = papq.read_table(tmp_path / "out.Parquet")
    assert parquet.to_pydict() == TABLE.to_pydict()
    options = pacsv.ParseOptions(newlines_in_values=True)
    convert = pacsv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""])
    csv = pacsv.read_csv(tmp_path / "out.csv", parse_options=options, convert_options=convert)
    assert csv.to_pydict() == TABLE.to_pydict()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.Parquet", "out.csv"]


def test_an_old_file_stays_whole_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.parquet").write_text("old")

    def fail(_: Any, file: Any) -> None:
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr("metrics.tables.export.papq.write_table", fail)
    with pytest.raises(InputError, match="the file cannot be written"):
        write_table(TABLE, tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]
    assert (tmp_path / "out.parquet").read_text() == "old"


def test_an_input_is_never_overwritten_by_whatever_name(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "in.csv")
    (tmp_path / "hard.csv").hardlink_to(tmp_path / "in.csv")
    (tmp_path / "sub").mkdir()
    for out in ("in.csv", "link.csv", "hard.csv", "sub/../in.csv"):
        with pytest.raises(InputError, match="the output would overwrite an input"):
            write_table(TABLE, tmp_path / out, [tmp_path / "absent.csv", tmp_path / "in.csv"])
    assert (tmp_path / "in.csv").read_text() == "a\n1\n"
    write_table(TABLE, tmp_path / "other.csv", [tmp_path / "in.csv"])


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        ("out.xlsx", "\\.parquet"),
        ("out", "\\.parquet"),
        ("absent/out.csv", "the folder cannot be written to"),
        ("file/out.csv", "the folder cannot be written to"),
        ("folder.csv", "the output is a folder"),
    ],
)
def test_an_output_path_that_cannot_be_written_is_refused(tmp_path: Path, out: str, problem: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=problem):
        write_table(TABLE, tmp_path / out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.csv"]


def test_equal_cells_give_equal_parquet_whatever_the_order_of_their_values() -> None:
    values = pa.array(["a", None, "b", "unused"])
    one = pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([2, 0, 1, 2], pa.int32()), values)})
    other = pa.table(
        {"x": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0], pa.int32()), pa.array(["b", "a", None]))}
    )
    assert to_parquet(one) == to_parquet(other)
    assert papq.read_table(pa.BufferReader(to_parquet(one)))["x"].to_pylist() == ["b", "a", None, "b"]
    assert papq.read_table(pa.BufferReader(to_parquet(one.slice(0, 0)))).num_rows == 0
