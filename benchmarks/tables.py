"""A seeded pair of large tables shaped like adult: nine columns, skewed and dependent, the anonymized one generalized.

`few` has some 5,000 equivalence classes, `many` some 300,000. Two columns are sensitive, seven are quasi-identifiers.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

SEED = 29
ROWS = 1_000_000
ROOT = "*"
DELIMITER = ";"

QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
SENSITIVE = ("occupation", "salary-class")
COLUMNS = (*QUASI_IDENTIFIERS, *SENSITIVE)

Codes = npt.NDArray[np.int32]
Weights = npt.NDArray[np.float64]

# Groups of values; each list is a level of a hierarchy between the values and the root.
_GROUPS: dict[str, dict[str, Sequence[str]]] = {
    "marital-status": {
        "spouse present": ("Married-civ-spouse", "Married-AF-spouse"),
        "spouse absent": ("Never-married", "Divorced", "Separated", "Widowed", "Married-spouse-absent"),
    },
    "education": {
        "secondary": ("HS-grad", "12th", "11th", "10th", "9th"),
        "undergraduate": ("Some-college", "Bachelors", "Assoc-voc", "Assoc-acdm", "Prof-school"),
        "graduate": ("Masters", "Doctorate"),
        "primary": ("7th-8th", "5th-6th", "1st-4th", "Preschool"),
    },
    "workclass": {
        "not government": ("Private", "Self-emp-not-inc", "Self-emp-inc"),
        "government": ("Local-gov", "State-gov", "Federal-gov"),
        "unpaid": ("Without-pay",),
    },
    "occupation": {
        "office": ("Prof-specialty", "Exec-managerial", "Adm-clerical", "Sales", "Tech-support"),
        "manual": ("Craft-repair", "Machine-op-inspct", "Transport-moving", "Handlers-cleaners", "Farming-fishing"),
        "service": ("Other-service", "Protective-serv", "Priv-house-serv", "Armed-Forces"),
    },
    "native-country": {
        "Americas": ("United-States", "Mexico", "Puerto-Rico", "Canada", "El-Salvador", "Cuba", "Jamaica", "Guatemala",
                     "Columbia", "Haiti", "Peru", "Nicaragua", "Ecuador", "Honduras", "Dominican-Republic",
                     "Trinadad&Tobago"),
        "Asia": ("Philippines", "India", "China", "Vietnam", "Japan", "Taiwan", "Iran", "Cambodia", "Thailand", "Laos",
                 "Hong"),
        "Europe": ("Germany", "England", "Italy", "Poland", "Portugal", "Greece", "France", "Ireland", "Yugoslavia",
                   "Scotland", "Hungary", "Holand-Netherlands"),
        "elsewhere": ("South", "Outlying-US(Guam-USVI-etc)"),
    },
}  # fmt: skip
_FLAT = {
    "sex": ("Male", "Female"),
    "race": ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"),
    "salary-class": ("<=50K", ">50K"),
}
_AGES = range(17, 91)


@dataclass(frozen=True)
class Variant:
    """How the anonymized table is made: a hierarchy level per quasi-identifier (0 = unchanged), and what is suppressed.

    Records of classes smaller than `smallest_class` are suppressed, and besides `suppressed_share` of all by lot.
    """

    name: str
    levels: tuple[int, ...]
    smallest_class: int
    suppressed_share: float


FEW = Variant("few", (0, 2, 0, 1, 1, 1, 1), smallest_class=2, suppressed_share=0.01)
MANY = Variant("many", (0, 0, 0, 0, 0, 0, 0), smallest_class=1, suppressed_share=0.01)
VARIANTS = {variant.name: variant for variant in (FEW, MANY)}


@dataclass(frozen=True)
class Files:
    """Where one pair of tables and its hierarchies were written, and what they are like."""

    original: Path
    anonymized: Path
    hierarchies: Path
    classes: int
    suppressed: int


def hierarchy(column: str) -> list[tuple[str, ...]]:
    """Rows of a column's hierarchy, leaf first, root last."""
    if column == "age":
        return [(str(age), *(_interval(age, width) for width in (5, 10, 20)), ROOT) for age in _AGES]
    if column in _FLAT:
        return [(value, ROOT) for value in _FLAT[column]]
    return [(value, group, ROOT) for group, values in _GROUPS[column].items() for value in values]


