"""Every technology: its keys and figures on the reference tables, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics import InputError
from metrics.petworks import PETValidation, report
from metrics.petworks.attributetypes import IDENTIFIER, INSENSITIVE_ATTRIBUTE, QUASI_IDENTIFIER, SENSITIVE_ATTRIBUTE
from metrics.petworks.validation import TECHNOLOGIES
from tests.support.reference_data import reference

THREE = {
    "age": IDENTIFIER,
    "education": IDENTIFIER,
    "marital-status": QUASI_IDENTIFIER,
    "native-country": QUASI_IDENTIFIER,
    "occupation": QUASI_IDENTIFIER,
    "race": INSENSITIVE_ATTRIBUTE,
    "salary-class": INSENSITIVE_ATTRIBUTE,
    "sex": SENSITIVE_ATTRIBUTE,
    "workclass": SENSITIVE_ATTRIBUTE,
}
COSTS = {"adversaryCost": 4, "adversaryGain": 300, "publisherLost": 300, "publisherBenefit": 1200}
SECRET = "TOPSECRET"


def path(*parts: str) -> str:
    return str(reference("petworks", *parts))


@pytest.fixture(scope="module")
def adult() -> tuple[metrics.Table, metrics.Table]:
    """The pair, read once."""
    original, anonymized = (metrics.read_table(path("adult", name)) for name in ("adult.csv", "adult_anonymized.csv"))
    return original, anonymized


def test_technologies_have_the_names_of_petworks() -> None:
    assert list(TECHNOLOGIES) == [
        "AECS",
        "Ambiguity",
        "d-presence",
        "k-anonymity",
        "l-diversity",
        "Non-Uniform Entropy",
        "Precision",
        "profitability",
        "ReidentificationRisk",
        "t-closeness",
        "UtilityBias",
    ]


# Figures of pairs. PETWorks' documents and tests print these.


@pytest.mark.reference
@pytest.mark.parametrize(
    ("tech", "key", "yaml", "nine", "three"),
    [
        ("AECS", "AECS", 0.9992707253704929, 0.9992930131052006, 0.991558195882348),
        ("Ambiguity", "ambiguity", 0.72714009672634, 0.7271401084040343, 0.7271401100722763),
        ("Non-Uniform Entropy", "Non-Uniform Entropy", 0.6740002378300514, 0.6691909578638351, 0.6385286721819015),
        ("Precision", "precision", 0.7271401100722763, 0.7271401100722763, 0.7271401100722763),
    ],
)
def test_petvalidation_gives_the_known_utility_figures_of_the_adult_table(
    adult: tuple[metrics.Table, metrics.Table], tech: str, key: str, yaml: float, nine: float, three: float
) -> None:
    files = path("adult", "adult.csv"), path("adult", "adult_anonymized.csv")
    given = {"dataHierarchy": path("adult", "adult_hierarchy")}
    close = {"rel": 1e-15, "abs": 0.0}
    assert PETValidation(*files, tech) == {key: pytest.approx(yaml, **close)}
    assert PETValidation(*adult, tech, **given) == {key: pytest.approx(nine, **close)}
    assert PETValidation(*adult, tech, **given, attributeTypes=THREE) == {key: pytest.approx(three, **close)}


def test_arguments_win_over_the_yaml_file_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip;age\n1;20\n1;30\n1;30\n", encoding="utf-8")
    (tmp_path / "t.yaml").write_text("DATASET: {ATTRIBUTE_TYPE: {QUASI_IDENTIFIER: [zip]}}\n", encoding="utf-8")
    table = tmp_path / "t.csv"
    assert PETValidation(None, table, "k-anonymity", k=3) == {"k": 3, "fulfill k-anonymity": True}
    chosen = {"age": QUASI_IDENTIFIER}
    found = PETValidation(None, table, "k-anonymity", k=3, attributeTypes=chosen)
    assert found == {"k": 3, "fulfill k-anonymity": False}


# Verdicts


@pytest.mark.reference
@pytest.mark.parametrize(("k", "holds"), [(4, True), (5, True), (5.0, True), (6, False)])
def test_petvalidation_finds_that_adult_is_5_anonymous(k: float, holds: bool) -> None:
    table = path("adult", "adult_anonymized.csv")
    assert PETValidation(None, table, "k-anonymity", k=k) == {"k": k, "fulfill k-anonymity": holds}


@pytest.mark.reference
@pytest.mark.parametrize(("limit", "holds"), [(3, True), (4, False), (5, False)])
def test_petvalidation_finds_that_inpatient_is_3_diverse(limit: int, holds: bool) -> None:
    table = path("inpatient", "inpatient_anonymized.csv")
    assert PETValidation(None, table, "l-diversity", l=limit) == {"l": limit, "fulfill l-diversity": holds}


def test_l_diversity_takes_the_other_sensitive_attributes_as_known() -> None:
    frame = pd.DataFrame({"zip": ["1"] * 4, "illness": ["a", "b", "a", "b"], "income": ["x", "x", "y", "y"]})
    known = {"zip": QUASI_IDENTIFIER, "illness": SENSITIVE_ATTRIBUTE, "income": SENSITIVE_ATTRIBUTE}
    assert PETValidation(None, frame, "l-diversity", l=2, attributeTypes=known)["fulfill l-diversity"]
    frame.loc[3, "illness"] = "a"
    alone = {"zip": QUASI_IDENTIFIER, "illness": SENSITIVE_ATTRIBUTE}
    assert PETValidation(None, frame, "l-diversity", l=2, attributeTypes=alone)["fulfill l-diversity"]
    assert not PETValidation(None, frame, "l-diversity", l=2, attributeTypes=known)["fulfill l-diversity"]


@pytest.mark.parametrize(
    ("limit", "holds"), [(0.376, True), ("0.376", True), (4, True), (0.2962962962962963, True), (0.296, False)]
)
def test_petvalidation_finds_the_t_closeness_of_patient(seed_tables: Path, limit: float | str, holds: bool) -> None:
    found = PETValidation(None, seed_tables / "patient" / "patient_anonymized.csv", "t-closeness", tLimit=limit)
    assert found == {"t": float(limit), "fulfill t-closeness": holds}


def test_t_closeness_without_a_hierarchy_takes_the_equal_distance(seed_tables: Path) -> None:
    types = {"ZIPCode": QUASI_IDENTIFIER, "Age": QUASI_IDENTIFIER, "Disease": SENSITIVE_ATTRIBUTE}
    table = seed_tables / "patient" / "patient_anonymized.csv"
    for limit, holds in ((0.5556, True), (0.5555, False)):
        found = PETValidation(None, table, "t-closeness", attributeTypes=types, tLimit=limit)
        assert found["fulfill t-closeness"] is holds


@pytest.mark.parametrize(
    ("changed", "holds"),
    [({}, True), ({"allowAttack": False}, False), ({"publisherBenefit": 100}, False), ({"adversaryCost": 300}, True)],
)
def test_petvalidation_gives_the_known_profitability_of_the_delta_table(
    seed_tables: Path, changed: dict[str, Any], holds: bool
) -> None:
    # Classes of 3 and 2 records: a loss of 300 risks at most 150 a record, and an attack earns at most 150.
    costs = {"allowAttack": True, **COSTS, **changed}
    tables = (seed_tables / "delta" / name for name in ("delta.csv", "delta_anonymized.csv"))
    found = PETValidation(*tables, "profitability", **costs)
    assert list(found.values()) == [*costs.values(), holds]
    assert list(found) == [
        "allow attack",
        "adversary's cost",
        "adversary's gain",
        "publisher's loss",
        "publisher's benefit",
        "profitability",
    ]


@pytest.mark.parametrize(
    ("lowest", "highest", "holds"),
    [(1 / 2, 2 / 3, True), (0, 1, True), (0.51, 2 / 3, False), (1 / 2, 0.66, False), (1 / 2, 1 / 3, False)],
)
@pytest.mark.parametrize("name", ["delta", pytest.param("presence", marks=pytest.mark.reference)])
def test_delta_presence_holds_exactly_within_the_published_bounds(
    seed_tables: Path, name: str, lowest: float, highest: float, holds: bool
) -> None:
    folder = seed_tables / name if name == "delta" else reference("petworks", name)
    types = {"zip": QUASI_IDENTIFIER, "age": QUASI_IDENTIFIER, "nationality": QUASI_IDENTIFIER}
    found = PETValidation(
        folder / f"{name}.csv",
        folder / f"{name}_anonymized.csv",
        "d-presence",
        dataHierarchy=folder / f"{name}_hierarchy",
        attributeTypes=types,
        dMin=lowest,
        dMax=highest,
    )
    assert found == {"dMin": lowest, "dMax": highest, "d-presence": holds}


def test_delta_presence_ignores_people_covered_by_no_class() -> None:
    people = pd.DataFrame({"zip": ["1", "1", "2"]})
    found = PETValidation(
        people, people[:1], "d-presence", attributeTypes={"zip": QUASI_IDENTIFIER}, dMin=0.5, dMax=0.5
    )
    assert found["d-presence"] is True


@pytest.mark.reference
@pytest.mark.parametrize(("name", "risk"), [("adult", 1.0), ("adult_anonymized", 0.2)])
def test_reidentification_risk_takes_every_column_as_quasi_identifier(name: str, risk: float) -> None:
    table = path("adult", f"{name}.csv")
    for pair in ((table, None), (None, table)):
        assert PETValidation(*pair, "ReidentificationRisk") == {"Re-identification Risk": risk}


def test_petvalidation_computes_the_risk_of_the_quasi_identifiers_chosen() -> None:
    frame = pd.DataFrame({"zip": ["1", "1", "1", "2", "2"], "name": list("abcde")})
    found = PETValidation(frame, None, "ReidentificationRisk", attributeTypes={"zip": QUASI_IDENTIFIER})
    assert found == {"Re-identification Risk": 0.5}


def mean_age(source: str) -> float:
    """As PETWorks' page has it: the function is called with what the script passes."""
    return float(pd.read_csv(source, sep=";")["age"].mean())


