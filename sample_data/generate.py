"""Writes the sample: a synthetic hospital table, people held out of it, hierarchies, roles and anonymized candidates.

`python -m sample_data.generate` rewrites the files beside this one; `--out FOLDER` writes them elsewhere.
The bytes depend on the seed alone. The levels of the candidates were chosen for the default seed, by looking
at k and P_29 of the combinations, so that one is refused outright, one nearly passes and one passes.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sample_data.hospital import COLUMNS, DIAGNOSES, MONTHS, REGIONS, synthesize

SEED = 29
SIZE = 10_000
HELD_OUT = 2_000
"""Further people of the same hospital, who are not in the original: the control of attacks."""
ROOT = "*"

QUASI_IDENTIFIERS = ("sex", "age", "zip_code", "marital_status", "occupation", "admission")
ROLES = """\
quasi_identifiers: [sex, age, zip_code, marital_status, occupation, admission]
sensitive: [diagnosis, length_of_stay]
insensitive: [insurance]
identifiers: [record_id]
"""

ANALYSES = """\
# What the sample is released for: score --analyses sample_data/analyses.yaml
analyses:
  stay by sex: {kind: mean, number: length_of_stay, by: [sex]}
  stay by age: {kind: mean, number: length_of_stay, by: [{column: age, level: 3}]}
  diagnosis and sex: {kind: crosstab, columns: [diagnosis, sex]}
  stay explained: {kind: linear, outcome: length_of_stay, terms: [age, sex, marital_status]}
  women above 70: {kind: count, where: {sex: [Female], age: [70, 99]}}
"""

MARITAL_GROUPS = {
    "Spouse present": ("Married",),
    "No spouse present": ("Never married", "Separated", "Divorced", "Widowed"),
}
OCCUPATION_GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "Working": {
        "Professional": ("Manager", "Engineer", "Teacher", "Nurse"),
        "Office and sales": ("Office clerk", "Salesperson"),
        "Manual": ("Driver", "Craft worker", "Factory worker", "Farm worker"),
    },
    "Not working": {
        "In education": ("Preschool child", "Pupil", "Student"),
        "At home": ("Homemaker", "Unemployed", "Retired"),
    },
}

Rows = list[list[str]]


@dataclass(frozen=True)
class Candidate:
    """How one anonymized table is made: a hierarchy level per quasi-identifier (0 = unchanged), and the
    smallest class that is kept; the records of smaller ones are suppressed."""

    levels: dict[str, int]
    smallest_class: int


# Each generalizes the one before. The last keeps large classes only, since a small class strays far from the
# table's distribution by chance alone.
CANDIDATES = {
    "candidate_light.csv": Candidate(
        {"sex": 0, "age": 1, "zip_code": 3, "marital_status": 0, "occupation": 1, "admission": 2}, 1
    ),
    "candidate_balanced.csv": Candidate(
        {"sex": 0, "age": 3, "zip_code": 3, "marital_status": 1, "occupation": 2, "admission": 3}, 10
    ),
    "candidate_strict.csv": Candidate(
        {"sex": 0, "age": 3, "zip_code": 4, "marital_status": 1, "occupation": 3, "admission": 3}, 30
    ),
}


def _interval(age: int, width: int) -> str:
    first = age - age % width
    return f"{first}-{first + width - 1}"


def hierarchies() -> dict[str, Rows]:
    """Per column one row for each leaf, from the leaf to the root; no label stands on two levels."""
    zip_codes = sorted(
        district + ending for r in REGIONS for district, endings in r.districts.items() for ending in endings.split()
    )
    return {
        "sex": [["Female", ROOT], ["Male", ROOT]],
        "age": [[str(age), *(_interval(age, width) for width in (5, 10, 20)), ROOT] for age in range(100)],
        "zip_code": [[code, *(code[:kept] + "*" * (5 - kept) for kept in (4, 3, 2, 1)), ROOT] for code in zip_codes],
        "marital_status": [[status, group, ROOT] for group, members in MARITAL_GROUPS.items() for status in members],
        "occupation": [
            [occupation, group, activity, ROOT]
            for activity, groups in OCCUPATION_GROUPS.items()
            for group, members in groups.items()
            for occupation in members
        ],
        "admission": [[m, f"{m[:4]}-Q{(int(m[5:]) + 2) // 3}", m[:4], ROOT] for m in MONTHS],
        "diagnosis": [[d.name, d.system, d.group, ROOT] for d in DIAGNOSES],
    }


def anonymize(records: Sequence[dict[str, str]], tables: dict[str, Rows], candidate: Candidate) -> list[dict[str, str]]:
    """The records in the same order, identifiers suppressed, quasi-identifiers generalized to the levels.

    Where fewer than `smallest_class` records share the generalized values, all of these are suppressed.
    """
    ancestors = {q: {row[0]: row[level] for row in tables[q]} for q, level in candidate.levels.items()}
    keys = [tuple(ancestors[q][record[q]] for q in QUASI_IDENTIFIERS) for record in records]
    sizes = Counter(keys)
    suppressed = (ROOT,) * len(QUASI_IDENTIFIERS)
    released = [key if sizes[key] >= candidate.smallest_class else suppressed for key in keys]
    return [
        record | {"record_id": ROOT} | dict(zip(QUASI_IDENTIFIERS, values, strict=True))
        for record, values in zip(records, released, strict=True)
    ]


def _write(path: Path, rows: Iterable[Iterable[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def _write_records(path: Path, records: Iterable[dict[str, str]]) -> None:
    _write(path, [COLUMNS, *([record[column] for column in COLUMNS] for record in records)])


def generate(folder: Path, seed: int) -> None:
    """Writes the original, the hold-out table, hierarchies, roles and candidates into `folder`."""
    (folder / "hierarchies").mkdir(parents=True, exist_ok=True)
    people, tables = synthesize(seed, SIZE + HELD_OUT), hierarchies()
    records = people[:SIZE]
    _write_records(folder / "hospital.csv", records)
    _write_records(folder / "hospital_holdout.csv", people[SIZE:])
    for column, rows in tables.items():
        _write(folder / "hierarchies" / f"{column}.csv", rows)
    for name, candidate in CANDIDATES.items():
        _write_records(folder / name, anonymize(records, tables, candidate))
    for name, content in (("roles", ROLES), ("analyses", ANALYSES)):
        (folder / f"{name}.yaml").write_text(content, encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sample_data.generate", description="Writes the sample data.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED, help=f"another seed makes another hospital (default: {SEED})")
    arguments = parser.parse_args()
    generate(arguments.out, arguments.seed)


if __name__ == "__main__":
    main()
