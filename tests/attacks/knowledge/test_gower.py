"""Gower's distance between known values and released labels, against distances by hand."""

import numpy as np
import pytest

from metrics.attacks.knowledge.gower import GowerDistance, number_of, range_of
from metrics.hierarchies.covering import covering
from metrics.tables.table import Column
from tests.support.small_tables import table


def distances(known: list[str], released: list[str | None]) -> dict[tuple[str, str | None], float]:
    """The distance of every known value from every released label."""
    made = table({"known": [*known, *[known[0]] * (len(released) - len(known))], "released": released})
    values, labels = made["known"], made["released"]
    of = GowerDistance(labels, values, covering(labels, values, None), values)
    found = of.matrix(np.arange(values.distinct))
    return {
        (str(value), label): float(found[row, column])
        for row, value in enumerate(values.labels)
        for column, label in enumerate(labels.labels)
    }


@pytest.mark.parametrize(
    ("known", "label", "expected"),
    [
        ("20", "20", 0.0),
        ("20", "25", 5 / 40),
        ("60", "25", 35 / 40),
        ("20", "30-39", 10 / 40),  # the nearer end of the interval
        ("60", "30-39", 21 / 40),
        ("60", "*", 0.0),  # a suppressed cell covers every value
        ("60", "many", 1.0),  # neither a number nor a label that covers the value
    ],
)
def test_a_distance_is_the_gap_over_the_range_or_whether_the_label_covers_the_value(
    known: str, label: str, expected: float
) -> None:
    found = distances(["20", "60"], ["20", "25", "30-39", "*", "many"])
    assert found[known, label] == pytest.approx(expected)


def test_values_without_a_range_are_at_distance_0_or_1() -> None:
    found = distances(["20"], ["20", "25"])
    assert (found["20", "20"], found["20", "25"]) == (0.0, 1.0)


def test_a_code_with_leading_zeros_is_not_a_number() -> None:
    column: Column = table({"code": ["007", "7", None]})["code"]
    assert np.isnan(number_of("007", "."))
    assert np.isnan(number_of(None, "."))
    assert number_of("7", ".") == 7
    assert range_of(column.labels, ".") == 0
