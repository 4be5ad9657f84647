"""What ARX 3.9.2 gave for risks of re-identification, δ-presence and k-map (oracle.json), to 1e-9."""

from pathlib import Path
from typing import Any

import pytest

from metrics import Parameters, Roles, Scorecard, read_hierarchies, score
from tests.published.scoring import api, near, petworks, roles_file
from tests.published.test_arx import SIZED, arx, quasi_identifiers
from tests.support.command_line import call
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table
from tests.support.small_tables import columns_of, table

pytestmark = pytest.mark.reference


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("side", ["anonymized", "original"])
def test_prosecutor_and_marketer_risks_equal_those_of_arx(name: str, side: str) -> None:
    expected = arx("evaluation", name)
    given, found = expected["input"], expected[f"risk_{side}"]
    anonymized = reference_table(given["anon"] if side == "anonymized" else given["orig"])
    roles = quasi_identifiers(given["types"])
    for summary in found["risk_summaries"]:
        parameters = Parameters().with_settings({"reidentification_risk.threshold": summary["threshold"]})
        card = score(anonymized, roles, parameters=parameters, metrics=["reidentification_risk"])
        details, prosecutor = card["reidentification_risk"].details, summary["prosecutor"]
        assert card["reidentification_risk"].value == near(prosecutor["highest_risk"])
        assert details["prosecutor"] == {
            "highest": near(prosecutor["highest_risk"]),
            "average": near(prosecutor["average_risk"]),
            "lowest": near(prosecutor["lowest_risk"]),
            "records_at_risk": near(prosecutor["records_at_risk"]),
        }
        assert details["marketer"] == near(summary["marketer_success_rate"])
    of, result = found["sample_reidentification_risks"], card["reidentification_risk"].result
    assert (of["highest_risk"], of["average_risk"], of["lowest_risk"]) == (
        near(card["reidentification_risk"].details["prosecutor"]["highest"]),
        near(card["reidentification_risk"].details["prosecutor"]["average"]),
        near(card["reidentification_risk"].details["prosecutor"]["lowest"]),
    )
    # ARX counts the records up to each threshold, and 0.143 and 0.167 stand for 1/7 and 1/6.
    curve: Any = getattr(result, "curve", None)
    distribution = found["risk_distribution"]
    for upper, share in zip(
        distribution["upper_thresholds"], distribution["fraction_of_records_cumulative"], strict=True
    ):
        assert 1 - curve.above(upper) / curve.kept == near(share)
    highest = curve.above(float(curve.thresholds[-2])) / curve.kept
    assert highest == near(of["fraction_affected_by_highest_risk"])


@pytest.mark.parametrize("name", ["delta", "presence_transformed"])
def test_the_average_prosecutor_risk_equals_that_of_arx(name: str) -> None:
    expected = arx("privacy_model_thresholds", name)
    card = api(reference(expected["input"]["orig"]), quasi_identifiers(expected["input"]["types"]))
    assert card["reidentification_risk"].details["prosecutor"]["average"] == near(
        expected["average_risk"]["first_passing"]
    )


def check_presence(card: Scorecard) -> None:
    expected = arx("privacy_model_thresholds", "presence_transformed")
    assert card.aggregates.classes.kept == expected["subset_rows"]
    assert card["delta_presence"].value == near(expected["dpresence_max"]["first_passing"])
    assert card["delta_presence"].details["delta_min"] == near(expected["dpresence_min"]["first_passing"])
    assert card["k_map"].value == expected["kmap_accurate"]


@pytest.mark.parametrize("population", ["presence.csv", "presence_transformed.csv"])
def test_delta_presence_and_k_map_of_a_subset_equal_those_of_arx(population: str) -> None:
    # ARX was given the whole table, generalized, and the subset of its records with sen = 1.
    expected = arx("privacy_model_thresholds", "presence_transformed")
    roles = quasi_identifiers(expected["input"]["types"])
    whole = reference_table(expected["input"]["orig"])
    cells = columns_of(whole)
    chosen = [i for i, cell in enumerate(cells["sen"]) if cell == "1"]
    subset = table({name: [column[i] for i in chosen] for name, column in cells.items()})
    people = reference_table("petworks", "presence", population)
    assert people.rows == expected["rows"]
    hierarchies = read_hierarchies(petworks("presence", "presence_hierarchy"))
    check_presence(score(subset, roles, population=people, hierarchies=hierarchies))


def test_the_command_gives_delta_presence_and_k_map_of_the_presence_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = roles_file(tmp_path, Roles(quasi_identifiers=["zip", "age", "nationality"]))
    given = ["score", "--anonymized", petworks("presence", "presence_anonymized.csv"), "--roles", roles, "--json"]
    given += ["--hierarchies", petworks("presence", "presence_hierarchy")]
    done = call(capsys, *given, "--population", petworks("presence", "presence.csv"))
    assert (done.status, done.err) == (0, "")
    found = done.object["metrics"]
    assert found["delta_presence"]["value"] == near(2 / 3)
    assert found["delta_presence"]["details"]["delta_min"] == near(1 / 2)
    assert found["k_map"]["value"] == 3


def test_with_the_original_as_population_k_map_is_at_least_k() -> None:
    # The original as population of its own anonymized form: every class covers at least its own records.
    folder = petworks("adult", "adult_hierarchy_intervals")
    names = ["marital-status", "native-country", "occupation"]
    card = score(
        reference_table("petworks", "adult", "adult_anonymized.csv"),
        Roles(quasi_identifiers=names),
        hierarchies=read_hierarchies(folder),
        population=reference_table("petworks", "adult", "adult.csv"),
    )
    assert card["delta_presence"].unavailable is None
    assert card["k_map"].value >= card["k_anonymity"].value
