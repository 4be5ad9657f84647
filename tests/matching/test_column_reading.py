"""Which anonymized values replace the original one instead of generalizing it."""

import numpy as np
import pyarrow as pa

from metrics.counting.counts import Combinations
from metrics.matching.column_reading import perturbed_pairs
from metrics.tables.table import Column


def test_a_date_that_another_date_replaces_is_perturbed_even_if_the_original_never_has_it() -> None:
    original, noisy, months = ["2024-03-05", "2024-03-09"], ["2024-03-06", "2024-03-08"], ["2024-03", "2024-03"]
    assert flags_of(original, noisy) == [True, True]
    assert flags_of(original, months) == [False, False]
    assert flags_of([*original, "03/05/2024"], [*noisy, "2024-03-10"]) == [False, False, False]


def test_dates_generalized_to_the_first_of_their_month_are_not_perturbed() -> None:
    days = [f"2024-{month:02}-{day:02}" for month in (3, 4) for day in range(2, 9)]
    assert not any(flags_of(days, [f"{day[:8]}01" for day in days]))


def flags_of(original: list[str], released: list[str]) -> list[bool]:
    """Whether each cell is perturbed, without a hierarchy."""
    columns = [Column.from_arrow("born", pa.array(values)) for values in (original, released)]
    codes = tuple(column.codes for column in columns)
    return perturbed_pairs(Combinations(tuple(columns), codes, np.ones(len(original), dtype=np.int64)), None).tolist()
