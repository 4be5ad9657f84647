"""Models of population uniqueness against slow versions and simulated populations."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics.counting.classes import class_sizes
from metrics.privacy.population.uniqueness_models import (
    digamma_rise,
    estimate_pitman,
    estimate_snb,
    estimate_zayatz,
    estimated_population_classes,
    expected_counts,
    fit_snb,
    frequencies,
)
from metrics.privacy.population_uniqueness.measure import population_uniqueness
from tests.oracle import uniqueness as oracle
from tests.privacy.samples import frequencies_of, sizes_drawn


@given(sizes_drawn, st.integers(0, 5000))
def test_zayatz_estimates_what_exact_fractions_give(sizes: list[int], more: int) -> None:
    population = sum(sizes) + more
    found = estimate_zayatz(frequencies_of(sizes, population))
    assert found.number is not None
    assert found.number == pytest.approx(float(oracle.zayatz(sizes, population)), rel=1e-9)


@given(sizes_drawn, st.sampled_from([10**4, 317_238_626, 10**11]))
def test_pitman_finds_the_largest_likelihood(sizes: list[int], population: int) -> None:
    found = estimate_pitman(frequencies_of(sizes, population))
    if found.number is None:
        assert found.unavailable
        return
    fitted = dict(found.fitted)
    theta, alpha = fitted["θ"], fitted["α"]
    assert 0 < alpha < 1
    assert theta > -alpha
    assert oracle.pitman_slopes(sizes, theta, alpha) == pytest.approx((0, 0), abs=1e-8)
    best = oracle.pitman_log_likelihood(sizes, theta, alpha)
    for factor in (0.7, 0.97, 1.03, 1.4):
        shifted = (theta + alpha) * factor - alpha
        assert oracle.pitman_log_likelihood(sizes, shifted, alpha) <= best + 1e-9
        other = alpha * factor
        if other < 1 and theta > -other:
            assert oracle.pitman_log_likelihood(sizes, theta, other) <= best + 1e-9
    expected = math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha)) * population**alpha
    assert found.number == pytest.approx(expected, rel=1e-8)


def test_pitman_has_no_answer_where_all_are_alone() -> None:
    assert (
        estimate_pitman(frequencies_of([1] * 9, 1000)).unavailable
        == "every record is unique, so no parameters fit best"
    )
    even = estimate_pitman(frequencies_of([1, 9, 9, 9, 9, 9, 9], 1000))
    assert even.unavailable == "no α between 0 and 1 fits the class sizes best"
    assert population_uniqueness(frequencies_of([1, 9, 9, 9, 9, 9, 9], 1000)).chosen == "zayatz"


@pytest.mark.parametrize(("f", "alpha", "beta"), [(0.2, 0.5, 0.2), (0.05, 2.0, 0.1), (0.9, 0.1, 0.02), (1.0, 1.5, 0.5)])
def test_the_slide_negative_binomial_expects_the_counts_that_summing_gives(f: float, alpha: float, beta: float) -> None:
    found = expected_counts(f, np.array([alpha]), np.array([math.log(beta / (1 - beta))]))
    assert tuple(np.exp(found).ravel()) == pytest.approx(oracle.snb_expectations(f, alpha, beta, 4000), rel=1e-9)


@given(sizes_drawn, st.floats(0.05, 1))
@example([1, 2, 2, 2, 2, *[3] * 16, 1], 0.0625)  # where β is within 1e-13 of 1
def test_the_fitted_slide_negative_binomial_expects_what_the_sample_has(sizes: list[int], fraction: float) -> None:
    of = frequencies_of(sizes, max(round(sum(sizes) / fraction), sum(sizes)))
    found = estimate_snb(of)
    if found.number is None:
        assert found.unavailable
        return
    fitted = dict(found.fitted)
    fit = fit_snb(of, fitted["K"])
    assert fit is not None
    alpha, logit = fit
    ones, twos = expected_counts(of.fraction, np.array([alpha]), np.array([logit]))
    assert fitted["K"] * math.exp(ones[0]) == pytest.approx(of.of_size(1), rel=1e-6)
    assert fitted["K"] * math.exp(twos[0]) == pytest.approx(of.of_size(2), rel=1e-6)
    assert (fitted["α"], fitted["β"]) == (alpha, pytest.approx(1 / (1 + math.exp(-logit))))
    assert found.number == pytest.approx(fitted["K"] * math.exp(-alpha * math.log1p(math.exp(-logit))), rel=1e-6)
    assert found.number <= of.population


@pytest.mark.parametrize("fraction", [0.2, 0.5])
def test_the_true_number_of_uniques_is_estimated_in_simulated_populations(fraction: float) -> None:
    # Slide negative binomial populations, of which the true number of uniques is known.
    random = np.random.default_rng(7)
    classes = 1 + random.negative_binomial(0.8, 0.25, 20_000)
    people = np.repeat(np.arange(len(classes)), classes)
    drawn = random.choice(people, round(fraction * len(people)), replace=False)
    of = frequencies(class_sizes(np.array(list(Counter(drawn.tolist()).values()))), len(people))
    truth, (model, other) = int((classes == 1).sum()), (estimate_snb(of), estimate_zayatz(of))
    assert estimated_population_classes(of) == pytest.approx(20_000, rel=0.2)
    # Told the number of classes, the fit finds what the population was made with; the model alone leans on its guess.
    assert fit_snb(of, 20_000) == pytest.approx((0.8, math.log(0.25 / 0.75)), rel=0.25)
    assert truth * 0.75 < (model.number or 0) < truth * 1.75
    # Zayatz's model only holds for large samples, and errs upwards: hence Dankar's choice of the smaller.
    assert truth * 0.75 < (other.number or 0) < truth * (1.25 if fraction == 0.5 else 3)
    assert population_uniqueness(of).uniques == min(model.number or 0, other.number or 0)


@pytest.mark.parametrize(("start", "steps"), [(0.3, 5), (39.9, 1), (40.0, 7), (1e9, 4), (123.4, 5000)])
def test_a_rise_of_digamma_is_the_sum_of_its_steps(start: float, steps: int) -> None:
    exact = math.fsum(1 / (start + i) for i in range(steps))
    assert digamma_rise(start, steps) == pytest.approx(exact, rel=1e-13)
