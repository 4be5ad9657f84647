"""The sample data: reproducible to the byte, well formed, and of the strengths that its README states.

The figures are counted here from the files with `collections.Counter`, independently of `metrics`.
"""

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pytest
import yaml

from sample_data.generate import SEED, generate
from sample_data.hospital import synthesize
from tests.support.sample import SAMPLE

QUASI_IDENTIFIERS = ("sex", "age", "zip_code", "marital_status", "occupation", "admission")
SENSITIVE = ("diagnosis", "length_of_stay")
HIERARCHIES = (*QUASI_IDENTIFIERS, "diagnosis")
LIGHT, BALANCED, STRICT = CANDIDATES = (
    "candidate_light.csv",
    "candidate_balanced.csv",
    "candidate_strict.csv",
)

Record = dict[str, str]


def read_records(name: str) -> list[Record]:
    with (SAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def read_hierarchy(column: str) -> list[list[str]]:
    with (SAMPLE / "hierarchies" / f"{column}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


@dataclass(frozen=True)
class Strength:
    """k, classes, suppressed records, P_29 at its default weights, and how many classes fail each gate."""

    k: int
    classes: int
    suppressed: int
    p29: float
    violating: int
    singletons: int
    without_diversity: int
    too_far: int


def class_diversity(values: Counter[str]) -> float:
    """Entropy in bits over its largest possible value; 0 where there is one value only."""
    if len(values) == 1:
        return 0.0
    size = values.total()
    return -sum(n / size * math.log2(n / size) for n in values.values()) / math.log2(len(values))


def class_distance(values: Counter[str], table: Counter[str]) -> float:
    return sum(abs(values[s] / values.total() - n / table.total()) for s, n in table.items()) / 2


def measure(records: list[Record]) -> Strength:
    classes: defaultdict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        classes[tuple(record[q] for q in QUASI_IDENTIFIERS)].append(record)
    suppressed = len(classes.pop(("*",) * len(QUASI_IDENTIFIERS), []))
    groups = list(classes.values())

    diversities, distances = {}, {}
    for s in SENSITIVE:
        histograms = [Counter(record[s] for record in group) for group in groups]
        table = Counter(record[s] for group in groups for record in group)
        diversities[s] = [class_diversity(h) for h in histograms]
        distances[s] = [class_distance(h, table) for h in histograms]

    k = min(len(group) for group in groups)
    single = {i for i, group in enumerate(groups) if len(group) == 1}
    flat = {i for s in SENSITIVE for i, value in enumerate(diversities[s]) if value == 0}
    far = {i for s in SENSITIVE for i, value in enumerate(distances[s]) if value > 0.5}

    def share_of_range(values: list[float]) -> float:
        low, high = min(values), max(values)
        return (fmean(values) - low) / (high - low) if high > low else 0.0

    n_l = fmean(fmean(diversities[s]) for s in SENSITIVE)
    n_t = fmean(share_of_range(distances[s]) for s in SENSITIVE)
    violating = single | flat | far
    p29 = 0.0 if violating else 0.5 * (1 - 1 / k) + 0.25 * n_l + 0.25 * (1 - n_t)
    return Strength(k, len(groups), suppressed, p29, len(violating), len(single), len(flat), len(far))


@pytest.fixture(scope="module")
def original() -> list[Record]:
    return read_records("hospital.csv")


@pytest.fixture(scope="module")
def strengths() -> dict[str, Strength]:
    return {name: measure(read_records(name)) for name in CANDIDATES}


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.suffix in {".csv", ".yaml"}
    }


def mean(values: Iterable[str]) -> float:
    return fmean(map(int, values))


def test_generating_again_gives_the_same_bytes(tmp_path: Path) -> None:
    generate(tmp_path, SEED)
    again, kept = files_of(tmp_path), files_of(SAMPLE)
    assert again.keys() == kept.keys()
    assert [name for name in kept if again[name] != kept[name]] == []


def test_another_seed_gives_another_hospital() -> None:
    assert synthesize(SEED, 50) != synthesize(SEED + 1, 50)


def test_the_people_held_out_are_others_of_the_same_hospital(original: list[Record]) -> None:
    others = read_records("hospital_holdout.csv")
    assert len(others) == 2_000
    assert not {record["record_id"] for record in others} & {record["record_id"] for record in original}
    for column in ("sex", "marital_status", "occupation", "insurance"):
        before, after = (Counter(record[column] for record in people) for people in (original, others))
        assert all(abs(before[value] / 10_000 - after[value] / 2_000) < 0.04 for value in before | after)


def test_the_sample_files_are_smaller_than_4_megabytes_together() -> None:
    assert sum(map(len, files_of(SAMPLE).values())) < 4_000_000


def test_roles_name_every_column_once(original: list[Record]) -> None:
    roles = yaml.safe_load((SAMPLE / "roles.yaml").read_text(encoding="utf-8"))
    assert set(roles) == {"quasi_identifiers", "sensitive", "insensitive", "identifiers"}
    assert tuple(roles["quasi_identifiers"]) == QUASI_IDENTIFIERS
    assert tuple(roles["sensitive"]) == SENSITIVE
    assert sorted(column for columns in roles.values() for column in columns) == sorted(original[0])


def test_original_has_the_promised_columns(original: list[Record]) -> None:
    assert len(original) == 10_000
    assert len({r["record_id"] for r in original}) == len(original)
    assert {int(r["age"]) for r in original} == set(range(100))
    assert {int(r["length_of_stay"]) for r in original} >= set(range(1, 30))
    zip_codes = {r["zip_code"] for r in original}
    assert len(zip_codes) == 40
    assert all(len(code) == 5 and code.isdigit() for code in zip_codes)
    assert any(code.startswith("0") for code in zip_codes)
    assert len({r["diagnosis"] for r in original}) == 22


@pytest.mark.parametrize("column", HIERARCHIES)
def test_hierarchy_is_a_tree_with_a_level_per_label(column: str) -> None:
    rows = read_hierarchy(column)
    assert len({len(row) for row in rows}) == 1
    assert {row[-1] for row in rows} == {"*"}
    assert len({row[0] for row in rows}) == len(rows)
    levels: defaultdict[str, set[int]] = defaultdict(set)
    parents: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        assert all(label == label.strip() != "" for label in row)
        for level, label in enumerate(row):
            levels[label].add(level)
            parents[label].update(row[level + 1 : level + 2])
    assert [label for label, found in levels.items() if len(found) > 1] == []
    assert [label for label, found in parents.items() if len(found) > 1] == []


@pytest.mark.parametrize("column", HIERARCHIES)
def test_hierarchy_covers_the_original(column: str, original: list[Record]) -> None:
    leaves = {row[0] for row in read_hierarchy(column)}
    assert {record[column] for record in original} <= leaves


def test_zip_codes_are_masked_digit_by_digit() -> None:
    for code, *masked, root in read_hierarchy("zip_code"):
        assert masked == [code[:4] + "*", code[:3] + "**", code[:2] + "***", code[:1] + "****"]
        assert root == "*"


def test_age_intervals_hold_their_ages() -> None:
    rows = read_hierarchy("age")
    assert [row[0] for row in rows] == [str(age) for age in range(100)]
    for age, *intervals, _ in rows:
        bounds = [tuple(map(int, interval.split("-"))) for interval in intervals]
        assert [high - low + 1 for low, high in bounds] == [5, 10, 20]
        assert all(low <= int(age) <= high for low, high in bounds)


@pytest.mark.parametrize("name", CANDIDATES)
def test_candidate_generalizes_the_original_record_by_record(name: str, original: list[Record]) -> None:
    candidate = read_records(name)
    ancestors = {q: {row[0]: set(row) for row in read_hierarchy(q)} for q in QUASI_IDENTIFIERS}
    untouched = (*SENSITIVE, "insurance")
    assert list(candidate[0]) == list(original[0])
    for before, after in zip(original, candidate, strict=True):
        assert after["record_id"] == "*"
        assert all(after[column] == before[column] for column in untouched)
        assert all(after[q] in ancestors[q][before[q]] for q in QUASI_IDENTIFIERS)


def test_light_leaves_single_records_and_is_refused(strengths: dict[str, Strength]) -> None:
    light = strengths[LIGHT]
    assert (light.k, light.p29, light.suppressed) == (1, 0.0, 0)
    assert light.singletons > 100
    assert light.violating > 1000


def test_the_balanced_candidate_has_k_of_5_or_more_and_a_few_violating_classes(strengths: dict[str, Strength]) -> None:
    balanced = strengths[BALANCED]
    assert 5 <= balanced.k <= 10
    assert 0 < balanced.suppressed < 500
    assert 1 <= balanced.violating <= 10
    assert balanced.p29 == 0.0


def test_the_strict_candidate_meets_k_suppression_and_p29_limits(strengths: dict[str, Strength]) -> None:
    strict = strengths[STRICT]
    assert strict.k > strengths[BALANCED].k
    assert strict.suppressed < 100
    assert strict.violating == 0
    assert 0.5 < strict.p29 < 1


def test_the_readme_states_the_measured_strength_of_each_candidate(strengths: dict[str, Strength]) -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    for name, found in strengths.items():
        cells = (found.k, found.classes, found.suppressed, found.violating, f"{found.p29:.4f}")
        assert f"| `{name}` | {' | '.join(map(str, cells))} |" in readme


def test_diagnoses_respect_sex_and_age(original: list[Record]) -> None:
    patients: defaultdict[str, list[Record]] = defaultdict(list)
    for record in original:
        patients[record["diagnosis"]].append(record)
    pregnant, demented = patients["Pregnancy complication"], patients["Dementia"]
    assert {r["sex"] for r in pregnant} == {"Female"}
    assert {r["sex"] for r in patients["Prostate enlargement"]} == {"Male"}
    assert 16 <= min(int(r["age"]) for r in pregnant) <= max(int(r["age"]) for r in pregnant) < 50
    assert min(int(r["age"]) for r in demented) >= 58
    assert mean(r["age"] for r in demented) > mean(r["age"] for r in patients["Asthma"]) + 30


def test_stay_depends_on_diagnosis_and_age(original: list[Record]) -> None:
    stays: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for record in original:
        stays[record["diagnosis"], int(record["age"]) >= 65].append(record["length_of_stay"])
    assert mean(stays["Hip fracture", True]) > mean(stays["Forearm fracture", True]) + 5
    assert mean(stays["Pneumonia", True]) > mean(stays["Pneumonia", False]) + 1


def test_circumstances_depend_on_age_and_region(original: list[Record]) -> None:
    def share(column: str, value: str, records: list[Record]) -> float:
        return sum(r[column] == value for r in records) / len(records)

    children = [r for r in original if int(r["age"]) < 18]
    adults = [r for r in original if 18 <= int(r["age"]) < 65]
    old = [r for r in original if int(r["age"]) >= 80]
    assert {r["marital_status"] for r in children} == {"Never married"}
    assert {r["occupation"] for r in children} == {"Preschool child", "Pupil"}
    assert share("marital_status", "Widowed", old) > share("marital_status", "Widowed", adults) + 0.3
    assert share("occupation", "Retired", old) > 0.9
    assert share("insurance", "Senior plan", old) > 0.7
    assert share("insurance", "Senior plan", adults) == 0
    city = [r for r in adults if r["zip_code"].startswith("02")]
    country = [r for r in adults if r["zip_code"].startswith("35")]
    assert share("insurance", "Private plan", city) > share("insurance", "Private plan", country)
    assert share("occupation", "Farm worker", city) < share("occupation", "Farm worker", country)
