"""Estimates of how many people are unique in a population: models of the class sizes of a sample drawn from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used: together they take as long as all the rest

from metrics.counting.classes import ClassSizes
from metrics.tables.table import Floats, Integers
from metrics.texts import text

SMALL_FRACTION = 0.1
"""Up to this sampling fraction Dankar's rule takes Pitman's model; below it the Gaussian copula is advised."""
MODEL_NAMES = {
    "copula": "the Gaussian-copula",
    "pitman": "Pitman's",
    "zayatz": "Zayatz's",
    "snb": "the slide negative binomial",
}
"""The models in words, each to be followed by "model"."""
_FAR = 40.0
"""From here on the asymptotic series of the digamma function is exact to the last digit."""
_PLACES = 600


@dataclass(frozen=True, eq=False)
class Frequencies(ClassSizes):
    """How many classes have each size, in a sample of a population of known size."""

    population: int
    """People in the population, at least as many as records."""

    @property
    def fraction(self) -> float:
        """The sampling fraction n/Np: above 0, at most 1."""
        return self.kept / self.population


def frequencies(classes: ClassSizes, population: int) -> Frequencies:
    """The class sizes of a sample drawn from a population of a given size."""
    return Frequencies(classes.sizes, classes.counts, classes.suppressed, population)


@dataclass(frozen=True)
class ModelEstimate:
    """The number of people unique in the population by one model, or why the model has no estimate.

    `fitted` holds the fitted parameters by symbol.
    """

    number: float | None
    unavailable: str | None = None
    fitted: tuple[tuple[str, float], ...] = ()


# Zayatz


def one_drawn(size_frequencies: Frequencies, sizes: Integers) -> Floats:
    """Hyp(1 | Np, s, n): the probability that exactly one of a population class of s people is in the sample."""
    people, records = size_frequencies.population, size_frequencies.kept
    j = np.arange(max(int(sizes.max()) - 1, 0), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        # ln of (Np - n - j)/(Np - 1 - j), whose numerator must not fall below 0.
        factors = np.where(j < people - records, np.log1p(-(records - 1) / (people - 1 - j)), -np.inf)
    product = np.exp(np.concatenate([[0.0], np.cumsum(factors)]))[sizes - 1]
    probability: Floats = np.where(sizes <= people, sizes * (records / people) * product, 0.0)
    return probability


def estimate_zayatz(size_frequencies: Frequencies) -> ModelEstimate:
    """Zayatz's equivalence class model: c_1/f times the chance that a sample unique is one of the population.

    By Bayes' rule, with the sample's shares of class sizes in place of the population's. Takes a sample with a
    unique record.
    Source: L. Zayatz, "Estimation of the number of unique population elements using a sample", 1991.
    """
    singletons = size_frequencies.of_size(1)
    probabilities = one_drawn(size_frequencies, size_frequencies.sizes)
    expected = float(size_frequencies.counts @ probabilities)
    condition = singletons * size_frequencies.fraction / expected
    number = min(singletons * condition / size_frequencies.fraction, float(size_frequencies.population))
    return ModelEstimate(number, fitted=(("P", condition),))


# Pitman


def digamma_rise(start: float, steps: float) -> float:
    """ψ(start + steps) - ψ(start), the sum of 1/(start + i) for i = 0 … steps - 1, without cancellation."""
    if start < _FAR:
        return float(scipy.special.digamma(start + steps) - scipy.special.digamma(start))
    end = start + steps
    rise = math.log1p(steps / start) + steps / (2 * start * end)
    start_power, end_power = start**-2, end**-2
    for weight in (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132):
        rise += weight * (start_power - end_power)
        start_power, end_power = start_power * start**-2, end_power * end**-2
    return rise


class _Likelihood:
    """Pitman's likelihood of θ and α: its derivatives are 0 where it is largest."""

    def __init__(self, size_frequencies: Frequencies) -> None:
        self.records, self.classes = size_frequencies.kept, size_frequencies.count
        repeated = size_frequencies.sizes > 1
        self.sizes, self.counts = size_frequencies.sizes[repeated].astype(np.float64), size_frequencies.counts[repeated]

    def by_theta(self, theta: float, alpha: float) -> float:
        """Sum of 1/(θ + iα) over i = 1 … K-1, less ψ(n + θ) - ψ(θ + 1)."""
        return digamma_rise(1 + theta / alpha, self.classes - 1) / alpha - digamma_rise(1 + theta, self.records - 1)

    def by_alpha(self, theta: float, alpha: float) -> float:
        """Sum of i/(θ + iα) over i = 1 … K-1, less that of c_s (ψ(s - α) - ψ(1 - α)) over s."""
        steps = self.classes - 1
        weighted = (steps - theta / alpha * digamma_rise(1 + theta / alpha, steps)) / alpha
        return weighted - float(
            self.counts @ (scipy.special.digamma(self.sizes - alpha) - scipy.special.digamma(1 - alpha))
        )

    def best_theta(self, alpha: float) -> float:
        """The θ > -α that fits best with that α."""

        def slope(log: float) -> float:
            return self.by_theta(math.exp(log) - alpha, alpha)

        high = 0.0
        while slope(high) > 0:
            high += 5.0
        low = high - 5.0
        while slope(low) < 0:
            low -= 5.0
        return math.exp(scipy.optimize.brentq(slope, low, high, xtol=1e-15, rtol=1e-15)) - alpha

    def along(self, alpha: float) -> float:
        """Derivative of the likelihood along the θ that fits best."""
        return self.by_alpha(self.best_theta(alpha), alpha)


