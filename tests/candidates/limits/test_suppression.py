"""A rule keeps the classes that meet k, l and t, and suppresses all others."""

from collections import Counter

import numpy as np
import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.enforced import K, L, Limits, T
from metrics.candidates.limits.suppression import kept_classes, suppression_rule
from metrics.config.parameters import GroundDistance, Parameters, ProfitabilityParameters, TClosenessParameters
from metrics.errors import InputError
from metrics.policy.limitable_measures import NO_ATTACK
from metrics.privacy.t_closeness.measure import class_t
from tests.support.small_tables import Cells, table

EQUAL = Parameters(t_closeness=TClosenessParameters(distance={"illness": GroundDistance.EQUAL}))
PRICES = Parameters(profitability=ProfitabilityParameters(adversary_cost=150, adversary_gain=300))


def kept(rule: Limits, ages: Cells, illnesses: Cells, parameters: Parameters = EQUAL) -> list[bool]:
    """For each class, in the order of the ages, whether the rule keeps it."""
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    aggregates = TableAggregates(table({"age": ages, "illness": illnesses}), roles)
    histograms = {"illness": aggregates.histogram("illness")}
    return kept_classes(rule, aggregates.classes.sizes, histograms, {}, parameters).tolist()


def test_classes_of_fewer_than_k_records_are_suppressed() -> None:
    ages = ["20"] * 2 + ["30"] * 3
    assert kept({K: 3}, ages, ["flu"] * 5) == [False, True]
    assert kept({K: 2}, ages, ["flu"] * 5) == [True, True]


def test_classes_of_fewer_than_l_sensitive_values_are_suppressed() -> None:
    ages, illnesses = ["20"] * 3 + ["30"] * 3, ["flu", "flu", "flu", "flu", "cold", "flu"]
    assert kept({K: 1, L: 2}, ages, illnesses) == [False, True]
    assert kept({K: 1, L: 3}, ages, illnesses) == [False, False]


def test_classes_farther_than_t_from_all_records_are_suppressed() -> None:
    """Of ten records, eight have a flu: the share in the two classes is 0.6 and 1, so both are 0.2 away from it."""
    ages, illnesses = ["20"] * 5 + ["30"] * 5, ["flu"] * 3 + ["cold"] * 2 + ["flu"] * 5
    assert kept({K: 1, T: 0.21}, ages, illnesses) == [True, True]
    assert kept({K: 1, T: 0.19}, ages, illnesses) == [False, False]


@pytest.mark.parametrize("rule", [{K: 3, L: 2, T: 0.5}, {K: 2, T: 0.35}, {K: 4, L: 3}])
def test_a_rule_keeps_the_classes_that_a_look_at_every_record_keeps(rule: Limits) -> None:
    random = np.random.default_rng(8)
    ages, illnesses = random.integers(10, 50, 150).astype(str).tolist(), random.choice(list("abcd"), 150).tolist()
    whole = Counter(illnesses)
    expected = []
    for age in sorted(set(ages)):
        own = Counter(illness for one, illness in zip(ages, illnesses, strict=True) if one == age)
        size = own.total()
        distance = sum(abs(own[value] / size - count / 150) for value, count in whole.items()) / 2
        enough = size >= rule[K] and len(own) >= rule.get(L, 1)
        expected.append(enough and distance <= rule.get(T, 1))
    assert any(expected)
    assert not all(expected)
    assert kept(rule, ages, illnesses) == expected


def test_a_ground_distance_that_does_not_apply_is_refused_with_the_column() -> None:
    ordered = Parameters(t_closeness=TClosenessParameters(distance={"illness": GroundDistance.ORDERED}))
    with pytest.raises(InputError) as refused:
        kept({K: 1, T: 0.5}, ["20", "30"], ["flu", "cold"], ordered)
    assert refused.value.column == "illness"


def test_distances_are_measured_by_the_ground_distance_chosen() -> None:
    """Half of all records earn 10, a quarter each 20 and 30; in the first class everybody earns 10."""
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["pay"])
    content = table({"age": ["20", "20", "30", "30"], "pay": ["10", "10", "20", "30"]})
    histogram = TableAggregates(content, roles).histogram("pay")
    by_order, by_equality = (
        class_t(histogram, {}, Parameters(t_closeness=TClosenessParameters(distance={"pay": distance}))).tolist()
        for distance in (GroundDistance.ORDERED, GroundDistance.EQUAL)
    )
    assert by_equality == pytest.approx([0.5, 0.5])
    assert by_order == pytest.approx([0.375, 0.375])  # one step is half of the way from 10 to 30


def test_classes_that_fail_k_l_or_t_or_pay_for_an_attack_are_suppressed() -> None:
    limits = {"k_anonymity": 2, "distinct_l_diversity": 3, "t_closeness": 0.2}
    assert suppression_rule(limits, PRICES) == {K: 2, L: 3, T: 0.2}
    assert suppression_rule({"k_anonymity": 2, NO_ATTACK: True}, PRICES) == {K: 3}
    assert suppression_rule({}, PRICES) == {K: 1}


@pytest.mark.parametrize(("gain", "size"), [(300, 3), (299, 2), (150, 2), (0, 1)])
def test_classes_without_attacks_are_one_record_larger_than_gain_over_cost(gain: float, size: int) -> None:
    """A class of n records is attacked where gain / n is at least the cost, here 150."""
    prices = ProfitabilityParameters(adversary_cost=150, adversary_gain=gain)
    assert suppression_rule({NO_ATTACK: True}, Parameters(profitability=prices))[K] == size


def test_attacks_that_cost_nothing_are_refused() -> None:
    with pytest.raises(InputError):
        suppression_rule({NO_ATTACK: True}, Parameters(profitability=ProfitabilityParameters(adversary_cost=0)))
