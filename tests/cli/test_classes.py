"""`python -m metrics classes`: a row for each class, and output paths that it refuses."""

from pathlib import Path

import pyarrow.csv as pacsv
import pyarrow.parquet as papq
import pytest

from tests.cli.small_inputs import inputs
from tests.support.command_line import call


@pytest.mark.parametrize("suffix", [".csv", ".CSV", ".parquet"])
def test_classes_writes_one_row_per_class_with_its_measures_to_csv_or_parquet(
    folder: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    out = folder / f"classes{suffix}"
    for _ in range(2):  # an output of before is replaced
        done = call(capsys, "classes", *inputs(folder), "--out", out)
        assert (done.status, done.out, done.err) == (0, "", "")
    read = papq.read_table(out) if suffix == ".parquet" else pacsv.read_csv(out)
    measures = ["illness.distinct", "illness.normalized_entropy", "illness.t"]
    named = ["zip", "age", "size", *measures]
    assert read.column_names[: len(named)] == named
    # Between them and the reasons stand the measures of further metrics.
    assert {"risk", "p29_reasons"} <= set(read.column_names[len(named) :])
    rows = read.select(named).to_pylist()
    assert [tuple(row.values()) for row in rows] == [("10*", "<50", 2, 2, 1.0, 0.25), ("20*", "<50", 2, 2, 1.0, 0.25)]
    assert sorted(path.name for path in folder.iterdir()) == [out.name, "roles.yaml", "table.csv"]


@pytest.mark.parametrize(
    ("out", "printed"),
    [
        ("classes.txt", ".parquet"),
        ("classes", ".parquet"),
        ("table.csv", "the output would overwrite an input"),
        ("../{folder}/table.csv", "the output would overwrite an input"),
        ("hierarchies/illness.csv", "the output would overwrite an input"),
        ("absent/classes.csv", "the folder cannot be written to"),
        ("roles.yaml/classes.csv", "the folder cannot be written to"),
        ("folder.csv", "the output is a folder; name a file"),
    ],
)
def test_classes_reports_an_unusable_output_path_and_changes_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str], out: str, printed: str
) -> None:
    (folder / "folder.csv").mkdir()
    (folder / "hierarchies").mkdir()
    (folder / "hierarchies" / "illness.csv").write_text("flu;cold\ncough;cold\n=1+1;other\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    chosen = [*inputs(folder), "--hierarchies", folder / "hierarchies"]
    done = call(capsys, "classes", *chosen, "--out", folder / out.format(folder=folder.name))
    assert done.status == 2
    assert printed in done.err
    assert done.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
