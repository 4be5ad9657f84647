"""`python -m metrics make`: what it writes and says, what it compares, and what it refuses."""

import json
from pathlib import Path

import pytest

import metrics
from metrics.candidates.methods.catalog import METHODS
from metrics.texts import text
from tests.support.command_line import call
from tests.support.sample import SAMPLE, beginning

ROLES = ("--roles", SAMPLE / "roles.yaml")
TREES = ("--hierarchies", SAMPLE / "hierarchies")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 500 records of the sample."""
    return beginning("hospital.csv", tmp_path_factory.mktemp("original"))


@pytest.mark.parametrize("name", [method.name for method in METHODS if method.takes_seed])
def test_every_method_writes_the_table_that_python_makes(
    name: str, original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, recipe, applied = tmp_path / "made.csv", tmp_path / "recipe.yaml", tmp_path / "applied.csv"
    files = ("--out", out, "--recipe", recipe)
    done = call(capsys, "make", "--original", original, *ROLES, *TREES, "--method", name, "--seed", 3, *files)
    assert (done.status, done.err) == (0, "")
    assert "500 records by" in done.out
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    trees = metrics.read_hierarchies(SAMPLE / "hierarchies")
    made = metrics.make_candidate(metrics.read_table(original), name, roles, trees, seed=3)
    assert metrics.read_table(out).head(500) == made.head(500)
    assert call(capsys, "apply", "--recipe", recipe, "--input", original, "--out", applied).status == 0
    assert applied.read_bytes() == out.read_bytes()


def test_randomized_response_says_no_seed(original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, recipe = tmp_path / "made.csv", tmp_path / "recipe.yaml"
    make = ("make", "--original", original, *ROLES, *TREES, "--method", "k-rr", "--out", out)
    done = call(capsys, *make, "--epsilon", 2, "--recipe", recipe)
    assert (done.status, "seed" in done.out, "seed" in recipe.read_text(encoding="utf-8")) == (0, False, False)
    assert call(capsys, *make, "--json").object["seed"] is None
    assert "takes no seed" in call(capsys, *make, "--seed", 3).err
    assert text("local_dp.made", columns=["diagnosis"], epsilon=2.0) in done.out
    assert text("local_dp.truthful", columns=["length_of_stay"], number=1) in done.out
    again = call(capsys, "apply", "--recipe", recipe, "--input", original, "--out", tmp_path / "again.csv")
    assert text("recipes.draws_anew") in again.out


def test_each_column_may_have_an_epsilon_of_its_own(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, recipe = tmp_path / "made.csv", tmp_path / "recipe.yaml"
    make = ("make", "--original", original, *ROLES, *TREES, "--method", "k-rr", "--out", out, "--recipe", recipe)
    said = call(capsys, *make, "--epsilon", "diagnosis=0.5", "sex=2", "3", "--columns", "admission", "--json").object
    assert said["parameters"] == {
        "epsilon": 3,
        "columns": ["admission"],
        "epsilons": ["diagnosis=0.5", "sex=2"],
    }
    score = ("score", "--anonymized", out, "--original", original, *ROLES, *TREES, "--metrics", "local_dp", "--json")
    scores = call(capsys, *score, "--randomization", recipe).object["metrics"]["local_dp"]
    assert scores["attributes"] == pytest.approx({"admission": 3, "diagnosis": 0.5, "sex": 2})
    for wrong, why in (("sex=much", "not the ε of a column"), ("much", "not a number"), ("sex=30", "out of range")):
        assert why in call(capsys, *make, "--epsilon", wrong).err


def test_safepub_tells_what_it_drew_in_no_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, recipe = tmp_path / "made.csv", tmp_path / "recipe.yaml"
    make = ("make", "--original", SAMPLE / "hospital.csv", *ROLES, *TREES, "--method", "safepub", "--out", out)
    said = call(capsys, *make, "--recipe", recipe, "--json").object
    assert said["seed"] is None
    assert said["rows"] < 10_000
    assert "seed" not in recipe.read_text(encoding="utf-8")
    assert call(capsys, *make, "--degree", "HIGH").out.startswith("hospital.csv: ")
    assert "write a number from 0 to 1, or LOW, LOW_MEDIUM" in call(capsys, *make, "--degree", "much").err
    assert "takes no seed" in call(capsys, *make, "--seed", 3).err


def test_the_recipe_of_safepub_states_how_it_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, recipe, original = tmp_path / "made.csv", tmp_path / "recipe.yaml", ("--original", SAMPLE / "hospital.csv")
    make = ("make", *original, *ROLES, *TREES, "--method", "safepub", "--delta", 1e-3, "--recipe", recipe)
    assert call(capsys, *make, "--out", out).status == 0
    stated = (*original, *ROLES, *TREES, "--randomization", recipe)
    score = ("score", "--anonymized", out, *stated, "--metrics", "safepub")
    found = call(capsys, *score, "--json").object["metrics"]["safepub"]
    assert (found["details"]["sampled"]["delta"], found["value"] <= 1e-3) == (1e-3, True)
    assert "The table was made by SafePub" in call(capsys, *score).out
    strict = ("score", "--anonymized", SAMPLE / "candidate_strict.csv", *stated, "--metrics", "safepub")
    assert "so the table was not made by it" in call(capsys, *strict).out
    beside = ("compare", "--anonymized", out, SAMPLE / "candidate_strict.csv", *stated, "none", "--metrics", "safepub")
    (together,) = call(capsys, *beside, "--json").object["published_together"]
    assert "not covered by SafePub" in together
    assert text("intersection_attack.in_brief", found=together) in call(capsys, *beside).out
    report = tmp_path / "report.html"
    assert call(capsys, "report", "--anonymized", out, *stated, "--out", report).status == 0
    said = report.read_text(encoding="utf-8")
    assert "The table was made by SafePub" in said
    assert text("safepub.keep_report") in said


def test_a_recipe_that_draws_nothing_known_is_refused(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, recipe = tmp_path / "made.csv", tmp_path / "recipe.yaml"
    files = ("--original", original, *ROLES, *TREES)
    assert call(capsys, "make", *files, "--method", "mondrian", "--out", out, "--recipe", recipe).status == 0
    done = call(capsys, "score", "--anonymized", out, *files, "--randomization", recipe)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "draws no column with known probabilities" in done.err


def test_json_holds_the_parameters_and_the_classes(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, make = tmp_path / "made.parquet", ("make", "--original", original, *ROLES, "--out", tmp_path / "made.parquet")
    said = call(capsys, *make, *TREES, "--method", "mondrian", "--k", 8, "--l", 2, "--json").object
    assert said["parameters"] == {"k": 8, "l": 2, "relaxed": False, "free_intervals": False}
    assert (said["method"], said["rows"]) == ("mondrian", 500)
    assert said["smallest_class"] >= 8
    noise = ("--method", "noise", "--columns", "age", "length_of_stay", "--deviation", 0.3)
    said = call(capsys, *make, *noise, "--json").object
    assert said["parameters"] == {"deviation": 0.3, "columns": ["age", "length_of_stay"]}
    first = out.read_bytes()
    call(capsys, *make, *noise)
    assert out.read_bytes() != first  # drawn by chance
    call(capsys, *make, *noise, "--seed", said["seed"])
    assert out.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "pram", "--k", "5"], 'has no parameter "k"'),
        (["--method", "pram", "--probability", "2"], "Probability is out of range"),
        (["--method", "magic"], "invalid choice"),
        (["--method", "mondrian", "--seed", "-1"], "--seed is below 0"),
        (["--method", "noise", "--columns", "sex"], "does not contain numbers"),
        (["--compare"], "--compare accepts only"),
        ([], "--method and --out are required"),
    ],
)
def test_wrong_arguments_of_make_are_reported_in_one_sentence(
    arguments: list[str], said: str, original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, "make", "--original", original, *ROLES, "--out", tmp_path / "made.csv", *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "made.csv").exists()


def test_make_compare_lists_every_method_that_applies_to_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"{20 + i * 7 % 40},{150 + i * 11 % 30},{'xyz'[i % 3]}\n" for i in range(60))
    (tmp_path / "people.csv").write_text(f"age,size,ill\n{rows}")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age, size]\nsensitive: [ill]\n")
    files = ("--original", tmp_path / "people.csv", "--roles", tmp_path / "roles.yaml")
    done = call(capsys, "make", *files, "--compare", "--k", 3, "--json")
    assert (done.status, done.err) == (0, "")
    methods = json.loads(done.out)["methods"]
    assert [one["title"] for one in methods][:2] == ["Mondrian", "Mondrian"]
    assert {method.title for method in METHODS} < {one["title"] for one in methods}
    assert all(one["smallest_class"] >= 3 for one in methods[:2])
    said = call(capsys, "make", *files, "--compare", "--k", 3).out
    assert all(one["title"] in said for one in methods)
