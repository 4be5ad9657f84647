"""Closed forms of profitability against the verdict itself, taken just below and just above them."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics.break_even import break_even, sensitivities
from metrics.economics.profitability import Profitability, profitability

sizes = st.lists(st.integers(1, 500), min_size=1, max_size=30)
amounts = st.integers(0, 4000).map(lambda n: n / 8)
parameters = st.builds(
    ProfitabilityParameters,
    adversary_cost=amounts,
    adversary_gain=amounts,
    publisher_loss=amounts,
    publisher_benefit=amounts,
)


def classes_of(chosen: list[int]) -> EquivalenceClasses:
    return EquivalenceClasses((), (), np.array(chosen, dtype=np.int64), 0, None)


def at(classes: EquivalenceClasses, base: ProfitabilityParameters, **amount: float) -> Profitability:
    changed: dict[str, Any] = amount
    return profitability(classes, replace(base, **changed))


@given(sizes, parameters)
def test_verdicts_change_at_the_closed_forms(chosen: list[int], base: ProfitabilityParameters) -> None:
    classes = classes_of(chosen)
    points = break_even(classes, base)
    step = 1 / 1024
    assert at(classes, base, publisher_benefit=points.benefit + step).basic
    if points.benefit > step:
        assert not at(classes, base, publisher_benefit=points.benefit - step).basic
    assert at(classes, base, publisher_benefit=points.total_benefit + step).publisher_payout > 0
    if points.total_benefit > step:
        assert at(classes, base, publisher_benefit=points.total_benefit - step).publisher_payout < 0
    if points.loss is not None:
        assert not at(classes, base, publisher_loss=points.loss + step).basic
        if points.loss > step:
            assert at(classes, base, publisher_loss=points.loss - step).basic
    assert at(classes, base, adversary_cost=points.attack_free_cost + step).records_attacked == 0
    if points.attack_free_cost > step:
        assert at(classes, base, adversary_cost=points.attack_free_cost - step).records_attacked > 0
    assert at(classes, base, adversary_gain=points.attack_free_gain + step).records_attacked > 0
    if points.attack_free_gain > step:
        assert at(classes, base, adversary_gain=points.attack_free_gain - step).records_attacked == 0
    if points.attack_free_size is None:
        assert points.classes_below == len(chosen)
    else:
        below = [size for size in chosen if size < points.attack_free_size]
        assert (points.classes_below, points.records_below) == (len(below), sum(below))


def test_the_break_even_points_of_the_worked_example_equal_its_figures() -> None:
    points = break_even(classes_of([3, 2]), ProfitabilityParameters())
    assert (points.benefit, points.total_benefit, points.loss) == (150.0, 120.0, 2400.0)
    assert (points.attack_free_cost, points.attack_free_gain) == (150.0, 8.0)
    assert (points.attack_free_size, points.classes_below, points.records_below) == (76, 2, 5)


def test_sensitivities_are_payouts_and_sorted() -> None:
    classes = classes_of([3, 2, 80])
    found = sensitivities(classes, ProfitabilityParameters(), 0.2)
    assert found[0].name == "publisher_benefit"
    assert found[0].high == profitability(classes, ProfitabilityParameters(publisher_benefit=1440)).publisher_payout
    swings = [abs(one.high - one.low) for one in found]
    assert swings == sorted(swings, reverse=True)
