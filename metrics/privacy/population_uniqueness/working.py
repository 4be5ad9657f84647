"""Population uniqueness, step by step: the sample, the sampling fraction, the models, the one that counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import format_number
from metrics.privacy.population.uniqueness_models import MODEL_NAMES, SMALL_FRACTION, Frequencies, ModelEstimate
from metrics.privacy.sample_uniqueness.working import sizes_step
from metrics.texts import text
from metrics.working.latex import approx, lines, rounded, whole
from metrics.working.steps import Step, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.privacy.population_uniqueness.measure import PopulationUniqueness


def _fraction(result: PopulationUniqueness) -> Step:
    sample = result.sample
    return step_of(
        "population_uniqueness.working.fraction",
        lines(
            rf"f &= \frac{{n}}{{N_p}} = \frac{{{whole(sample.kept)}}}{{{whole(sample.population)}}}",
            rf"&{approx(sample.fraction)}",
        ),
        number=sample.fraction,
        records=sample.kept,
        people=sample.population,
        source=result.source,
    )


def _choice(result: PopulationUniqueness) -> Step:
    rows = tuple((_title(name), *_row(estimate, name == result.chosen)) for name, estimate in result.models.items())
    return Step(
        text("population_uniqueness.working.models_title"),
        text("population_uniqueness.working.models_small_fraction")
        if result.sample.fraction <= SMALL_FRACTION
        else text("population_uniqueness.working.models_large_fraction"),
        table=tabulated(text("population_uniqueness.working.models_columns"), rows, len(rows)),
    )


def _title(name: str) -> str:
    return MODEL_NAMES[name].removeprefix("the ").removesuffix("'s")


def _row(estimate: ModelEstimate, is_chosen: bool) -> tuple[str, str]:
    has_none = estimate.number is None
    number = (
        text("population_uniqueness.working.none", reason=estimate.unavailable)
        if has_none
        else f"{estimate.number:,.0f}"
    )
    return number, format_number(is_chosen)


def _model(result: PopulationUniqueness, model: str) -> Step:
    sample, fit, number = result.sample, dict(result.models[model].fitted), result.uniques
    if model == "pitman":
        return _pitman(sample, fit["θ"], fit["α"], number)
    if model == "zayatz":
        return _zayatz(sample, fit["P"], number)
    alpha, beta = rounded(fit["α"]), rounded(fit["β"])
    return step_of(
        "population_uniqueness.working.snb",
        lines(
            rf"K &{approx(fit['K'])},\quad \alpha {approx(fit['α'])},\quad \beta {approx(fit['β'])}",
            rf"U &= K \beta^{{\alpha}} = {rounded(fit['K'])} \times {beta}^{{{alpha}}}",
            rf"&{approx(number)}",
        ),
        number=number,
    )


def _pitman(sample: Frequencies, theta: float, alpha: float, number: float) -> Step:
    return step_of(
        "population_uniqueness.working.pitman",
        lines(
            rf"\theta &{approx(theta)},\quad \alpha {approx(alpha)}",
            r"U &= \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)} N_p^{\alpha}",
            rf"&= \frac{{\Gamma({rounded(theta + 1)})}}{{\Gamma({rounded(theta + alpha)})}} \times "
            rf"{whole(sample.population)}^{{{rounded(alpha)}}}",
            rf"&{approx(number)}",
        ),
        number=number,
    )


def _zayatz(sample: Frequencies, chance: float, number: float) -> Step:
    n_unique = sample.of_size(1)
    return step_of(
        "population_uniqueness.working.zayatz",
        lines(
            rf"P &{approx(chance)}",
            r"U &= \frac{c_1 P}{f}",
            rf"&= \frac{{{whole(n_unique)} \times {rounded(chance)}}}{{{rounded(sample.fraction)}}}",
            rf"&{approx(number)}",
        ),
        number=number,
    )


def derive(result: PopulationUniqueness, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """From the classes by size to the share that is expected to be unique."""
    first = (sizes_step(aggregates), _fraction(result))
    if result.chosen is None:
        no_uniques = step_of("population_uniqueness.working.nobody", "U = 0", number=0.0)
        return (*first, no_uniques)
    share = step_of(
        "population_uniqueness.working.share",
        lines(
            rf"\frac{{U}}{{N_p}} &= \frac{{{rounded(result.uniques)}}}{{{whole(result.sample.population)}}}",
            rf"&{approx(result.value)}",
        ),
        number=result.value,
    )
    return (*first, _choice(result), _model(result, result.chosen), share)


WORKING = whole_table(derive)
