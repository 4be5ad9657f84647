"""Population uniqueness, step by step: the sample, the sampling fraction, the models, the one that counts."""

from __future__ import annotations

from metrics.privacy.population_uniqueness import NAMES, SMALL_FRACTION, PopulationUniqueness
from metrics.privacy.uniqueness_models import Estimate, Frequencies
from metrics.scorecard import Scorecard
from metrics.working.latex import about, lines, rounded, whole
from metrics.working.sample_uniqueness import sizes_step
from metrics.working.steps import Derivation, Step, StepTable, Subject, Unit, Working, finished


def _fraction(result: PopulationUniqueness) -> Step:
    sample = result.sample
    return Step(
        "How much of the population was drawn",
        f"The table holds {sample.records:,} records in classes, of a population of {sample.population:,} people "
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
        "Pitman's counts where the fraction is at most 0.1, as here; Zayatz's stands in where it has no answer"
        if small
        else "above a fraction of 0.1, as here, the smaller one of Zayatz's and the slide negative binomial counts"
    )
    rows = tuple((_title(name), *_row(one, name == result.chosen)) for name, one in result.models.items())
    return Step(
        "What three models expect",
        f"Each model concludes from the class sizes how many people are unique: {rule}.",
        table=StepTable(("model", "unique people", "95% interval", "counts"), rows),
    )


def _title(name: str) -> str:
    return NAMES[name].removeprefix("the ").removesuffix("'s")


def _row(one: Estimate, counts: bool) -> tuple[str, str, str]:
    number = f"none: {one.unavailable}" if one.number is None else f"{one.number:,.0f}"
    interval = "—" if one.interval is None else f"{one.interval[0]:,.0f} to {one.interval[1]:,.0f}"
    return number, interval, "yes" if counts else "no"


def _model(result: PopulationUniqueness) -> Step:
    sample, fitted, number = result.sample, dict(result.estimate.fitted), result.uniques
    if result.chosen == "pitman":
        return _pitman(sample, fitted["θ"], fitted["α"], number)
    if result.chosen == "zayatz":
        return _zayatz(sample, fitted["P"], number)
    alpha, beta = rounded(fitted["α"]), rounded(fitted["β"])
    return Step(
        "The slide negative binomial model",
        "The population is taken to have K classes, whose sizes less 1 are negative binomial; α and β are those that "
        "expect as many classes of one and of two as the table has.",
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
        "Each further person falls into a new class or into one that is there, the likelier the larger it is; θ and α "
        "are those under which the table's class sizes are the most likely.",
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
        "By Bayes' rule: the chance P that a class of one in the table is a class of one in the population, if classes "
        "in the population are as often of each size as in the table.",
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
            "Nobody stands out",
            "Whoever is unique in the population is so in any table that holds them. No record is, so 0 is expected.",
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
    return Working("population_uniqueness", "the whole table", (*first, _choice(result), _model(result), share))


def _decisive(card: Scorecard) -> Subject:
    finished(card, "population_uniqueness")
    return Subject(0)


POPULATION_UNIQUENESS = Derivation(Unit.TABLE, None, derive, _decisive)
