"""`--project` stands for the tables, roles, hierarchies and limits of an ARX project."""

import json
from pathlib import Path

import pytest

from metrics.cli import main
from tests.support.arx_projects import arx_project, with_result, write


def test_a_project_is_scored_by_its_own_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, with_result())
    assert main(["score", "--project", str(path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["tables"]["original"]["rows"] == 5
    assert printed["tables"]["anonymized"]["suppressed_rows"] == 2
    assert printed["metrics"]["k_anonymity"]["value"] == 3
    assert printed["policy"]["status"] == "meets"


def test_an_option_overrides_the_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, with_result())
    policy = tmp_path / "policy.json"
    policy.write_text('{"name": "Strict", "limits": {"k_anonymity": 4}}', encoding="utf-8")
    assert main(["score", "--project", str(path), "--policy", str(policy)]) == 1
    assert "Strict" in capsys.readouterr().out


def test_every_command_on_tables_takes_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, with_result()))
    for command in (
        ["classes", "--out", "classes.csv"],
        ["compare", "--metrics", "k_anonymity"],
        ["repair", "--k", "3", "--out", "repaired.csv"],
        ["report", "--out", "report.html"],
        ["explore", "--out", "best.csv", "--recipe", "recipe.yaml"],
        ["apply", "--recipe", "recipe.yaml", "--out", "again.csv"],
        ["make", "--method", "mondrian", "--k", "2", "--out", "made.csv"],
    ):
        outputs = [str(tmp_path / word) if "." in word else word for word in command]
        assert main([*outputs, "--project", path]) == 0, capsys.readouterr().err
    assert (tmp_path / "best.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()


def test_a_project_without_result_is_not_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--project", str(write(tmp_path, arx_project()))]) == 2
    assert "no anonymized table is given" in capsys.readouterr().err


def test_the_project_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "project.csv"
    path.write_bytes(with_result())
    assert main(["classes", "--project", str(path), "--out", str(path)]) == 2
    assert "project.csv" in capsys.readouterr().err
    assert path.read_bytes() == with_result()


def test_an_engine_refuses_the_tables_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--project", str(write(tmp_path, with_result())), "--engine", "duckdb"]) == 2
    assert "counted in memory only; remove --engine" in capsys.readouterr().err


def test_identifiers_are_looked_for_in_the_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identifiers", "--project", str(write(tmp_path, arx_project())), "--json"]) == 0
    assert capsys.readouterr().out == "{}\n"
    assert main(["identifiers"]) == 2
    assert "name a file, or an ARX project" in capsys.readouterr().err