def estimate_pitman(size_frequencies: Frequencies) -> ModelEstimate:
    """Pitman's sampling model: Γ(θ+1)/Γ(θ+α)·Np^α at the θ and α of maximum likelihood.

    Takes a sample with a unique record.
    Source: N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment", 2001.
    """
    if size_frequencies.count == size_frequencies.kept:
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.all_unique"))
    likelihood = _Likelihood(size_frequencies)
    low, high = 1e-4, 1 - 1e-9
    if likelihood.along(low) <= 0 or likelihood.along(high) >= 0:
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.no_alpha"))
    alpha = scipy.optimize.brentq(likelihood.along, low, high, xtol=1e-15, rtol=1e-15)
    theta = likelihood.best_theta(alpha)
    logarithm = float(scipy.special.gammaln(theta + 1) - scipy.special.gammaln(theta + alpha)) + alpha * math.log(
        size_frequencies.population
    )
    if logarithm > math.log(size_frequencies.population):
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.too_many_uniques"))
    return ModelEstimate(math.exp(logarithm), fitted=(("θ", theta), ("α", alpha)))


# Slide negative binomial


def estimated_population_classes(size_frequencies: Frequencies) -> float:
    """Classes of the population by Shlosser's estimator as Haas and Stokes modified it.

    Source: P. J. Haas, L. Stokes, "Estimating the number of classes in a finite population", 1998. (ARX takes 1 from
    every distinct size's term of one sum, where the formula takes 1 within each term.)
    """
    sizes, counts = size_frequencies.sizes.astype(np.float64), size_frequencies.counts.astype(np.float64)
    unseen, f, singletons = 1 - size_frequencies.fraction, size_frequencies.fraction, size_frequencies.of_size(1)
    if unseen <= 0:
        return float(size_frequencies.count)
    terms = (
        sizes * f**2 * (1 - f**2) ** (sizes - 1),
        (1 - f**2) ** sizes - unseen**sizes,
        unseen**sizes,
        sizes * f * unseen ** (sizes - 1),
    )
    first, second, third, fourth = (float(counts @ term) for term in terms)
    return size_frequencies.count + singletons * (first / second) * (third / fourth) ** 2


