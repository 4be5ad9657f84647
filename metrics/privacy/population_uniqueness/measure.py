"""Population uniqueness: the share of a population that its quasi-identifiers single out, estimated from a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.config.parameters import Parameters
from metrics.config.population_sizes import REGIONS, PopulationParameters, region
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result
from metrics.privacy.population.gaussian_copula import DRAWS, fit, individual_uniqueness
from metrics.privacy.population.uniqueness_models import (
    MODEL_NAMES,
    SMALL_FRACTION,
    Frequencies,
    ModelEstimate,
    estimate_pitman,
    estimate_snb,
    estimate_zayatz,
    frequencies,
)
from metrics.privacy.population_uniqueness import working
from metrics.tables.table import Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class PopulationUniqueness(Result):
    """The estimate of each model, and which one counts; none does where the sample has no unique record."""

    sample: Frequencies
    source: str
    """Source of the population's size, in words."""
    models: Mapping[str, ModelEstimate]
    chosen: str | None
    """The model that Dankar's rule chooses among the models of class sizes."""

    @property
    def uniques(self) -> float:
        """People expected to be unique in the population."""
        number = None if self.chosen is None else self.models[self.chosen].number
        return 0.0 if number is None else number

    @property
    def value(self) -> float:
        """The share of the population that is expected to be unique: 0 to 1."""
        return self.uniques / self.sample.population

    @property
    def advised(self) -> str | None:
        """The model that is advised for the sampling fraction; None where the sample has no unique record."""
        return "copula" if self.chosen is not None and self.sample.fraction < SMALL_FRACTION else self.chosen

    @property
    def advised_value(self) -> float | None:
        """The share of the population that the advised model expects to be unique; None where it has no estimate."""
        return 0.0 if self.advised is None else self.shares.get(self.advised)

    @property
    def not_advised(self) -> str:
        """Why no limit applies without the advised model; empty where it has an estimate."""
        if self.advised_value is not None:
            return ""
        return text("population_uniqueness.not_advised", model=MODEL_NAMES["copula"])

    @property
    def shares(self) -> dict[str, float]:
        """The share of the population that each model with an estimate expects to be unique: 0 to 1."""
        numbers = {name: model.number for name, model in self.models.items()}
        return {name: number / self.sample.population for name, number in numbers.items() if number is not None}

    def details(self) -> dict[str, Any]:
        """Population, sampling fraction, the models chosen by Dankar's rule and advised, and all numbers and shares."""
        return {
            "population_size": self.sample.population,
            "sampling_fraction": self.sample.fraction,
            "model": self.chosen,
            "unique_people": self.uniques,
            "advised_model": self.advised,
            "advised_share": self.advised_value,
            "models": {
                name: {"number": model.number, "share": self.shares.get(name), "unavailable": model.unavailable}
                for name, model in self.models.items()
            },
        }

    def summary(self) -> str:
        people, source = self.sample.population, self.source
        if self.chosen is None:
            return text("population_uniqueness.none", people=people, source=source)
        advised = self.advised_value
        if self.advised is None or advised is None:
            dankar, reason = MODEL_NAMES[self.chosen], self.not_advised
            return text(
                "population_uniqueness.by_rule",
                value=self.value,
                people=people,
                source=source,
                dankar=dankar,
                reason=reason,
            )
        model = MODEL_NAMES[self.advised]
        finding = text("population_uniqueness.advised", value=advised, people=people, source=source, model=model)
        others = [share for name, share in self.shares.items() if name != self.advised]
        if not others:
            return finding
        spread = text("population_uniqueness.other_models", low=min(others), high=max(others))
        by_rule = text("population_uniqueness.dankar", dankar=MODEL_NAMES[self.chosen], value=self.value)
        return " ".join([finding, spread, *([] if self.chosen == self.advised else [by_rule])])


def population_size(records: int, aggregates: Aggregates, parameters: PopulationParameters) -> tuple[int, str]:
    """Return how many people the sample represents, and the source of the number, in words.

    The number that was set, else the one that the sampling fraction gives, else that of the region; without any the sum
    of the survey weights over records in classes, where a column is tagged as weight. Raises Unavailable.
    """
    if parameters.size:
        return parameters.size, text("population_uniqueness.source_size")
    if parameters.sampling_fraction:
        fraction = parameters.sampling_fraction
        return round(records / fraction), text("population_uniqueness.source_fraction", fraction=fraction)
    name = region(parameters.country)
    if name is not None:
        return REGIONS[name], name
    weight = aggregates.total_weight
    if weight is not None:
        return round(weight), text("population_uniqueness.source_weights")
    raise Unavailable(text("population_uniqueness.unavailable.unknown_size"))


