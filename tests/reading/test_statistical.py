"""SPSS and Stata files: value labels, codes, missing cells, damage."""

import datetime as dt
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from dashboard.environment import ROOT
from metrics.errors import InputError
from metrics.reading import ReadPlan, propose, read_table, statistical
from tests.reading.expectations import SECRET, columns, refusal

LABELS = {"sex": {1: "male", 2: "female", 9: "refused"}, "both": {1: "same", 2: "same"}}
FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, None, 3.0],
        "both": [1.0, 2.0, 1.0, 2.0, 1.0],
        "age": [30.0, 41.5, 2.0, 3.0, 4.0],
        "name": ["Ann", "Zoë", "", "Bob", "Cy"],
        "day": [dt.date(2020, 1, 2)] * 5,
        "time": [dt.datetime(2020, 1, 2, 3, 4)] * 5,
    }
)
LABELLED = {
    "sex": ["male", "female", "refused", None, "3"],
    "both": ["1", "2", "1", "2", "1"],
    "age": ["30", "41.5", "2", "3", "4"],
    "name": ["Ann", "Zoë", "", "Bob", "Cy"],
    "day": ["2020-01-02"] * 5,
    "time": ["2020-01-02 03:04:00"] * 5,
}


def saved(folder: Path, kind: str, frame: pd.DataFrame = FRAME, **options: Any) -> bytes:
    """The frame as a file of a kind."""
    path = folder / f"table.{kind}"
    if kind == "dta":
        whole = frame.assign(sex=frame["sex"].astype("Int32"), both=frame["both"].astype("int32"))
        pyreadstat.write_dta(whole, path, variable_value_labels=LABELS)
    elif kind == "por":
        pyreadstat.write_por(frame[["sex", "age"]], path)
    else:
        pyreadstat.write_sav(frame, path, compress=kind == "zsav", variable_value_labels=LABELS, **options)
    return path.read_bytes()


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in this process, as starting one for each takes most of the time."""

    def run(command: list[str], *, input: bytes, **_: object) -> subprocess.CompletedProcess[bytes]:
        kind, value_labels, max_records = command[-3:]
        try:
            made = statistical.read_columns(input, kind, value_labels == "1", int(max_records))
        except pyreadstat.ReadstatError:
            return subprocess.CompletedProcess(command, 1, b"")
        written = pa.BufferOutputStream()
        with pa.ipc.new_stream(written, made.schema) as writer:
            writer.write_table(made)
        return subprocess.CompletedProcess(command, 0, written.getvalue().to_pybytes())

    monkeypatch.setattr("subprocess.run", run)


def test_a_process_of_its_own_reads_the_file(tmp_path: Path) -> None:
    assert columns(read_table(saved(tmp_path, "sav"), plan=ReadPlan("spss"))) == LABELLED


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(("kind", "plan_kind"), [("sav", "spss"), ("zsav", "spss"), ("dta", "stata")])
def test_value_labels_are_cells_and_codes_the_other_choice(tmp_path: Path, kind: str, plan_kind: str) -> None:
    content = saved(tmp_path, kind)
    proposal = propose(content, name="table")
    assert (proposal.plan, proposal.questions) == (ReadPlan(plan_kind), ())
    assert "the codes behind them can be read instead" in proposal.notes[0]
    assert 'codes kept where a value label stands for several: "both"' in proposal.notes
    assert columns(read_table(content, plan=proposal.plan)) == LABELLED
    codes = columns(read_table(tmp_path / f"table.{kind}", plan=replace(proposal.plan, value_labels=False)))
    assert codes == {**LABELLED, "sex": ["1", "2", "9", None, "3"]}


@pytest.mark.usefixtures("in_this_process")
def test_portable_files_have_codes(tmp_path: Path) -> None:
    assert columns(read_table(saved(tmp_path, "por"), plan=ReadPlan("spss"))) == {
        "SEX": ["1", "2", "9", None, "3"],
        "AGE": LABELLED["age"],
    }


@pytest.mark.usefixtures("in_this_process")
def test_cells_that_the_file_declares_missing_are_missing(tmp_path: Path) -> None:
    table = read_table(saved(tmp_path, "sav", missing_ranges={"sex": [9]}), plan=ReadPlan("spss"))
    assert columns(table)["sex"] == ["male", "female", None, None, "3"]
    assert "cells that the file declares missing are missing" in table.source.notes


@pytest.mark.usefixtures("in_this_process")
def test_damaged_files_are_refused(tmp_path: Path) -> None:
    content = saved(tmp_path, "sav", FRAME.assign(name=SECRET))
    assert "is damaged, encrypted or of an unknown version" in str(refusal(content[:600], name="table.sav"))


def test_files_whose_damage_ends_the_process_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = saved(tmp_path, "sav", FRAME.assign(name=SECRET))
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    assert "is damaged, encrypted or of an unknown version" in str(refusal(content, name="table.sav"))


@pytest.mark.usefixtures("in_this_process")
def test_a_file_that_unpacks_out_of_proportion_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.reading.limits._SMALL", 2**20)
    content = saved(tmp_path, "zsav", pd.DataFrame({"sex": np.zeros(400_000), "both": 1.0}))
    assert len(content) < 400_000 * 16 / 100
    for read in (read_table, propose):
        with pytest.raises(InputError, match="unpacks to more than 100 times its size"):
            read(content, name="table.zsav")


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux ends a process with the one that started it")
def test_the_reading_process_ends_with_the_one_that_waits_for_it() -> None:
    reading = "from metrics.reading import statistical as s; s._end_with_parent(); print(1, flush=True); input()"
    waiting = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {reading!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", waiting], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        process.kill()
        assert process.stdout.read() == b""  # both have closed it


def test_a_transport_file_of_sas_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.xpt"
    pyreadstat.write_xport(FRAME[["age", "name"]], path)
    table = read_table(path)
    assert table.source.plan.kind == "sas"
    assert [column.labels[column.codes[0]] for column in table.columns] == ["30", "Ann"]


def test_a_damaged_file_of_sas_is_refused() -> None:
    head = bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00"
    with pytest.raises(InputError, match="SPSS, Stata or SAS file is damaged"):
        read_table(head + bytes(300), name="a.sas7bdat")