def write_tables(folder: Path, variant: Variant, rows: int = ROWS, seed: int = SEED) -> Files:
    """Write original, anonymized (each as .csv and .parquet) and hierarchies of a variant; bytes depend on the seed."""
    codes = _draw(rows, np.random.default_rng(seed))
    anonymized, classes, suppressed = _anonymize(codes, variant, np.random.default_rng(seed + 1))
    place = folder / variant.name
    hierarchies = place / "hierarchies"
    hierarchies.mkdir(parents=True)
    for column in COLUMNS:
        with (hierarchies / f"{column}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=DELIMITER, lineterminator="\n").writerows(hierarchy(column))
    leaves = {column: [row[0] for row in hierarchy(column)] for column in COLUMNS}
    original = pa.table({column: _decoded(codes[column], leaves[column]) for column in COLUMNS})
    generalized = pa.table({column: _decoded(*anonymized[column]) for column in COLUMNS})
    for name, table in (("original", original), ("anonymized", generalized)):
        options = pyarrow.csv.WriteOptions(delimiter=DELIMITER, quoting_style="none")
        pyarrow.csv.write_csv(table, place / f"{name}.csv", options)
        pyarrow.parquet.write_table(table, place / f"{name}.parquet")
    return Files(place / "original.csv", place / "anonymized.csv", hierarchies, classes, suppressed)


def _interval(age: int, width: int) -> str:
    low = age // width * width
    return f"{low}-{low + width - 1}"


def _decoded(codes: Codes, labels: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(labels)).dictionary_decode()


def _draw(rows: int, rng: np.random.Generator) -> dict[str, Codes]:
    """Codes of every column, each (but age, sex and race) depending on one before it."""
    years = np.array(_AGES) - 16.0
    # Shares fall by rank as in adult: most people have the first value, few the last.
    shares = {column: 1 / np.arange(1, len(hierarchy(column)) + 1) ** 1.5 for column in COLUMNS} | {
        "age": years**1.2 * np.exp(-years / 14),
        "native-country": np.concatenate(([20], 1 / np.arange(1, 41) ** 0.7)),
    }
    drawn: dict[str, Codes] = {}
    for column, parent in (
        ("age", None),
        ("sex", None),
        ("race", None),
        ("marital-status", "age"),
        ("education", "age"),
        ("native-country", "race"),
        ("workclass", "education"),
        ("occupation", "education"),
        ("salary-class", "occupation"),
    ):
        drawn[column] = _dependent(shares[column], None if parent is None else drawn[parent], rows, rng)
    return drawn


def _dependent(shares: Weights, parent: Codes | None, rows: int, rng: np.random.Generator) -> Codes:
    """Values by their shares, tilted at random for each value of the parent."""
    chance = rng.random(rows)
    if parent is None:
        return _values(shares, chance)
    codes = np.empty(rows, dtype=np.int32)
    for value in range(int(parent.max()) + 1):
        members = np.flatnonzero(parent == value)
        codes[members] = _values(shares * rng.lognormal(0, 0.7, len(shares)), chance[members])
    return codes


def _values(shares: Weights, chance: Weights) -> Codes:
    bounds = np.cumsum(shares / shares.sum())[:-1]
    return np.searchsorted(bounds, chance, side="right").astype(np.int32)


def _anonymize(
    codes: dict[str, Codes], variant: Variant, rng: np.random.Generator
) -> tuple[dict[str, tuple[Codes, list[str]]], int, int]:
    """Codes and labels of every anonymized column, number of classes, number of suppressed records."""
    rows = len(codes["age"])
    generalized: dict[str, tuple[Codes, list[str]]] = {}
    key = np.zeros(rows, dtype=np.int64)
    for column, level in zip(QUASI_IDENTIFIERS, variant.levels, strict=True):
        labels = list(dict.fromkeys(row[level] for row in hierarchy(column)))
        upper = np.array([labels.index(row[level]) for row in hierarchy(column)], dtype=np.int32)
        generalized[column] = (upper[codes[column]], [*labels, ROOT])
        key = key * len(labels) + generalized[column][0]
    _, members, sizes = np.unique(key, return_inverse=True, return_counts=True)
    suppressed = (sizes[members] < variant.smallest_class) | (rng.random(rows) < variant.suppressed_share)
    for column in QUASI_IDENTIFIERS:
        code, labels = generalized[column]
        generalized[column] = (np.where(suppressed, len(labels) - 1, code).astype(np.int32), labels)
    for column in SENSITIVE:
        generalized[column] = (codes[column], [row[0] for row in hierarchy(column)])
    return generalized, len(np.unique(members[~suppressed])), int(suppressed.sum())


if __name__ == "__main__":
    written = write_tables(Path(sys.argv[1]), VARIANTS[sys.argv[2]])
    total = written.original.stat().st_size + written.anonymized.stat().st_size
    print(json.dumps({"rows": ROWS, "suppressed": written.suppressed, "megabytes": total / 1e6}))
