"""Derivations of the published figures."""

from pathlib import Path

import pytest

from metrics import Roles
from metrics.scoring.working import Subject, subject_count, working
from tests.published.scoring import api, petworks
from tests.support.reference_data import reference
from tests.working.formulas import assert_sound

NINE = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "occupation",
    "salary-class",
    "workclass",
]


@pytest.mark.slow
@pytest.mark.reference
def test_workings_of_entropy_and_ambiguity_end_at_the_known_figures_of_adult() -> None:
    card = api(
        petworks("adult", "adult_anonymized.csv"),
        Roles(quasi_identifiers=NINE),
        petworks("adult", "adult.csv"),
        petworks("adult", "adult_hierarchy_intervals"),
    )
    for index in (0, subject_count(card, "ambiguity") - 1):
        for column in NINE:
            made = working(card, "non_uniform_entropy", Subject(index, column))
            assert made.result == pytest.approx(0.6691909578638351, abs=1e-12)
            assert_sound(made)
        made = working(card, "ambiguity", Subject(index))
        assert made.result == pytest.approx(0.7271401100722763, abs=1e-12)
        assert made.steps[2].number == pytest.approx(280665866.38591605, rel=1e-12)
        assert_sound(made)


@pytest.mark.slow
@pytest.mark.reference
def test_workings_of_p29_end_at_the_known_figures_of_diabetes() -> None:
    sensitive = ["diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"]
    card = api(
        reference("diabetes", "diabetes_after_deletion.csv.gz"),
        Roles(quasi_identifiers=["race", "gender", "age"], sensitive=sensitive),
    )
    for index in range(card.aggregates.classes.count):
        made = working(card, "p29", Subject(index, sensitive[index % len(sensitive)]))
        assert made.result == pytest.approx(0.8057811497937597, abs=1e-12)
        assert_sound(made)
    first = working(card, "p29", Subject(0, "readmitted"))
    numbers = {step.title: step.number for step in first.steps}
    assert numbers["Move the surplus"] == pytest.approx(0.04481553671464057, abs=1e-12)
    assert numbers["t: scale to 0 … 1"] == pytest.approx(0.16189563980393462, abs=1e-12)
    assert numbers["As a share of the maximum"] == pytest.approx(0.836904, abs=1e-6)


def test_the_working_of_t_closeness_ends_at_8_27_for_the_patient_table(seed_tables: Path) -> None:
    card = api(
        seed_tables / "patient" / "patient_anonymized.csv",
        Roles(quasi_identifiers=["ZIPCode", "Age"], sensitive=["Disease"]),
        hierarchies=seed_tables / "patient" / "patient_hierarchy",
    )
    made = working(card, "t_closeness")
    assert made.result == pytest.approx(0.2962962962962963, abs=1e-15)
    assert made.steps[2].formula is not None
    assert r"\frac{8}{27} \approx 0.296296" in made.steps[2].formula
