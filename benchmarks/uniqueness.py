"""How far estimates of population uniqueness are from the truth: populations whose every person is known, sampled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from benchmarks.explore import adult_folder
from benchmarks.processes import say
from benchmarks.report import Line, Section
from metrics import read_table
from metrics.counting.classes import class_sizes
from metrics.privacy.population.gaussian_copula import DRAWS, fit
from metrics.privacy.population.uniqueness_models import MODEL_NAMES, SMALL_FRACTION, frequencies
from metrics.privacy.population_uniqueness.measure import population_uniqueness

PEOPLE = 200_000
FRACTIONS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
SAMPLES = 5
SEED = 4

Records = npt.NDArray[np.int64]
"""One row per person, one column per quasi-identifier."""


def _zipf(random: np.random.Generator, values: int, exponent: float) -> npt.NDArray[np.int64]:
    """Independent values whose frequencies fall with their rank to the power of the exponent."""
    shares = np.arange(1, values + 1.0) ** -exponent
    return random.choice(values, PEOPLE, p=shares / shares.sum())


def _given(
    random: np.random.Generator, parent: npt.NDArray[np.int64], values: int, evenness: float
) -> npt.NDArray[np.int64]:
    """Values whose distribution is another for each value of the parent: Dirichlet around a Zipf distribution."""
    base = np.arange(1, values + 1.0) ** -0.8
    shares = random.dirichlet(evenness * values * base / base.sum() + 1e-3, int(parent.max()) + 1)
    codes = (np.cumsum(shares, axis=1)[parent] < random.random(PEOPLE)[:, None]).sum(axis=1)
    bounded: npt.NDArray[np.int64] = np.minimum(codes, values - 1)
    return bounded


def _age(random: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.clip(random.gamma(4, 10, PEOPLE), 0, 95).astype(np.int64)


def independent(random: np.random.Generator) -> Records:
    """Six independent columns of 2 to 90 values, Zipf's frequencies."""
    return np.stack(
        [
            _zipf(random, n_values, exponent)
            for n_values, exponent in ((2, 0.1), (90, 0.3), (7, 1.5), (16, 0.9), (40, 2.0), (12, 0.7))
        ],
        1,
    )


def census(random: np.random.Generator) -> Records:
    """Age, and sex, marital status, education, occupation, country and hours that depend on one another."""
    age, sex = _age(random), random.integers(0, 2, PEOPLE)
    decade = age // 10
    marital = _given(random, decade, 7, 0.4)
    education = _given(random, decade, 16, 0.6)
    occupation = _given(random, education * 2 + sex, 14, 0.5)
    country = _zipf(random, 40, 2.2)
    return np.stack([age, sex, marital, education, occupation, country, _given(random, occupation, 9, 0.4)], 1)


def postal(random: np.random.Generator) -> Records:
    """Postal codes within regions, day and month of birth within years, sex: high cardinality."""
    region = _zipf(random, 30, 1.0)
    code = region * 20 + _given(random, region, 20, 0.5)
    return np.stack([code, _age(random), random.integers(0, 12, PEOPLE), random.integers(0, 2, PEOPLE)], 1)


def hospital(random: np.random.Generator) -> Records:
    """Twelve hidden groups of patients, each with its own distributions of age band, sex, ward, days and payer."""
    group = _zipf(random, 12, 0.8)
    return np.stack(
        [_given(random, group, n_values, 0.5) for n_values in (20, 2, 25, 30, 6)] + [_zipf(random, 60, 1.1)], 1
    )


def survey(random: np.random.Generator) -> Records:
    """Ten answers of 3 to 6 ordered values that all follow one hidden attitude."""
    attitude = random.normal(size=PEOPLE)
    answers = []
    for question in range(10):
        latent = 0.6 * attitude + 0.8 * random.standard_t(4, PEOPLE)
        answers.append(np.digitize(latent, np.linspace(-1.2, 1.2, 2 + question % 4)))
    return np.stack(answers, 1)


