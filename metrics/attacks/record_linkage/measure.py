"""Record linkage: how often an attacker who knows some columns of a person finds that person's released record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metrics.aggregates import Aggregates
from metrics.attacks.knowledge.global_recoding import require_global_recoding
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario, known_to_attacker
from metrics.attacks.rates import Attacker, AttackRate, CriterionAttack, assuming, assumption_phrase, rows_of
from metrics.attacks.record_linkage import working
from metrics.config.parameters import AttackParameters, Parameters
from metrics.metric import Direction, Enforcement, Family, Metric, MetricChart
from metrics.tables.table import Table
from metrics.texts import text


@dataclass(frozen=True)
class RecordLinkage(CriterionAttack):
    """`value` is the share of targets whose own record is found, a record among c possible records counting 1/c."""

    known: tuple[str, ...]
    unique_right: float
    """Share of targets whose only possible record is their own."""
    unique_wrong: float
    """Share of targets whose only possible record is somebody else's."""
    no_possible_record: float
    """Share of targets whom no released record covers; the nearest ones are taken instead."""
    suppressed_ruled_out: RecordLinkage | None = None
    """Success of an attacker who rules out suppressed records; None if no record is suppressed."""
    most_specific: AttackRate | None = None
    """Success of one who also takes only the most specific records; None if no labels overlap."""

    def details(self) -> dict[str, Any]:
        """Baseline, control, excess, interval, and how often a single possible record is right or wrong."""
        stronger = self.suppressed_ruled_out
        return {
            **self.rate.details(),
            "known": list(self.known),
            "unique_right": self.unique_right,
            "unique_wrong": self.unique_wrong,
            "no_candidate": self.no_possible_record,
            "suppressed_ruled_out": None if stronger is None else stronger.ruled_out(),
            "most_specific": None if self.most_specific is None else self.most_specific.value,
        }

    def ruled_out(self) -> dict[str, Any]:
        """Success and share of targets whose only possible record is their own."""
        return {"value": self.value, "unique_right": self.unique_right}

    @property
    def other_attackers(self) -> Mapping[Attacker, AttackRate | None]:
        """Success of attackers who rule out suppressed records, and who take the most specific ones of the others."""
        excluding = None if self.suppressed_ruled_out is None else self.suppressed_ruled_out.rate
        return {Attacker.SUPPRESSED_EXCLUDED: excluding, Attacker.MOST_SPECIFIC: self.most_specific}

    @property
    def finding(self) -> str:
        finding = self._strongest_finding()
        return text("record_linkage_attack.alike", finding=finding, value=self.value) if self.stronger else finding

    @property
    def brief(self) -> str:
        """Success of the strongest attacker, and what it is compared with, in one sentence."""
        return self.strongest.compared(self._strongest_finding())

    @property
    def success(self) -> str:
        return text("record_linkage_attack.success", value=self.shown)

    @property
    def achievement(self) -> str:
        """Success of the strongest attacker, to follow "An attacker"."""
        return assuming(text("attack.ignoring.linkage", value=self.class_unknown.value), self.stronger)

    def _strongest_finding(self) -> str:
        return text(
            "record_linkage_attack.finding",
            known=self.known,
            assuming=assumption_phrase(self.stronger),
            value=self.strongest.value,
        )

    def summary(self) -> str:
        excluding = self.suppressed_ruled_out if Attacker.SUPPRESSED_EXCLUDED in self.stronger else None
        return f"{self.headline} {(excluding or self)._unique()}"

    def _unique(self) -> str:
        """How many people's own record is the only possible record."""
        if not self.unique_right:
            return text("record_linkage_attack.unique_none")
        return text("record_linkage_attack.unique", unique=self.unique_right)

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate, and those of noticeably stronger attackers."""
        return rows_of(text("record_linkage_attack.title"), self.rate, self.stronger)


def link_records(scenario: AttackScenario) -> RecordLinkage:
    """Run the attack, also with stronger attackers; see `link`."""
    scenario = scenario.limit_work(scenario.known)
    other = scenario.without_suppressed()
    if other is None:
        return link(scenario)
    excluding = link(other)
    found = link(scenario, specific=False)
    return replace(found, suppressed_ruled_out=excluding, most_specific=excluding.most_specific)


def link(scenario: AttackScenario, *, specific: bool = True) -> RecordLinkage:
    """The mean over targets of 1/|C| where the own record is among the possible records C, else 0.

    Also computed among the most specific possible records, if labels overlap, unless `specific` is false. Nobody in the
    hold-out table has a released record, so the control is 0.
    Source: J. Domingo-Ferrer, V. Torra, "Disclosure risk assessment in statistical microdata protection via advanced
    record linkage", Statistics and Computing 13, 2003, doi 10.1023/A:1025666923033; the prosecutor's setting of
    K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", 2008, doi 10.1197/jamia.M2716.
    """
    sets = scenario.possible_records(scenario.targets, scenario.known)
    released, number = sets.released, scenario.targets.rows
    own_combinations = scenario.own_combinations(released)
    specific = specific and sets.overlapping
    right = unique_right = unique_wrong = uncovered = by_specific = 0.0
    for batch in sets.batches(scenario.own_records(scenario.known)):
        own, weights, size = own_combinations[batch.people], batch.weights, batch.sizes(released)
        includes_own = batch.contains(own, released)
        right += float((weights * includes_own / size).sum())
        unique_right += float(weights[includes_own & (size == 1)].sum())
        unique_wrong += float(weights[~includes_own & (size == 1)].sum())
        uncovered += 0.0 if batch.covering else float(weights.sum())
        if specific:
            narrowed = sets.most_specific(batch)
            by_specific += float((weights * narrowed.contains(own, released) / narrowed.sizes(released)).sum())
    rate = AttackRate(
        successes=right,
        attempts=number,
        baseline=1 / scenario.released.rows,
        control=None if scenario.holdout is None else 0.0,
        exact=scenario.exact,
    )
    return RecordLinkage(
        known=scenario.known,
        rate=rate,
        unique_right=unique_right / number,
        unique_wrong=unique_wrong / number,
        no_possible_record=uncovered / number,
        most_specific=replace(rate, successes=by_specific) if specific else None,
    )


def link_by_counts(aggregates: Aggregates, parameters: AttackParameters) -> RecordLinkage:
    """Link records by counts, for a table in an engine: under global recoding a class of n records adds n times 1/n.

    Raises Unavailable as `require_global_recoding` does.
    """
    sizes = require_global_recoding(aggregates, parameters)
    return RecordLinkage(
        known=known_to_attacker(parameters, aggregates.roles),
        rate=AttackRate(float(sizes.count), sizes.rows, 1 / sizes.rows, None, exact=True),
        unique_right=sizes.of_size(1) / sizes.rows,
        unique_wrong=0.0,
        no_possible_record=0.0,
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> RecordLinkage:
    if not isinstance(aggregates.anonymized, Table):
        return link_by_counts(aggregates, parameters.attack)
    return link_records(attack_scenario(aggregates, parameters))


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.attacks.chart import attack_dumbbell

    return attack_dumbbell({text("record_linkage_attack.title"): result.rate}, result.finding)


RECORD_LINKAGE_ATTACK = Metric(
    id="record_linkage_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{N} \sum_r \frac{[r \in C(r)]}{|C(r)|}",
    reference="J. Domingo-Ferrer, V. Torra, Disclosure risk assessment in statistical microdata protection via "
    "advanced record linkage, Statistics and Computing 13, 2003, doi 10.1023/A:1025666923033",
    compute=_compute,
    settings=("attack",),
    enforcement=Enforcement(
        name="record_linkage",
        title="record linkage",
        node="max_record_linkage",
        gap=lambda found, limit: text("limits.record_linkage", found=found, limit=limit),
        in_repair=False,
    ),
    criterion="linkability",
    charts=(MetricChart(_chart),),
    working=working.WORKING,
)
