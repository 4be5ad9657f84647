"""The oracle reproduces the published figures, and its closed forms agree with brute force."""

import math
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import oracle
from tests.oracle.written import Table, table
from tests.support.reference_data import arx_figures, read_hierarchies, read_records, reference

DIABETES_QI = ["race", "gender", "age"]
DIABETES_SENSITIVE = ["diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"]

# Equivalence classes and suppression


def test_a_missing_value_is_a_value_and_a_suppressed_record_is_in_no_class() -> None:
    records = table("a b s", "1 - x", "* * y", "1 - y", "* 1 x", "1 1 x", "- - x")
    classes = dict(oracle.equivalence_classes(records, ["a", "b"]))
    assert {key: len(members) for key, members in classes.items()} == {
        ("1", None): 2,
        ("*", "1"): 1,
        ("1", "1"): 1,
        (None, None): 1,
    }
    assert len(oracle.kept_records(records, ["a", "b"])) == 5


def test_the_table_distribution_leaves_suppressed_records_out() -> None:
    records = table("q s", "1 x", "1 x", "2 x", "2 y", "* y", "* z")
    judged = oracle.t_closeness(records, ["q"], "s", "equal")
    assert judged.per_class == {("1",): Fraction(1, 4), ("2",): Fraction(1, 4)}


# l-diversity


def test_the_l_diversities_of_the_oracle_equal_those_computed_by_hand() -> None:
    records = table("q s", "1 x", "1 x", "1 y", "1 z", "2 x", "2 y", "3 -", "3 -")
    assert oracle.k_anonymity(records, ["q"]).value == 2
    assert oracle.distinct_l_diversity(records, ["q"], "s").per_class == {("1",): 3, ("2",): 2, ("3",): 1}
    entropy = oracle.entropy_l_diversity(records, ["q"], "s")
    assert entropy.value == pytest.approx(1)
    assert entropy.per_class[("1",)] == pytest.approx(2 ** Fraction(3, 2))
    normalized = oracle.normalized_entropy_l_diversity(records, ["q"], "s")
    assert normalized.value == 0
    assert normalized.per_class[("1",)] == pytest.approx(1.5 / math.log2(3))
    assert normalized.per_class[("2",)] == pytest.approx(1)
    recursive = oracle.recursive_cl_diversity(records, ["q"], "s", l=2)
    assert recursive.per_class == {("1",): Fraction(1), ("2",): Fraction(1), ("3",): None}
    assert recursive.value is None
    assert oracle.recursive_cl_diversity(records[:6], ["q"], "s", l=2).value == 1


@pytest.mark.reference
@pytest.mark.parametrize(
    ("name", "parts", "quasi_identifiers", "sensitive"),
    [
        ("patient_Disease", ["patient", "patient_anonymized.csv"], ["ZIPCode", "Age"], "Disease"),
        ("patient_Salary_int", ["patient", "patient_anonymized.csv"], ["ZIPCode", "Age"], "Salary"),
        ("disease_Disease", ["disease", "disease.csv"], ["ZIPCode", "Age"], "Disease"),
        ("disease_Salary_int", ["disease", "disease.csv"], ["ZIPCode", "Age"], "Salary"),
        ("merit_int", ["merit.csv"], ["Name"], "Merit"),
        ("inpatient_condition", ["inpatient", "inpatient_anonymized.csv"], ["zipcode", "age"], "condition"),
    ],
)
def test_l_diversity_and_t_closeness_are_those_of_arx(
    name: str, parts: list[str], quasi_identifiers: list[str], sensitive: str
) -> None:
    records = read_records(reference("petworks", *parts))
    thresholds = arx_figures()["privacy_model_thresholds"][name][sensitive]

    def arx(model: str) -> Any:
        value = thresholds[model]["first_passing"]
        return None if value == "NaN" else pytest.approx(value, rel=1e-12)

    distinct = oracle.distinct_l_diversity(records, quasi_identifiers, sensitive)
    assert distinct.value == thresholds["l_distinct"]
    entropy = oracle.entropy_l_diversity(records, quasi_identifiers, sensitive)
    assert entropy.value == arx("l_entropy_shannon")
    for l in (2, 3, 4):  # noqa: E741
        smallest_c = oracle.recursive_cl_diversity(records, quasi_identifiers, sensitive, l).value
        assert (None if smallest_c is None else float(smallest_c)) == arx(f"recursive_c_for_l{l}")
    assert float(oracle.t_closeness(records, quasi_identifiers, sensitive, "equal").value) == arx("t_equal")
    if oracle.ground_distance_of(records, quasi_identifiers, sensitive) == "ordered":
        ordered = oracle.t_closeness(records, quasi_identifiers, sensitive, "ordered")
        assert float(ordered.value) == arx("t_ordered")
    if "t_hierarchical" in thresholds:
        folder = reference("petworks", parts[0], f"{parts[0]}_hierarchy")
        hierarchy = read_hierarchies(folder)[sensitive]
        hierarchical = oracle.t_closeness(records, quasi_identifiers, sensitive, "hierarchical", hierarchy)
        assert float(hierarchical.value) == arx("t_hierarchical")


