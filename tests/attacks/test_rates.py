"""Success rates of attacks, and by how much they exceed what is known anyway."""

import pytest

from metrics.attacks.rates import AttackRate


def test_a_gain_is_over_the_larger_of_guessing_and_the_control() -> None:
    assert AttackRate(35, 100, 0.1, None, True).gain == pytest.approx(0.25)
    assert AttackRate(35, 100, 0.1, 0.3, True).gain == pytest.approx(0.05)
    assert AttackRate(35, 100, 0.1, 0.0, True).gain == pytest.approx(0.25)


def test_the_excess_of_a_rate_is_over_its_control_or_else_over_the_baseline() -> None:
    assert AttackRate(35, 100, 0.1, None, True).excess == pytest.approx(0.25 / 0.9)
    assert AttackRate(35, 100, 0.1, 0.3, True).excess == pytest.approx(0.05 / 0.7)
    assert AttackRate(35, 100, 0.1, 0.5, True).excess == 0
    assert AttackRate(100, 100, 1.0, None, True).excess == 0
    assert AttackRate(0, 0, 0.0, None, False).value == 0
