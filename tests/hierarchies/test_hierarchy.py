"""Generalization hierarchies: what is refused and where, levels, coverage, ambiguous labels."""

import pytest

from metrics import Hierarchy, InputError, read_hierarchies
from tests.support.reference_data import reference
from tests.support.small_tables import table

ZIP = [["10115", "101**", "*"], ["10117", "101**", "*"], ["20095", "200**", "*"]]


@pytest.mark.parametrize(
    ("rows", "row", "problem"),
    [
        ([], None, "the hierarchy is empty"),
        ([["a", "*"], ["b"]], 2, "the row has 1 levels, but the first row has 2"),
        ([["a", "*"], ["b", "*"], ["c", "d", "*"]], 3, "the row has 3 levels, but the first row has 2"),
        ([["a", "x", "*"], ["b", " ", "*"]], 2, "level 1 of the row is empty"),
        ([["a", "x", ""], ["b", "x", ""]], 1, "level 2 of the row is empty"),
        ([["", "", ""]], 1, "level 2 of the row is empty"),
        ([["a", "x", "*"], ["a", "y", "*"]], 2, "a value of level 0 has a different parent than in line 1"),
        ([["a", "x", "*"], ["b", "x", "z"]], 2, "a value of level 1 has a different parent than in line 1"),
    ],
)
def test_errors_name_the_row(rows: list[list[str]], row: int | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as raised:
        Hierarchy(rows, name="zip.csv")
    assert (raised.value.file, raised.value.row) == ("zip.csv", row)
    for label in ("x", "y", "z"):
        assert f" {label} " not in str(raised.value)


def test_rows_have_the_lines_of_their_file() -> None:
    with pytest.raises(InputError, match="than in line 3") as raised:
        Hierarchy([["a", "x", "*"], ["b", "y", "*"], ["a", "y", "*"]], lines=[3, 5, 9])
    assert raised.value.row == 9


def test_a_hierarchy_knows_its_levels_its_labels_and_their_coverage() -> None:
    hierarchy = Hierarchy(ZIP)
    assert (hierarchy.height, hierarchy.root_added) == (2, False)
    assert hierarchy.labels(1) == ("101**", "200**")
    assert hierarchy.nodes(1).tolist() == [0, 0, 1]
    assert hierarchy.level_of == {"10115": 0, "10117": 0, "20095": 0, "101**": 1, "200**": 1, "*": 2}
    assert hierarchy.coverage == {"10115": 1, "10117": 1, "20095": 1, "101**": 2, "200**": 1, "*": 3}
    assert hierarchy.ambiguous_labels == ()


def test_a_root_is_added_where_there_are_several() -> None:
    hierarchy = Hierarchy([row[:2] for row in ZIP])
    assert hierarchy.root_added
    assert hierarchy.rows == Hierarchy(ZIP).rows
    alone = Hierarchy([["a"], ["b"]])
    assert (alone.height, alone.rows) == (1, (("a", "*"), ("b", "*")))


def test_suppressed_cells_are_at_the_root_whatever_its_name() -> None:
    hierarchy = Hierarchy([["a", "any"], ["b", "any"]])
    assert (hierarchy.root_added, hierarchy.level_of["*"], hierarchy.coverage["*"]) == (False, 1, 2)
    single = Hierarchy([["a"]])
    assert (single.height, single.level_of, single.coverage) == (0, {"a": 0, "*": 0}, {"a": 1, "*": 1})


def test_blanks_are_trimmed_and_repeated_rows_dropped() -> None:
    hierarchy = Hierarchy([["a ", "x", "*"], ["\u3000a", " x", "*"], ["b", "x", "*"]])
    assert hierarchy.rows == (("a", "x", "*"), ("b", "x", "*"))


def test_blank_and_missing_cells_are_at_the_blank_leaf() -> None:
    hierarchy = Hierarchy([["", "unknown", "*"], ["a", "known", "*"]])
    column = table({"c": ["", None, "a"]})["c"]
    assert hierarchy.leaves_of(column)[column.codes].tolist() == [0, 0, 1]
    uneven = Hierarchy([["", "", "*"], ["a", "known", "*"]])
    assert (uneven.level_of[""], uneven.coverage[""]) == (0, 1)


def test_values_of_a_table_that_the_hierarchy_lacks_are_found() -> None:
    hierarchy = Hierarchy(ZIP)
    column = table({"zip": ["10115", "101**", "99999", "*", None]})["zip"]
    assert set(hierarchy.missing_leaves(column)) == {"101**", "99999", "*", None}
    assert set(hierarchy.missing_labels(column)) == {"99999", None}


def test_labels_on_two_levels_that_mean_other_leaves_are_ambiguous() -> None:
    rows = [["41", "42", "50"], ["42", "42", "50"], ["49", "50", "50"], ["50", "50", "50"]]
    hierarchy = Hierarchy(rows)
    assert set(hierarchy.ambiguous_labels) == {"42", "50"}
    assert hierarchy.level_of == {"41": 0, "42": 0, "49": 0, "50": 0, "*": 2}
    assert hierarchy.coverage["42"] == 2
    # A label kept where a branch is shorter means the same leaf.
    assert Hierarchy([["a", "a", "*"], ["b", "x", "*"]]).ambiguous_labels == ()
    # As many leaves on each level, but others.
    assert Hierarchy([["a", "x", "y"], ["b", "x", "y"], ["c", "z", "x"], ["d", "z", "x"]]).ambiguous_labels == ("x",)


def test_each_further_meaning_of_a_label_can_have_a_label_of_its_own() -> None:
    rows = [["41", "42", "50"], ["42", "42", "50"], ["49", "50", "50"], ["50", "50", "50"]]
    distinct = Hierarchy(rows).with_distinct_labels
    assert distinct.ambiguous_labels == ()
    assert [distinct.labels(level)[0] for level in range(3)] == ["41", "42\ue0001", "50\ue0002"]
    assert all((distinct.nodes(level) == Hierarchy(rows).nodes(level)).all() for level in range(3))
    assert Hierarchy(ZIP).with_distinct_labels.rows == Hierarchy(ZIP).rows


def test_a_level_whose_labels_mean_nothing_below_it_is_read_without_their_meanings_above_it() -> None:
    hierarchy = Hierarchy([["41", "42", "50"], ["42", "42", "50"], ["49", "49-50", "50"], ["50", "49-50", "50"]])
    assert [hierarchy.for_level(level).ambiguous_labels for level in range(3)] == [(), ("42", "50"), ("42", "50")]
    assert hierarchy.for_level(0).level_of["50"] == 0
    assert hierarchy.for_level(0) is hierarchy.for_level(0)


@pytest.mark.reference
def test_only_age_of_adult_has_ambiguous_labels() -> None:
    ambiguous = read_hierarchies(reference("petworks", "adult", "adult_hierarchy"))
    assert {name for name, hierarchy in ambiguous.items() if hierarchy.ambiguous_labels} == {"age"}
    intervals = read_hierarchies(reference("petworks", "adult", "adult_hierarchy_intervals"))
    assert all(not hierarchy.ambiguous_labels for hierarchy in intervals.values())
    assert set(intervals) == set(ambiguous)
    assert len(intervals) == 9
