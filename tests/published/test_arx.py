"""What ARX 3.9.2 gave for the reference tables (oracle.json), to 1e-9."""

from collections import Counter
from typing import Any

import pytest

from metrics import Parameters, Roles, read_hierarchies, score
from tests.published.scoring import api, petworks
from tests.support.reference_data import arx_figures, reference
from tests.support.reference_tables import reference_table
from tests.support.small_tables import Cells, cells_of, table

pytestmark = pytest.mark.reference

# Not patient: its hierarchies lack the anonymized table's values, which ARX leaves out of its means.
EVALUATED = [
    "adult/all9qi/hier_current",
    pytest.param("adult/all9qi/hier_old", marks=pytest.mark.slow),
    pytest.param("adult/yaml8qi/hier_current", marks=pytest.mark.slow),
    "adult/test3qi/hier_current",
    "presence/presence_vs_presence_transformed",
]
SIZED = [*EVALUATED, "patient/arx_test2_vs_patient_anonymized/patient_hierarchy", "inpatient/self_risk_only"]
JUDGED = [
    ("patient_Disease", "Disease"),
    ("patient_Salary_int", "Salary"),
    ("disease_Disease", "Disease"),
    ("disease_Salary_int", "Salary"),
    ("merit_int", "Merit"),
    ("inpatient_condition", "condition"),
]


def arx(*path: str) -> dict[str, Any]:
    found = arx_figures()
    for step in path:
        found = found[step]
    return found


def quasi_identifiers(types: dict[str, str]) -> Roles:
    return Roles(quasi_identifiers=[name for name, kind in types.items() if kind == "QI"])


@pytest.mark.parametrize("name", EVALUATED)
def test_non_uniform_entropy_and_ambiguity_equal_those_of_arx(name: str) -> None:
    expected = arx("evaluation", name)
    given, quality = expected["input"], expected["quality"]
    roles = quasi_identifiers(given["types"])
    card = api(reference(given["anon"]), roles, reference(given["orig"]), reference(given["hier"]))
    entropy, lost = card["non_uniform_entropy"], quality["non_uniform_entropy"]
    assert entropy.value == pytest.approx(lost["arithmetic_mean"], rel=1e-9)
    assert set(entropy.attributes) == set(lost["per_attribute"])
    for column, of in lost["per_attribute"].items():
        # ARX gives a figure of its own to a column whose values are no generalizations, such as age in adult.
        judged = column not in entropy.details["not_generalized"]
        figure = pytest.approx(of["value"], rel=1e-9, abs=1e-12)
        assert entropy.attributes[column] == (figure if judged else None), column
        assert entropy.details["loss_by_column"][column] == pytest.approx(of["raw_result"], rel=1e-9)
    largest = sum(of["raw_maximum"] for of in lost["per_attribute"].values())
    assert entropy.details["largest_loss"] == pytest.approx(largest, rel=1e-9)
    ambiguity, rows = card["ambiguity"], card.aggregates.anonymized.rows
    assert ambiguity.value == pytest.approx(quality["ambiguity"]["value"], rel=1e-9)
    mean = quality["ambiguity"]["raw_result"] / rows
    assert ambiguity.details["mean_combinations"] == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize("name", SIZED)
def test_class_sizes_and_suppressed_records_equal_those_of_arx(name: str) -> None:
    expected = arx("evaluation", name)
    given, statistics = expected["input"], expected["risk_anonymized"]["equivalence_class_statistics"]
    card = api(reference(given["anon"]), quasi_identifiers(given["types"]))
    classes = card.to_dict()["classes"]
    assert card["k_anonymity"].value == classes["smallest"] == statistics["min"]
    assert (classes["count"], classes["largest"]) == (statistics["num_classes"], statistics["max"])
    assert classes["mean"] == pytest.approx(statistics["average"], rel=1e-9)
    assert card.aggregates.classes.suppressed == statistics["suppressed_records"]


