"""The hierarchies of chosen columns, written out, and what is refused in one sentence."""

from collections.abc import Callable

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
    ordered_groups,
    quantiles,
    suggest,
    suggest_from_pair,
    suppression,
    values_without_leaf,
    with_values,
)
from metrics.tables.table import SUPPRESSED, Column
from tests.hierarchies.builders.columns import above, column
from tests.hierarchies.builders.generated import MERGE, NUMBERS, TEXT, assert_sound, columns, made_of
from tests.support.reference_tables import reference_table

AGES = column("17", "20", "34", "39", "40", "90")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            equal_width(AGES, 10, merge=[2], form=IntervalForm.DASH),
            {"17": "10-19 | 0-19", "34": "30-39 | 20-39", "90": "90-99 | 80-99"},
        ),
        (equal_width(AGES, 10, lowest=20, highest=80), {"17": "<20", "20": "[20, 30[", "90": ">=80"}),
        (equal_width(AGES, 10, lowest=20, highest=75), {"40": "[40, 50[", "90": ">=75"}),
        (equal_width(AGES, 5, start=2), {"17": "[17, 22[", "20": "[17, 22[", "90": "[87, 92["}),
        (bounded(AGES, [18, 65]), {"17": "<18", "20": "[18, 65[", "90": ">=65"}),
        (bounded(AGES, [0, 18, 65, 90], open_ends=False), {"17": "[0, 18[", "34": "[18, 65[", "90": "[65, 90]"}),
        (
            bounded(AGES, [0, 18, 65, 90], open_ends=False, form=IntervalForm.DASH),
            {"17": "0-17", "34": "18-64", "90": "65-90"},
        ),
        (quantiles(AGES, 3), {"17": "[17, 34[", "34": "[34, 40[", "40": "[40, 90]", "90": "[40, 90]"}),
        (quantiles(column("5", "5"), 4), {"5": "[5, 5]"}),
        (quantiles(column("1", "2", "3", "3", "3", "3"), 2), {"2": "[1, 3[", "3": "[3, 3]"}),
        (
            equal_width(column("-5", "-0.5", "3"), "2.5", merge=[2]),
            {"-5": "[-5, -2.5[ | [-5, 0[", "3": "[2.5, 5[ | [0, 5["},
        ),
        (equal_width(column("-5", "3"), 5, form=IntervalForm.DASH), {"-5": "-5 - -1", "3": "0 - 4"}),
        (equal_width(column("0,5", "1,5", decimal=","), "0,5"), {"0,5": "[0,5, 1[", "1,5": "[1,5, 2["}),
        (equal_width(column("1e3", "0.1"), "0.1"), {"1e3": "[1000, 1000.1[", "0.1": "[0.1, 0.2["}),
        (equal_width(column("7", None, "?"), 5, keep_others=True), {"7": "[5, 10[", "?": "?", "": ""}),
        (masking(column("47677", "47602")), {"47677": "4767* | 476** | 47*** | 4****"}),
        (masking(column("47677"), steps=[2, 3]), {"47677": "476**"}),
        (
            masking(column("ab", "abcd", "x"), side=Side.PREFIX),
            {"ab": "*b | *b | *b", "abcd": "*bcd | **cd | ***d", "x": "x | x | x"},
        ),
        (
            dates(column("2024-03-31", "2024-05-01", "1999-01-02", "2024-03-30")),
            {"2024-03-31": "2024-03 | 2024 | ", "1999-01-02": "1999-01 | 1999 | "},
        ),
        (
            dates(column("31.3.2024", "1.12.1999"), list(Period)),
            {"1.12.1999": "1999-12-01 | 1999-12 | 1999-Q4 | 1999 | 1990-1999"},
        ),
        (dates(column("3/31/2024 10:15"), [Period.MONTH]), {"3/31/2024 10:15": "2024-03"}),
        (
            dates(column("2024-03-31", "2024-02-30", "soon"), [Period.YEAR], keep_others=True),
            {"2024-03-31": "2024", "2024-02-30": "2024-02-30", "soon": "soon"},
        ),
        (
            groups(column("a", "b", "c", None), {"vowel": ["a", "e"]}, rest="other"),
            {"a": "vowel", "e": "vowel", "b": "other", "": ""},
        ),
        (groups(column("a", "b"), {"x": ["a", "b"]}, {"y": ["x"]}), {"a": "x | y"}),
        (
            ordered_groups(
                column("low", "mid", "high", "top", "mid"), 2, merge=[2], order=["low", "mid", "high", "top", "peak"]
            ),
            {"low": "low - mid | low - top", "top": "high - top | low - top", "peak": "peak | peak"},
        ),
        (suppression(column("a", "a")), {"a": ""}),
    ],
)
def test_hierarchies_of_every_kind_have_the_expected_labels(made: Hierarchy, expected: dict[str, str]) -> None:
    found = above(made)
    assert {value: found[value] for value in expected} == {
        value: text.removesuffix(" | ") for value, text in expected.items()
    }
    assert made.labels(made.height) == ("*",)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: equal_width(column("1", "2", "x"), 5),
            'line 4, column "q": 1 value cannot be read as a number; correct',
        ),
        (lambda: equal_width(column("a", "b"), 5), "no value is a number"),
        (lambda: equal_width(AGES, 0), "the width is not above 0"),
        (lambda: equal_width(AGES, "wide"), "a bound or width is not a number"),
        (lambda: equal_width(AGES, "0.0001"), "more than 100,000 intervals"),
        (lambda: equal_width(AGES, 5, merge=[1]), "a level would join fewer than 2"),
        (lambda: equal_width(AGES, 5, merge=[2] * 31), "31 levels of joined neighbours"),
        (lambda: quantiles(AGES, 5, merge=[2] * 31), "31 levels of joined neighbours"),
        (lambda: bounded(AGES, [1, 2], merge=[2] * 31), "31 levels of joined neighbours"),
        (lambda: ordered_groups(column("a"), 2, merge=[2] * 31), "31 levels of joined neighbours"),
        (lambda: bounded(AGES, ["1e-999999999"]), "a bound or width is not a number"),
        (lambda: equal_width(AGES, 5, lowest=9, highest=3), "would end before they begin"),
        (lambda: equal_width(column("1.5"), 1, form=IntervalForm.DASH), "the form a-b includes both ends"),
        (lambda: equal_width(column("1", "[0, 5["), 5, keep_others=True), "is the same as one of the new labels"),
        (lambda: bounded(AGES, [20, 50], open_ends=False), "2 of its numbers lie outside the bounds"),
        (lambda: bounded(AGES, [50, 20]), "the bounds do not ascend"),
        (lambda: bounded(AGES, []), "there are too few bounds"),
        (lambda: bounded(AGES, ["1", "1.00000000000000000001", "2"]), "too narrow to be distinguished"),
        (lambda: quantiles(AGES, 0), "the number of intervals is below 1"),
        (lambda: masking(AGES, steps=[0]), "would hide no more characters"),
        (lambda: dates(column("x")), "no value is a date"),
        (lambda: dates(column("1/2/2024", "3/4/2024")), "the order of day and month in its dates is ambiguous"),
        (lambda: dates(column("2024-01-01", "2024-13-01")), 'line 3, column "q": 1 value cannot be read as a date'),
        (lambda: dates(column("2024-01"), [Period.DAY]), "no period finer than the month"),
        (
            lambda: dates(column("2024-01-01", "2024"), [Period.YEAR], form=DateForm.ISO_DAY, keep_others=True),
            "is the same as one",
        ),
        (lambda: groups(column("a"), {"x": ["a"], "y": ["a"]}), "a value is in two groups on level 1"),
        (
            lambda: groups(column("a"), {"x": ["a"]}, {"y": ["z"]}),
            "level 2 groups a label that does not occur on level 1",
        ),
        (lambda: groups(column("a", "b"), {"b": ["a"]}), "has the same name as a value outside it"),
        (lambda: groups(column("a"), {" ": ["a"]}), "a group on level 1 has no name"),
        (lambda: ordered_groups(column("a"), 1), "a group would have fewer than 2"),
        (lambda: ordered_groups(column("a"), 2, order=["b"]), "the order lacks 1 value"),
        (lambda: ordered_groups(column("a"), 2, order=["a", "a"]), "the order names a value twice"),
        (lambda: suppression(column("*")), "the column has no values"),
        (lambda: suggest_from_pair(column("a"), column("a", "b")), "the columns have 1 and 2 records"),
        (lambda: suggest_from_pair(column("a", "b", "b", "c"), column("x", "x", "y", "y")), "values overlap"),
        (lambda: suggest_from_pair(column("a"), column(None)), "blank cells where the original has none"),
    ],
)
def test_a_hierarchy_that_cannot_be_made_is_refused_with_the_reason(
    make: Callable[[], Hierarchy], sentence: str
) -> None:
    with pytest.raises(InputError) as raised:
        make()
    assert sentence in str(raised.value)
    assert raised.value.column == "q"


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


@pytest.mark.reference
def test_every_column_of_adult_gets_a_hierarchy_that_covers_it() -> None:
    original, anonymized = (
        reference_table("petworks", "adult", name) for name in ("adult.csv", "adult_anonymized.csv")
    )
    for before in original.columns:
        suggested = suggest(before).hierarchy
        assert not suggested.missing_leaves(before)
        found = suggest_from_pair(before, anonymized[before.name])
        assert not found.missing_leaves(before)
        assert not found.missing_labels(anonymized[before.name])
