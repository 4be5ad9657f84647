"""DiSCO: the people whose sensitive value the release discloses, correctly, to somebody who knows other values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates
from metrics.attacks.guessing.attribution import Attribution, Attributions, attributions, left_out
from metrics.attacks.knowledge.scenario import known_to_attacker
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, Result
from metrics.texts import text
from metrics.working import two_step_measures


@dataclass(frozen=True)
class Disco(Result):
    """`value` is the share of people for the sensitive attribute that is disclosed most often."""

    known: tuple[str, ...]
    columns: Mapping[str, Attributions]
    worst: str
    left_out: tuple[str, ...] = ()
    """Sensitive attributes without a figure."""

    @property
    def value(self) -> float:
        """The share of people whose value is disclosed."""
        return _share(self.columns[self.worst].released)

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The share for each sensitive attribute."""
        return {name: _share(column.released) for name, column in self.columns.items()}

    @property
    def control(self) -> float | None:
        """The share of people who are not in the original and whose value is disclosed; None without them."""
        attribution = self.columns[self.worst].control
        return None if attribution is None else _share(attribution)

    def details(self) -> dict[str, Any]:
        """Return the shares in the original and for the control, and how often a single value is the right one."""
        released = {name: column.released for name, column in self.columns.items()}
        return {
            "known": list(self.known),
            "left_out": list(self.left_out),
            "original": {name: _share(column.original) for name, column in self.columns.items()},
            "control": self.control,
            "certain": {name: attribution.certain / attribution.people for name, attribution in released.items()},
            "right_if_certain": {
                name: attribution.disclosed / attribution.certain if attribution.certain else None
                for name, attribution in released.items()
            },
        }

    def summary(self) -> str:
        worst_column = self.columns[self.worst]
        sentences = [
            text(
                "disco.finding",
                known=self.known,
                column=self.worst,
                value=self.value,
                wrong=(worst_column.released.certain - worst_column.released.disclosed) / worst_column.released.people,
            ),
            text("disco.original", original=_share(worst_column.original)),
        ]
        if self.control is not None:
            sentences.append(text("disco.control", control=self.control))
        if self.left_out:
            sentences.append(text("attack.left_out", columns=self.left_out))
        return " ".join(sentences)


def _share(attribution: Attribution) -> float:
    return attribution.disclosed / attribution.people


def disco(columns: Mapping[str, Attributions], known: tuple[str, ...], left_out: tuple[str, ...] = ()) -> Disco:
    r"""Disclosive in synthetic, correct in original; 0 to 1, lower is better.

    The share of people q, t for whom all released records with their known values q have one sensitive value, and it is
    their own: :math:`\sum_{t,q} (d_{tq} \mid s_{tq} = s_q > 0) / N`. `original` is the share for the original itself
    (synthpop's `Dorig`), `right_if_certain` the `TCAP` of its vignette; the code of version 1.9-3 divides by all people
    found instead. Numbers are taken as categories.

    The share for the attribute that is disclosed most often, and for each. `left_out`: sensitive attributes without a
    figure.
    Source: G. M. Raab, B. Nowok, C. Dibben, "Practical privacy metrics for synthetic data", 2024, arXiv 2406.16826.
    """
    return Disco(known, columns, max(columns, key=lambda name: columns[name].released.disclosed), left_out)


def _compute(aggregates: Aggregates, parameters: Parameters) -> Disco:
    known_columns = known_to_attacker(parameters.attack, aggregates.roles)
    columns = attributions(aggregates, parameters)
    return disco(columns, known_columns, left_out(aggregates, columns, known_columns))


DISCO = Metric(
    id="disco",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\max_S \frac{1}{N} \sum_{t, q} d_{tq} \left[ s_{tq} = s_q > 0 \right]",
    reference="G. M. Raab, B. Nowok, C. Dibben, Practical privacy metrics for synthetic data, 2024 (arXiv 2406.16826), "
    "doi 10.48550/arXiv.2406.16826",
    compute=_compute,
    settings=("attack",),
    about_perturbation=True,
    working=two_step_measures.DISCO,
)