def copula(sample: Frequencies, probabilities: Floats | None) -> ModelEstimate:
    """The Gaussian-copula model: people times the mean of ξ over records drawn from the model, at most c_1/f.

    `probabilities` are those of the drawn records; None where there is no model. The limit holds because a person who
    is unique in the population is unique in every sample that holds them.
    """
    if probabilities is None:
        return ModelEstimate(None, unavailable=text("population_uniqueness.unavailable.all_classes"))
    mean = float(individual_uniqueness(probabilities, sample.population).mean())
    maximum = sample.of_size(1) / sample.fraction
    return ModelEstimate(min(mean * sample.population, maximum), fitted=(("Ξ", mean),))


def population_uniqueness(
    sample: Frequencies, source: str = "as set", probabilities: Floats | None = None
) -> PopulationUniqueness:
    """Population uniqueness: the estimated share of the population that is unique; 0 to 1, lower is better.

    The value is that of the model which Dankar's rule selects: up to a sampling fraction of 0.1 Pitman's model, or
    Zayatz's if Pitman's has no estimate; above it the smaller of Zayatz's and the slide negative binomial estimate. It
    is 0 if no record is unique in the sample. Below that sampling fraction, the Gaussian-copula model is advised, the
    most accurate one on known populations: limits are judged by it. An estimate depends on its model, and the range of
    the models is not a confidence interval: the true share can be outside it (docs/uniqueness.md lists the errors of
    the models on known populations).

    The estimates of all models, and the selected one. `probabilities`: probabilities of records drawn from the Gaussian
    copula; None without that model.
    Source: L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye, "Estimating the success of re-identifications in incomplete
    datasets using generative models", 2019, doi 10.1038/s41467-019-10933-3. F. K. Dankar, K. El Emam, A. Neisa, T.
    Roffey, "Estimating the re-identification risk of clinical data sets", 2012, doi 10.1186/1472-6947-12-66.
    """
    if not sample.of_size(1):
        return PopulationUniqueness(sample, source, dict.fromkeys(MODEL_NAMES, ModelEstimate(0.0)), None)
    models = {
        "copula": copula(sample, probabilities),
        "pitman": estimate_pitman(sample),
        "zayatz": estimate_zayatz(sample),
        "snb": estimate_snb(sample),
    }
    chosen_model = _dankar(models, small=sample.fraction <= SMALL_FRACTION)
    return PopulationUniqueness(sample, source, models, chosen_model)


def _dankar(models: Mapping[str, ModelEstimate], *, small: bool) -> str:
    """Dankar's choice among the models of class sizes."""
    if small:
        return "zayatz" if models["pitman"].number is None else "pitman"
    sound, other = models["zayatz"].number, models["snb"].number
    assert sound is not None
    return "zayatz" if other is None or sound < other else "snb"


def drawn_probabilities(aggregates: Aggregates) -> Floats | None:
    """Probabilities of the records that the fitted Gaussian copula draws; None where classes are not held at once.

    They do not depend on the population's size.
    """
    if aggregates.is_partitioned or not aggregates.classes.columns:
        return None
    classes = aggregates.classes
    codes = []
    for column, column_codes in zip(classes.columns, classes.codes, strict=True):
        # Numbered by the order of their texts: results do not depend on the order of the records.
        rank = np.empty(column.distinct, dtype=np.int64)
        rank[np.array(pc.sort_indices(column.values).to_pylist(), dtype=np.int64)] = np.arange(column.distinct)
        codes.append(rank[column_codes])
    model = fit(codes, classes.sizes)
    return model.probabilities(model.draw(DRAWS))


def _compute(aggregates: Aggregates, parameters: Parameters) -> PopulationUniqueness:
    classes = require_class_sizes(aggregates)
    size, source = population_size(classes.kept, aggregates, parameters.population_uniqueness)
    if size < classes.kept:
        reason = text("population_uniqueness.unavailable.too_small", source=source, people=size, records=classes.kept)
        raise Unavailable(reason)
    sample, probabilities = frequencies(classes, size), None
    if sample.of_size(1):
        probabilities = aggregates.memoize(drawn_probabilities)
    return population_uniqueness(sample, source, probabilities)


POPULATION_UNIQUENESS = Metric(
    id="population_uniqueness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\frac{\hat{U}}{N_p}",
    reference="F. K. Dankar et al., Estimating the re-identification risk of clinical data sets, BMC MIDM 12:66, 2012, "
    "doi 10.1186/1472-6947-12-66",
    compute=_compute,
    settings=("population_uniqueness",),
    working=working.WORKING,
    about_population=True,
)
