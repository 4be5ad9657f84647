"""`python -m metrics make`: what it writes and says, what it compares, and what it refuses."""

import json
from pathlib import Path

import pytest

import metrics
from metrics.candidates.methods.catalog import METHODS
from tests.support.command_line import call

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
INPUTS = ("--original", SAMPLE / "hospital.csv", "--roles", SAMPLE / "roles.yaml")
TREES = ("--hierarchies", SAMPLE / "hierarchies")


@pytest.mark.parametrize("name", [method.name for method in METHODS])
def test_every_method_writes_the_table_that_python_makes(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made.csv"
    done = call(capsys, "make", *INPUTS, *TREES, "--method", name, "--seed", 3, "--out", out)
    assert (done.status, done.err) == (0, "")
    original = metrics.read_table(SAMPLE / "hospital.csv")
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    made = metrics.make_candidate(original, name, roles, metrics.read_hierarchies(SAMPLE / "hierarchies"), seed=3)
    written = metrics.read_table(out)
    assert [column.labels[column.codes[-1]] for column in written.columns] == [
        column.labels[column.codes[-1]] for column in made.columns
    ]
    again, recipe = tmp_path / "again.csv", tmp_path / "recipe.yaml"
    call(capsys, "make", *INPUTS, *TREES, "--method", name, "--seed", 3, "--out", again, "--recipe", recipe)
    assert out.read_bytes() == again.read_bytes()
    applied = tmp_path / "applied.csv"
    call(capsys, "apply", "--recipe", recipe, "--input", SAMPLE / "hospital.csv", "--out", applied)
    assert applied.read_bytes() == out.read_bytes()
    assert "10,000 records by" in done.out


def test_json_holds_the_parameters_and_the_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made.parquet"
    done = call(capsys, "make", *INPUTS, *TREES, "--method", "mondrian", "--k", 8, "--l", 2, "--out", out, "--json")
    said = json.loads(done.out)
    assert said["parameters"] == {"k": 8, "l": 2, "relaxed": False, "free_intervals": False}
    assert (said["method"], said["rows"]) == ("mondrian", 10_000)
    assert said["smallest_class"] >= 8
    columns = ("--columns", "age", "length_of_stay")
    done = call(capsys, "make", *INPUTS, "--method", "noise", *columns, "--deviation", 0.3, "--out", out, "--json")
    said = json.loads(done.out)
    assert said["parameters"] == {"deviation": 0.3, "columns": ["age", "length_of_stay"]}
    first = out.read_bytes()
    noise = ("--method", "noise", *columns, "--deviation", 0.3)
    call(capsys, "make", *INPUTS, *noise, "--out", out)
    assert out.read_bytes() != first  # drawn by chance
    call(capsys, "make", *INPUTS, *noise, "--out", out, "--seed", said["seed"])
    assert out.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "pram", "--k", "5"], 'has no parameter "k"'),
        (["--method", "pram", "--probability", "2"], "Probability is out of range"),
        (["--method", "magic"], "invalid choice"),
        (["--method", "mondrian", "--seed", "-1"], "--seed is below 0"),
        (["--method", "noise", "--columns", "sex"], "does not hold numbers"),
        (["--compare"], "--compare takes no other"),
        ([], "--method and --out are needed"),
    ],
)
def test_bad_arguments_are_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, "make", *INPUTS, "--out", tmp_path / "made.csv", *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "made.csv").exists()


def test_methods_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{20 + i * 7 % 40},{150 + i * 11 % 30},{'xyz'[i % 3]}\n" for i in range(120))
    (tmp_path / "people.csv").write_text(f"age,size,ill\n{rows}")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age, size]\nsensitive: [ill]\n")
    files = ("--original", tmp_path / "people.csv", "--roles", tmp_path / "roles.yaml")
    done = call(capsys, "make", *files, "--compare", "--k", 3, "--json")
    assert (done.status, done.err) == (0, "")
    methods = json.loads(done.out)["methods"]
    assert [one["title"] for one in methods][:2] == ["Mondrian", "Mondrian"]
    assert all(one["smallest_class"] >= 3 for one in methods[:2])
    said = call(capsys, "make", *files, "--compare", "--k", 3).out
    assert all(one["title"] in said for one in methods)
