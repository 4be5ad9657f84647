"""Population uniqueness: the share of a population that its quasi-identifiers single out, estimated from a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.evidence import Evidence
from metrics.parameters import Parameters, PopulationParameters
from metrics.populations import REGIONS, USUAL, region
from metrics.privacy.uniqueness_models import Estimate, Frequencies, frequencies, none_in_sample, pitman, snb, zayatz
from metrics.specification import Direction, Family, Metric, Unavailable

SMALL_FRACTION = 0.1
"""Up to this sampling fraction Dankar's rule trusts Pitman's model."""
NAMES = {"pitman": "Pitman's", "zayatz": "Zayatz's", "snb": "the slide negative binomial"}
"""The models in words, each to be followed by "model"."""


@dataclass(frozen=True, eq=False)
class PopulationUniqueness:
    """What each model estimates, and which one counts; none does where the sample has no unique record."""

    sample: Frequencies
    source: str
    """Where the size of the population is from, in words."""
    models: Mapping[str, Estimate]
    chosen: str | None

    @property
    def estimate(self) -> Estimate:
        """The estimate that counts."""
        return none_in_sample(self.sample) if self.chosen is None else self.models[self.chosen]

    @property
    def uniques(self) -> float:
        """People expected to be unique in the population."""
        number = self.estimate.number
        assert number is not None
        return number

    @property
    def value(self) -> float:
        """The share of the population that is expected to be unique: 0 to 1."""
        return self.uniques / self.sample.population

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds of the value at 95% confidence, if the model that was chosen holds; see `population_uniqueness`."""
        return self._share(self.estimate.interval)

    def _share(self, interval: tuple[float, float] | None) -> tuple[float, float] | None:
        return (
            None if interval is None else (interval[0] / self.sample.population, interval[1] / self.sample.population)
        )

    def details(self) -> dict[str, Any]:
        """Population, sampling fraction, the model chosen, and the number and share that each model estimates."""
        return {
            "population_size": self.sample.population,
            "sampling_fraction": self.sample.fraction,
            "model": self.chosen,
            "unique_people": self.uniques,
            "interval": self.interval,
            "models": {
                name: {
                    "number": one.number,
                    "share": None if one.number is None else one.number / self.sample.population,
                    "interval": self._share(one.interval),
                    "unavailable": one.unavailable,
                }
                for name, one in self.models.items()
            },
        }

    def in_words(self) -> str:
        """The finding."""
        people = f"{self.sample.population:,} people ({self.source})"
        if self.chosen is None:
            return f"No record is alone in its class, so nobody of {people} is expected to be unique."
        within = ""
        if self.interval is not None:
            within = f", {self.interval[0]:.3%} to {self.interval[1]:.3%} with 95% confidence if the model holds"
        return (
            f"About {self.uniques:,.0f} of {people} are expected to be unique by {NAMES[self.chosen]} model: "
            f"{self.value:.3%}{within}."
        )


def population_size(evidence: Evidence, parameters: PopulationParameters) -> tuple[int, str]:
    """How many people the sample stands for, and where that is from, in words.

    The number that was set, else that of the region that was set; without either the sum of the survey weights over
    records in classes, where a column is tagged as weight, else that of the USA. Raises Unavailable.
    """
    if parameters.size:
        return parameters.size, "as set"
    name = region(parameters.country)
    if name is None:
        weight = evidence.total_weight
        if weight is not None:
            return round(weight), "the sum of the weights"
        name = USUAL
    return REGIONS[name], name


def population_uniqueness(sample: Frequencies, source: str = "as set") -> PopulationUniqueness:
    """The share of the population that is unique, by Dankar's choice of a model: 0 to 1, lower is better.

    Pitman's model up to a sampling fraction of 0.1, or Zayatz's where Pitman's has no answer; above it the smaller one
    of Zayatz's and the slide negative binomial. 0 where no record is unique in the sample.

    `interval` holds 95% of the chance of sampling, on the logarithm's scale, by the delta method: from the observed
    information of Pitman's likelihood, and for the others with the numbers of classes by size as a multinomial. It does
    not know whether the model fits. Without a unique record it is the exact one-sided bound.

    Source: F. K. Dankar, K. El Emam, A. Neisa, T. Roffey, "Estimating the re-identification risk of clinical data
    sets", 2012, doi 10.1186/1472-6947-12-66. ARX chooses alike, but its slide negative binomial finds no solution, so
    that above 0.1 it always takes Zayatz's.
    """
    if not sample.of_size(1):
        return PopulationUniqueness(sample, source, dict.fromkeys(NAMES, none_in_sample(sample)), None)
    models = {"pitman": pitman(sample), "zayatz": zayatz(sample), "snb": snb(sample)}
    if sample.fraction <= SMALL_FRACTION:
        chosen = "zayatz" if models["pitman"].number is None else "pitman"
    else:
        sound, other = models["zayatz"].number, models["snb"].number
        assert sound is not None
        chosen = "zayatz" if other is None or sound < other else "snb"
    return PopulationUniqueness(sample, source, models, chosen)


def _compute(evidence: Evidence, parameters: Parameters) -> PopulationUniqueness:
    classes = evidence.need_class_sizes()
    size, source = population_size(evidence, parameters.population_uniqueness)
    if size < classes.kept:
        raise Unavailable(
            f"the population ({source}) has {size:,} people, fewer than the table has records in classes "
            f"({classes.kept:,}); set population_uniqueness.size to the population's size"
        )
    return population_uniqueness(frequencies(classes, size), source)


POPULATION_UNIQUENESS = Metric(
    id="population_uniqueness",
    title="Population uniqueness",
    family=Family.PRIVACY,
    unit="share of people",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="The share of the population that nobody else shares all quasi-identifiers with, estimated from the table.",
    good="Near 0: whoever knows the quasi-identifiers of somebody unique can be sure of a match.",
    formula=r"\frac{1}{N_p} \cdot \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)} N_p^{\alpha}",
    reference="F. K. Dankar et al., Estimating the re-identification risk of clinical data sets, BMC MIDM 12:66, 2012",
    doi="10.1186/1472-6947-12-66",
    compute=_compute,
)
