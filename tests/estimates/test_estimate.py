"""Whether an estimate of the release lies in the original's interval, in any unit."""

from dataclasses import replace

import pytest

from metrics.estimates.estimate import Estimate, Outcome, Value
from metrics.texts import text


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


@pytest.mark.parametrize(
    ("estimate", "half", "is_significant", "said"),
    [
        (1.3, 0.4, True, "uncertain"),
        (-0.2, 1.5, False, "uncertain"),  # no opposite sign is found, the interval holds both
        (1.1, 1.2, False, "uncertain"),
        (1.1, 0.29, False, "insignificant"),
        (1.3, 0.29, True, "conclusion"),  # hardly less certain than the original
        (2.0, 0.4, True, "conclusion"),
        (-2.0, 0.4, True, "reversed"),
    ],
)
def test_a_wide_interval_that_holds_the_original_tells_of_no_change(
    estimate: float, half: float, is_significant: bool, said: str
) -> None:
    before = Value(1, 0.8, 1.2, 0.1, is_significant=True, sign=1, records=9)
    sign = 1 if estimate > 0 else -1
    after = Value(estimate, estimate - half, estimate + half, half / 2, is_significant, sign, records=9)
    found = Estimate("a", before, after)
    assert (found.said, found.outcome) == (text(f"analyses.kept.{said}"), Outcome.CHANGED)
    assert found.is_uncertain == (said == "uncertain")


def test_a_finding_that_the_original_lacks_is_no_uncertainty() -> None:
    before = Value(0.1, -0.4, 0.6, 0.25, is_significant=False, sign=1, records=9)
    after = Value(1.2, 0.05, 2.35, 0.6, is_significant=True, sign=1, records=9)
    assert Estimate("a", before, after).said == text("analyses.kept.significant")
    assert Estimate("a", before, replace(after, is_significant=False)).is_uncertain


def test_a_difference_is_told_in_the_larger_standard_error() -> None:
    before = Value(1, 0.8, 1.2, 0.1, is_significant=True, sign=1, records=9)
    assert Estimate("a", before, replace(before, estimate=2, error=0.5)).beyond_noise == pytest.approx(2)
    assert Estimate("a", before, replace(before, estimate=2, error=0.05)).beyond_noise == pytest.approx(10)
    assert Estimate("a", before, None).beyond_noise is None
