"""Former names of metrics are taken wherever a name is, and mean the metric of today."""

import json
from pathlib import Path

import pandas
import pytest

import metrics
from metrics.candidates.compare.comparison import compare
from metrics.cli.program import main
from metrics.config.former_names import FORMER_NAMES, ByName
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.requirement import parse_requirement
from metrics.scoring.catalog import BY_ID

SAMPLE = Path("sample_data")
TABLE = ["--anonymized", "candidate_light.csv", "--original", "hospital.csv", "--roles", "roles.yaml"]
ARGUMENTS = [value if value.startswith("--") else str(SAMPLE / value) for value in TABLE]


@pytest.mark.parametrize(("former", "name"), FORMER_NAMES.items())
def test_a_former_name_means_the_metric_of_today(former: str, name: str) -> None:
    assert former in BY_ID
    assert BY_ID[former] is BY_ID[name]
    assert former not in list(BY_ID)
    assert getattr(metrics, former) is getattr(metrics, name)
    assert metrics.Policy("Own", {former: 0.5}) == metrics.Policy("Own", {name: 0.5})
    assert not metrics.Policy("Own", {name: 0.5}).with_limit(former, None).limits
    assert parse_requirement(f"{former} >= 0.5").metric == name


@pytest.mark.parametrize(("former", "name"), FORMER_NAMES.items())
def test_every_way_to_look_a_metric_up_takes_a_former_name(former: str, name: str) -> None:
    card = metrics.score(pandas.DataFrame({"age": ["1", "1"]}), metrics.Roles(("age",)))
    comparison = compare({"one": card})
    for mapping in (BY_ID, LIMITABLE_MEASURES, card.scores, comparison.answers["one"], ByName({former: 1})):
        assert mapping[former] is mapping.get(former) is mapping[name]
        assert former in mapping
        assert list(mapping).count(name) == 1
    assert metrics.Policy("Own", {former: 0.5}).limits.get(former) == 0.5
    assert comparison.rank({former: 1}) == comparison.rank({name: 1})


def test_a_scorecard_is_asked_and_printed_by_both_names(capsys: pytest.CaptureFixture[str]) -> None:
    require = ["--require", "squared_error >= 0", "--json"]
    assert main(["score", *ARGUMENTS, "--metrics", "squared_error", *require]) == 0
    printed = json.loads(capsys.readouterr().out)["metrics"]
    assert printed["squared_error"] == printed["variance_preserved"]
    assert printed["squared_error"]["value"] is not None
