"""The Gaussian copula: probabilities against scipy's, correlations it was drawn with, populations drawn from it."""

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy  # its parts are imported when first used

from metrics import Parameters, Roles, score
from metrics.counting.classes import class_sizes
from metrics.engines.duckdb_files import DuckDB
from metrics.privacy.population.gaussian_copula import DRAWS, GaussianCopula, fit, individual_uniqueness
from metrics.privacy.population.uniqueness_models import frequencies
from metrics.privacy.population_uniqueness.measure import copula, population_uniqueness
from tests.support.small_tables import table

SHARES = ([0.4, 0.3, 0.2, 0.1], [0.55, 0.25, 0.12, 0.08], [0.9, 0.1])
CORRELATION = np.array([[1, 0.6, 0.3], [0.6, 1, 0.1], [0.3, 0.1, 1]])


def cuts(shares: list[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.concatenate([[0.0], np.cumsum(shares)[:-1], [1.0]])


MODEL = GaussianCopula(tuple(map(cuts, SHARES)), CORRELATION)


def drawn(model: GaussianCopula, number: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Records of the model by simulation."""
    size = len(model.cuts)
    normal = np.random.default_rng(seed).multivariate_normal(np.zeros(size), model.correlation, number)
    uniform = scipy.stats.norm.cdf(normal)
    return np.stack([np.searchsorted(cut, uniform[:, place]) - 1 for place, cut in enumerate(model.cuts)], axis=1)


def test_probabilities_are_those_of_scipy() -> None:
    records = np.array(list(product(*(range(len(shares)) for shares in SHARES))))
    found = MODEL.probabilities(records)
    assert found.sum() == pytest.approx(1, abs=1e-3)
    for record, probability in zip(records, found, strict=True):
        ends = [scipy.stats.norm.ppf(MODEL.cuts[place][rank + np.array([0, 1])]) for place, rank in enumerate(record)]
        low, high = np.array(ends).T
        wanted = scipy.stats.multivariate_normal(cov=CORRELATION).cdf(high, lower_limit=low)
        assert probability == pytest.approx(wanted, rel=0.05, abs=2e-5)


def test_drawn_records_have_the_probabilities_of_the_model() -> None:
    records, counts = np.unique(MODEL.draw(DRAWS), axis=0, return_counts=True)
    assert counts / DRAWS == pytest.approx(MODEL.probabilities(records), abs=0.01)
    assert (MODEL.draw(DRAWS) == MODEL.draw(DRAWS)).all()


@pytest.mark.parametrize(("number", "tolerance"), [(100_000, 0.05), (5_000, 0.1)])
def test_the_fit_finds_marginals_and_correlations(number: int, tolerance: float) -> None:
    records, counts = np.unique(drawn(MODEL, number, 5), axis=0, return_counts=True)
    found = fit(list(records.T), counts)
    assert found.correlation == pytest.approx(CORRELATION, abs=tolerance)
    for one, wanted in zip(found.cuts, MODEL.cuts, strict=True):
        assert one == pytest.approx(wanted, abs=0.02)


def test_independent_columns_of_many_values_are_not_correlated() -> None:
    # 300 records show 1.9 nats of mutual information by chance alone.
    random = np.random.default_rng(3)
    records, counts = np.unique(random.integers(0, 60, (300, 2)), axis=0, return_counts=True)
    assert fit(list(records.T), counts).correlation[0, 1] < 0.35


def test_constant_columns_are_uncorrelated_and_equal_ones_fully_correlated() -> None:
    codes = np.arange(50) % 10
    found = fit([np.zeros(50, dtype=np.int64), codes, codes], np.ones(50, dtype=np.int64))
    assert found.correlation[0, 1:] == pytest.approx([0, 0])
    assert found.correlation[1, 2] > 0.95
    assert np.linalg.eigvalsh(found.correlation).min() > 0
    assert np.diag(found.correlation) == pytest.approx(np.ones(3))
    probabilities = found.probabilities(found.draw(100))
    assert ((probabilities > 0) & (probabilities < 0.11)).all()


@pytest.mark.parametrize("people", [100, 2_000])
def test_the_expected_share_of_unique_people_is_that_of_simulated_populations(people: int) -> None:
    expected = individual_uniqueness(MODEL.probabilities(MODEL.draw(DRAWS)), people).mean()
    shares = []
    for seed in range(40):
        population = Counter(map(tuple, drawn(MODEL, people, seed).tolist()))
        shares.append(sum(size == 1 for size in population.values()) / people)
    assert expected == pytest.approx(np.mean(shares), abs=4 * np.std(shares) / 40**0.5 + 2e-4)


def test_a_person_is_unique_if_no_other_has_the_same_combination() -> None:
    found = individual_uniqueness(np.array([0, 0.5, 1e-9]), 3)
    assert found == pytest.approx([1, 0.25, (1 - 1e-9) ** 2])
    assert individual_uniqueness(np.array([0.3]), 1) == pytest.approx([1])


def test_no_more_people_are_unique_than_the_sample_allows() -> None:
    # 2 unique records of 100, a hundredth of the population: 200 unique people are the most to be expected.
    sample = frequencies(class_sizes(np.array([1, 1, 49, 49])), 10_000)
    assert copula(sample, np.full(8, 1e-9)).number == pytest.approx(200)
    assert copula(sample, np.full(8, 1e-3)).number == pytest.approx(10_000 * 0.999**9_999)
    # The estimate stands beside Dankar's choice, which is among the models of class sizes.
    found = population_uniqueness(sample, probabilities=np.full(8, 1e-3))
    assert found.models["copula"].number == pytest.approx(10_000 * 0.999**9_999)
    assert found.chosen == "zayatz"


def test_neither_the_order_of_records_nor_the_engine_matters(tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    cells = {name: [f"{name}{code}" for code in random.zipf(1.7, 400) % 30] for name in "qrs"}
    order = random.permutation(400)
    shuffled = {name: [column[place] for place in order] for name, column in cells.items()}
    parameters, roles = Parameters().with_settings({"population_uniqueness.sampling_fraction": 0.02}), Roles([*"qrs"])
    pq.write_table(pa.table(shuffled), tmp_path / "shuffled.parquet")
    with DuckDB() as engine:
        given = (table(cells), table(shuffled), engine.table(tmp_path / "shuffled.parquet"))
        first, second, third = (
            score(one, roles, parameters=parameters, metrics=["population_uniqueness"])["population_uniqueness"]
            for one in given
        )
    assert first.details["models"]["copula"]["number"] is not None
    assert first.details == second.details == third.details
