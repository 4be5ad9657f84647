"""The page on pipelines: its workflow, its dbt model and its tests run on the sample as they stand there."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import jinja2
import pytest
import yaml

from dashboard.environment import ROOT
from tests.test_docs import blocks

Shell = Callable[[str], int]
PAGE = ROOT / "docs" / "pipelines.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample, in which the page's commands run."""
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shell(folder: Path) -> Shell:
    """Runs a text as a workflow does, with `quasi` on the path, and answers the exit status."""
    places = folder / "bin"
    places.mkdir()
    quasi = places / "quasi"
    quasi.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m metrics "$@"\n', encoding="utf-8")
    quasi.chmod(0o755)
    own = os.environ | {"PATH": f"{places}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run(text: str) -> int:
        return subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=own, check=False).returncode

    return run


def recipe_text() -> str:
    """The command that makes the recipe."""
    return next(block.text for block in blocks(PAGE, "sh") if block.runs)


def steps() -> dict[str, str]:
    """The steps of the workflow that run something, by name, apart from the installation."""
    (workflow,) = blocks(PAGE, "yaml")
    found = {
        one["name"]: one["run"] for one in yaml.safe_load(workflow.text)["jobs"]["release"]["steps"] if "run" in one
    }
    assert found.pop("Install Quasi from its checkout").startswith("pip install ")
    return found


def failures(folder: Path) -> list[int]:
    """How many test cases the report has, and how many of them failed."""
    (suite,) = ElementTree.parse(folder / "privacy.xml").getroot()
    return [int(suite.get(name, "0")) for name in ("tests", "failures")]


def test_the_workflow_runs_to_the_end(folder: Path, shell: Shell) -> None:
    assert shell(recipe_text()) == 0
    assert [shell(text) for text in steps().values()] == [0, 0, 0]
    assert failures(folder) == [6, 0]


def test_the_workflow_fails_where_a_check_does(folder: Path, shell: Shell) -> None:
    first, second, third = steps().values()
    assert shell(first) == 2  # no recipe was made
    assert shell(second.replace("release.csv", "sample_data/hospital.csv")) == 1
    assert shell(third.replace("release.csv", "sample_data/candidate_light.csv")) == 1
    assert failures(folder)[1] > 0


def rendered(text: str) -> str:
    """SQL as dbt compiles it: a reference becomes the relation's name."""
    names = {"source": lambda schema, name: f"{schema}.{name}", "ref": lambda name: name}
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(text).render(names)


@pytest.mark.parametrize("good", [True, False])
def test_the_model_and_its_tests_run(folder: Path, good: bool) -> None:
    model, singular = (block.text for block in blocks(PAGE, "sql"))
    with duckdb.connect("warehouse.duckdb") as warehouse:
        warehouse.sql("create schema clinic")
        path = folder / "sample_data" / "hospital.csv"
        warehouse.sql(f"create table clinic.hospital as select * from read_csv('{path}', all_varchar = true)")
        sql = (
            rendered(model)
            if good
            else rendered(model).replace("left(zip_code, 2)", "zip_code").replace(">= 5", ">= 1")
        )
        warehouse.sql(f"create table release as {sql}")
        violating = len(warehouse.sql(rendered(singular)).fetchall())
    (written,) = blocks(PAGE, "python")
    (folder / "test_release.py").write_text(written.text, encoding="utf-8")
    report = folder / "privacy.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_release.py",
        f"--junitxml={report}",
    ]
    done = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    (suite,) = ElementTree.parse(report).getroot()
    if good:
        assert (violating, done.returncode) == (0, 0), done.stdout
        assert suite.get("tests") == "2"
    else:
        assert violating > 0
        assert done.returncode == 1
        assert "k-anonymity is" in report.read_text(encoding="utf-8")
