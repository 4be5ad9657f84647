"""Hierarchies of masks: each mask covers its value, as ARX masks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import read_hierarchies
from metrics.hierarchies.builders import Side, masking
from metrics.hierarchies.masks import masked_labels
from metrics.tables.table import Column
from tests.hierarchies.builders.generated import TEXT, assert_sound, columns, made_of
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table


@given(columns(TEXT), st.none() | st.lists(st.integers(1, 3), max_size=4), st.sampled_from(Side))
def test_masking_hierarchies_are_sound_and_each_mask_covers_its_value(
    column: Column, steps: list[int] | None, side: Side
) -> None:
    hierarchy = made_of(lambda: masking(column, steps=steps, side=side))
    if hierarchy is None:
        return
    assert_sound(hierarchy, column)
    for row in filter(lambda row: row[0], hierarchy.rows):
        for label in row[1:-1]:
            assert masked_labels([label], [row[0]])[label] == [0]


@pytest.mark.reference
def test_postal_codes_are_masked_as_arx_does() -> None:
    column = reference_table("petworks", "patient", "patient.csv")["ZIPCode"]
    published = read_hierarchies(reference("petworks", "patient", "patient_hierarchy"))["ZIPCode"]
    made = masking(column)
    for row in made.rows:
        known = published.rows[published.leaf_index[row[0]]]
        assert row[: len(known) - 1] == known[:-1]
