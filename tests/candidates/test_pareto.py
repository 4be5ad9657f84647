"""The Pareto front holds the points that no other point dominates."""

import numpy as np
import pytest

from metrics.candidates.pareto import pareto_front


@pytest.mark.parametrize("seed", range(20))
def test_the_front_is_found_by_comparing_every_pair(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.integers(0, 6, (random.integers(1, 30), 2)).astype(float)
    points[random.random(points.shape) < 0.1] = -np.inf
    expected = {
        place
        for place, point in enumerate(points)
        if np.isfinite(point).all()
        and not any((other >= point).all() and (other > point).any() for other in points if np.isfinite(other).all())
    }
    front = pareto_front(points[:, 0], points[:, 1])
    assert set(front.tolist()) == expected
    assert len(front) == len(expected)
    assert (np.diff(points[front, 0]) <= 0).all()


def test_equal_points_stand_on_the_front_together() -> None:
    assert pareto_front(np.array([1.0, 2.0, 2.0, 1.0]), np.array([3.0, 1.0, 1.0, 2.0])).tolist() == [1, 2, 0]


def test_points_without_a_figure_are_left_out() -> None:
    missing = np.array([-np.inf, 1.0, 0.0])
    assert pareto_front(missing, np.array([5.0, -np.inf, 1.0])).tolist() == [2]
    assert pareto_front(missing[:1], missing[:1]).tolist() == []
    assert pareto_front(np.zeros(0), np.zeros(0)).tolist() == []
