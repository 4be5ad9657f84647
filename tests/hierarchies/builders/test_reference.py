"""What is suggested for a table that others generalized covers it."""

import pytest

from metrics.hierarchies.builders import suggest, suggest_from_pair
from tests.support.reference_tables import reference_table

pytestmark = pytest.mark.reference


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
