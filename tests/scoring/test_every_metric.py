"""The functions for one data frame give what score() gives."""

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics.scoring import every_metric
from metrics.scoring.metric_score import Score
from tests.scoring.functions.names import FUNCTIONS
from tests.support.sample import SAMPLE

MARKED: dict[str, Any] = {
    "person": "person",
    "household": "household",
    "item": "diagnosis",
    "analyses": {"stay": metrics.Mean("length_of_stay", "sex")},
    "key_sets": {"neighbour": ["sex", "age"], "employer": ["occupation", "age"]},
}
ROLES = metrics.Roles(["sex", "age", "zip_code", "marital_status", "occupation", "admission"], ["diagnosis"])


def _parameters(metric_id: str) -> Iterable[str]:
    return inspect.signature(getattr(metrics, metric_id)).parameters


def _arguments(metric_id: str, given: dict[str, Any]) -> dict[str, Any]:
    known = {**given, **MARKED, "quasi_identifiers": ROLES.quasi_identifiers, "sensitive": "diagnosis"}
    return {name: known[name] for name in _parameters(metric_id) if name in known}


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    files = {"data": "candidate_balanced.csv", "original": "hospital.csv", "holdout": "hospital_holdout.csv"}
    frames = {name: pd.read_csv(SAMPLE / file, dtype=str, nrows=1_000) for name, file in files.items()}
    for frame in frames.values():
        frame["person"], frame["household"] = (frame.index // 2).astype(str), (frame.index // 5).astype(str)
    return {**frames, "population": frames["original"], "hierarchies": metrics.read_hierarchies(SAMPLE / "hierarchies")}


@pytest.fixture(scope="module")
def scores(given: dict[str, Any]) -> dict[str, Score]:
    """What score() gives, with the roles for people and households where a metric needs them."""
    more = {name: given[name] for name in ("original", "population", "holdout", "hierarchies")}
    more["analyses"] = MARKED["analyses"]
    marks = {name: column for name, column in MARKED.items() if name != "analyses"}
    roles = {"": ROLES, **{name: replace(ROLES, **{name: column}) for name, column in marks.items()}}
    roles["item"] = replace(roles["item"], person="person")
    wanted = {role: [metric.id for metric in metrics.METRICS if metric.needs_role == role] for role in roles}
    cards = {role: metrics.score(given["data"], roles[role], metrics=ids, **more) for role, ids in wanted.items()}
    return {metric_id: cards[role][metric_id] for role, ids in wanted.items() for metric_id in ids}


def test_every_metric_has_a_function_that_the_library_exports_and_nothing_else_comes_with_them() -> None:
    assert sorted(name for name in vars(every_metric) if name[0] != "_") == sorted(FUNCTIONS)
    assert set(FUNCTIONS) < set(metrics.__all__)


@pytest.mark.parametrize("metric_id", FUNCTIONS)
def test_a_function_gives_the_value_of_the_scorecard(
    metric_id: str, scores: dict[str, Score], given: dict[str, Any]
) -> None:
    function, arguments = getattr(metrics, metric_id), _arguments(metric_id, given)
    if scores[metric_id].value is None:
        with pytest.raises(metrics.Unavailable) as caught:
            function(**arguments)
        assert str(caught.value) in scores[metric_id].summary()
    else:
        assert function(**arguments) == scores[metric_id].value


PEOPLE = pd.DataFrame({"age": ["20", "20", "30", "30"], "sex": list("mmff"), "disease": ["1", "2", "3", "3"]})


def test_one_question_takes_one_line() -> None:
    assert metrics.k_anonymity(PEOPLE, ["age", "sex"]) == 2
    assert metrics.distinct_l_diversity(PEOPLE, ["age", "sex"], "disease") == 1
    assert metrics.p29(PEOPLE, ["age", "sex"], ["disease"]) == 0
    assert metrics.p29(PEOPLE[:2], "age", "disease", w_k=1, w_l=0, w_t=0) == 0.5
    assert metrics.non_uniform_entropy(PEOPLE, "age", original=PEOPLE) == 1
    assert metrics.people_k_anonymity(PEOPLE, "age", person="disease") == 1
    assert metrics.household_risk(PEOPLE, "age", household="sex") == 0.75
    assert metrics.key_set_k_anonymity(PEOPLE, ["age", "sex"], key_sets={"neighbour": ["age"]}) == 2
    assert metrics.profitability(PEOPLE, "age", adversary_gain=4, adversary_cost=3) is True
    assert metrics.profitability(PEOPLE, "age", adversary_gain=4, adversary_cost=1, allow_attack=False) is False


def test_the_ground_distance_can_be_chosen_for_all_attributes_or_for_one() -> None:
    ordered = metrics.t_closeness(PEOPLE, "age", "disease")
    equal = metrics.t_closeness(PEOPLE, "age", "disease", distance="equal")
    assert (ordered, equal) == (pytest.approx(0.375), 0.5)
    assert metrics.t_closeness(PEOPLE, "age", "disease", distance={"disease": "equal"}) == equal


@pytest.mark.parametrize("metric_id", [name for name in FUNCTIONS if "known" in _parameters(name)])
def test_what_the_attacker_knows_changes_the_value_of_every_function_that_takes_it(
    metric_id: str, given: dict[str, Any]
) -> None:
    arguments = _arguments(metric_id, {**given, "data": given["original"]})
    assert getattr(metrics, metric_id)(**arguments) != getattr(metrics, metric_id)(**arguments, known=["sex", "age"])


@pytest.mark.parametrize(
    ("arguments", "bias"),
    [
        ({"statistic": "mean", "column": "age"}, 7.5),
        ({"statistic": "median", "column": "age"}, 5),
        ({"statistic": "count", "column": "sex"}, 1),
        ({"statistic": "count", "column": "sex", "label": "m"}, 1),
        ({"statistic": "share", "column": "sex", "label": "f"}, 0),
        ({"statistic": "correlation", "column": "age", "other": "disease"}, 15 / 275**0.5 - 27.5 / 1306.25**0.5),
    ],
)
def test_the_bias_of_every_statistic_can_be_asked_for(arguments: dict[str, Any], bias: float) -> None:
    after = PEOPLE.assign(age=["20", "30", "30", "50"], sex=["m", "*", "f", "f"])
    assert metrics.utility_bias(after, ["age", "sex", "disease"], original=PEOPLE, **arguments) == pytest.approx(bias)


def test_population_uniqueness_can_take_the_population_from_survey_weights() -> None:
    weighted = PEOPLE.assign(age=["20", "30", "40", "40"], weight=["30", "20", "10", "10"])
    by_weight = metrics.population_uniqueness(weighted, "age", weight="weight")
    assert by_weight == metrics.population_uniqueness(weighted, "age", population_size=70) > 0


def test_a_function_without_a_result_raises_the_reason() -> None:
    with pytest.raises(metrics.Unavailable, match="exceeds the bound"):
        metrics.enhanced_beta_likeness(PEOPLE, "age", "disease")
    with pytest.raises(metrics.Unavailable, match="l = 2"):
        metrics.recursive_cl_diversity(PEOPLE, "age", "disease")
    with pytest.raises(metrics.InputError, match="height"):
        metrics.k_anonymity(PEOPLE, ["age", "height"])
    with pytest.raises(metrics.InputError, match="ground distance"):
        metrics.t_closeness(PEOPLE, "age", "disease", distance="far")  # type: ignore[arg-type]
