"""Population uniqueness: models against slow versions and simulated populations, the choice, where Np is from."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics import InputError, Parameters, Roles, Scorecard, score
from metrics.config.populations import REGIONS, region
from metrics.counting.class_sizes import class_sizes
from metrics.explanations.verdict import verdict
from metrics.metric import Estimate
from metrics.privacy.population_uniqueness import PopulationUniqueness, population_uniqueness
from metrics.privacy.uniqueness_models import (
    Frequencies,
    digamma_rise,
    expected_counts,
    fit_snb,
    frequencies,
    pitman,
    population_classes,
    snb,
    zayatz,
)
from tests.oracle import uniqueness as oracle
from tests.support.small_tables import Cells, table

sizes_drawn = st.lists(st.integers(1, 12), min_size=1, max_size=25).map(lambda sizes: [*sizes, 1])


def sample(sizes: list[int], population: int) -> Frequencies:
    return frequencies(class_sizes(np.array(sizes)), population)


def scored(columns: dict[str, Cells], weight: str | None = None, **chosen: object) -> Scorecard:
    names = [name for name in columns if name != weight]
    parameters = Parameters().with_settings({f"population_uniqueness.{name}": value for name, value in chosen.items()})
    roles = Roles(quasi_identifiers=names, weight=weight)
    return score(table(columns), roles, parameters=parameters, metrics=["population_uniqueness"])


def result_of(card: Scorecard) -> PopulationUniqueness:
    result = card["population_uniqueness"].result
    assert isinstance(result, PopulationUniqueness)
    return result


# Models


@given(sizes_drawn, st.integers(0, 5000))
def test_zayatz_exactly(sizes: list[int], more: int) -> None:
    population = sum(sizes) + more
    found = zayatz(sample(sizes, population))
    assert found.number is not None
    assert found.number == pytest.approx(float(oracle.zayatz(sizes, population)), rel=1e-9)


@given(sizes_drawn, st.sampled_from([10**4, 317_238_626, 10**11]))
def test_pitman_finds_the_largest_likelihood(sizes: list[int], population: int) -> None:
    found = pitman(sample(sizes, population))
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
    assert pitman(sample([1] * 9, 1000)).unavailable == "every record is unique, so no parameters fit best"
    even = pitman(sample([1, 9, 9, 9, 9, 9, 9], 1000))
    assert even.unavailable == "no α between 0 and 1 fits the class sizes best"
    assert population_uniqueness(sample([1, 9, 9, 9, 9, 9, 9], 1000)).chosen == "zayatz"


@pytest.mark.parametrize(("f", "alpha", "beta"), [(0.2, 0.5, 0.2), (0.05, 2.0, 0.1), (0.9, 0.1, 0.02), (1.0, 1.5, 0.5)])
def test_the_expectations_of_the_slide_negative_binomial(f: float, alpha: float, beta: float) -> None:
    found = expected_counts(f, np.array([alpha]), np.array([math.log(beta / (1 - beta))]))
    assert tuple(np.exp(found).ravel()) == pytest.approx(oracle.snb_expectations(f, alpha, beta, 4000), rel=1e-9)


@given(sizes_drawn, st.floats(0.05, 1))
@example([1, 2, 2, 2, 2, *[3] * 16, 1], 0.0625)  # where β is within 1e-13 of 1
def test_the_slide_negative_binomial_expects_what_the_sample_has(sizes: list[int], fraction: float) -> None:
    of = sample(sizes, max(round(sum(sizes) / fraction), sum(sizes)))
    found = snb(of)
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
def test_simulated_populations(fraction: float) -> None:
    # Slide negative binomial populations, of which the true number of uniques is known.
    random = np.random.default_rng(7)
    classes = 1 + random.negative_binomial(0.8, 0.25, 20_000)
    people = np.repeat(np.arange(len(classes)), classes)
    drawn = random.choice(people, round(fraction * len(people)), replace=False)
    of = frequencies(class_sizes(np.array(list(Counter(drawn.tolist()).values()))), len(people))
    truth, (model, other) = int((classes == 1).sum()), (snb(of), zayatz(of))
    assert population_classes(of) == pytest.approx(20_000, rel=0.2)
    # Told the number of classes, the fit finds what the population was made with; the model alone leans on its guess.
    assert fit_snb(of, 20_000) == pytest.approx((0.8, math.log(0.25 / 0.75)), rel=0.25)
    assert truth * 0.75 < (model.number or 0) < truth * 1.75
    # Zayatz's model only holds for large samples, and errs upwards: hence Dankar's choice of the smaller.
    assert truth * 0.75 < (other.number or 0) < truth * (1.25 if fraction == 0.5 else 3)
    assert population_uniqueness(of).uniques == min(model.number or 0, other.number or 0)


@pytest.mark.parametrize(("start", "steps"), [(0.3, 5), (39.9, 1), (40.0, 7), (1e9, 4), (123.4, 5000)])
def test_differences_of_digamma(start: float, steps: int) -> None:
    exact = math.fsum(1 / (start + i) for i in range(steps))
    assert digamma_rise(start, steps) == pytest.approx(exact, rel=1e-13)


def test_a_census_leaves_nothing_to_chance() -> None:
    result = population_uniqueness(sample([1, 1, 2, 3], 7))
    assert result.sample.fraction == 1
    assert result.uniques == pytest.approx(2)


# The choice


def test_without_a_unique_record_none_is_expected() -> None:
    result = population_uniqueness(sample([2, 3, 5], 1000))
    assert (result.value, result.chosen, result.details()["model"]) == (0, None, None)
    assert "no model expects a unique person among 1,000 people (as set)" in result.summary()


def test_nothing_but_uniques() -> None:
    result = population_uniqueness(sample([1] * 9, 1000))
    assert result.chosen == "zayatz"
    assert result.value == 1


@given(sizes_drawn, st.floats(1e-6, 1))
def test_the_rule(sizes: list[int], fraction: float) -> None:
    of = sample(sizes, max(round(sum(sizes) / fraction), sum(sizes)))
    result = population_uniqueness(of)
    assert not isinstance(result, Estimate)
    assert 0 <= result.value <= 1
    numbers = {name: one.number for name, one in result.models.items() if one.number is not None}
    if of.fraction <= 0.1:
        assert result.chosen == ("pitman" if "pitman" in numbers else "zayatz")
    else:
        assert result.uniques == min(numbers[name] for name in ("zayatz", "snb") if name in numbers)
    details = result.details()
    assert set(details["models"]) == {"copula", "pitman", "zayatz", "snb"}
    assert "interval" not in details
    for one in details["models"].values():
        assert (one["number"] is None) == (one["unavailable"] is not None)


# Where the population is from

FOUR: dict[str, Cells] = {"q": ["a", "a", "b", "c"]}


def test_the_population_that_counts() -> None:
    weighted: dict[str, Cells] = {**FOUR, "w": ["10", "10.5", "20", "30.2"]}
    assert result_of(scored(weighted, "w")).sample.population == 71
    assert "the survey weights" in scored(weighted, "w")["population_uniqueness"].summary()
    assert result_of(scored(weighted, "w", country="germany")).sample.population == REGIONS["Germany"]
    sampled = result_of(scored(weighted, "w", country="germany", sampling_fraction=0.05))
    assert (sampled.sample.population, sampled.sample.fraction) == (80, 0.05)
    assert "80 people (sampling fraction 0.05)" in sampled.summary()
    assert result_of(scored(weighted, "w", country="UK", sampling_fraction=0.05, size=90)).sample.population == 90
    suppressed: dict[str, Cells] = {"q": [*FOUR["q"], "*"], "w": [*weighted["w"], "500"]}
    assert result_of(scored(suppressed, "w")).sample.population == 71


def test_no_population_is_assumed() -> None:
    card = scored(FOUR)
    reason = card["population_uniqueness"].unavailable
    assert reason is not None
    for remedy in ("set it", "sampling fraction", "region", "survey-weight column"):
        assert remedy in reason
    assert card["population_uniqueness"].value is None
    # Nobody has to enter it: the verdict does not count it among what is missing.
    assert not [line for line in verdict(card) if "opulation" in line]
    with pytest.raises(InputError, match=r"sampling_fraction is not between 0 and 1"):
        scored(FOUR, sampling_fraction=1.5)


def test_a_population_smaller_than_the_table() -> None:
    reason = scored(FOUR, size=3)["population_uniqueness"].unavailable
    assert reason is not None
    assert "(size as set) has 3 people, fewer than the table has records in classes (4)" in reason
    weights = scored({**FOUR, "w": ["0.5"] * 4}, "w")["population_uniqueness"].unavailable
    assert weights is not None
    assert "the survey weights" in weights


def test_weights_that_are_none() -> None:
    bad: dict[str, Cells] = {**FOUR, "w": ["1", "-2", "3", "4"]}
    assert scored(bad, "w")["population_uniqueness"].unavailable is not None
    assert scored(bad, "w", size=100)["population_uniqueness"].unavailable is None


def test_regions() -> None:
    assert region(" european UNION ") == "European Union"
    assert region("Atlantis") is None
    assert len({name.casefold() for name in REGIONS}) == len(REGIONS)
    with pytest.raises(InputError, match="region"):
        Parameters().with_settings({"population_uniqueness.country": "Atlantis"})


@pytest.mark.parametrize(
    "cells", [["a"], ["*"] * 5, [], ["a"] * 6, ["a", "b"], [None, None, "a"], [str(i) for i in range(40)]]
)
def test_extremes(cells: list[str | None]) -> None:
    for chosen in ({"sampling_fraction": 0.5}, {"size": max(len(cells), 1)}, {"size": 10**11}):
        one = scored({"q": cells}, **chosen)["population_uniqueness"]
        assert one.summary()
        if one.value is None:
            assert one.unavailable in ("every record is suppressed", "the table has no records")
        else:
            assert 0 <= one.value <= 1
