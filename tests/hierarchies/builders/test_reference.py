"""Hierarchies that others made: read back the same, and made again from the values."""

import pytest

from metrics import read_hierarchies
from metrics.hierarchies.builders import IntervalForm, equal_width, masking, suggest, suggest_from_pair, to_csv
from metrics.hierarchies.files import read_hierarchy
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table

pytestmark = pytest.mark.reference

FOLDERS = ("adult/adult_hierarchy", "adult/adult_hierarchy_intervals", "patient/patient_hierarchy")


@pytest.mark.parametrize("folder", FOLDERS)
def test_reference_hierarchies_are_unchanged_after_writing_and_reading(folder: str) -> None:
    for hierarchy in read_hierarchies(reference("petworks", *folder.split("/"))).values():
        assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows


def test_the_ages_of_adult_are_made_again() -> None:
    published = read_hierarchies(reference("petworks", "adult", "adult_hierarchy_intervals"))["age"]
    column = reference_table("petworks", "adult", "adult.csv")["age"]
    made = equal_width(column, 5, merge=[2, 2], form=IntervalForm.DASH)
    assert len(made.rows) == column.distinct > 70
    # The published file puts 20 into 15-19, and so on with every fifth year: its labels there do not hold their value.
    differing = [row[0] for row in made.rows if row != published.rows[published.leaf_index[row[0]]]]
    assert differing == [str(age) for age in range(20, 91, 5) if str(age) in made.leaf_index]


def test_every_column_of_adult_gets_a_hierarchy_that_covers_it() -> None:
    original, anonymized = (
        reference_table("petworks", "adult", name) for name in ("adult.csv", "adult_anonymized.csv")
    )
    for column in original.columns:
        suggested = suggest(column).hierarchy
        assert not suggested.missing_leaves(column)
        found = suggest_from_pair(column, anonymized[column.name])
        assert not found.missing_leaves(column)
        assert not found.missing_labels(anonymized[column.name])


def test_postal_codes_are_masked_as_arx_does() -> None:
    column = reference_table("petworks", "patient", "patient.csv")["ZIPCode"]
    published = read_hierarchies(reference("petworks", "patient", "patient_hierarchy"))["ZIPCode"]
    made = masking(column)
    for row in made.rows:
        known = published.rows[published.leaf_index[row[0]]]
        assert row[: len(known) - 1] == known[:-1]
