"""The page on pipelines: its workflow, its dbt model and its tests run on the sample as they stand there."""

import io
import re
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import jinja2
import pytest
import yaml

from metrics.cli import main
from tests.test_docs import PIPELINES, blocks, commands


def run(text: str) -> int:
    """The exit status of a step: commands of ours run within this process, all else in a shell."""
    if text.startswith("quasi "):
        (words,) = commands(text)
        return main(words[1:])
    step = re.sub(r"\$\((quasi .+?)\)", printed, text)
    return subprocess.run(["bash", "-eo", "pipefail", "-c", step], check=False).returncode


def printed(command: re.Match[str]) -> str:
    """What a command within a step prints."""
    with redirect_stdout(io.StringIO()) as output:
        assert run(command[1]) == 0
    return output.getvalue().strip()


def steps() -> list[str]:
    """What the steps of the workflow run, apart from the installation."""
    (workflow,) = blocks(PIPELINES, "yaml")
    install, *found = (
        step["run"] for step in yaml.safe_load(workflow.text)["jobs"]["release"]["steps"] if "run" in step
    )
    assert install.startswith("pip install ")
    return found


def failures(folder: Path) -> list[int]:
    """How many test cases the report has, and how many of them failed."""
    (suite,) = ElementTree.parse(folder / "privacy.xml").getroot()
    return [int(suite.get(name, "0")) for name in ("tests", "failures")]


def test_the_workflow_runs_to_the_end_and_fails_where_a_check_does(sample_folder: Path) -> None:
    apply, identifiers, score = steps()
    assert run(apply) == 2  # no recipe was made
    (explore,) = (block.text for block in blocks(PIPELINES, "sh") if block.runs)
    assert [run(text) for text in (explore, apply, identifiers, score)] == [0, 0, 0, 0]
    assert failures(sample_folder) == [6, 0]
    assert run(score.replace("<= 0.2", "<= 0")) == 1
    assert failures(sample_folder) == [6, 1]


def rendered(text: str) -> str:
    """SQL as dbt compiles it: a reference becomes the relation's name."""
    names = {"source": lambda schema, name: f"{schema}.{name}", "ref": lambda name: name}
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(text).render(names)


def test_the_model_passes_the_tests_and_a_worse_one_fails_them(sample_folder: Path) -> None:
    model, singular = (rendered(block.text) for block in blocks(PIPELINES, "sql"))
    (written,) = blocks(PIPELINES, "python")
    tests: dict[str, Any] = {}
    # The fixture becomes a function that is called.
    exec(written.text.replace('@pytest.fixture(scope="session")\n', ""), tests)

    def released(sql: str) -> tuple[int, Any]:
        """How many classes the singular test finds where a model is built, and the table that pytest is given."""
        with duckdb.connect("warehouse.duckdb") as warehouse:
            warehouse.sql(f"create or replace table release as {sql}")
            violating = len(warehouse.sql(singular).fetchall())
        return violating, tests["release"]()

    with duckdb.connect("warehouse.duckdb") as warehouse:
        warehouse.sql("create schema clinic")
        path = sample_folder / "sample_data" / "hospital.csv"
        warehouse.sql(f"create table clinic.hospital as select * from read_csv('{path}', all_varchar = true)")
    violating, table = released(model)
    assert violating == 0
    assert {"20-39", "60-79"} <= set(table["age"].labels) <= {f"{age}-{age + 19}" for age in range(0, 120, 20)}
    tests["test_the_release_meets_the_policy"](table)
    tests["test_no_column_identifies_people_directly"](table)
    violating, table = released(model.replace("left(zip_code, 2)", "zip_code").replace(">= 5", ">= 1"))
    assert violating > 0
    with pytest.raises(AssertionError, match="k-anonymity is"):
        tests["test_the_release_meets_the_policy"](table)
