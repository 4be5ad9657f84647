"""The classes that an appendix lists are those that fail the policy by which verdict and report judge."""

import math

import pytest

import metrics
from metrics.explanations.reasons import failing_summary
from metrics.metric import Direction
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy, Status
from metrics.report.violating import failing_classes
from metrics.scoring.catalog import BY_ID, METRICS
from tests.drawing.random_tables import many_classes

LIMITED = {metric.id for metric in METRICS if metric.per_class is not None and metric.per_class.limited is not None}
WITHOUT_VALUE = {"delta_presence", "enhanced_beta_likeness", "k_map", "recursive_cl_diversity"}
"""They have no number for this table, whatever the limit."""


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    return many_classes()


@pytest.mark.parametrize("metric_id", sorted(LIMITED - WITHOUT_VALUE))
def test_no_class_fails_a_limit_that_the_table_meets_and_some_fail_one_that_it_misses(
    card: metrics.Scorecard, metric_id: str
) -> None:
    value, metric = card[metric_id].value, BY_ID[metric_id]
    assert value is not None, f"{metric_id} has no value for this table: add it to WITHOUT_VALUE"
    better = -math.inf if metric.direction is Direction.LOWER else math.inf
    for limit, is_met in ((float(value), True), (math.nextafter(value, better), False)):
        if not (metric.minimum or 0) <= limit <= (math.inf if metric.maximum is None else metric.maximum):
            continue
        policy = Policy("own", {metric_id: limit})
        result = policy.check(card)
        failing = failing_classes(card, policy)
        assert (result.status is Status.MEETS) is is_met
        assert (len(failing.index) == 0) is is_met
        assert (failing_summary(result.limits[0], card) is None) is is_met
        assert len(failing.reasons(failing.index)) == len(failing.index)
        assert all(failing.reasons(failing.index))


def test_without_a_limit_on_classes_the_conditions_of_p29_decide(card: metrics.Scorecard) -> None:
    policy = Policy("own", {"suppression": 0.1})
    assert class_limits(policy) == {}
    assert len(failing_classes(card, policy).index) == card["p29"].details["violating_classes"]