@pytest.mark.parametrize(("name", "sensitive"), JUDGED)
def test_l_diversity_and_t_closeness_equal_the_thresholds_at_which_arx_accepts(name: str, sensitive: str) -> None:
    expected = arx("privacy_model_thresholds", name)
    given, thresholds = expected["input"], expected[sensitive]
    roles = Roles(quasi_identifiers=quasi_identifiers(given["types"]).quasi_identifiers, sensitive=[sensitive])
    folder = reference(given["hier"]) if "hier" in given else None

    def first(model: str) -> Any:
        """Where the model starts to hold; None where it never does."""
        value = thresholds[model]["first_passing"]
        return None if value == "NaN" else pytest.approx(value, rel=1e-9)

    card = api(reference(given["orig"]), roles, hierarchies=folder)
    assert card["distinct_l_diversity"].value == thresholds["l_distinct"]
    assert card["entropy_l_diversity"].value == first("l_entropy_shannon")
    for l in (2, 3, 4):  # noqa: E741
        again = api(reference(given["orig"]), roles, **{"recursive_cl_diversity.l": l})
        assert again["recursive_cl_diversity"].value == first(f"recursive_c_for_l{l}")
    grounds = {"equal", *(["ordered"] if "_int" in name else []), *(["hierarchical"] if folder else [])}
    for ground in sorted(grounds):
        chosen = {f"t_closeness.distance.{sensitive}": ground}
        again = api(reference(given["orig"]), roles, hierarchies=folder, **chosen)
        assert again["t_closeness"].value == first(f"t_{ground}")
        assert again["t_closeness"].details["distance"] == {sensitive: ground}
    automatic = "ordered" if "_int" in name else "hierarchical" if folder else "equal"
    assert card["t_closeness"].details["distance"] == {sensitive: automatic}
    assert card["t_closeness"].value == first(f"t_{automatic}")


@pytest.mark.parametrize("name", ["delta", "presence_transformed"])
def test_the_smallest_class_equals_the_k_of_arx(name: str) -> None:
    expected = arx("privacy_model_thresholds", name)
    card = api(reference(expected["input"]["orig"]), quasi_identifiers(expected["input"]["types"]))
    assert card["k_anonymity"].value == expected["k"]


def test_patient_loses_half_of_its_zip_codes() -> None:
    name = "patient/arx_test2_vs_patient_anonymized/patient_hierarchy"
    lost = arx("evaluation", name)["quality"]["non_uniform_entropy"]["per_attribute"]["ZIPCode"]
    folder = petworks("patient", "patient_hierarchy")
    tables = petworks("patient", "patient_anonymized.csv"), petworks("patient", "patient.csv")
    entropy = api(tables[0], Roles(quasi_identifiers=["ZIPCode"]), tables[1], folder)["non_uniform_entropy"]
    assert entropy.value == pytest.approx(lost["value"], rel=1e-9)
    unknown = api(tables[0], Roles(quasi_identifiers=["ZIPCode", "Age"]), tables[1], folder)
    reason = unknown["non_uniform_entropy"].unavailable
    assert unknown["non_uniform_entropy"].value is None
    assert reason is not None
    assert "Age" in reason


def test_the_payout_with_information_loss_equals_that_of_arx() -> None:
    expected = arx("anonymization", "profit_prosecutor_noattack_payout_supp1_q8_old")
    names, levels = expected["qi_order"], expected["optimal_transformation"]
    original = reference_table("petworks", "adult", "adult.csv")
    hierarchies = read_hierarchies(petworks("adult", "adult_hierarchy_intervals"))
    generalized: dict[str, Cells] = {}
    for name, level in zip(names, levels, strict=True):
        label_of = {row[0]: row[level] for row in hierarchies[name].rows}
        generalized[name] = [label_of[str(cell)] for cell in cells_of(original[name])]
    # ARX suppresses every record that is worth attacking: classes below 300/4 + 1 records.
    rows = list(zip(*generalized.values(), strict=True))
    size = Counter(rows)
    kept = [row if size[row] >= 76 else ("*",) * len(names) for row in rows]
    anonymized = table(dict(zip(names, map(list, zip(*kept, strict=True)), strict=True)))
    settings = {"profitability.allow_attack": False, "profitability.information_loss": True}
    card = score(
        anonymized,
        Roles(quasi_identifiers=names),
        original=original,
        hierarchies=hierarchies,
        parameters=Parameters().with_settings(settings),
    )
    profit = card["profitability"]
    assert card.aggregates.classes.suppressed == expected["suppressed_rows"]
    assert profit.value is True
    # ARX's score is what the payout falls short of the benefit of all records.
    short = expected["num_rows"] * 1200 - profit.details["publisher_payout"]
    assert short == pytest.approx(float(expected["highest_score"]), rel=1e-9)