def mobility(random: np.random.Generator) -> Records:
    """Home, workplace near home, mode and hour of departure: two columns of 150 places, strongly dependent."""
    home = _zipf(random, 150, 0.7)
    away = np.minimum(random.geometric(0.25, PEOPLE) - 1, 60) * random.choice([-1, 1], PEOPLE)
    work = (home + away) % 150
    mode = _given(random, np.abs(away) // 4, 6, 0.4)
    return np.stack([home, work, mode, np.clip(random.normal(8, 1.5, PEOPLE) * 2, 0, 47).astype(np.int64)], 1)


def coarse(random: np.random.Generator) -> Records:
    """The census's columns in groups: ten years of age, seven grades of education, the eight largest countries."""
    age, sex, marital, education, occupation, country, _ = census(random).T
    return np.stack([age // 10, sex, marital, education // 3, occupation // 2, np.minimum(country, 8)], 1)


def adult() -> Records | None:
    """The 30,162 people of adult by its nine columns; None if the reference data are absent."""
    path = adult_folder() / "adult.csv"
    if not path.is_file():
        return None
    table = read_table(path)
    return np.stack([column.codes.astype(np.int64) for column in table.select(table.names)], 1)


POPULATIONS = (independent, census, coarse, postal, hospital, survey, mobility)
MODELS = {
    **{name: f"{title} model" for name, title in MODEL_NAMES.items()},
    "dankar": "Dankar's choice",
}


def classes_of(records: Records) -> tuple[Records, npt.NDArray[np.int64]]:
    """The different records, and how many people have each."""
    distinct, counts = np.unique(records, axis=0, return_counts=True)
    return distinct, counts


def true_uniqueness(records: Records) -> float:
    """The share of people whose record nobody else has."""
    return float((classes_of(records)[1] == 1).sum() / len(records))


def estimates(population: Records, fraction: float, random: np.random.Generator) -> dict[str, float]:
    """Each model's estimate of the share of unique people from one sample; models without an estimate are left out."""
    sample_indices = random.choice(len(population), round(fraction * len(population)), replace=False)
    distinct, counts = classes_of(population[sample_indices])
    model = fit(list(distinct.T), counts)
    sample = frequencies(class_sizes(counts), len(population))
    result = population_uniqueness(sample, probabilities=model.probabilities(model.draw(DRAWS)))
    shares = result.shares
    if result.chosen is not None:
        shares["dankar"] = shares[result.chosen]
    return shares


def measure() -> list[Section]:
    """Mean absolute errors by sampling fraction and by population; adult only where the reference data are there."""
    populations: dict[str, Records] = {make.__name__: make(np.random.default_rng(SEED)) for make in POPULATIONS}
    people = adult()
    if people is not None:
        populations["adult"] = people
    truths = {name: true_uniqueness(population) for name, population in populations.items()}
    errors = {
        (name, fraction): cell
        for name, population in populations.items()
        for fraction, cell in _errors(name, population, truths[name]).items()
    }
    how = (
        f"{len(populations)} populations ({', '.join(populations)}) of {PEOPLE:,} people, adult of 30,162; "
        f"{SAMPLES} samples for each population and sampling fraction. Mean absolute error of the share of unique "
        "people, in percentage points, over the samples for which a model has an estimate."
    )
    by_fraction = [
        line
        for fraction in FRACTIONS
        for line in _lines(f"{fraction:.1%} sampled", [errors[name, fraction] for name in populations])
    ]
    by_population = [
        line
        for name in populations
        for line in _lines(
            f"{name}, {truths[name]:.1%} unique",
            [errors[name, fraction] for fraction in FRACTIONS if fraction <= SMALL_FRACTION],
        )
    ]
    return [
        Section("Population uniqueness, by sampling fraction", how, by_fraction),
        Section("Population uniqueness, by population", "The same, over sampling fractions up to 10%.", by_population),
    ]


def _errors(name: str, population: Records, truth: float) -> dict[float, dict[str, list[float]]]:
    """By sampling fraction and model the absolute errors of the estimates, in percentage points."""
    say(f"uniqueness of {name}")
    random = np.random.default_rng(SEED)
    errors: dict[float, dict[str, list[float]]] = {}
    for fraction in FRACTIONS:
        cell = errors.setdefault(fraction, {model: [] for model in MODELS})
        for _ in range(SAMPLES):
            for model, share in estimates(population, fraction, random).items():
                cell[model].append(100 * abs(share - truth))
    return errors


def _lines(what: str, cells: list[dict[str, list[float]]]) -> Iterator[Line]:
    """The mean error of each model that has an estimate for some of the samples."""
    for model, title in MODELS.items():
        errors = [error for cell in cells for error in cell[model]]
        samples = len(cells) * SAMPLES
        note = "" if len(errors) == samples else f" (no estimate for {samples - len(errors)} of {samples} samples)"
        if errors:
            yield Line(f"{what}: {title}{note}", float(np.mean(errors)), "points")
