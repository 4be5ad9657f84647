"""Uniqueness and the ranking of quasi-identifiers as ARX 3.9.2 gave them (oracle.json)."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics import Parameters, Roles, Scorecard, score
from metrics.aggregates import Aggregates
from metrics.counting.classes import class_sizes
from metrics.privacy.population.uniqueness_models import Frequencies, frequencies
from metrics.privacy.population_uniqueness.measure import PopulationUniqueness, population_uniqueness
from metrics.privacy.quasi_identifier_ranking.measure import QuasiIdentifierRanking
from tests.oracle import uniqueness as oracle
from tests.support.reference_data import arx_figures
from tests.support.reference_tables import reference_table

NAMES = [
    "adult/all9qi/hier_current",
    "adult/yaml8qi/hier_current",
    "adult/test3qi/hier_current",
    "presence/presence_vs_presence_transformed",
    "patient/arx_test2_vs_patient_anonymized/patient_hierarchy",
    "inpatient/self_risk_only",
]
SIDES = [("orig", "risk_original"), ("anon", "risk_anonymized")]
# ARX's solver stops as soon as both equations hold to 1e-6, where few classes leave its figure off by 1e-7.
PITMAN = {"adult/test3qi/hier_current": 1e-6}


def arx() -> dict[str, Any]:
    found: dict[str, Any] = arx_figures()["evaluation"]
    return found


@cache
def aggregates(name: str, side: str, key: str) -> Aggregates:
    roles = Roles(quasi_identifiers=arx()[name][key]["quasi_identifiers"])
    return score(reference_table(arx()[name]["input"][side]), roles, metrics=("k_anonymity",)).aggregates


def card(name: str, side: str, key: str, **chosen: object) -> Scorecard:
    made, roles = aggregates(name, side, key), arx()[name][key]["quasi_identifiers"]
    parameters = Parameters().with_settings(chosen)
    wanted = ["sample_uniqueness", "population_uniqueness"]
    if len(roles) <= 8 and "attribute_risks" in arx()[name][key]:
        wanted.append("quasi_identifier_ranking")
    return score(made.anonymized, made.roles, parameters=parameters, metrics=wanted)


def populations(name: str, key: str) -> list[dict[str, Any]]:
    expected = arx()[name][key]
    return [expected["population_uniqueness"], *expected.get("population_uniqueness_other_populations", {}).values()]


@pytest.mark.reference
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("side", "key"), SIDES)
def test_sample_uniqueness_equals_that_of_arx(name: str, side: str, key: str) -> None:
    expected, found = arx()[name][key]["sample_uniqueness"], card(name, side, key)["sample_uniqueness"]
    assert found.value == pytest.approx(expected["fraction_unique_records"], rel=1e-9)
    assert found.details["unique_records"] == expected["num_unique_records"]


@pytest.mark.reference
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("side", "key"), SIDES)
def test_population_uniqueness_equals_that_of_arx_for_every_model(name: str, side: str, key: str) -> None:
    sizes = aggregates(name, side, key).classes.sizes
    for expected in populations(name, key):
        result = population_uniqueness(frequencies(class_sizes(sizes), expected["population_size"]))
        assert result.sample.fraction == pytest.approx(expected["sampling_fraction"], rel=1e-9)
        for model in ("pitman", "zayatz"):
            found, wanted = result.models[model], expected[model.upper()]
            assert (found.number is not None) == wanted["available"]
            if found.number is not None:
                tolerance = PITMAN.get(name, 1e-9) if model == "pitman" else 1e-9
                assert found.number == pytest.approx(wanted["num_uniques"], rel=tolerance)
                share = result.details()["models"][model]["share"]
                assert share == pytest.approx(wanted["fraction_uniques"], rel=tolerance)
        chosen = expected["dankar_model_chosen"].lower()
        if chosen == "dankar":
            assert (result.chosen, result.value) == (None, 0)
        elif expected["sampling_fraction"] <= 0.1:
            assert result.chosen == chosen
            assert result.value == pytest.approx(expected["DANKAR"]["fraction_uniques"], rel=PITMAN.get(name, 1e-9))
        else:
            # ARX never has a slide negative binomial estimate to choose, so Zayatz's is the most it can be.
            assert chosen == "zayatz"
            assert not expected["SNB"]["available"]
            assert result.value <= expected["DANKAR"]["fraction_uniques"] * (1 + 1e-9)
            assert result.chosen in ("zayatz", "snb")


@pytest.mark.reference
@pytest.mark.parametrize("name", list(PITMAN))
def test_where_arx_stops_early_the_likelihood_is_still_rising(name: str) -> None:
    sizes = aggregates(name, "orig", "risk_original").classes.sizes
    result = population_uniqueness(frequencies(class_sizes(sizes), 317_238_626))
    fitted = dict(result.models["pitman"].fitted)
    assert oracle.pitman_slopes(sizes.tolist(), fitted["θ"], fitted["α"]) == pytest.approx((0, 0), abs=1e-11)


@pytest.mark.reference
def test_population_uniqueness_of_adult_in_the_usa_equals_the_figures_of_arx() -> None:
    found = card(NAMES[1], "orig", "risk_original", **{"population_uniqueness.country": "USA"})["population_uniqueness"]
    assert isinstance(found.result, PopulationUniqueness)
    assert found.details["models"]["pitman"]["number"] == pytest.approx(4561667.310396315, rel=1e-9)
    assert found.details["models"]["zayatz"]["number"] == pytest.approx(50008488.31191606, rel=1e-9)
    assert found.details["model"] == "pitman"
    assert found.details["models"]["pitman"]["share"] == pytest.approx(0.014379293492452318, rel=1e-9)
    assert found.value == found.details["models"]["pitman"]["share"]


def test_uniqueness_of_many_classes_is_estimated_by_class_size() -> None:
    # 300,000 classes of a million records: nothing walks over classes one by one.
    sizes = np.minimum(np.random.default_rng(3).zipf(1.8, 300_000), 5000)
    of = frequencies(class_sizes(sizes), 317_238_626)
    assert isinstance(of, Frequencies)
    assert len(of.sizes) > 300
    assert population_uniqueness(of).chosen == "pitman"


@pytest.mark.reference
@pytest.mark.parametrize("name", NAMES)
def test_distinction_and_separation_of_column_sets_equal_those_of_arx(name: str) -> None:
    expected = arx()[name]["risk_anonymized"].get("attribute_risks")
    if expected is None:
        # Not asked of ARX: the 511 subsets of adult's nine columns, and the table without an original.
        assert name in (NAMES[0], NAMES[-1])
        return
    found = card(name, "anon", "risk_anonymized", **{"quasi_identifier_ranking.max_columns": 8})[
        "quasi_identifier_ranking"
    ]
    assert isinstance(found.result, QuasiIdentifierRanking)
    ours = {frozenset(one.columns): one for one in found.result.ranking}
    assert len(ours) == len(expected)
    starred = 0
    for one in expected:
        own = ours[frozenset(one["identifier"])]
        if one["distinction"] == 0:
            # Columns whose every cell is suppressed: one combination of values, where ARX has no record left.
            assert (own.combinations, own.separation) == (1, 0)
            starred += 1
            continue
        assert own.distinction == pytest.approx(one["distinction"], rel=1e-9)
        assert own.separation == pytest.approx(one["separation"], rel=1e-9)
    assert starred < len(expected)
