"""The theorem of SafePub: the δ that classes of k records support at an ε, and the k that a δ needs."""

from __future__ import annotations

import math

import numpy as np
import scipy  # its parts are imported when first used

_BLOCK = 64


def largest_sampling(epsilon: float) -> float:
    """The largest probability of keeping a record that an ε allows: β = 1 − e^−ε."""
    return -math.expm1(-epsilon)


def _is_too_large(beta: float, epsilon: float) -> bool:
    return beta > largest_sampling(epsilon) * (1 + 1e-12)


def delta_of(k: int, epsilon: float, beta: float | None = None) -> float:
    """The smallest δ for which the theorem proves (ε,δ)-differential privacy of classes of k records and more.

    The largest P[Bin(m, β) ≥ max(k, ⌊gamma m⌋ + 1)] over all true sizes m of a class. `epsilon`: above 0. `beta`: the
    probability of keeping a record, above 0; by default the largest that ε allows. A larger one proves nothing: 1.
    """
    largest = largest_sampling(epsilon)
    beta = beta or largest
    if _is_too_large(beta, epsilon):
        return 1.0
    gamma = largest + beta * math.exp(-epsilon)  # 1 − (1 − β)e^−ε, exact for a small ε, too
    # Chernoff's bound: no class of m records or more has a larger probability than exp(−m · divergence). It is smaller
    # than the bound of the paper, and stops earlier at the same maximum.
    divergence = gamma * math.log(gamma / beta) - (1 - gamma) * epsilon
    worst, first = 0.0, k
    while True:
        # Of the sizes with one threshold, ⌊gamma m⌋ + 1 = j or k, the largest has the largest probability.
        thresholds = np.arange(first, first + _BLOCK, dtype=np.float64)
        sizes = np.ceil(thresholds / gamma) - 1
        possible = sizes >= thresholds
        tails = scipy.special.betainc(thresholds[possible], (sizes - thresholds + 1)[possible], beta)
        worst = max(worst, float(tails.max(initial=0.0)))
        if worst >= math.exp(-float(sizes[-1]) * divergence):
            return worst
        first += _BLOCK


def k_for(epsilon: float, delta: float, beta: float | None = None, *, as_arx: bool = False) -> int | None:
    """The smallest k whose δ is at most `delta`; None where β is larger than ε allows.

    `as_arx` adds 1, as ARX does: its loop counts once more after the k that suffices.
    """
    if _is_too_large(beta or 0, epsilon):
        return None
    low, high = 0, 1  # the δ of `low` is too large
    while delta_of(high, epsilon, beta) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if delta_of(middle, epsilon, beta) > delta else (low, middle)
    return high + as_arx