# t-closeness

SALARY_AND_DISEASE = table(
    "born salary disease",
    "197* 3 stomach-cancer", "197* 4 flu", "198* 5 flu", "198* 6 gastritis", "198* 8 stomach-cancer",
)  # fmt: skip
DISEASES = [
    ["flu", "respiratory", "disease"],
    ["stomach-cancer", "stomach", "disease"],
    ["gastritis", "stomach", "disease"],
]


def test_the_oracle_gives_the_distances_of_the_worked_table_of_t_closeness() -> None:
    # The page prints 1/4 for the first group's disease and 3/20 for the second group's salary: exchanged.
    salary = oracle.t_closeness(SALARY_AND_DISEASE, ["born"], "salary", "ordered")
    assert salary.per_class == {("197*",): Fraction(3, 8), ("198*",): Fraction(1, 4)}
    disease = oracle.t_closeness(SALARY_AND_DISEASE, ["born"], "disease", "hierarchical", DISEASES)
    assert disease.per_class == {("197*",): Fraction(3, 20), ("198*",): Fraction(1, 10)}


def test_the_oracle_gives_the_published_t_closeness_of_the_patient_table(seed_tables: Path) -> None:
    patient = read_records(seed_tables / "patient" / "patient_anonymized.csv")
    hierarchies = read_hierarchies(seed_tables / "patient" / "patient_hierarchy")
    closeness = oracle.t_closeness(patient, ["ZIPCode", "Age"], "Disease", "hierarchical", hierarchies["Disease"])
    assert closeness.value == Fraction(8, 27)
    assert oracle.t_closeness(patient, ["ZIPCode", "Age"], "Disease", "equal").value == Fraction(5, 9)
    assert oracle.ground_distance_of(patient, ["ZIPCode", "Age"], "Disease", hierarchies) == "hierarchical"
    assert oracle.ground_distance_of(patient, ["ZIPCode", "Age"], "Disease") == "equal"


@pytest.mark.reference
def test_the_oracle_gives_the_published_t_closeness_of_the_merit_table() -> None:
    merit = read_records(reference("petworks", "merit.csv"))
    assert oracle.ground_distance_of(merit, ["Name"], "Merit") == "ordered"
    assert oracle.t_closeness(merit, ["Name"], "Merit", "ordered").value == Fraction(4, 15)


def test_equal_numbers_share_a_rank_and_one_number_has_no_distance() -> None:
    records = table("q s", "1 1", "1 1.0", "2 10", "2 -2e0")
    judged = oracle.t_closeness(records, ["q"], "s", "ordered")
    # p - q of the first class by rank (-2, 1, 10): -1/4, 1/2, -1/4.
    assert judged.per_class[("1",)] == Fraction(1, 4)
    assert oracle.t_closeness(records[:2], ["q"], "s", "ordered").value == 0
    assert oracle.ground_distance_of(table("q s", "1 1", "1 x"), ["q"], "s") == "equal"


