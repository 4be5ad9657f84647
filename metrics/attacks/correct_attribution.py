"""Correct attribution probability (CAP): how often released records with known values name the right sensitive one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates
from metrics.attacks.guessing.attribution import Attributions, attributions, left_out
from metrics.attacks.knowledge.scenario import known_to_attacker
from metrics.attacks.rates import AttackRate, RatedAttack
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric
from metrics.texts import text
from metrics.working import two_step_measures


@dataclass(frozen=True)
class CorrectAttribution(RatedAttack):
    """`value` is the probability for the sensitive attribute that is attributed best."""

    known: tuple[str, ...]
    columns: Mapping[str, Attributions]
    worst: str
    left_out: tuple[str, ...] = ()
    """Sensitive attributes without a figure."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The probability for each sensitive attribute."""
        return {name: column.released.correct / column.released.people for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """Baseline, control and excess; how many people are found in the release, and the probability for those."""
        by_column = {name: column.released for name, column in self.columns.items()}
        return {
            **self.rate.details(),
            "known": list(self.known),
            "left_out": list(self.left_out),
            "found": self.found,
            "of_those_found": {
                name: attribution.correct / attribution.found if attribution.found else None
                for name, attribution in by_column.items()
            },
            "original": {
                name: column.original.correct / column.original.people for name, column in self.columns.items()
            },
        }

    @property
    def found(self) -> float:
        """The share of people whose known values some released record has."""
        return self.columns[self.worst].released.found / self.columns[self.worst].released.people

    @property
    def finding(self) -> str:
        return text("correct_attribution.finding", known=self.known, column=self.worst, value=self.value)

    @property
    def success(self) -> str:
        return text("attribute_inference_attack.success", column=self.worst, value=self.shown)

    def summary(self) -> str:
        sentences = [self.headline]
        if self.found < 1:
            sentences.append(text("correct_attribution.absent", absent=1 - self.found))
        if self.left_out:
            sentences.append(text("attack.left_out", columns=self.left_out))
        return " ".join(sentences)


def correct_attribution(
    columns: Mapping[str, Attributions], known: tuple[str, ...], left_out: tuple[str, ...] = ()
) -> CorrectAttribution:
    r"""CAP: the mean over people of :math:`s_{tq} / s_q`; 0 to 1, lower is better.

    :math:`s_q` counts released records with the person's known values q, :math:`s_{tq}` those that have the person's
    sensitive value t, too; if there is none, the probability is 0. It is the `DCAP` of synthpop 1.9-3;
    `of_those_found` leaves out people whose known values no released record has. Numbers are taken as
    categories. The baseline is synthpop's `baseCAPd`, :math:`\sum_t (d_t / N)^2`.

    The probability for the attribute that is attributed best, and for each. `left_out`: sensitive attributes without a
    figure.
    Source: G. M. Raab, B. Nowok, C. Dibben, "Practical privacy metrics for synthetic data", 2024, arXiv 2406.16826,
    appendix 2, after J. Taub, M. Elliot, M. Pampaka, D. Smith, "Differential correct attribution probability for
    synthetic data: an exploration", Privacy in Statistical Databases 2018, doi 10.1007/978-3-319-99771-1_9.
    """
    worst = max(columns, key=lambda name: columns[name].released.correct)
    worst_column = columns[worst]
    rate = AttackRate(
        successes=worst_column.released.correct,
        attempts=worst_column.released.people,
        baseline=worst_column.baseline,
        control=None if worst_column.control is None else worst_column.control.correct / worst_column.control.people,
        exact=True,
    )
    return CorrectAttribution(rate, known, columns, worst, left_out)


def _compute(aggregates: Aggregates, parameters: Parameters) -> CorrectAttribution:
    known_columns = known_to_attacker(parameters.attack, aggregates.roles)
    columns = attributions(aggregates, parameters)
    return correct_attribution(columns, known_columns, left_out(aggregates, columns, known_columns))


CORRECT_ATTRIBUTION = Metric(
    id="correct_attribution",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\max_S \frac{1}{N} \sum_{t, q} d_{tq} \frac{s_{tq}}{s_q}",
    reference="J. Taub, M. Elliot, M. Pampaka, D. Smith, Differential correct attribution probability for synthetic "
    "data: an exploration, Privacy in Statistical Databases 2018, doi 10.1007/978-3-319-99771-1_9",
    compute=_compute,
    settings=("attack",),
    about_perturbation=True,
    working=two_step_measures.CORRECT_ATTRIBUTION,
)
