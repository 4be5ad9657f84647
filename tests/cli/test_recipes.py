"""Recipes on the command line: written by `explore` and `repair`, done again by `apply`."""

import hashlib
from pathlib import Path

import pytest

import metrics
from metrics.cli import main
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from tests.cli.applying import applied
from tests.support.command_line import call
from tests.support.sample import SAMPLE, beginning

ROLES = ("--roles", SAMPLE / "roles.yaml", "--hierarchies", SAMPLE / "hierarchies")


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, the best generalization of it, and its recipe."""
    folder = tmp_path_factory.mktemp("explored")
    arguments = ("explore", "--original", beginning("hospital.csv", folder), *ROLES, "--policy", "internal-sharing")
    files = ("--out", folder / "best.csv", "--recipe", folder / "recipe.yaml")
    assert main([*map(str, (*arguments, "--max-nodes", 300, *files))]) == 0
    return folder


def test_on_the_original_apply_writes_the_bytes_of_explore(
    explored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, mapping = tmp_path / "again.csv", tmp_path / "mapping.csv"
    done = applied(capsys, explored / "recipe.yaml", explored / "hospital.csv", out, "--mapping", mapping)
    assert done.status == 0
    assert out.read_bytes() == (explored / "best.csv").read_bytes()
    rows = metrics.read_table(mapping)
    assert rows.names == ("column", "original", "released", "records")


def test_apply_suppresses_names_in_a_column_that_the_recipe_does_not_know_and_says_so(
    explored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *rows = (explored / "hospital.csv").read_text().splitlines()
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text("\n".join([f"{header},contact", *(f"{row},p{i}@example.org" for i, row in enumerate(rows))]))
    done = applied(capsys, explored / "recipe.yaml", new, out)
    assert done.status == 0
    assert done.err.startswith("contact is suppressed: the recipe does not know the column, and the values look like")
    assert "example.org" not in out.read_text() + done.out + done.err
    assert applied(capsys, explored / "recipe.yaml", explored / "hospital.csv", out).err == ""


@pytest.mark.parametrize(
    ("method", "limits"),
    [("delete", ()), ("merge", ()), ("suppress", ()), ("cells", ("--k", 8, "--t", 0.5))],
)
def test_apply_writes_the_bytes_of_repair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str, limits: tuple[object, ...]
) -> None:
    table = beginning("candidate_balanced.csv", tmp_path)
    out, again, recipe = tmp_path / "repaired.parquet", tmp_path / "again.parquet", tmp_path / "recipe.yml"
    arguments = ("repair", "--anonymized", table, *ROLES, "--method", method, *limits)
    assert call(capsys, *arguments, "--out", out, "--recipe", recipe).status == 0
    assert applied(capsys, recipe, table, again).status == 0
    assert again.read_bytes() == out.read_bytes()
    assert metrics.read_table(out).head(500) != metrics.read_table(table).head(500)


def test_values_that_the_recipe_lacks_are_refused_and_listed_or_suppressed(
    explored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, out, lacking = tmp_path / "new.csv", tmp_path / "out.csv", tmp_path / "lacking.csv"
    text = (explored / "hospital.csv").read_text().splitlines()
    new.write_text("\n".join([*text[:200], text[200].replace(",Male,", ",Secret,").replace(",Female,", ",Secret,")]))
    refused = applied(capsys, explored / "recipe.yaml", new, out, "--unknown-values", lacking)
    assert refused.status == 2
    assert refused.err.startswith('new.csv, line 201, column "sex": the recipe lacks 1 of the 3 values')
    assert "Secret" not in refused.err + refused.out
    assert lacking.read_text() == '"column","value"\n"sex","Secret"\n'
    assert not out.exists()
    done = applied(capsys, explored / "recipe.yaml", new, out, "--unknown", "suppress")
    assert done.status == 0
    assert "sex: 1 value not in the recipe, cells suppressed" in done.out
    assert "Secret" not in out.read_text()


def test_recipes_are_applied_one_after_the_other(
    explored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second, repaired, both = tmp_path / "second.yaml", tmp_path / "repaired.csv", tmp_path / "both.csv"
    limits = ("--method", "suppress", "--k", 15)
    arguments = ("repair", "--anonymized", explored / "best.csv", *ROLES, *limits, "--out", repaired)
    assert call(capsys, *arguments, "--recipe", second).status == 0
    original, recipes = explored / "hospital.csv", (explored / "recipe.yaml", second)
    assert call(capsys, "apply", "--recipe", *recipes, "--input", original, "--out", both).status == 0
    assert both.read_bytes() == repaired.read_bytes()
    assert both.read_bytes() != (explored / "best.csv").read_bytes()


def test_a_table_is_read_as_the_settings_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, roles, out = tmp_path / "t.csv", tmp_path / "roles.yaml", tmp_path / "out.csv"
    table.write_text("Age,s\n21,a\n21,b\n21.0,c\n")
    roles.write_text("quasi_identifiers: [age]\nsensitive: [s]\n")
    reading = ReadOptions(renamed=(("Age", "age"),), same_values=(("age", "21.0", "21"),))
    settings = Settings(original=TableSettings("t.csv", hashlib.sha256(table.read_bytes()).hexdigest(), reading))
    (tmp_path / "settings.json").write_text(settings.to_json())
    saved = ("--settings", tmp_path / "settings.json")
    arguments = ("explore", "--original", table, "--roles", roles, *saved, "--k", "3", "--out", tmp_path / "best.csv")
    assert call(capsys, *arguments, "--recipe", tmp_path / "r.yaml").status == 0
    assert applied(capsys, tmp_path / "r.yaml", table, out, *saved).status == 0
    assert out.read_bytes() == (tmp_path / "best.csv").read_bytes()
    assert "21.0" not in out.read_text()
    without = applied(capsys, tmp_path / "r.yaml", table, out)
    assert "the table lacks a column of the recipe" in without.err


def test_neither_inputs_nor_the_table_are_overwritten_by_a_recipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = beginning("hospital.csv", tmp_path)
    arguments = ("explore", "--original", table, *ROLES, "--max-nodes", "20", "--k", "2")
    wrong = call(capsys, *arguments, "--recipe", tmp_path / "recipe.txt")
    assert (wrong.status, wrong.err.count("\n")) == (2, 1)
    assert "ends in neither .yaml nor .yml" in wrong.err
    before = (SAMPLE / "roles.yaml").read_bytes()
    same = call(capsys, *arguments, "--recipe", SAMPLE / "roles.yaml")
    assert same.status == 2
    assert (SAMPLE / "roles.yaml").read_bytes() == before