@given(st.data())
def test_the_transport_is_the_best_of_all_assignments(data: st.DataObject) -> None:
    # With equal masses an optimal plan is a permutation (Birkhoff), so trying them all is the full search.
    count = data.draw(st.integers(1, 5))
    costs = st.lists(st.integers(0, 20).map(Fraction), min_size=count, max_size=count)
    ground = data.draw(st.lists(costs, min_size=count, max_size=count))
    mass = [Fraction(1, count)] * count
    best = min(sum(ground[i][j] for i, j in enumerate(order)) for order in permutations(range(count)))
    assert oracle.minimum_transport_cost(mass, mass, ground) == best / count


@st.composite
def trees(draw: st.DrawFn) -> list[list[str]]:
    """Hierarchies of up to six leaves and three levels above them, with or without a common root."""
    height = draw(st.integers(1, 3))
    forks = st.tuples(*[st.integers(0, 1)] * (height - 1))
    paths = draw(st.lists(forks, min_size=1, max_size=6))
    rows = [
        [f"leaf{i}", *("/".join(map(str, path[: height - level])) for level in range(1, height))]
        for i, path in enumerate(paths)
    ]
    return [[*row, "*"] for row in rows] if draw(st.booleans()) else rows


@given(st.data(), trees())
def test_the_closed_forms_are_the_cost_of_the_best_transport(data: st.DataObject, hierarchy: list[list[str]]) -> None:
    leaves = [row[0] for row in hierarchy]
    pairs = st.tuples(st.integers(1, 3), st.integers(0, len(leaves) - 1))
    drawn = data.draw(st.lists(pairs, min_size=1, max_size=12))
    numbers = sorted({leaf for _, leaf in drawn})
    records: Table = [{"q": str(q), "number": str(3 * i * i), "label": leaves[i]} for q, i in drawn]

    def share(members: list[int], of: int) -> Fraction:
        return Fraction(members.count(of), len(members))

    grounds = {
        "equal": oracle.equal_ground(len(numbers)),
        "ordered": oracle.ordered_ground(len(numbers)),
        "hierarchical": oracle.hierarchical_ground([leaves[i] for i in numbers], hierarchy),
    }
    demand = [share([leaf for _, leaf in drawn], i) for i in numbers]
    for ground, matrix in grounds.items():
        attribute = "number" if ground == "ordered" else "label"
        judged = oracle.t_closeness(records, ["q"], attribute, ground, hierarchy)
        for (key,), distance in judged.per_class.items():
            members = [leaf for q, leaf in drawn if str(q) == key]
            supply = [share(members, i) for i in numbers]
            assert distance == oracle.minimum_transport_cost(supply, demand, matrix)


# P_29


@pytest.fixture(scope="module")
def after_deletion() -> list[dict[str, str | None]]:
    return read_records(reference("diabetes", "diabetes_after_deletion.csv.gz"))


# The oracle takes seconds for 100,000 records. The default run compares the library with their figures, and with the
# oracle on smaller tables.


