"""Changes of a hierarchy by hand: what becomes of it, and what is refused with the reason."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, InputError
from metrics.hierarchies.builders import regrouped, suppression, with_intervals, with_level, without_level
from tests.hierarchies.builders.columns import above, column
from tests.hierarchies.builders.generated import column_of, made_of
from tests.support.scenes import trees


def test_labels_become_the_intervals_of_the_values_below_them() -> None:
    made = with_intervals(Hierarchy([["1", "2", "50"], ["2", "2", "50"], ["10", "2", "50"], ["11", "12", "50"]]))
    assert made.rows == (("1", "1-10", "*"), ("2", "1-10", "*"), ("10", "1-10", "*"), ("11", "11", "*"))
    signed = with_intervals(Hierarchy([["0.5", "low", "x"], ["-2", "low", "x"], ["7", "high", "x"]]))
    assert signed.labels(1) == ("[-2, 0.5]", "7")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["1", "a", "*"], ["2", "b", "*"], ["3", "a", "*"]], "groups of a level overlap"),
        ([["1", "a", "*"], ["none", "b", "*"]], "not numbers"),
    ],
)
def test_labels_of_groups_that_are_no_intervals_are_refused(rows: list[list[str]], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        with_intervals(Hierarchy(rows))


def test_levels_and_groups_are_changed_by_hand() -> None:
    made = with_level(suppression(column("a", "b", "c", "d")), 1)
    assert above(made) == {value: value for value in "abcd"}
    made = regrouped(made, 1, ["a", "b"], " x ")
    made = regrouped(made, 1, ["c"], "x")
    made = with_level(made, 2)
    made = regrouped(made, 2, ["x", "d"], "all")
    assert above(made) == {"a": "x | all", "b": "x | all", "c": "x | all", "d": "d | all"}
    assert above(without_level(made, 1)) == dict.fromkeys("abcd", "all")
    moved = regrouped(made, 1, ["c"], "y")
    assert above(moved)["c"] == "y | all"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda made: regrouped(made, 1, ["a"], " "), "the group has no name"),
        (lambda made: regrouped(made, 1, ["a"], "b"), "have the same name as a value outside it"),
        (lambda made: regrouped(made, 1, ["z"], "x"), "are not on the level below"),
        (lambda made: regrouped(made, 1, [], "x"), "are not on the level below"),
        (lambda made: regrouped(made, 2, ["a"], "x"), "the level is not between the values and the root"),
        (lambda made: with_level(made, 3), "there is no level before"),
        (lambda made: without_level(made, 0), "the level is not between the values and the root"),
    ],
)
def test_impossible_changes_of_a_hierarchy_are_refused_with_the_reason(
    change: Callable[[Hierarchy], Hierarchy], sentence: str
) -> None:
    made = with_level(suppression(column("a", "b")), 1)
    with pytest.raises(InputError, match=sentence):
        change(made)


@given(trees(), st.data())
def test_changes_by_hand_keep_a_hierarchy_sound(rows: list[list[str]], data: st.DataObject) -> None:
    hierarchy = Hierarchy(rows)
    leaves = column_of([row[0] for row in rows])
    for _ in range(data.draw(st.integers(1, 4))):
        level = data.draw(st.integers(1, max(hierarchy.height, 1)))
        members = data.draw(st.sets(st.sampled_from(hierarchy.labels(level - 1)), min_size=1))
        label = data.draw(st.sampled_from([*hierarchy.labels(min(level, hierarchy.height)), "new", "p"]))
        change = data.draw(st.sampled_from(["group", "add", "drop"]))
        changed = made_of(
            {
                "group": partial(regrouped, hierarchy, level, members, label),
                "add": partial(with_level, hierarchy, level),
                "drop": partial(without_level, hierarchy, level),
            }[change]
        )
        if changed is None:
            continue
        assert {row[0] for row in changed.rows} == {row[0] for row in hierarchy.rows}
        assert len(changed.labels(changed.height)) == 1
        if change == "group":
            grouped = {row[level] for row in changed.rows if row[level - 1] in members}
            assert grouped == {label}
        hierarchy = changed
    assert not hierarchy.missing_leaves(leaves)
