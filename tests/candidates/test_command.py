"""`python -m metrics repair`: the published repair, what it says, and what it refuses."""

from pathlib import Path

import pytest

import metrics
from metrics.__main__ import main
from tests.reference_data import reference

ROLES = """
quasi_identifiers: [race, gender, age]
sensitive: [diag_1, diag_2, diag_3, max_glu_serum, A1Cresult, readmitted]
"""
SMALL = "age,illness\n21,a\n21,b\n25,b\n25,a\n33,b\n"


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    """Arguments for a table whose last record is alone."""
    (tmp_path / "table.csv").write_text(SMALL)
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age]\nsensitive: [illness]\n")
    return ["repair", "--anonymized", str(tmp_path / "table.csv"), "--roles", str(tmp_path / "roles.yaml"), "--out"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_published_repair(tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    roles, out = tmp_path / "roles.yaml", tmp_path / f"repaired.{suffix}"
    roles.write_text(ROLES)
    before = reference("diabetes", "diabetes_before_deletion.csv.gz")
    assert main(["repair", "--anonymized", str(before), "--roles", str(roles), "--out", str(out)]) == 0
    after = metrics.read_table(reference("diabetes", "diabetes_after_deletion.csv.gz"))
    assert metrics.read_table(out).head(99_429) == after.head(99_429)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "Round 1: 35 classes with 2,334 records shut a gate and are deleted"
    assert len(printed) == 1 + 35 + 1
    assert "0.80578114979" in printed[-1]
    assert "2,334 records deleted" in printed[-1]


def test_it_says_which_and_why(small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*small, str(tmp_path / "out.csv")]) == 0
    assert "  age = 33 (1 record): k = 1; l = 0 for illness" in capsys.readouterr().out
    assert metrics.read_table(tmp_path / "out.csv").rows == 4


def test_merging_keeps_every_record(small: list[str], tmp_path: Path) -> None:
    assert main([*small, str(tmp_path / "out.csv"), "--method", "merge"]) == 0
    assert metrics.read_table(tmp_path / "out.csv").rows == 5


def test_what_it_refuses(small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*small, str(tmp_path / "table.csv")]) == 2
    assert (tmp_path / "table.csv").read_text() == SMALL
    assert main([*small, str(tmp_path / "out.txt")]) == 2
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age]\n")
    assert main([*small, str(tmp_path / "out.csv")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert "no column is tagged sensitive" in told[2]
    assert not (tmp_path / "out.csv").exists()
