"""Whatever the values: every one is covered, has one parent, and the hierarchy survives its file."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, InputError
from metrics.hierarchies.builders import (
    DateForm,
    IntervalForm,
    Period,
    Side,
    bounded,
    dates,
    equal_width,
    groups,
    masking,
    missed,
    ordered_groups,
    quantiles,
    regrouped,
    suggest,
    suggest_from_pair,
    suppression,
    to_csv,
    with_level,
    with_values,
    without_level,
)
from metrics.hierarchies.domain import parse_interval
from metrics.hierarchies.files import read_hierarchy
from metrics.hierarchies.masks import masked_labels
from metrics.tables.table import SUPPRESSED, Column
from metrics.tables.values import parse_number
from tests.support.scenes import trees
from tests.support.small_tables import Cells, table

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(";,\"'|*\n- "), max_size=6)
NUMBERS = st.one_of(
    st.integers(-200, 200).map(str),
    st.decimals(-50, 50, places=2).map(str),
    st.sampled_from(["1", "1.0", "01", "+1", "-0", ".5", "1e3", "2.5e-3", "-7"]),
)
DATES = st.dates().map(str)
MERGE = st.lists(st.integers(2, 4), max_size=3)
FORMS = st.sampled_from(IntervalForm)


def column_of(cells: Cells, decimal: str = ".") -> Column:
    made = table({"q": cells})["q"]
    return Column("q", made.codes, made.values, decimal)


def columns(cells: st.SearchStrategy[str]) -> st.SearchStrategy[Column]:
    """A column of these cells, some of them missing or suppressed."""
    missing = st.sampled_from([None, "", SUPPRESSED])
    return st.lists(cells | cells | cells | missing, min_size=1, max_size=30).map(column_of)


def made_of(make: Callable[[], Hierarchy]) -> Hierarchy | None:
    """The hierarchy, or None where it was refused."""
    with suppress(InputError):
        return make()
    return None


def assert_sound(hierarchy: Hierarchy, column: Column) -> None:
    """Every value covered, one parent each, one root, levels nested, and the same read back."""
    assert set(hierarchy.missing_leaves(column)) <= {SUPPRESSED}
    assert hierarchy.labels(hierarchy.height) == (SUPPRESSED,)
    assert hierarchy.labels(0) == tuple(row[0] for row in hierarchy.rows)
    for level in range(hierarchy.height):
        pairs = set(zip(hierarchy.nodes(level).tolist(), hierarchy.nodes(level + 1).tolist(), strict=True))
        assert len(pairs) == len(hierarchy.labels(level))
    assert read_hierarchy(to_csv(hierarchy), name=hierarchy.name).rows == hierarchy.rows


def assert_intervals_hold(hierarchy: Hierarchy, decimal: str = ".") -> None:
    """Each label between a number and the root is an interval that holds the number and lies within the next."""
    for row in hierarchy.rows:
        number = parse_number(row[0], decimal)
        if number is None:
            assert set(row[:-1]) == {row[0]}
            continue
        intervals = [parse_interval(label, decimal) for label in row[1:-1]]
        assert intervals
        for interval in intervals:
            assert interval is not None
            assert interval.contains(number)
        for inner, outer in pairwise(intervals):
            assert inner is not None
            assert outer is not None
            assert outer.low <= inner.low
            assert inner.high <= outer.high


@given(columns(NUMBERS), st.sampled_from(["1", "5", "0.1", "2.5", "7"]), MERGE, FORMS, st.sampled_from(["0", "0.5"]))
def test_equal_width_hierarchies_are_sound_and_each_interval_contains_its_values(
    column: Column, width: str, merge: list[int], form: IntervalForm, start: str
) -> None:
    hierarchy = made_of(lambda: equal_width(column, width, merge=merge, form=form, start=start))
    if hierarchy is None:
        assert form is IntervalForm.DASH or not any(map(parse_number, column.labels))
        return
    assert_sound(hierarchy, column)
    assert_intervals_hold(hierarchy)


@given(
    columns(NUMBERS), st.integers(1, 9), MERGE, st.lists(st.integers(-60, 60), min_size=1, max_size=6), st.booleans()
)
def test_hierarchies_of_quantiles_and_bounds_are_sound_and_contain_their_values(
    column: Column, number: int, merge: list[int], bounds: list[int], opened: bool
) -> None:
    for hierarchy in (
        made_of(lambda: quantiles(column, number, merge=merge)),
        made_of(lambda: bounded(column, sorted(set(bounds)), merge=merge, open_ends=opened)),
        made_of(lambda: equal_width(column, 10, merge=merge, lowest=min(bounds), highest=min(bounds) + 35)),
    ):
        if hierarchy is not None:
            assert_sound(hierarchy, column)
            assert_intervals_hold(hierarchy)


@given(st.lists(NUMBERS.map(lambda text: text.replace(".", ",")), min_size=1, max_size=20), MERGE)
def test_a_decimal_comma_is_read_and_written(cells: list[str], merge: list[int]) -> None:
    column = column_of(cells, ",")
    hierarchy = equal_width(column, "0,25", merge=merge)
    assert_sound(hierarchy, column)
    assert_intervals_hold(hierarchy, ",")
    assert not any("." in label for row in hierarchy.rows for label in row[1:])


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


@given(columns(DATES), st.none() | st.lists(st.sampled_from(Period), unique=True))
def test_date_hierarchies_are_sound(column: Column, periods: list[Period] | None) -> None:
    hierarchy = made_of(lambda: dates(column, periods, form=DateForm.ISO_DAY))
    if hierarchy is not None:
        assert_sound(hierarchy, column)


@given(columns(TEXT), st.integers(2, 4), MERGE)
def test_hierarchies_of_categories_are_sound(column: Column, size: int, merge: list[int]) -> None:
    for hierarchy in (
        made_of(lambda: suppression(column)),
        made_of(lambda: ordered_groups(column, size, merge=merge)),
        made_of(lambda: suggest(column).hierarchy),
    ):
        if hierarchy is not None:
            assert_sound(hierarchy, column)


@given(columns(NUMBERS | DATES | TEXT), st.lists(TEXT, max_size=3, unique=True))
def test_a_suggestion_covers_every_value_and_takes_more(column: Column, more: list[str]) -> None:
    suggestion = made_of(lambda: suggest(column).hierarchy)
    if suggestion is None:
        assert set(column.labels) <= {SUPPRESSED}
        return
    assert_sound(suggestion, column)
    leaf = suggestion.rows[0][0]
    wanted = {value.strip(): leaf for value in more if value.strip() not in ("", SUPPRESSED)}
    fresh = {value: like for value, like in wanted.items() if value not in suggestion.leaf_index}
    grown = made_of(lambda: with_values(suggestion, fresh))
    if grown is not None:
        assert_sound(grown, column)
        assert all(grown.rows[grown.leaf_index[value.strip()]][1:] == suggestion.rows[0][1:] for value in fresh)


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


@pytest.mark.parametrize("label", ["34,5", 'a"b', "'x'", "a|b", "a\tb", "a;b", "a\nb", "sep=;", '""', "=1+1", "ü,ß"])
def test_labels_that_look_like_delimiters_or_quotes_come_back(label: str) -> None:
    hierarchy = Hierarchy([[label, f"{label}, {label},", "*"], ["b", "c", "*"], ["", "", "*"]])
    assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows


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


@given(st.dictionaries(TEXT.map(str.strip), TEXT.map(str.strip).filter(bool), min_size=1, max_size=12))
def test_any_labels_survive_their_file(parent_of: dict[str, str]) -> None:
    hierarchy = made_of(lambda: Hierarchy([[leaf, parent] for leaf, parent in parent_of.items()]))
    if hierarchy is not None:
        assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows


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


@given(columns(NUMBERS | TEXT), columns(NUMBERS | TEXT))
def test_values_missing_from_a_hierarchy_are_reported_once_and_can_be_added(known: Column, other: Column) -> None:
    hierarchy = made_of(lambda: suggest(known).hierarchy)
    if hierarchy is None:
        return
    found = missed(hierarchy, other)
    expected = set(hierarchy.missing_leaves(other)) - {SUPPRESSED}
    assert {gap.value for gap in found} == expected
    counts = dict(zip(other.labels, other.counts().tolist(), strict=True))
    assert all(gap.records == counts[gap.value] for gap in found)
    assert all((gap.like is None) == (gap.how == "") for gap in found)
    added = {gap.value or "": gap.like for gap in found if gap.like is not None}
    grown = with_values(hierarchy, added)
    assert set(grown.missing_leaves(other)) - {SUPPRESSED} == {gap.value for gap in found if gap.like is None}
