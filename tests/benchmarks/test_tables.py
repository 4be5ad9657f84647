"""The tables that benchmarks are made with: any length, the same classes, the anonymized one a generalization."""

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from benchmarks.tables import (
    COLUMNS,
    DELIMITER,
    FEW,
    QUASI_IDENTIFIERS,
    RELEASED,
    ROOT,
    SENSITIVE,
    Variant,
    hierarchy,
    write_tables,
)

ROWS = 2_500
AT_ONCE = 1_000


def read(path: Path) -> dict[str, list[str]]:
    everything = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.string()))
    parse = pyarrow.csv.ParseOptions(delimiter=DELIMITER)
    return pyarrow.csv.read_csv(path, parse_options=parse, convert_options=everything).to_pydict()


def keys(table: dict[str, list[str]]) -> list[tuple[str, ...]]:
    return list(zip(*(table[column] for column in QUASI_IDENTIFIERS), strict=True))


@pytest.mark.parametrize("variant", [FEW, RELEASED], ids=["masked", "left out"])
def test_records_beyond_the_first_part_stay_in_its_classes(tmp_path: Path, variant: Variant) -> None:
    files = write_tables(tmp_path, variant, ROWS, kinds=("csv", "parquet"), at_once=AT_ONCE)
    original, anonymized = read(files.original), read(files.anonymized)
    suppressed = keys(anonymized).count((ROOT,) * len(QUASI_IDENTIFIERS))
    assert len(original["age"]) == ROWS
    assert len(anonymized["age"]) == ROWS - (files.suppressed if variant.left_out else 0)
    assert suppressed == (0 if variant.left_out else files.suppressed)
    assert files.suppressed > 0
    # As many classes as the first part has: what comes after adds none.
    assert len(set(keys(anonymized)) - {(ROOT,) * len(QUASI_IDENTIFIERS)}) == files.classes
    assert pyarrow.parquet.read_table(files.anonymized.with_suffix(".parquet")).to_pydict() == anonymized


def test_each_record_is_generalized_or_masked(tmp_path: Path) -> None:
    files = write_tables(tmp_path, FEW, ROWS, kinds=("csv",), at_once=AT_ONCE)
    original, anonymized = read(files.original), read(files.anonymized)
    for column, level in zip(QUASI_IDENTIFIERS, FEW.levels, strict=True):
        upper = {row[0]: row[level] for row in hierarchy(column)}
        for before, after in zip(original[column], anonymized[column], strict=True):
            assert after in (upper[before], ROOT)
    for column in SENSITIVE:
        assert original[column] == anonymized[column]


def test_sensitive_values_beyond_the_first_part_are_drawn_anew(tmp_path: Path) -> None:
    original = read(write_tables(tmp_path, FEW, 2 * AT_ONCE, kinds=("csv",), at_once=AT_ONCE).original)
    records = list(zip(*original.values(), strict=True))
    assert set(records[AT_ONCE:]) - set(records[:AT_ONCE])
