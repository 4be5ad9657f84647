"""Whether an estimate of the release lies in the original's interval, in any unit."""

import pytest

from metrics.estimates.estimate import Value


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_the_unit_of_a_number_does_not_decide_whether_it_survives(unit: float) -> None:
    original = Value(1.02 * unit, 0.96 * unit, 1.08 * unit, 0.03 * unit, is_significant=True, sign=1, records=9)
    assert original.holds(1.08 * unit)
    assert not original.holds(1.081 * unit)
    assert not original.holds(3.07 * unit)


def test_numbers_summed_in_another_order_are_the_same() -> None:
    certain = Value(0.3, 0.3, 0.3, 0.0, is_significant=True, sign=1, records=9)
    assert certain.holds(0.1 + 0.2)
    assert not certain.holds(0.301)
