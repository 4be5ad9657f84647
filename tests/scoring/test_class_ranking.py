"""The worst classes come first: those that violate a definition, then the smallest, then the most severe."""

import numpy as np
import pytest

from metrics.scoring.catalog import METRICS
from metrics.scoring.class_ranking import Ranking, ranking


def ranked(*classes: tuple[bool, int, float]) -> Ranking:
    violating, sizes, severity = zip(*classes, strict=True)
    return Ranking(np.array(violating), np.array(sizes), np.array(severity))


@pytest.mark.parametrize("seed", range(5))
def test_classes_are_ordered_by_violation_size_and_severity(seed: int) -> None:
    random = np.random.default_rng(seed)
    classes = [(bool(random.random() < 0.5), int(random.integers(1, 4)), float(random.random())) for _ in range(20)]
    worst_first = sorted(range(20), key=lambda i: (not classes[i][0], classes[i][1], -classes[i][2]))
    assert ranked(*classes).order.tolist() == worst_first


def test_equal_classes_keep_their_order() -> None:
    assert ranked((True, 2, 0.5), (True, 2, 0.5), (False, 1, 0.9)).order.tolist() == [0, 1, 2]


def test_some_classes_and_those_that_follow_are_ranked_by_the_same_figures() -> None:
    first, second = ranked((False, 3, 0.1), (True, 5, 0.2)), ranked((True, 2, 0.3))
    both = first.followed_by(second)
    assert both.order.tolist() == [2, 1, 0]
    assert both.take(np.array([0, 2])).order.tolist() == [1, 0]
    assert both.take(np.array([0, 2])).severity.tolist() == [0.1, 0.3]


def test_only_one_metric_orders_classes_of_equal_size() -> None:
    assert sum(metric.per_class is not None and metric.per_class.severity is not None for metric in METRICS) == 1


def test_without_results_the_size_decides() -> None:
    found = ranking(np.array([5, 2, 9]), {})
    assert found.order.tolist() == [1, 0, 2]
    assert not found.violating.any()
