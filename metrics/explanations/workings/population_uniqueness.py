"""Population uniqueness, step by step: the sample, the sampling fraction, the models, the one that counts."""

from __future__ import annotations

from metrics.explanations.workings.latex import about, lines, rounded, whole
from metrics.explanations.workings.sample_uniqueness import sizes_step
from metrics.explanations.workings.steps import Derivation, Step, StepTable, Subject, Unit, Working, finished
from metrics.privacy.population_uniqueness import NAMES, SMALL_FRACTION, PopulationUniqueness
from metrics.privacy.uniqueness_models import Frequencies, ModelEstimate
from metrics.scoring.scorecard import Scorecard


def _fraction(result: PopulationUniqueness) -> Step:
    sample = result.sample
    return Step(
        "The sampling fraction",
        f"{sample.records:,} records in classes were drawn from a population of {sample.population:,} people "
        f"({result.source}).",
        lines(
            rf"f &= \frac{{n}}{{N_p}} = \frac{{{whole(sample.records)}}}{{{whole(sample.population)}}}",
            rf"&{about(sample.fraction)}",
        ),
        number=sample.fraction,
    )


def _choice(result: PopulationUniqueness) -> Step:
    small = result.sample.fraction <= SMALL_FRACTION
    rule = (
        "Dankar's rule: up to a sampling fraction of 0.1 Pitman's model, or Zayatz's where Pitman's has no estimate."
        if small
        else "Dankar's rule: above a sampling fraction of 0.1 the smaller of Zayatz's and the slide negative binomial "
        "estimate."
    )
    rows = tuple((_title(name), *_row(one, name == result.chosen)) for name, one in result.models.items())
    return Step(
        "The models' estimates",
        f"{rule} The range of the models is not a confidence interval.",
        table=StepTable(("model", "unique people", "counts"), rows),
    )


def _title(name: str) -> str:
    return NAMES[name].removeprefix("the ").removesuffix("'s")


def _row(one: ModelEstimate, counts: bool) -> tuple[str, str]:
    number = f"none: {one.unavailable}" if one.number is None else f"{one.number:,.0f}"
    return number, "yes" if counts else "no"


def _model(result: PopulationUniqueness, chosen: str) -> Step:
    sample, fitted, number = result.sample, dict(result.models[chosen].fitted), result.uniques
    if chosen == "pitman":
        return _pitman(sample, fitted["θ"], fitted["α"], number)
    if chosen == "zayatz":
        return _zayatz(sample, fitted["P"], number)
    alpha, beta = rounded(fitted["α"]), rounded(fitted["β"])
    return Step(
        "The slide negative binomial model",
        "The population is assumed to have K classes whose sizes less 1 follow a negative binomial distribution; "
        "α and β are fitted so that the expected numbers of classes with one and two records equal those of the "
        "table.",
        lines(
            rf"K &{about(fitted['K'])},\quad \alpha {about(fitted['α'])},\quad \beta {about(fitted['β'])}",
            rf"U &= K \beta^{{\alpha}} = {rounded(fitted['K'])} \times {beta}^{{{alpha}}}",
            rf"&{about(number)}",
        ),
        number=number,
    )


def _pitman(sample: Frequencies, theta: float, alpha: float, number: float) -> Step:
    return Step(
        "Pitman's model",
        "Each further person joins a new class or an existing one, with a probability that grows with its size; "
        "θ and α maximize the likelihood of the table's class sizes.",
        lines(
            rf"\theta &{about(theta)},\quad \alpha {about(alpha)}",
            r"U &= \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)} N_p^{\alpha}",
            rf"&= \frac{{\Gamma({rounded(theta + 1)})}}{{\Gamma({rounded(theta + alpha)})}} \times "
            rf"{whole(sample.population)}^{{{rounded(alpha)}}}",
            rf"&{about(number)}",
        ),
        number=number,
    )


def _zayatz(sample: Frequencies, chance: float, number: float) -> Step:
    alone = sample.of_size(1)
    return Step(
        "Zayatz's model",
        "By Bayes' rule: the probability P that a class of one in the table is a class of one in the population, "
        "if the class sizes of the population have the same frequencies as those of the table.",
        lines(
            rf"P &{about(chance)}",
            r"U &= \frac{c_1 P}{f}",
            rf"&= \frac{{{whole(alone)} \times {rounded(chance)}}}{{{rounded(sample.fraction)}}}",
            rf"&{about(number)}",
        ),
        number=number,
    )


def derive(card: Scorecard, subject: Subject) -> Working:
    """From the classes by size to the share that is expected to be unique. Raises Unavailable."""
    finished(card, "population_uniqueness")
    result = card["population_uniqueness"].result
    assert isinstance(result, PopulationUniqueness)
    first = (sizes_step(card), _fraction(result))
    if result.chosen is None:
        nobody = Step(
            "No record is unique",
            "A person who is unique in the population is unique in every sample that contains them. No record is "
            "unique in the table, so the estimate is 0.",
            "U = 0",
            number=0.0,
        )
        return Working("population_uniqueness", "the whole table", (*first, nobody))
    share = Step(
        "As a share of the population",
        "The expected number over all people.",
        lines(
            rf"\frac{{U}}{{N_p}} &= \frac{{{rounded(result.uniques)}}}{{{whole(result.sample.population)}}}",
            rf"&{about(result.value)}",
        ),
        number=result.value,
    )
    return Working(
        "population_uniqueness", "the whole table", (*first, _choice(result), _model(result, result.chosen), share)
    )


def _decisive(card: Scorecard) -> Subject:
    finished(card, "population_uniqueness")
    return Subject(0)


POPULATION_UNIQUENESS = Derivation(Unit.TABLE, None, derive, _decisive)
