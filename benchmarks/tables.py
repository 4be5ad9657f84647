"""A seeded pair of large tables shaped like adult: nine columns, skewed and dependent, the anonymized one generalized.

`few` has some 4,000 equivalence classes, `many` some 300,000. Two columns are sensitive, seven are quasi-identifiers.
Beyond a million records come more people like those of the first million: quasi-identifiers of theirs, sensitive values
drawn anew. So the classes stay unchanged, and tables of any length are written in little memory.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
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
# Each column, after the one that its values depend on.
_PARENTS = {
    "age": None,
    "sex": None,
    "race": None,
    "marital-status": "age",
    "education": "age",
    "native-country": "race",
    "workclass": "education",
    "occupation": "education",
    "salary-class": "occupation",
}


@dataclass(frozen=True)
class Variant:
    """How the anonymized table is made: a hierarchy level per quasi-identifier (0 = unchanged), and what is suppressed.

    Records of classes smaller than `smallest_class` are suppressed, and besides `suppressed_share` of all by lot;
    `left_out` of the table, or else masked.
    """

    name: str
    levels: tuple[int, ...]
    smallest_class: int
    suppressed_share: float
    left_out: bool = False


FEW = Variant("few", (0, 2, 0, 1, 1, 1, 1), smallest_class=2, suppressed_share=0.01)
MANY = Variant("many", (0, 0, 0, 0, 0, 0, 0), smallest_class=1, suppressed_share=0.01)
# Between them, by how many classes a million records have.
TWENTY_THOUSAND = Variant("twenty_thousand", (0, 1, 0, 0, 1, 1, 1), smallest_class=1, suppressed_share=0.01)
HUNDRED_THOUSAND = Variant("hundred_thousand", (0, 1, 0, 1, 0, 0, 0), smallest_class=1, suppressed_share=0.01)
# As `few`, for programs that would take the suppressed records for a class.
RELEASED = Variant("released", FEW.levels, smallest_class=2, suppressed_share=0.0, left_out=True)
VARIANTS = {variant.name: variant for variant in (FEW, MANY, TWENTY_THOUSAND, HUNDRED_THOUSAND, RELEASED)}


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


def write_tables(
    folder: Path,
    variant: Variant,
    rows: int = ROWS,
    seed: int = SEED,
    kinds: Sequence[str] = ("csv", "parquet"),
    at_once: int = ROWS,
) -> Files:
    """Write original and anonymized (as .csv and .parquet) and hierarchies of a variant; bytes depend on the seed.

    Records from `at_once` on are like those before; so many are in memory at a time.
    """
    directory = folder / variant.name
    hierarchies = directory / "hierarchies"
    hierarchies.mkdir(parents=True)
    for column in COLUMNS:
        with (hierarchies / f"{column}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=DELIMITER, lineterminator="\n").writerows(hierarchy(column))
    suppressed = 0
    with ExitStack() as stack:
        writers = {
            (name, kind): stack.enter_context(_writer(directory / f"{name}.{kind}"))
            for name in ("original", "anonymized")
            for kind in kinds
        }
        drawn = _draw(min(rows, at_once), np.random.default_rng(seed))
        anonymized = _anonymize(drawn.codes, variant, np.random.default_rng(seed + 1))
        for codes, indices in _parts(drawn, rows, at_once, np.random.default_rng(seed + 2)):
            is_suppressed = anonymized.suppressed[indices]
            suppressed += int(is_suppressed.sum())
            generalized = {
                column: _decoded(anonymized.codes[column][indices], anonymized.labels[column])
                for column in QUASI_IDENTIFIERS
            }
            original = {column: _decoded(codes[column], _leaves(column)) for column in COLUMNS}
            released = pa.table(generalized | {column: original[column] for column in SENSITIVE})
            tables = {"original": pa.table(original), "anonymized": released}
            if variant.left_out:
                tables["anonymized"] = released.filter(pa.array(~is_suppressed))
            for (name, _), writer in writers.items():
                writer.write_table(tables[name])
    first_kind = kinds[0]
    return Files(
        directory / f"original.{first_kind}",
        directory / f"anonymized.{first_kind}",
        hierarchies,
        anonymized.classes,
        suppressed,
    )


def _writer(path: Path) -> pyarrow.csv.CSVWriter | pyarrow.parquet.ParquetWriter:
    schema = pa.schema([(column, pa.string()) for column in COLUMNS])
    if path.suffix == ".parquet":
        return pyarrow.parquet.ParquetWriter(path, schema)
    options = pyarrow.csv.WriteOptions(delimiter=DELIMITER, quoting_style="none")
    return pyarrow.csv.CSVWriter(path, schema, write_options=options)


def _interval(age: int, width: int) -> str:
    low = age // width * width
    return f"{low}-{low + width - 1}"


def _decoded(codes: Codes, labels: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(labels)).dictionary_decode()


def _leaves(column: str) -> list[str]:
    return [row[0] for row in hierarchy(column)]


@dataclass(frozen=True)
class _Drawn:
    """Codes of every column, and the shares they were drawn by: one array per value of the parent, one if none."""

    codes: dict[str, Codes]
    shares: dict[str, list[Weights]]


@dataclass(frozen=True)
class _Anonymized:
    """Codes of every anonymized quasi-identifier and the labels they represent; which records are suppressed."""

    codes: dict[str, Codes]
    labels: dict[str, list[str]]
    classes: int
    suppressed: npt.NDArray[np.bool_]


def _draw(rows: int, rng: np.random.Generator) -> _Drawn:
    """Every column by its shares, tilted at random for each value of its parent."""
    years = np.array(_AGES) - 16.0
    # Shares fall by rank as in adult: most people have the first value, few the last.
    usual_shares = {column: 1 / np.arange(1, len(hierarchy(column)) + 1) ** 1.5 for column in COLUMNS} | {
        "age": years**1.2 * np.exp(-years / 14),
        "native-country": np.concatenate(([20], 1 / np.arange(1, 41) ** 0.7)),
    }
    drawn = _Drawn({}, {})
    for column, parent in _PARENTS.items():
        uniform = rng.random(rows)
        tilts = [np.ones(1)]
        if parent is not None:
            values = int(drawn.codes[parent].max()) + 1
            tilts = [rng.lognormal(0, 0.7, len(usual_shares[column])) for _ in range(values)]
        drawn.shares[column] = [usual_shares[column] * tilt for tilt in tilts]
        drawn.codes[column] = _values(drawn, column, drawn.codes, uniform)
    return drawn


def _parts(
    drawn: _Drawn, rows: int, at_once: int, rng: np.random.Generator
) -> Iterator[tuple[dict[str, Codes], npt.NDArray[np.intp]]]:
    """The records drawn, then more like them: codes, and which of the first each has its quasi-identifiers from."""
    n_drawn = len(drawn.codes["age"])
    yield drawn.codes, np.arange(n_drawn)
    for start in range(n_drawn, rows, at_once):
        indices = rng.integers(0, n_drawn, min(at_once, rows - start))
        codes = {column: drawn.codes[column][indices] for column in QUASI_IDENTIFIERS}
        for column in SENSITIVE:
            codes[column] = _values(drawn, column, codes, rng.random(len(indices)))
        yield codes, indices


def _values(drawn: _Drawn, column: str, codes: dict[str, Codes], uniform: Weights) -> Codes:
    """Values of a column by its shares, those of the parent's value."""
    parent = _PARENTS[column]
    values = np.empty(len(uniform), dtype=np.int32)
    for value, shares in enumerate(drawn.shares[column]):
        indices = slice(None) if parent is None else np.flatnonzero(codes[parent] == value)
        bounds = np.cumsum(shares / shares.sum())[:-1]
        values[indices] = np.searchsorted(bounds, uniform[indices], side="right")
    return values


