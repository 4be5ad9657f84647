"""`identifiers`: the columns and their kinds, for programs and for people, without a value."""

from pathlib import Path

import pytest

from tests.support.command_line import call
from tests.support.sample import beginning


def test_json_names_each_column_and_its_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "identifiers", beginning("hospital.csv", tmp_path), "--json")
    assert (done.status, done.object) == (0, {"record_id": "record_number", "zip_code": "zip_code"})
    assert call(capsys, "identifiers", beginning("candidate_strict.csv", tmp_path), "--json").object == {}


def test_the_text_shows_masked_examples_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "identifiers", beginning("hospital.csv", tmp_path))
    assert "2 columns may identify people directly" in done.out
    assert "such as H•••••" in done.out
    assert "H00001" not in done.out
    assert "04038" not in done.out
    nothing = call(capsys, "identifiers", beginning("candidate_strict.csv", tmp_path))
    assert "no direct identifiers found" in nothing.out


def test_a_missing_file_is_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "identifiers", "absent.csv", "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "absent.csv" in done.err
