"""`python -m metrics score`: its JSON, its text, its settings, and the status that requirements give."""

import json
from pathlib import Path

import pytest

import metrics
from tests.cli.small_inputs import inputs
from tests.support.command_line import call


def test_json_is_one_object_and_equals_the_api(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "score", *inputs(folder), "--json")
    assert (done.status, done.err) == (0, "")
    assert done.out.count("\n") == 1
    roles = metrics.read_roles(folder / "roles.yaml").roles
    assert done.object == metrics.score(metrics.read_table(folder / "table.csv"), roles).to_dict()


def test_text_shows_every_metric_with_value_range_and_direction(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, "score", *inputs(folder))
    assert (done.status, done.err) == (0, "")
    first, *lines = done.out.splitlines()
    assert first == "table.csv: 5 records, 1 suppressed, 2 equivalence classes"
    assert len(lines) == len(metrics.METRICS)
    for line, metric in zip(lines, metrics.METRICS, strict=True):
        assert line.startswith(metric.title)
        assert f"  {metric.range}" in line
        assert f"  {metric.direction}" in line
    assert "Unavailable: no original table is given." in done.out


def test_settings_change_the_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = ["p29.w_k=0", "p29.w_l=1", "p29.w_t=0", "t_closeness.t=0.25", "--set", "recursive_cl_diversity.l=3"]
    found = call(capsys, "score", *inputs(folder), "--json", "--set", *weights).object["metrics"]
    assert found["p29"]["value"] == 1
    assert found["t_closeness"]["details"]["fulfilled"] is True
    assert found["recursive_cl_diversity"]["value"] is None
    assert found["recursive_cl_diversity"]["details"] == {"l": 3, "others_as_quasi_identifiers": False}


@pytest.mark.parametrize(
    ("requirements", "unmet"),
    [
        (["k_anonymity >= 2"], []),
        (["k_anonymity>=2", "p29.k_min == 2", "profitability == true"], []),
        (["k_anonymity >= 3"], ["k_anonymity >= 3"]),
        (["k_anonymity>2", "t_closeness <= 0.25"], ["k_anonymity>2"]),
        (["p29 > 0", "p29.k_min > 7"], ["p29.k_min > 7"]),
        (["ambiguity >= 0"], ["ambiguity >= 0"]),
        (["profitability == false"], ["profitability == false"]),
    ],
)  # fmt: skip
def test_score_exits_with_status_1_and_names_each_requirement_not_met(
    folder: Path, capsys: pytest.CaptureFixture[str], requirements: list[str], unmet: list[str]
) -> None:
    done = call(capsys, "score", *inputs(folder), "--json", "--require", *requirements)
    assert done.status == (1 if unmet else 0)
    assert [line.partition(" (")[0] for line in done.err.splitlines()] == [f"Not met: {text}" for text in unmet]
    assert done.object["schema_version"] == 1


def test_json_holds_no_number_that_is_not_finite(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "table.csv").write_text("zip,age,illness\n1,2,flu\n1,2,flu\n")
    text = call(capsys, "score", *inputs(folder), "--json").out
    assert "NaN" not in text
    assert "Infinity" not in text
    assert json.loads(text)["metrics"]["recursive_cl_diversity"]["value"] is None


@pytest.mark.parametrize("chosen", [["--metrics", "k_anonymity"], []])
def test_a_metric_that_is_required_is_computed_although_it_is_slow_or_not_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str], chosen: list[str]
) -> None:
    required = ["--require", "minimal_sample_uniques >= 0", "t_closeness >= 0"]
    done = call(capsys, "score", *inputs(folder), "--json", *chosen, *required)
    assert (done.status, done.err) == (0, "")
    assert done.object["metrics"]["minimal_sample_uniques"]["value"] is not None


def test_a_metric_that_a_limit_is_measured_by_is_computed_although_it_is_not_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = folder / "policy.json"
    policy.write_text('{"name": "No attack", "limits": {"no_attack": true}}', encoding="utf-8")
    done = call(capsys, "score", *inputs(folder), "--json", "--metrics", "k_anonymity", "--policy", policy)
    [limit] = [limit for limit in done.object["policy"]["limits"] if limit["metric"] == "no_attack"]
    assert limit["outcome"] != "not measured", limit


def test_text_has_a_row_for_each_metric_that_is_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "score", *inputs(folder), "--metrics", "k_anonymity", "p29")
    assert [line.split("  ")[0] for line in done.out.splitlines()[1:]] == ["P_29", "k-anonymity"]
