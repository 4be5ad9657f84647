"""Which values are equal numbers, and which anonymized ones replace the original instead of generalizing it."""

import numpy as np
import pyarrow as pa

from metrics import Hierarchy
from metrics.counting.counts import Combinations
from metrics.matching.column_reading import perturbed_pairs, read_column
from metrics.tables.table import Column
from tests.support.small_tables import table


def test_a_date_that_another_date_replaces_is_perturbed_even_if_the_original_never_has_it() -> None:
    original, noisy, months = ["2024-03-05", "2024-03-09"], ["2024-03-06", "2024-03-08"], ["2024-03", "2024-03"]
    assert flags_of(original, noisy) == [True, True]
    assert flags_of(original, months) == [False, False]
    assert flags_of([*original, "03/05/2024"], [*noisy, "2024-03-10"]) == [False, False, False]


def test_dates_generalized_to_the_first_of_their_month_are_not_perturbed() -> None:
    days = [f"2024-{month:02}-{day:02}" for month in (3, 4) for day in range(2, 9)]
    assert not any(flags_of(days, [f"{day[:8]}01" for day in days]))


def test_texts_and_codes_are_not_compared_as_numbers() -> None:
    codes = table({"q": ["034", "34", "034.0"]})["q"]
    assert list(read_column(codes, codes, None).anonymized) == codes.labels
    mixed = table({"q": ["V30", "250.0", "250"]})["q"]
    assert list(read_column(mixed, mixed, None).anonymized) == mixed.labels
    zip_codes = table({"q": ["01234", "10001"]})["q"], table({"q": ["1234", "10001.0"]})["q"]
    assert read_column(*zip_codes, None).anonymized == ["1234", "10001"]
    levels = Hierarchy([["250.0", "250", "*"], ["V30", "V30", "*"]])
    forms = table({"q": ["250.00", "250", "V30"]})["q"]
    assert read_column(None, forms, levels).anonymized == ["250.0", "250", "V30"]
    long = table({"q": ["9007199254740993", "9007199254740992"]})["q"]
    assert list(read_column(long, long, None).anonymized) == long.labels


def flags_of(original: list[str], released: list[str]) -> list[bool]:
    """Whether each cell is perturbed, without a hierarchy."""
    columns = [Column.from_arrow("born", pa.array(values)) for values in (original, released)]
    codes = tuple(column.codes for column in columns)
    return perturbed_pairs(Combinations(tuple(columns), codes, np.ones(len(original), dtype=np.int64)), None).tolist()
