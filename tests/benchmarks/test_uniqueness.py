"""The benchmark of population uniqueness: its truth, its estimates, and what they show."""

import numpy as np
import pytest

from benchmarks import uniqueness


def test_the_truth_is_the_share_of_people_without_a_second_one() -> None:
    assert uniqueness.true_uniqueness(np.array([[1, 2], [1, 2], [1, 3], [2, 2]])) == 0.5


@pytest.mark.parametrize("make", uniqueness.POPULATIONS)
def test_populations_are_made_from_the_seed(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uniqueness, "PEOPLE", 20_000)
    assert callable(make)
    first, second = (make(np.random.default_rng(uniqueness.SEED)) for _ in range(2))
    assert (first == second).all()
    assert len(first) == uniqueness.PEOPLE
    assert first.min() >= 0
    assert 0.1 < uniqueness.true_uniqueness(first) < 0.9


def test_the_copula_is_nearer_to_the_truth_than_the_models_of_class_sizes() -> None:
    population = uniqueness.coarse(np.random.default_rng(uniqueness.SEED))
    truth = uniqueness.true_uniqueness(population)
    found = uniqueness.estimates(population, 0.01, np.random.default_rng(0))
    assert set(found) == set(uniqueness.MODELS)
    errors = {name: abs(share - truth) for name, share in found.items()}
    assert errors["copula"] < 0.01
    assert min(errors[name] for name in ("pitman", "zayatz", "snb")) > 0.03
    assert found["dankar"] in (found["pitman"], found["zayatz"])
