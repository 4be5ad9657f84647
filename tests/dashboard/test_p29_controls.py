"""Weights on sliders keep their sum at 1, whatever is moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import P29Parameters, reweighed

NAMES = ("w_k", "w_l", "w_t")
# A slider gives hundredths, but links and files may hold anything.
weights = st.one_of(st.integers(0, 100).map(lambda percent: percent / 100), st.floats(0, 1))


def of(parameters: P29Parameters) -> dict[str, float]:
    return {name: getattr(parameters, name) for name in NAMES}


@given(st.lists(st.tuples(st.sampled_from(NAMES), weights), min_size=1, max_size=40))
def test_any_moves_keep_the_sum_at_one(moves: list[tuple[str, float]]) -> None:
    current = of(P29Parameters())
    for name, weight in moves:
        current = reweighed(current, name, weight)
        assert current[name] == weight
        assert of(P29Parameters(**current)) == current


@given(weights.filter(lambda weight: weight < 0.99), st.sampled_from(NAMES))
def test_the_others_keep_their_proportion(weight: float, name: str) -> None:
    before = of(P29Parameters(0.6, 0.3, 0.1))
    after = reweighed(before, name, weight)
    first, second = (other for other in NAMES if other != name)
    assert after[first] * before[second] == pytest.approx(after[second] * before[first], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_others_at_zero_share_equally(name: str) -> None:
    after = reweighed({other: float(other == name) for other in NAMES}, name, 0.4)
    assert after == pytest.approx({other: 0.4 if other == name else 0.3 for other in NAMES})