@pytest.mark.slow
@pytest.mark.reference
def test_the_oracle_gives_the_p29_of_the_notebook(after_deletion: list[dict[str, str | None]]) -> None:
    records = after_deletion
    result = oracle.p29(records, DIABETES_QI, DIABETES_SENSITIVE)
    assert result.score == pytest.approx(0.8057811497937597, abs=1e-12)
    assert (result.k_min, result.nk) == (13, Fraction(1, 13))
    assert result.nl == pytest.approx(0.6468849936894951, abs=1e-12)
    assert float(result.nt) == pytest.approx(0.26991424066830283, abs=1e-12)
    assert float(result.largest_t) == pytest.approx(0.4997312970313503, abs=1e-12)
    assert result.smallest_l == pytest.approx(0.07358616908386309, abs=1e-12)
    assert (result.violating_classes, result.violating_records) == ({}, 0)
    assert list(result.nl_per_attribute.values()) == pytest.approx(
        [0.816539, 0.777670, 0.771016, 0.198358, 0.499301, 0.818425], abs=6e-7
    )
    assert [float(value) for value in result.nt_per_attribute.values()] == pytest.approx(
        [0.263849, 0.287875, 0.354814, 0.220297, 0.219628, 0.273022], abs=6e-7
    )
    key = ("AfricanAmerican", "Female", "[30-40)")
    sizes = oracle.k_anonymity(records, DIABETES_QI).per_class
    assert (len(sizes), sizes[key], sizes[("Other", "Male", "[70-80)")]) == (63, 750, 445)
    readmitted = oracle.t_closeness(records, DIABETES_QI, "readmitted", "equal")
    assert float(readmitted.per_class[key]) == pytest.approx(0.04481553671464057, abs=1e-12)
    assert float(readmitted.value) == pytest.approx(0.24786315576225965, abs=1e-12)
    assert float(min(readmitted.per_class.values())) == pytest.approx(0.00559306543589707, abs=1e-12)


@pytest.mark.slow
@pytest.mark.reference
def test_p29_before_the_deletion_is_zero_and_names_what_was_deleted(
    after_deletion: list[dict[str, str | None]],
) -> None:
    records = read_records(reference("diabetes", "diabetes_before_deletion.csv.gz"))
    result = oracle.p29(records, DIABETES_QI, DIABETES_SENSITIVE)
    assert result.score == 0
    assert len({tuple(row[name] for name in DIABETES_QI) for row in records}) == 98
    assert (len(result.violating_classes), result.violating_records) == (35, 2334)
    reasons = list(result.violating_classes.values())
    with_gate = {gate: sum(any(name == gate for name, _ in why) for why in reasons) for gate in "klt"}
    assert with_gate == {"k": 4, "l": 26, "t": 31}
    deleted = result.violating_classes
    left = [row for row in records if tuple(row[name] for name in DIABETES_QI) not in deleted]
    assert left == after_deletion


def test_the_p29_of_the_oracle_equals_the_score_computed_by_hand() -> None:
    records = table("q a b", "1 x 1", "1 y 2", "2 x 1", "2 y 2", "2 x 1", "2 y 3", "* z 9")
    result = oracle.p29(records, ["q"], ["a", "b"], w_k="0.2", w_l="0.3", w_t="0.5")
    # a is 1/2, 1/2 everywhere: its t are equal, so normalized 0. b has t 1/6 and 1/12, normalized 1 and 0.
    assert (result.k_min, result.nk, result.nt) == (2, Fraction(1, 2), Fraction(1, 4))
    b_in_second_class = 1.5 / math.log2(3)
    assert result.nl == pytest.approx((1 + (1 + b_in_second_class) / 2) / 2)
    assert result.score == pytest.approx(0.2 * 0.5 + 0.3 * result.nl + 0.5 * 0.75)
    assert result.violating_classes == {}


def test_the_oracle_finds_the_classes_that_fail_p29_as_by_hand() -> None:
    records = table("q a", "1 x", "2 x", "2 x", "3 x", "3 y", "3 y", "3 z")
    result = oracle.p29(records, ["q"], ["a"], t_max="0.4")
    # t: 3/7 where all are x (over 0.4), 9/28 in the third class.
    assert result.score == 0
    assert result.violating_classes == {
        ("1",): [("k", None), ("l", "a"), ("t", "a")],
        ("2",): [("l", "a"), ("t", "a")],
    }
    assert (result.violating_records, result.largest_t) == (3, Fraction(3, 7))
    assert oracle.p29(records[1:], ["q"], ["a"], t_max="0.5").violating_classes[("2",)] == [("l", "a")]
    at_the_limit = table("q a", "1 x", "1 y", "2 z", "2 w")
    assert oracle.p29(at_the_limit, ["q"], ["a"]).largest_t == Fraction(1, 2)
    assert oracle.p29(at_the_limit, ["q"], ["a"]).violating_classes == {}