def _anonymize(codes: dict[str, Codes], variant: Variant, rng: np.random.Generator) -> _Anonymized:
    """Generalize by the variant's levels, then suppress."""
    rows = len(codes["age"])
    generalized: dict[str, Codes] = {}
    labels: dict[str, list[str]] = {}
    key = np.zeros(rows, dtype=np.int64)
    for column, level in zip(QUASI_IDENTIFIERS, variant.levels, strict=True):
        names = list(dict.fromkeys(row[level] for row in hierarchy(column)))
        upper_codes = np.array([names.index(row[level]) for row in hierarchy(column)], dtype=np.int32)
        generalized[column] = upper_codes[codes[column]]
        labels[column] = [*names, ROOT]
        key = key * len(names) + generalized[column]
    _, class_of_record, sizes = np.unique(key, return_inverse=True, return_counts=True)
    is_suppressed = (sizes[class_of_record] < variant.smallest_class) | (rng.random(rows) < variant.suppressed_share)
    for column in QUASI_IDENTIFIERS:
        root = len(labels[column]) - 1
        generalized[column] = np.where(is_suppressed, root, generalized[column]).astype(np.int32)
    return _Anonymized(generalized, labels, len(np.unique(class_of_record[~is_suppressed])), is_suppressed)


if __name__ == "__main__":
    folder, chosen, *options = sys.argv[1:]
    many = int(options[0]) if options else ROWS
    written = write_tables(Path(folder), VARIANTS[chosen], many, kinds=options[1:] or ("csv", "parquet"))
    total = written.original.stat().st_size + written.anonymized.stat().st_size
    print(json.dumps({"rows": many, "suppressed": written.suppressed, "megabytes": total / 1e6}))
