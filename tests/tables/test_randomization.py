"""ε, the attacker's success and unbiased shares: literals, a slow version over whole matrices, and many draws."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, TransitionMatrix, k_rr
from metrics.tables.randomization import Redrawn


def rows_of(drawn: Redrawn) -> list[list[float]]:
    """Its probabilities, a row per true value."""
    return [[drawn.kept * (x == y) + q for y, q in enumerate(drawn.drawn)] for x, _ in enumerate(drawn.values)]


def slow_epsilon(rows: list[list[float]]) -> float:
    """The worst log ratio of any published value under any two true ones."""
    worst = 0.0
    for one, other in product(rows, rows):
        for p, q in zip(one, other, strict=True):
            if p > 0:
                worst = max(worst, math.log(p / q) if q > 0 else math.inf)
    return worst


def slow_success(rows: list[list[float]], prior: list[float]) -> float:
    return sum(max(prior[x] * row[y] for x, row in enumerate(rows)) for y in range(len(rows)))


def weights(least: int) -> st.SearchStrategy[list[float]]:
    return st.lists(st.integers(least, 9), min_size=4, max_size=4).filter(any).map(lambda w: [i / sum(w) for i in w])


@pytest.mark.parametrize(
    ("values", "keep", "epsilon"), [(2, 0.75, math.log(3)), (4, 0.75, math.log(9)), (3, 0.5761168847658291, 1)]
)
def test_k_rr_keeps_values_as_often_as_opendp_and_the_definition_say(values: int, keep: float, epsilon: float) -> None:
    drawn = k_rr([*map(str, range(values - 1)), None], epsilon)
    assert rows_of(drawn)[0][0] == pytest.approx(keep, abs=1e-15)
    assert drawn.epsilon == pytest.approx(epsilon, abs=1e-15)
    assert drawn.success(np.full(values, 1 / values)) == pytest.approx(keep, abs=1e-15)


def test_shares_and_their_interval() -> None:
    found = k_rr(["a", "b", "c"], 1).frequencies(np.array([500.0, 300, 200]))
    assert found is not None
    assert found.estimated == pytest.approx([0.7909883534346632, 0.2418, -0.0328], abs=1e-4)
    assert found.half_width[0] == pytest.approx(0.08127843929716248, rel=1e-12)
    assert found.estimated.sum() == pytest.approx(1)
    low, high = found.interval
    assert (low[2], high[2]) == (0, pytest.approx(found.estimated[2] + found.half_width[2]))


@given(weights(1), st.integers(0, 10), weights(0))
def test_the_short_form_agrees_with_its_matrix_and_the_slow_version(
    shares: list[float], tenths: int, prior: list[float]
) -> None:
    drawn = Redrawn(tuple("abcd"), 1 - tenths / 10, tenths / 10 * np.array(shares))
    rows = rows_of(drawn)
    whole = TransitionMatrix(drawn.values, np.array(rows))
    assert drawn.epsilon == pytest.approx(slow_epsilon(rows), abs=1e-12)
    assert whole.epsilon == pytest.approx(slow_epsilon(rows), abs=1e-12)
    success = drawn.success(np.array(prior))
    assert success == pytest.approx(slow_success(rows, prior))
    assert whole.success(np.array(prior)) == pytest.approx(success)
    assert max(prior) - 1e-12 <= success <= min(1, math.exp(drawn.epsilon) * max(prior)) + 1e-12
    counts = np.array([40.0, 30, 20, 10])
    one, other = drawn.frequencies(counts), whole.frequencies(counts)
    assert (one is None) == (other is None) == (tenths == 10)
    if one is not None and other is not None:
        assert other.estimated == pytest.approx(one.estimated)
    # Outside 0 to 1 the clipped shares do not sum to 1, and the short form sees one value at a time.
    if one is not None and other is not None and (one.estimated >= 0).all():
        assert other.half_width == pytest.approx(one.half_width)


def test_of_many_draws_95_in_100_intervals_hold_the_true_share() -> None:
    drawn, shares, chance = k_rr(list("abc"), 1), np.array([0.6, 0.3, 0.1]), np.random.default_rng(0)
    people = list(zip((600, 300, 100), rows_of(drawn), strict=True))
    draws = (sum(chance.multinomial(number, row) for number, row in people) + 0.0 for _ in range(2000))
    held = [abs(found.estimated - shares) <= found.half_width for one in draws if (found := drawn.frequencies(one))]
    assert np.mean(held, axis=0) == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize(
    ("matrix", "epsilon"),
    [([[1, 0], [0, 1]], math.inf), ([[0.5, 0.5], [0.5, 0.5]], 0), ([[0.2, 0.8], [0.4, 0.6]], math.log(2))],
)
def test_a_matrix_of_ones_own(matrix: list[list[float]], epsilon: float) -> None:
    own = TransitionMatrix(("a", "b"), np.array(matrix))
    assert own.epsilon == epsilon
    assert (own.frequencies(np.array([3.0, 5])) is None) == (epsilon == 0)
    assert own.frequencies(np.zeros(2)) is None


def test_a_value_that_is_never_published_does_not_count() -> None:
    own = TransitionMatrix(("a", "b", "c"), np.array([[0.6, 0.4, 0], [0.4, 0.6, 0], [0.5, 0.5, 0]]))
    assert own.epsilon == pytest.approx(math.log(1.5))


def test_what_is_no_randomization_is_refused() -> None:
    for values in ([], ["a"], ["a", "a"]):
        with pytest.raises(InputError, match="fewer than two"):
            k_rr(values, 1)
    for matrix in ([[1, 0, 0], [0, 1, 0]], [[0.5, 0.4], [0, 1]], [[1.5, -0.5], [0, 1]], [[math.nan, 1], [0, 1]]):
        with pytest.raises(InputError, match="sum to 1"):
            TransitionMatrix(("a", "b"), np.array(matrix))
