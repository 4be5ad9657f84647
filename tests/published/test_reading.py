"""The published tables, cell by cell against Python's csv module."""

import pytest

from metrics.hierarchies.rows import read_rows
from tests.reading.expectations import columns
from tests.support import reference_data
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table

pytestmark = pytest.mark.reference


@pytest.mark.parametrize(
    ("parts", "delimiter", "records"),
    [
        (("petworks", "adult", "adult.csv"), ";", 30_162),
        (("petworks", "adult", "adult_anonymized.csv"), ";", 30_162),
        (("petworks", "presence", "presence_transformed.csv"), ";", 9),
        (("petworks", "delta", "delta_anonymized.csv"), ";", 5),
        pytest.param(("diabetes", "diabetes_after_deletion.csv.gz"), ",", 99_429, marks=pytest.mark.slow),
        pytest.param(("diabetes", "diabetes_before_deletion.csv.gz"), ",", 101_763, marks=pytest.mark.slow),
    ],
)
def test_every_cell_of_the_reference_tables_is_read_as_written(
    parts: tuple[str, ...], delimiter: str, records: int
) -> None:
    path, table = reference(*parts), reference_table(*parts)
    header, *rows = reference_data.read_rows(path)
    assert columns(table) == {name: [row[place] for row in rows] for place, name in enumerate(header)}
    assert table.rows == records
    assert table.source.plan.delimiter == delimiter
    assert table.source.plan.encoding == "utf-8"
    assert table.name == path.name


def test_header_of_adult_anonymized_is_trimmed() -> None:
    table = reference_table("petworks", "adult", "adult_anonymized.csv")
    assert table.names[:3] == ("sex", "age", "race")
    assert table["sex"].labels == ["Male", "Female", "*"] or set(table["sex"].labels) <= {"Male", "Female", "*"}


def test_the_text_none_in_diabetes_is_not_missing() -> None:
    table = reference_table("diabetes", "diabetes_after_deletion.csv.gz")
    assert "None" in table["A1Cresult"].labels
    assert None not in table["A1Cresult"].labels
    assert table.source.plan.compression == "gzip"


def test_every_row_of_the_reference_hierarchies_is_read_as_written() -> None:
    for path in sorted(reference("petworks").rglob("*hierarchy_*.csv")):
        rows = read_rows(path)
        assert rows.cells == reference_data.read_rows(path)
        assert rows.lines == list(range(1, len(rows.cells) + 1))