@pytest.mark.reference
@pytest.mark.parametrize(("bound", "holds"), [(2, True), (1.25, True), (1.2, False)])
def test_petvalidation_finds_the_utility_bias_of_presence(bound: float, holds: bool) -> None:
    tables = path("presence", "presence.csv"), path("presence", "presence_anonymized2.csv")
    assert PETValidation(*tables, "UtilityBias", processingFunc=mean_age, maxBias=bound) == {"UtilityBias": holds}


def test_petvalidation_passes_any_object_to_the_function_of_utility_bias() -> None:
    lists: list[tuple[list[int], bool]] = [([6, 5, 4, 1, 2, 4], True), ([6, 5, 4, 1, 2, 5], False)]
    for after, holds in lists:
        found = PETValidation([1, 2, 3, 4, 5, 6], after, "UtilityBias", processingFunc=sum, maxBias=1)
        assert found == {"UtilityBias": holds}


# Reading


def test_tables_are_read_with_semicolons_first(tmp_path: Path) -> None:
    # Commas divide these records as evenly as semicolons do.
    (tmp_path / "t.csv").write_text("a,x;b,y\n1,5;2,5\n1,5;1,2\n", encoding="utf-8")
    found = PETValidation(None, tmp_path / "t.csv", "k-anonymity", k=2, attributeTypes={"a,x": QUASI_IDENTIFIER})
    assert found["fulfill k-anonymity"]