def expected_counts(f: float, alpha: Floats, logit: Floats) -> tuple[Floats, Floats]:
    """Logarithms of the expected c_1 and c_2 per population class, whose size less 1 is negative binomial (α, β).

    β comes as its log odds ln(β/(1-β)), because β alone does not hold 1-β where it is close to 1.

    A class of j people lends one record with probability j f (1-f)^(j-1); with g = (1-f)(1-β) the sums over j come to
    f (β/(1-g))^α (1 + αg/(1-g)) and f² α (1-β) β^α (2 - (1-α)g) / (2 (1-g)^(α+2)). (ARX multiplies by that power
    where it must divide, and finds no solution.)
    """
    g = (1 - f) * _complement(logit)
    log_beta, log_left = -np.logaddexp(0, -logit), np.log1p(-g)
    ones = math.log(f) + alpha * (log_beta - log_left) + np.log1p(alpha * g / (1 - g))
    twos = (
        2 * math.log(f)
        + np.log(alpha * _complement(logit) / 2)
        + alpha * log_beta
        - (alpha + 2) * log_left
        + np.log(2 - (1 - alpha) * g)
    )
    return ones, twos


def _complement(logit: Floats) -> Floats:
    """1-β, without cancellation."""
    complement: Floats = scipy.special.expit(-logit)
    return complement


def _alpha_of(f: float, logit: Floats, ratio: float) -> Floats:
    """The α at which expected c_2/c_1 is `ratio`: the positive root of a quadratic equation."""
    g = (1 - f) * _complement(logit)
    one_minus_g = 1 - g
    scaled = 2 * one_minus_g * ratio / (f * _complement(logit))
    linear = 2 - g - scaled * g
    root = np.sqrt(linear**2 + 4 * g * scaled * one_minus_g)
    # Of the two forms of the root, this one avoids cancellation; g may be 0.
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha: Floats = np.where(linear > 0, 2 * scaled * one_minus_g / (linear + root), (root - linear) / (2 * g))
    return alpha


def fit_snb(size_frequencies: Frequencies, classes: float) -> tuple[float, float] | None:
    """The α and log odds of β at which so many population classes are expected to show the sample's c_1 and c_2.

    Takes a sample with classes of one and of two records. Where several pairs fit, the one whose mean class size comes
    closest to Np/K; None where no pair does.
    """
    f, singletons = size_frequencies.fraction, size_frequencies.of_size(1)
    ratio = size_frequencies.of_size(2) / singletons

    def excess(logit: Floats) -> Floats:
        ones, _ = expected_counts(f, _alpha_of(f, logit, ratio), logit)
        return ones + math.log(classes) - math.log(singletons)

    grid = np.linspace(-30.0, 30.0, _PLACES)
    heights = excess(grid)
    crossed = np.flatnonzero(np.isfinite(heights[:-1] * heights[1:]) & (np.sign(heights[:-1]) != np.sign(heights[1:])))
    fits: list[tuple[float, float, float]] = []
    for index in crossed:
        logit = scipy.optimize.brentq(
            lambda logit_trial: float(excess(np.array([logit_trial]))[0]), grid[index], grid[index + 1], xtol=1e-14
        )
        alpha = float(_alpha_of(f, np.array([logit]), ratio)[0])
        mean = classes * (1 + alpha * math.exp(-logit))
        fits.append((abs(math.log(mean / size_frequencies.population)), alpha, logit))
    return min(fits)[1:] if fits else None


def estimate_snb(size_frequencies: Frequencies) -> ModelEstimate:
    """The slide negative binomial model: K β^α at the α and β that expect the sample's c_1 and c_2.

    K is estimated first, and the result leans on it. Takes a sample with a unique record.
    Source: G. Chen, S. Keller-McNulty, "Estimation of identification disclosure risk in microdata", 1998.
    """
    if not size_frequencies.of_size(2):
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.no_pairs"))
    classes = estimated_population_classes(size_frequencies)
    if not (math.isfinite(classes) and 0 < classes <= size_frequencies.population):
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.too_many_classes"))
    solution = fit_snb(size_frequencies, classes)
    if solution is None:
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.no_parameters"))
    alpha, logit = solution
    number = classes * math.exp(-alpha * np.logaddexp(0, -logit))
    return ModelEstimate(number, fitted=(("K", classes), ("α", alpha), ("β", float(scipy.special.expit(logit)))))
