"""Hierarchies of masks: each mask covers its value, as ARX masks it."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, read_hierarchies
from metrics.hierarchies.builders import Kind, Side, masking, suggest
from metrics.hierarchies.masks import masked_labels
from metrics.tables.table import Column
from tests.hierarchies.builders.columns import column
from tests.hierarchies.builders.generated import TEXT, assert_sound, columns, made_of
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table


@given(columns(TEXT), st.none() | st.lists(st.integers(1, 3), max_size=4), st.sampled_from(Side))
def test_masking_hierarchies_are_sound_and_each_mask_covers_its_value(
    codes: Column, steps: list[int] | None, side: Side
) -> None:
    hierarchy = made_of(lambda: masking(codes, steps=steps, side=side))
    if hierarchy is None:
        return
    assert_sound(hierarchy, codes)
    for row in filter(lambda row: row[0], hierarchy.rows):
        for label in row[1:-1]:
            assert masked_labels([label], [row[0]])[label] == [0]


@pytest.mark.reference
def test_postal_codes_are_masked_as_arx_does() -> None:
    codes = reference_table("petworks", "patient", "patient.csv")["ZIPCode"]
    published = read_hierarchies(reference("petworks", "patient", "patient_hierarchy"))["ZIPCode"]
    made = masking(codes)
    for row in made.rows:
        known = published.rows[published.leaf_index[row[0]]]
        assert row[: len(known) - 1] == known[:-1]


def long_codes() -> Column:
    """Codes that one level per character would turn into 300 megabytes of labels."""
    return column(*(f"A{code:04}" + "7" * 995 for code in range(300)))


def test_masks_of_long_codes_hide_several_characters_per_level_so_that_they_fit_into_memory() -> None:
    codes = long_codes()
    tracemalloc.start()
    suggestion = suggest(codes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert suggestion.kind is Kind.MASKING
    assert 10 < suggestion.hierarchy.height < 200
    assert peak < 100e6
    hidden = [label.count("*") for label in suggestion.hierarchy.rows[0][1:-1]]
    assert len({more - fewer for fewer, more in pairwise(hidden)}) == 1


def test_steps_that_give_more_labels_than_fit_into_memory_are_refused() -> None:
    with pytest.raises(InputError, match=r"998 levels .* at most 106 fit"):
        masking(long_codes(), steps=[1] * 998)


def test_codes_of_a_usual_length_are_masked_character_by_character() -> None:
    assert masking(column(*(f"{code:036}" for code in range(10_000)))).height == 36
