"""Membership: how much more often released records cover people of the original than people who are not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates
from metrics.attacks.knowledge.possible_records import PossibleRecords
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.membership import working
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.metric import AttackRow, Direction, Family, Metric, Result
from metrics.texts import text

_EVIDENCE = 0.1
"""Difference from which a match is called evidence."""


@dataclass(frozen=True)
class Membership(Result):
    """`value` is the share of targets whom a released record covers minus the same share of the hold-out people."""

    known: tuple[str, ...]
    targets: float
    holdout: float
    exact: bool

    @property
    def value(self) -> float:
        """The difference, -1 to 1; 0 if coverage says nothing about membership."""
        return self.targets - self.holdout

    def details(self) -> dict[str, Any]:
        """Both shares."""
        return {
            "known": list(self.known),
            "covered_targets": self.targets,
            "covered_holdout": self.holdout,
            "baseline": 0.0,
            "control": self.holdout,
            "exact": self.exact,
        }

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The difference, in a chart of attacks: without the table it is 0."""
        return (AttackRow(title, self.value, 0.0, remarks=(self.summary(),)),)

    def summary(self) -> str:
        if self.value < _EVIDENCE:
            return text("membership_attack.little", inside=self.targets, outside=self.holdout)
        return text("membership_attack.evidence", inside=self.targets, outside=self.holdout)


def detect_members(scenario: AttackScenario) -> Membership:
    """The share of targets with a covering possible record minus that of hold-out people.

    Raises Unavailable without a hold-out table.
    """
    if scenario.holdout is None:
        if scenario.aggregates.holdout is None:
            raise Unavailable(text("membership_attack.unavailable.no_holdout"))
        raise Unavailable(text("membership_attack.unavailable.unusable_holdout"))
    scenario = scenario.limit_work(scenario.known)
    assert scenario.holdout is not None
    targets = _covered_share(scenario.possible_records(scenario.targets, scenario.known))
    holdout = _covered_share(scenario.possible_records(scenario.holdout, scenario.known))
    return Membership(scenario.known, targets, holdout, scenario.exact)


def _covered_share(sets: PossibleRecords) -> float:
    """The share of people whom a released record covers."""
    return int((sets.covering_records() > 0)[sets.row_of_person].sum()) / sets.count


def _compute(aggregates: Aggregates, parameters: Parameters) -> Membership:
    return detect_members(attack_scenario(aggregates, parameters))


MEMBERSHIP_ATTACK = Metric(
    id="membership_attack",
    family=Family.ATTACKS,
    minimum=-1,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{|\{r : C(r) \ne \emptyset\}|}{N} - \frac{|\{h : C(h) \ne \emptyset\}|}{H}",
    reference="S. Yeom et al., Privacy risk in machine learning: analyzing the connection to overfitting, CSF 2018, "
    "doi 10.1109/CSF.2018.00027 (membership advantage)",
    compute=_compute,
    settings=("attack",),
    about_holdout=True,
    working=working.WORKING,
)
