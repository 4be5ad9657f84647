"""The hierarchy suggested from a column before and after its generalization."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.builders import suggest_from_pair
from tests.hierarchies.builders.columns import above, column
from tests.hierarchies.builders.generated import assert_sound, column_of, made_of
from tests.support.scenes import trees


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a", "b", "c"], ["A", "*", "c"], {"a": "A", "b": "b", "c": "c"}),
        # Two levels, told by which covers the other; 36 is known by the form of its interval alone.
        (
            ["31", "31", "32", "36", "55"],
            ["30-34", "30-39", "30-39", "*", "*"],
            {"31": "30-34 | 30-39", "32": "30-34 | 30-39", "36": "36 | 30-39", "55": "55 | 55"},
        ),
        (["476", "477", "470"], ["47*", "*", "47*"], {"476": "47*", "477": "47*", "470": "47*"}),
        # Intervals that overlap by their form but not by what became them.
        (["31", "36", "42"], ["30-39", "35-44", "*"], {"31": "30-39", "36": "35-44", "42": "42"}),
        (["a", None], ["A", "A"], {"a": "A", "": "A"}),
        (["a", "b"], ["b", "a"], {"a": "", "b": ""}),
    ],
)
def test_a_hierarchy_is_suggested_from_the_values_before_and_after(
    before: list[str | None], after: list[str], expected: dict[str, str]
) -> None:
    assert above(suggest_from_pair(column(*before), column(*after))) == expected


@given(trees(), st.data())
def test_a_hierarchy_suggested_from_a_pair_covers_both_columns(rows: list[list[str]], data: st.DataObject) -> None:
    """Cells generalized along any tree to any level: what comes of them covers both columns, or is refused."""
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(rows), st.integers(0, len(rows[0]) - 1)), min_size=1))
    before, after = column_of([row[0] for row, _ in chosen]), column_of([row[level] for row, level in chosen])
    hierarchy = made_of(lambda: suggest_from_pair(before, after))
    if hierarchy is None:
        assert "" in {*before.labels, *after.labels} or len(rows[0]) > 2
        return
    assert_sound(hierarchy, before)
    assert not hierarchy.missing_labels(after)
