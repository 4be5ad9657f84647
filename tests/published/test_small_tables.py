"""The figures that the seeds publish of small tables, from the API and from the command line."""

from pathlib import Path

import pytest

import metrics
from metrics import Hierarchy, Roles
from tests.published.scoring import api, command, printed, roles_file
from tests.support.small_tables import table, written

COSTS = {
    "profitability.adversary_cost": 4,
    "profitability.adversary_gain": 300,
    "profitability.publisher_loss": 300,
    "profitability.publisher_benefit": 1200,
}


def test_patient_yaml_alone_gives_the_published_figure(seed_tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patient = seed_tables / "patient"
    found = printed(
        command(
            capsys,
            patient / "patient_anonymized.csv",
            patient / "patient_anonymized.yaml",
            **{"t_closeness.t": 0.376},
        )
    )["t_closeness"]
    assert found["value"] == 0.2962962962962963
    assert found["details"]["distance"] == {"Disease": "hierarchical"}
    assert found["details"]["fulfilled"] is True


@pytest.mark.parametrize(("limit", "fulfilled"), [(0.376, True), (0.29, False), (0.2962962962962963, True)])
def test_the_library_gives_the_published_t_closeness_of_patient(
    seed_tables: Path, limit: float, fulfilled: bool
) -> None:
    card = api(
        seed_tables / "patient" / "patient_anonymized.csv",
        Roles(quasi_identifiers=["ZIPCode", "Age"], sensitive=["Disease"]),
        hierarchies=seed_tables / "patient" / "patient_hierarchy",
        **{"t_closeness.t": limit},
    )
    assert card["t_closeness"].value == 0.2962962962962963
    assert card["t_closeness"].details["fulfilled"] is fulfilled


def test_the_command_says_that_patient_exceeds_a_lower_limit_on_t(
    seed_tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = roles_file(tmp_path, Roles(quasi_identifiers=["ZIPCode", "Age"], sensitive=["Disease"]))
    table, folder = seed_tables / "patient" / "patient_anonymized.csv", seed_tables / "patient" / "patient_hierarchy"
    found = printed(command(capsys, table, roles, hierarchies=folder, **{"t_closeness.t": 0.29}))["t_closeness"]
    assert (found["value"], found["details"]["fulfilled"]) == (0.2962962962962963, False)


def test_without_hierarchy_the_distance_of_patient_is_equal(seed_tables: Path) -> None:
    roles = Roles(quasi_identifiers=["ZIPCode", "Age"], sensitive=["Disease"])
    closeness = api(seed_tables / "patient" / "patient_anonymized.csv", roles)["t_closeness"]
    assert closeness.value == pytest.approx(5 / 9, abs=1e-15)
    assert closeness.details["distance"] == {"Disease": "equal"}


@pytest.mark.parametrize("allow_attack", [True, False])
def test_command_and_library_give_the_known_profitability_of_the_delta_table(
    seed_tables: Path, tmp_path: Path, allow_attack: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = Roles(quasi_identifiers=["zip", "age", "nationality"])
    table = seed_tables / "delta" / "delta_anonymized.csv"
    settings: dict[str, object] = {**COSTS, "profitability.allow_attack": str(allow_attack).lower()}
    found = printed(command(capsys, table, roles_file(tmp_path, roles), **settings))["profitability"]
    assert found["value"] is allow_attack
    assert found["details"]["no_attack"] is False
    assert found["details"]["publisher_payout"] == 5400
    assert found["details"]["records_attacked"] == 5
    assert api(table, roles, **settings)["profitability"].to_dict() == found


# The worked tables of the pages

PARTS = {"flu": "respiratory", "stomach-cancer": "stomach", "gastritis": "stomach"}


def test_the_worked_table_of_t_closeness_has_the_distances_computed_by_hand() -> None:
    # The page exchanges two of these: it prints 1/4 for the first class's disease, 3/20 for the second's salary.
    records = written(
        """
        born salary disease
        197* 3 stomach-cancer
        197* 4 flu
        198* 5 flu
        198* 6 gastritis
        198* 8 stomach-cancer
        """
    )
    rows = [[leaf, f"{part} disease", "disease"] for leaf, part in PARTS.items()]
    roles = Roles(quasi_identifiers=["born"], sensitive=["salary", "disease"])
    card = metrics.score(records, roles, hierarchies={"disease": Hierarchy(rows)})
    found = card.classes.to_pandas().set_index("born")[["salary.t", "disease.t"]]
    assert found.loc["197*"].tolist() == pytest.approx([3 / 8, 3 / 20], abs=1e-15)
    assert found.loc["198*"].tolist() == pytest.approx([1 / 4, 1 / 10], abs=1e-15)


def test_the_worked_table_of_ambiguity_has_its_published_score() -> None:
    decades = table({"born": ["1970 - 1979", "1980 - 1989"]})
    roles = Roles(quasi_identifiers=["born"])
    found = metrics.score(decades, roles, original=written("born\n1977\n1988"))["ambiguity"]
    assert found.details["mean_combinations"] == 10
    assert found.value == pytest.approx(1 - 18 / 38, abs=1e-15)


def test_the_worked_table_of_non_uniform_entropy_has_its_published_score() -> None:
    before, after = written("born\n1970\n1981\n1983\n1988"), written("born\n197*\n198*\n198*\n198*")
    years = Hierarchy([[str(year), f"{year // 10}*", "*"] for year in range(1970, 1990)])
    found = metrics.score(after, Roles(quasi_identifiers=["born"]), original=before, hierarchies={"born": years})
    assert found["non_uniform_entropy"].value == pytest.approx(0.4056, abs=5e-5)
    assert found["non_uniform_entropy"].details["loss_by_column"] == {"born": pytest.approx(4.7549, abs=5e-5)}
    assert found["non_uniform_entropy"].details["largest_loss"] == 8


def test_the_worked_table_of_profitability_has_its_published_figures() -> None:
    records = written("born\n197*\n198*\n198*")
    settings = metrics.Parameters().with_settings(COSTS)
    found = metrics.score(records, Roles(quasi_identifiers=["born"]), parameters=settings)["profitability"]
    assert (found.value, found.details["no_attack"], found.details["records_attacked"]) == (True, False, 3)
    assert found.details["publisher_payout"] == (1200 - 300) + 2 * (1200 - 150)
