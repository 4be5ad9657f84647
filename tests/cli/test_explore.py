"""`python -m metrics explore`: its JSON, what it says, what it writes, and what it refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.texts import text
from tests.support.command_line import call

PEOPLE = "age,sex,illness\n21,f,a\n25,f,b\n21,f,b\n25,m,a\n33,m,b\n33,m,a\n"
AGES = "21,20-29,*\n25,20-29,*\n33,30-39,*\n"


def test_labels_that_look_like_formulas_are_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    degrees = [*range(-20, -10), *range(-9, 1)]
    (tmp_path / "cold.csv").write_text("degrees,ill\n" + "".join(f"{degree},{degree % 3}\n" for degree in degrees))
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [degrees]\nsensitive: [ill]\n")
    (tmp_path / "trees").mkdir()
    rows = (f"{degree};{'-20 - -11' if degree < -10 else '-9 - 0'};*\n" for degree in degrees)
    (tmp_path / "trees" / "degrees.csv").write_text("".join(rows))
    inputs = ["--roles", tmp_path / "roles.yaml", "--hierarchies", tmp_path / "trees"]
    cold, out = ["--original", tmp_path / "cold.csv"], tmp_path / "out.csv"
    assert call(capsys, "explore", *cold, *inputs, "--k", 5, "--out", out).status == 0
    scored = call(capsys, "score", "--anonymized", out, *cold, *inputs, "--json")
    assert (scored.status, scored.err) == (0, "")
    assert scored.object["metrics"]["granularity"]["value"] == pytest.approx(1 - 9 / 19)


@pytest.fixture
def people(tmp_path: Path) -> list[str]:
    """Arguments for a table of six people."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age, sex]\nsensitive: [illness]\n")
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "age.csv").write_text(AGES)
    files = {"--original": "people.csv", "--roles": "roles.yaml", "--hierarchies": "trees"}
    return ["explore", *(part for option, file in files.items() for part in (option, str(tmp_path / file)))]


def test_the_best_table_is_written_and_scores_as_found(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "best.csv"
    done = call(capsys, *people, "--k", 2, "--max-suppression", 0.4, "--json", "--out", out)
    assert (done.status, done.err) == (0, "")
    found = done.object
    assert found["attributes"] == ["age", "sex"]
    assert (found["nodes_total"], found["nodes_evaluated"], len(found["nodes"])) == (6, 6, 6)
    assert (found["best"]["levels"], found["best"]["suppressed_rows"]) == ([1, 0], 1)
    assert {"levels", "k", "suppressed_rows", "granularity", "non_uniform_entropy"} <= set(found["nodes"][0])
    card = metrics.score(
        metrics.read_table(out),
        metrics.read_roles(tmp_path / "roles.yaml").roles,
        original=metrics.read_table(tmp_path / "people.csv"),
        hierarchies=metrics.read_hierarchies(tmp_path / "trees"),
    )
    assert card.aggregates.classes.suppressed == 1
    for name in ("granularity", "non_uniform_entropy", "ambiguity", "precision", "discernibility", "t_closeness"):
        assert card[name].value == pytest.approx(found["best"][name], abs=1e-9)


def test_explore_prints_the_optimal_generalization_and_the_pareto_optimal_options(
    people: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, *people, "--k", 2, "--max-suppression", 0)
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0] == "people.csv: 6 of 6 generalizations evaluated; 3 meet the limits"
    # Level 1 of sex loses as little, but with k = 2.
    loss = "loss (geometric mean)"
    assert lines[1] == f"Best: {loss} 0.414. {text('search.proven')}"
    assert lines[2:4] == ["  age  level 2 of 2", "  sex  level 0 of 1"]
    assert lines[4].startswith("  0 records suppressed; 2 classes; smallest class: 3 records; Granularity 50%")
    assert "; Distinct l-diversity 2; " in lines[4]
    assert lines[5:] == [
        "1 Pareto-optimal option by loss (geometric mean) and smallest class:",
        "  [2, 0]  loss (geometric mean) 0.414, smallest class 3",
    ]


def test_explore_accepts_every_privacy_criterion_loss_measure_and_search_limit(
    people: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    by_values = call(capsys, *people, "--k", 1, "--l", 2, "--max-suppression", 0.5, "--json").object
    assert by_values["rule"] == {"k": 1, "l": 2, "t": None}
    assert by_values["best"]["distinct_l_diversity"] == 2
    assert by_values["nodes"][-1]["k"] is None
    far = call(capsys, *people, "--k", 1, "--t", 0.1, "--max-suppression", 1, "--json").object
    assert far["best"]["t_closeness"] is not None
    options = ["--no-attack", "--measure", "publisher_payout", "--json", "--max-suppression", 1, "--set"]
    paid = call(capsys, *people, *options, "profitability.adversary_gain=11").object
    assert (paid["rule"]["k"], paid["measure"], paid["best"]["no_attack"]) == (3, "publisher_payout", True)
    few = call(capsys, *people, "--k", 2, "--max-nodes", 1, "--max-suppression", 1)
    assert "3 of 6 generalizations evaluated" in few.out  # the search ends after the step that passes the limit
    assert "\nBest so far: " in few.out
    options = ["--measure", "non_uniform_entropy", "--max-suppression", 1, "--k", 2]
    assert text("search.proven") in call(capsys, *people, *options).out
    bounded = call(capsys, *people, *options, "--max-nodes", 1, "--json").object
    assert bounded["bound"] >= bounded["best"]["non_uniform_entropy"]


def test_no_attack_adds_to_the_k_of_a_policy_or_an_option(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"name": "own", "limits": {"k_anonymity": 3}}))
    cheap = ["--no-attack", "--set", "profitability.adversary_gain=4", "profitability.adversary_cost=3", "--json"]
    assert call(capsys, *people, *cheap).object["rule"]["k"] == 2
    for limit in (["--policy", policy], ["--k", 3]):
        found = call(capsys, *people, *cheap, *limit).object
        assert (found["rule"]["k"], found["best"]["k"], found["not_searched"]) == (3, 3, [])


