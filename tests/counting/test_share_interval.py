"""Wilson's interval: against its definition, and how often it holds the share."""

import math

import numpy as np
import pytest
import scipy  # its parts are imported when first used
from hypothesis import given
from hypothesis import strategies as st

from metrics.counting.share_interval import wilson


def slow_bounds(right: int, records: int) -> tuple[float, float]:
    """Wilson's bounds as he defines them: the shares p whose distance from the one found is z standard errors."""
    z, share = 1.959963984540054, right / records
    return tuple(
        share if share == end else bisected(lambda p: abs(share - p) - z * math.sqrt(p * (1 - p) / records), share, end)
        for end in (0.0, 1.0)
    )  # type: ignore[return-value]


def bisected(f, inside: float, outside: float) -> float:  # type: ignore[no-untyped-def]
    for _ in range(200):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if f(middle) <= 0 else (inside, middle)
    return inside


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_equals_a_slow_computation_and_contains_the_share(counts: tuple[int, int]) -> None:
    assert wilson(*counts) == pytest.approx(slow_bounds(*counts), abs=1e-9)
    assert 0 <= wilson(*counts)[0] <= counts[0] / counts[1] <= wilson(*counts)[1] <= 1


@pytest.mark.parametrize("attempts", [400, 2_000, 20_000])
def test_the_interval_holds_the_rate_as_often_as_it_says(attempts: int) -> None:
    bounds = np.array([wilson(successes, attempts) for successes in range(attempts + 1)])
    shares = np.linspace(0.001, 0.999, 499) if attempts > 400 else np.linspace(0.01, 0.99, 99)
    held = []
    for share in shares:
        within = np.flatnonzero((bounds[:, 0] <= share) & (share <= bounds[:, 1]))
        below = scipy.special.bdtr(within[0] - 1, attempts, share) if within[0] else 0
        held.append(scipy.special.bdtr(within[-1], attempts, share) - below)
    # By exact binomial probabilities; 95% nominal on average, and never far from it.
    assert np.mean(held) == pytest.approx(0.95, abs=0.005)
    assert np.mean(np.array(held) >= 0.93) > 0.98
    assert bounds[0, 0] == pytest.approx(0, abs=1e-15)
    assert bounds[-1, 1] == pytest.approx(1)
