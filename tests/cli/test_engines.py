"""`--engine` on the command line: the scores of memory, and options that do not fit together."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.engines.small_files import save
from tests.support.command_line import call


def test_the_command_with_duckdb_prints_the_scores_of_the_command_in_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, "table", {"q": ["a", "a", "*"], "s": ["x", "y", "x"]})
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n")
    inputs = ("score", "--anonymized", path, "--original", path, "--roles", tmp_path / "roles.yaml")
    in_memory = call(capfd, *inputs, "--json")
    counted = call(capfd, *inputs, "--json", "--engine", "duckdb", "--classes-out", tmp_path / "classes")
    assert (counted.status, counted.err) == (0, "")
    assert counted.object["classes"] == in_memory.object["classes"]
    assert counted.object["metrics"]["p29"] == in_memory.object["metrics"]["p29"]
    classes = pq.read_table(tmp_path / "classes")
    assert classes.column("size").to_pylist() == [2]
    again = call(capfd, *inputs, "--engine", "duckdb", "--classes-out", tmp_path / "classes")
    assert again.status == 2
    assert again.err.count("\n") == 1
    assert "exists already" in again.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--master", "spark://localhost:1"), "--master"),
        (("--engine", "duckdb", "--memory-limit", "much"), "this memory limit"),
        (("--memory-limit", "1GB"), "--memory-limit"),
        (("--engine", "spark"), "the engine spark needs a cluster"),
        (("--engine", "spark", "--master", "spark://a:1", "--original", "b.csv"), "add key: COLUMN to the roles"),
        (("--engine", "duckdb", "--randomization", "drawn.yaml"), "--randomization needs the records in memory"),
        (("--engine", "duckdb", "--anonymized", "nowhere/*.parquet"), "no file matches this pattern"),
    ],
)
def test_engine_options_that_are_wrong_or_do_not_fit_together_are_refused_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: tuple[str, ...], sentence: str
) -> None:
    path = save(tmp_path, "table", {"q": ["a"], "s": ["x"]})
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nsensitive: [s]\n")
    done = call(capfd, "score", "--anonymized", path, "--roles", tmp_path / "roles.yaml", *options)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert sentence in done.err