def test_the_figures_that_a_policy_limits_are_printed(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = {"k_anonymity": 2, "suppression": 0, "entropy_l_diversity": 1.5, "profitability": True}
    (tmp_path / "policy.json").write_text(json.dumps({"name": "own", "limits": limits}))
    free = ["--set", "profitability.adversary_gain=1"]
    line = call(capsys, *people, "--policy", tmp_path / "policy.json", *free).out.splitlines()[4]
    assert line.count("suppressed") == 1
    assert re.search(r"; Entropy l-diversity [\d.]+", line)
    assert "; Profitability yes" in line


def test_a_table_without_a_sensitive_attribute_is_searched(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age, sex]\n")
    found = call(capsys, *people, "--k", 2, "--max-suppression", 0, "--json").object
    assert (found["best"]["levels"], found["best"]["k"]) == ([2, 0], 3)


def test_the_figures_do_not_depend_on_how_many_classes_are_looked_at_at_once(
    people: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = call(capsys, *people, "--k", 2, "--json")
    monkeypatch.setattr("metrics.candidates.search.evaluation._BATCH_CLASSES", 1)
    assert call(capsys, *people, "--k", 2, "--json") == at_once


def test_explore_reports_unreachable_limits_and_refuses_wrong_options_in_one_line(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = call(capsys, *people, "--k", 7, "--json", "--out", tmp_path / "best.csv")
    assert none.status == 2
    assert none.object["best"] is None
    assert none.err.startswith("No generalization meets the limits")
    assert "every record would be suppressed" in none.err
    assert none.err.count("\n") == 1
    assert not (tmp_path / "best.csv").exists()
    for wrong in (
        ["--out", tmp_path / "people.csv"],
        ["--out", tmp_path / "best.txt"],
        ["--k", 0],
        ["--max-suppression", 2],
        ["--t", -1],
        ["--max-nodes", 0],
        ["--max-seconds", 0],
        ["--measure", "beauty"],
        ["--set", "profitability.adversary_cost=0", "--no-attack"],
    ):
        done = call(capsys, *people, "--max-suppression", 1, *wrong)
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
    assert (tmp_path / "people.csv").read_text() == PEOPLE
    (tmp_path / "trees" / "age.csv").write_text("21,*\n25,*\n")
    missed = call(capsys, *people)
    assert missed.err == (
        'people.csv, line 6, column "age": the hierarchy age.csv lacks 1 of the 3 values of the column; '
        "add them to the hierarchy, one row each with the value first.\n"
    )
    assert "33" not in missed.err


def test_a_search_respects_the_limit_of_a_policy_on_record_linkage(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "policy.json"

    def best(**limits: float) -> Any:
        policy.write_text(json.dumps({"name": "own", "limits": {"k_anonymity": 1, "suppression": 1, **limits}}))
        found = call(capsys, *people, "--policy", policy, "--json").object
        return found["best"]

    free = best()
    linked = best(record_linkage_attack=1)["record_linkage_attack"]
    fewer = best(record_linkage_attack=linked / 2)
    assert (fewer["record_linkage_attack"] <= linked / 2, fewer["loss"] > free["loss"]) == (True, True)
    assert best(p29=0.3)["p29"] >= 0.3 > (free["p29"] or 0)
    policy.write_text(json.dumps({"name": "own", "limits": {"record_linkage_attack": 0.5}}))
    partly = call(capsys, *people, "--policy", policy, "--set", "attack.known=age")
    assert (partly.status, "set attack.known to all of them" in partly.err) == (2, True)


def test_columns_are_kept_and_weighted(people: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    free = call(capsys, *people, "--k", "1", "--json").object
    name, height = free["attributes"][0], free["heights"][0]
    kept = call(capsys, *people, "--k", "1", "--keep", f"{name}=0", "--weights", f"{name}=1", "--json").object
    assert {node["levels"][0] for node in kept["nodes"]} == {0}
    assert kept["nodes_total"] * (height + 1) == free["nodes_total"]
    for option, given in (("--keep", f"{name}=some"), ("--keep", "nope=0"), ("--weights", f"{name}=7")):
        wrong = call(capsys, *people, option, given)
        assert (wrong.status, "roles.yaml" in wrong.err) == (2, False)
        assert wrong.err.startswith(f'column "{given.partition("=")[0]}": ')
        assert wrong.err.endswith(f"; correct {option}.\n")


def test_analyses_that_no_search_can_optimize(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "listed.yaml"
    arguments = [*people, "--k", 2, "--measure", "analyses", "--analyses", listed]
    listed.write_text("analyses: {a: {kind: count, where: {sex: [f]}}}")
    done = call(capsys, *arguments)
    assert (done.status, done.err.splitlines()[-1]) == (
        2,
        "all analyses listed are counts; list means, cross-tabulations or regressions.",
    )
    listed.write_text("analyses: {a: {kind: mean, number: agee}}")
    done = call(capsys, *arguments)
    assert done.status == 2
    assert 'listed.yaml, column "agee": the analysis "a" names a column that no table has' in done.err
