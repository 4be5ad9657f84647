"""Published figures, from the API and from the command line."""

from pathlib import Path

import pytest

import metrics
from metrics import Roles
from tests.published.scoring import SCORED, api, command, petworks, printed, roles_file
from tests.support.generated_tables import ADMISSIONS
from tests.support.reference_data import reference

pytestmark = pytest.mark.reference

EIGHT = ["sex", "age", "race", "marital-status", "education", "native-country", "occupation", "salary-class"]
NINE = [*EIGHT, "workclass"]
THREE = ["marital-status", "native-country", "occupation"]

# adult


@pytest.mark.parametrize(
    ("quasi_identifiers", "entropy"),
    [(NINE, 0.6691909578638351), (EIGHT, 0.6740002378300514), (THREE, 0.6385286721819015)],
    ids=["nine", "eight", "three"],
)
def test_the_library_gives_the_published_non_uniform_entropy_of_adult(
    quasi_identifiers: list[str], entropy: float
) -> None:
    roles = Roles(quasi_identifiers=quasi_identifiers)
    tables = petworks("adult", "adult_anonymized.csv"), petworks("adult", "adult.csv")
    card = api(tables[0], roles, tables[1], petworks("adult", "adult_hierarchy"))
    assert card["non_uniform_entropy"].value == pytest.approx(entropy, abs=1e-12)


@pytest.mark.parametrize(
    ("hierarchy", "score", "mean"),
    [
        ("adult_hierarchy_intervals", 0.7271401100722763, 280665866.38591605),
        ("adult_hierarchy", 0.7271401084040343, 8465443913689 / 30162),
    ],
)
def test_the_library_gives_the_published_figures_of_adult_with_nine_quasi_identifiers(
    hierarchy: str, score: float, mean: float
) -> None:
    tables = petworks("adult", "adult_anonymized.csv"), petworks("adult", "adult.csv")
    card = api(tables[0], Roles(quasi_identifiers=NINE), tables[1], petworks("adult", hierarchy))
    assert card["ambiguity"].value == pytest.approx(score, abs=1e-12)
    assert card["ambiguity"].details["mean_combinations"] == pytest.approx(mean, rel=1e-12)
    assert card["non_uniform_entropy"].value == pytest.approx(0.6691909578638351, abs=1e-12)
    found = card.to_dict()["tables"]
    assert found["anonymized"].items() >= {"rows": 30162, "suppressed_rows": 8230, "removed_rows": 0}.items()
    assert found["original"]["rows"] == 30162


def test_an_attacker_who_prefers_specific_labels_finds_twice_as_many_records_of_adult_made_by_mondrian() -> None:
    """What docs/attack-assumptions.md says of record linkage where labels overlap."""
    roles = metrics.read_roles(petworks("adult", "adult.yaml")).roles
    original = metrics.read_table(petworks("adult", "adult.csv"))
    hierarchies = metrics.read_hierarchies(petworks("adult", "adult_hierarchy"))
    made = metrics.make_candidate(original, "mondrian", roles, hierarchies, k=5)
    attacked = ["record_linkage_attack"]
    card = metrics.score(made, roles, original=original, hierarchies=hierarchies, metrics=attacked)
    attack = card["record_linkage_attack"]
    assert attack.value == pytest.approx(0.056, abs=0.0005)
    assert attack.details["most_specific"] == pytest.approx(0.112, abs=0.0005)


@pytest.mark.slow
def test_the_command_line_prints_the_scorecard_of_adult(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roles = Roles(quasi_identifiers=NINE)
    inputs = petworks("adult", "adult.csv"), petworks("adult", "adult_hierarchy")
    anonymized = petworks("adult", "adult_anonymized.csv")
    shown = command(capsys, anonymized, roles_file(tmp_path, roles), *inputs, metrics=SCORED)
    assert printed(shown)
    assert shown.object == api(anonymized, roles, *inputs).to_dict()


# The YAML files that lie beside the tables name the roles and the hierarchy folder.


@pytest.mark.parametrize("name", ["adult.yaml", "adult_anonymized.yaml", "adult10.yaml"])
def test_the_role_files_of_adult_give_its_roles_and_hierarchy_folder(name: str) -> None:
    read = metrics.read_roles(petworks("adult", name))
    assert sorted(read.roles.quasi_identifiers) == sorted(EIGHT)
    assert read.roles.sensitive == ("workclass",)
    assert read.hierarchies == "adult_hierarchy"


def test_adult_yaml_alone_gives_the_published_figure(capsys: pytest.CaptureFixture[str]) -> None:
    adult = petworks("adult")
    inputs = adult / "adult_anonymized.csv", adult / "adult.yaml", adult / "adult.csv"
    found = printed(command(capsys, *inputs, metrics=["non_uniform_entropy", "t_closeness"]))
    assert found["non_uniform_entropy"]["value"] == pytest.approx(0.6740002378300514, abs=1e-12)
    assert found["t_closeness"]["details"]["distance"] == {"workclass": "hierarchical"}


def test_the_role_files_of_delta_and_inpatient_are_read() -> None:
    delta = metrics.read_roles(petworks("delta", "delta.yaml"))
    assert delta.roles == Roles(
        quasi_identifiers=["zip", "age"], sensitive=["nationality"], insensitive=["salary-class"]
    )
    assert delta.hierarchies == "delta_hierarchy"
    inpatient = metrics.read_roles(petworks("inpatient", "inpatient_anonymized.yaml"))
    assert inpatient.roles == Roles(quasi_identifiers=["zipcode", "age"], sensitive=["condition"])
    assert inpatient.hierarchies is None


# t-closeness


def test_command_and_library_give_the_published_t_closeness_of_merit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = Roles(quasi_identifiers=["Name"], sensitive=["Merit"])
    table = petworks("merit.csv")
    closeness = api(table, roles)["t_closeness"]
    assert closeness.value == 0.26666666666666666
    found = printed(command(capsys, table, roles_file(tmp_path, roles)))["t_closeness"]
    assert (found["value"], found["details"]["distance"]) == (0.26666666666666666, {"Merit": "ordered"})


# P_29

AFTER = {"k_min": 13, "Nk": 1 / 13, "Nl": 0.6468849936894951, "Nt": 0.26991424066830283}
EXTREMES = {"min_l": 0.07358616908386309, "max_t": 0.4997312970313503}


def test_the_command_gives_the_known_p29_of_diabetes_after_deletion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = reference("diabetes", "diabetes_after_deletion.csv.gz")
    found = printed(command(capsys, table, roles_file(tmp_path, ADMISSIONS)))["p29"]
    assert found["value"] == pytest.approx(0.8057811497937597, abs=1e-12)
    details = found["details"]
    for name, expected in {**AFTER, **EXTREMES}.items():
        assert details[name] == pytest.approx(expected, abs=1e-12), name
    assert (details["violating_classes"], details["violating_records"], details["reasons"]) == (0, 0, [])


def test_p29_of_diabetes_before_deletion_is_0_with_the_known_violating_classes() -> None:
    card = api(reference("diabetes", "diabetes_before_deletion.csv.gz"), ADMISSIONS)
    found = card["p29"].to_dict()
    assert len(card.classes) == 98
    assert int(card.classes.violating.sum()) == 35
    details = found["details"]
    assert found["value"] == 0
    assert (details["violating_classes"], details["violating_records"]) == (35, 2334)
    assert details["violating_by_condition"] == {"k": 4, "l": 26, "t": 31}
    assert len(details["reasons"]) == 3
