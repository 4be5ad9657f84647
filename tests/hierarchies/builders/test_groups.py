"""Hierarchies of groups made by hand: every value covered, and each in the group it was put into."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.builders import groups
from metrics.tables.table import SUPPRESSED, Column
from tests.hierarchies.builders.generated import assert_sound, columns, made_of


@given(columns(st.sampled_from("abcdefgh")), st.lists(st.sampled_from("ABC"), min_size=8, max_size=8))
def test_hierarchies_of_groups_by_hand_are_sound_and_keep_the_groups(column: Column, of: list[str]) -> None:
    level: dict[str, list[str]] = {}
    for value, group in zip("abcdefgh", of, strict=True):
        level.setdefault(group, []).append(value)
    hierarchy = made_of(lambda: groups(column, level, {"all": sorted(level)}))
    if hierarchy is None:
        assert set(column.labels) <= {SUPPRESSED}
        return
    assert_sound(hierarchy, column)
    known = dict(zip("abcdefgh", of, strict=True))
    assert all(row[1:] == (known[row[0]], "all", "*") for row in hierarchy.rows if row[0])
