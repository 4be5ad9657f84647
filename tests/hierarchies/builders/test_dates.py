"""Hierarchies of dates: which form the dates have, whether it is ambiguous, and every date covered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.builders import DateForm, Period, dates, detect
from metrics.tables.table import Column
from tests.hierarchies.builders.columns import column
from tests.hierarchies.builders.generated import DATES, assert_sound, columns, made_of


@pytest.mark.parametrize(
    ("cells", "forms", "others"),
    [
        (["2024-03-31", "1999-1-2"], [DateForm.ISO_DAY], 0),
        (["2024/03/31T10:00:00Z"], [DateForm.ISO_DAY], 0),
        (["31.3.2024", "1-4-2023", "x"], [DateForm.DAY_FIRST], 1),
        (["1/2/2024", "3/4/2024"], [DateForm.DAY_FIRST_SLASH, DateForm.MONTH_FIRST], 0),
        (["1/2/2024", "3/14/2024"], [DateForm.MONTH_FIRST], 0),
        (["1/2/2024", "14/3/2024"], [DateForm.DAY_FIRST_SLASH], 0),
        (["1/2/2024", "14/3/2024", "3/14/2024"], [DateForm.DAY_FIRST_SLASH, DateForm.MONTH_FIRST], 1),
        (["x"], [], 1),
    ],
)
def test_the_format_of_dates_is_detected_and_ambiguity_is_reported(
    cells: list[str], forms: list[DateForm], others: int
) -> None:
    found = detect(column(*cells))
    assert (list(found.forms), found.others) == (forms, others)
    assert found.ambiguous == (len(forms) > 1)


@given(columns(DATES), st.none() | st.lists(st.sampled_from(Period), unique=True))
def test_date_hierarchies_are_sound(column: Column, periods: list[Period] | None) -> None:
    hierarchy = made_of(lambda: dates(column, periods, form=DateForm.ISO_DAY))
    if hierarchy is not None:
        assert_sound(hierarchy, column)