@pytest.mark.parametrize("take", [str, Path, pd.read_csv, metrics.read_table], ids=["text", "path", "pandas", "table"])
def test_other_dialects_and_tables_in_memory_are_read(take: Callable[[Any], Any], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip,age\n1,20\n1,30\n", encoding="utf-8")
    table = take(tmp_path / "t.csv")
    assert PETValidation(None, table, "k-anonymity", k=2, attributeTypes={"zip": QUASI_IDENTIFIER})[
        "fulfill k-anonymity"
    ]


# report


def test_the_report_prints_valid_json_with_null_for_an_undefined_figure(capsys: pytest.CaptureFixture[str]) -> None:
    report({"t": 0.376, "fulfill t-closeness": True, "AECS": float("nan")}, "json")
    shown = capsys.readouterr().out
    assert shown == '{\n    "t": 0.376,\n    "fulfill t-closeness": true,\n    "AECS": null\n}\n'
    assert json.loads(shown)["t"] == 0.376


def test_report_knows_no_other_format(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match='use "json"'):
        report({"AECS": 1.0}, "web")
    assert capsys.readouterr().out == ""


# What is refused, in one sentence without a cell

FRAME = pd.DataFrame({"zip": ["1", "1"], "illness": [SECRET, SECRET]})
TYPES = {"zip": QUASI_IDENTIFIER, "illness": SENSITIVE_ATTRIBUTE}


@pytest.mark.parametrize(
    ("tech", "original", "anonymized", "arguments", "message"),
    [
        ("FL", FRAME, FRAME, {}, "use one of AECS, Ambiguity"),
        ("K-Anonymity", FRAME, FRAME, {"k": 5}, "use one of AECS, Ambiguity"),
        ("k-anonymity", None, FRAME, {}, '"k-anonymity" takes the arguments k'),
        ("k-anonymity", None, FRAME, {"k": 2, "l": 2}, '"k-anonymity" takes the arguments k'),
        ("AECS", FRAME, FRAME, {"k": 2}, '"AECS" takes only dataHierarchy and attributeTypes'),
        ("profitability", None, FRAME, COSTS, "takes the arguments allowAttack, adversaryCost"),
        ("k-anonymity", None, FRAME, {"k": SECRET}, "k is not a number"),
        ("k-anonymity", None, FRAME, {"k": 10**400}, "k is not a number"),
        ("t-closeness", None, FRAME, {"tLimit": float("nan")}, "tLimit is not a number"),
        ("d-presence", FRAME, FRAME, {"dMin": 0, "dMax": None}, "dMax is not a number"),
        ("UtilityBias", FRAME, FRAME, {"processingFunc": len, "maxBias": "x"}, "maxBias is not a number"),
        ("UtilityBias", FRAME, FRAME, {"processingFunc": 3, "maxBias": 1}, "processingFunc is not a function"),
        ("profitability", None, FRAME, {"allowAttack": True, **COSTS, "publisherLost": -1}, "publisher_loss"),
        ("k-anonymity", None, None, {"k": 2}, "needs the anonymized table"),
        ("AECS", None, FRAME, {}, "needs the original table"),
        ("AECS", FRAME[:1], FRAME, {}, '"AECS" cannot be computed'),
        ("ReidentificationRisk", None, None, {}, "needs the anonymized table"),
        ("k-anonymity", None, FRAME, {"k": 2, "attributeTypes": None}, "which columns are quasi-identifiers"),
        ("k-anonymity", None, FRAME, {"k": 2, "attributeTypes": {"zip": "qi"}}, 'column "zip": there is no such'),
        ("k-anonymity", None, FRAME, {"k": 2, "attributeTypes": {"age": QUASI_IDENTIFIER}}, 'column "age"'),
        ("k-anonymity", None, FRAME, {"k": 2, "attributeTypes": {"zip": IDENTIFIER}}, "no column is a quasi-ident"),
        ("k-anonymity", None, FRAME, {"k": 2, "attributeTypes": None, "dataHierarchy": {}}, "no column is a quasi"),
        ("k-anonymity", None, FRAME, {"k": 2, "dataHierarchy": "nowhere"}, "nowhere: "),
        ("k-anonymity", None, "nowhere.csv", {"k": 2}, "nowhere.csv"),
        ("t-closeness", None, FRAME, {"tLimit": 1, "attributeTypes": {"zip": QUASI_IDENTIFIER}}, "tagged as sensitive"),
    ],
)
def test_wrong_arguments_of_petvalidation_are_refused_with_the_reason(
    tech: str, original: Any, anonymized: Any, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        PETValidation(original, anonymized, tech, **{"attributeTypes": TYPES, **arguments})
    sentence = str(refused.value)
    assert message in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert SECRET not in sentence
