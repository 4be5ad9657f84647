"""Whatever the values: every one is covered, has one parent, and the hierarchy survives its file."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.builders import ordered_groups, suggest, suppression, values_without_leaf, with_values
from metrics.tables.table import SUPPRESSED, Column
from tests.hierarchies.builders.generated import MERGE, NUMBERS, TEXT, assert_sound, columns, made_of


@given(columns(TEXT), st.integers(2, 4), MERGE)
def test_hierarchies_of_categories_are_sound(column: Column, size: int, merge: list[int]) -> None:
    for hierarchy in (
        made_of(lambda: suppression(column)),
        made_of(lambda: ordered_groups(column, size, merge=merge)),
        made_of(lambda: suggest(column).hierarchy),
    ):
        if hierarchy is not None:
            assert_sound(hierarchy, column)


@given(columns(NUMBERS | TEXT), columns(NUMBERS | TEXT))
def test_values_missing_from_a_hierarchy_are_reported_once_and_can_be_added(known: Column, other: Column) -> None:
    hierarchy = made_of(lambda: suggest(known).hierarchy)
    if hierarchy is None:
        return
    found = values_without_leaf(hierarchy, other)
    expected = set(hierarchy.missing_leaves(other)) - {SUPPRESSED}
    assert {gap.value for gap in found} == expected
    counts = dict(zip(other.labels, other.counts().tolist(), strict=True))
    assert all(gap.records == counts[gap.value] for gap in found)
    assert all((gap.like is None) == (gap.how == "") for gap in found)
    added = {gap.value or "": gap.like for gap in found if gap.like is not None}
    grown = with_values(hierarchy, added)
    assert set(grown.missing_leaves(other)) - {SUPPRESSED} == {gap.value for gap in found if gap.like is None}
