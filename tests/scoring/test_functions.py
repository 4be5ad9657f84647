"""The functions for one data frame give what score() gives."""

import inspect
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
ROLES = metrics.Roles(["sex", "age", "zip_code", "marital_status", "occupation", "admission"], ["diagnosis"])
OWN_SETTINGS = {
    "classification_accuracy",
    "household_risk",
    "key_set_k_anonymity",
    "minimal_sample_uniques",
    "people_k_anonymity",
    "people_linkage_attack",
    "population_uniqueness",
    "profitability",
    "quasi_identifier_ranking",
    "utility_bias",
}
"""Metrics that say little without settings or a role of their own: score() computes them."""
FUNCTIONS = [metric.id for metric in metrics.METRICS if metric.id not in OWN_SETTINGS]


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    files = {"data": "candidate_balanced.csv", "original": "hospital.csv", "holdout": "hospital_holdout.csv"}
    frames = {name: pd.read_csv(SAMPLE / file, dtype=str, nrows=1_000) for name, file in files.items()}
    return {**frames, "population": frames["original"], "hierarchies": metrics.read_hierarchies(SAMPLE / "hierarchies")}


@pytest.fixture(scope="module")
def card(given: dict[str, Any]) -> Scorecard:
    more = {name: given[name] for name in ("original", "population", "holdout", "hierarchies")}
    return metrics.score(given["data"], ROLES, metrics=FUNCTIONS, **more)


@pytest.mark.parametrize("metric_id", FUNCTIONS)
def test_a_function_gives_the_value_of_the_scorecard(metric_id: str, card: Scorecard, given: dict[str, Any]) -> None:
    function = getattr(metrics, metric_id)
    known = {**given, "quasi_identifiers": ROLES.quasi_identifiers, "sensitive": "diagnosis"}
    arguments = {name: known[name] for name in inspect.signature(function).parameters if name in known}
    if card[metric_id].value is None:
        with pytest.raises(metrics.Unavailable) as caught:
            function(**arguments)
        assert str(caught.value) in card[metric_id].summary()
    else:
        assert function(**arguments) == card[metric_id].value


@pytest.mark.parametrize("metric_id", FUNCTIONS)
def test_a_function_documents_its_arguments_its_definition_and_its_source(metric_id: str) -> None:
    function, metric = getattr(metrics, metric_id), BY_ID[metric_id]
    text = inspect.getdoc(function)
    assert function.__name__ == metric_id
    assert list(inspect.signature(function).parameters) == re.findall(
        r"^(\w+)\n    ", text.partition("Returns")[0], re.M
    )
    assert f"Returns\n-------\n{inspect.signature(function).return_annotation}\n" in text
    assert metric.formula in text
    assert metric.doi is None or metric.doi in text


PEOPLE = pd.DataFrame({"age": ["20", "20", "30", "30"], "sex": list("mmff"), "disease": ["1", "2", "3", "3"]})


def test_one_question_takes_one_line() -> None:
    assert metrics.k_anonymity(PEOPLE, ["age", "sex"]) == 2
    assert metrics.distinct_l_diversity(PEOPLE, ["age", "sex"], "disease") == 1
    assert metrics.p29(PEOPLE, ["age", "sex"], ["disease"]) == 0
    assert metrics.p29(PEOPLE[:2], "age", "disease", w_k=1, w_l=0, w_t=0) == 0.5
    assert metrics.non_uniform_entropy(PEOPLE, "age", original=PEOPLE) == 1


def test_the_ground_distance_can_be_chosen_for_all_attributes_or_for_one() -> None:
    ordered = metrics.t_closeness(PEOPLE, "age", "disease")
    equal = metrics.t_closeness(PEOPLE, "age", "disease", distance="equal")
    assert (ordered, equal) == (pytest.approx(0.375), 0.5)
    assert metrics.t_closeness(PEOPLE, "age", "disease", distance={"disease": "equal"}) == equal


def test_why_there_is_no_number_is_said() -> None:
    with pytest.raises(metrics.Unavailable, match="exceeds the bound"):
        metrics.enhanced_beta_likeness(PEOPLE, "age", "disease")
    with pytest.raises(metrics.Unavailable, match="l = 2"):
        metrics.recursive_cl_diversity(PEOPLE, "age", "disease")
    with pytest.raises(metrics.InputError, match="height"):
        metrics.k_anonymity(PEOPLE, ["age", "height"])
    with pytest.raises(metrics.InputError, match="ground distance"):
        metrics.t_closeness(PEOPLE, "age", "disease", distance="far")  # type: ignore[arg-type]
