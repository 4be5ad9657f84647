"""The hierarchy suggested for a column fits its values, covers each of them, and takes more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.builders import Kind, suggest, with_values
from metrics.tables.table import SUPPRESSED, Column
from tests.hierarchies.builders.columns import above, column
from tests.hierarchies.builders.generated import DATES, NUMBERS, TEXT, assert_sound, columns, made_of

MANY = [str(n) for n in range(17, 91)]


@pytest.mark.parametrize(
    ("given", "kind", "labels"),
    [
        (column(*MANY), Kind.INTERVALS, {"17": "[15, 20[ | [10, 20[ | [0, 20["}),
        (column(*MANY, "?", None), Kind.INTERVALS, {"?": "? | ? | ?", "": " |  | "}),
        (column(*(f"{n}.25" for n in range(9))), Kind.INTERVALS, {"8.25": "[8, 8.5[ | [8, 9[ | [8, 10["}),
        (column(*(f"{n:03}" for n in range(9))), Kind.MASKING, {"008": "00* | 0**"}),
        (column(*(f"A{n}0" for n in range(9))), Kind.MASKING, {"A80": "A8* | A**"}),
        (column("47677", "47602", name="ZIPCode"), Kind.MASKING, {"47677": "4767* | 476** | 47*** | 4****"}),
        (column(*(f"2024-0{n}-01" for n in range(1, 8))), Kind.DATES, {"2024-07-01": "2024-Q3"}),
        (column("1/2/2024", "3/4/2025"), Kind.DATES, {"1/2/2024": ""}),
        (
            column(*(f"[{n}-{n + 10})" for n in range(0, 120, 10))),
            Kind.NEIGHBOURS,
            {
                "[10-20)": "[0-20) | [0-40) | [0-80)",
                "[110-120)": "[100-120) | [80-120) | [80-120)",
            },
        ),
        (column("20-29", "30-39", "40-49", "50+"), Kind.SUPPRESSION, {"20-29": ""}),
        (column("20-29", "25-39", "40-49", "50-59"), Kind.SUPPRESSION, {"20-29": ""}),
        (column("f", "m", None), Kind.SUPPRESSION, {"f": "", "": ""}),
        (column(*"abcdefghij"), Kind.SUPPRESSION, {"a": ""}),
        (column("1", "2", "1"), Kind.SUPPRESSION, {"1": ""}),
        (column("7"), Kind.SUPPRESSION, {"7": ""}),
        (column(None, None), Kind.SUPPRESSION, {"": ""}),
    ],
)
def test_the_kind_of_hierarchy_suggested_fits_the_values_of_the_column(
    given: Column, kind: Kind, labels: dict[str, str]
) -> None:
    suggestion = suggest(given)
    assert suggestion.kind is kind
    found = above(suggestion.hierarchy)
    assert {value: found[value] for value in labels} == labels


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
