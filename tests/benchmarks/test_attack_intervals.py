"""The benchmark of intervals: what it counts as missed, and that Wilson's interval holds what it should."""

from dataclasses import dataclass

import pytest

from benchmarks.attack_intervals import attacked, missed
from metrics.attacks.knowledge.scenario import AttackScenario
from metrics.attacks.rates import AttackRate
from metrics.attacks.record_linkage.measure import link_records


@dataclass(frozen=True)
class AttackResult:
    """What an attack finds."""

    rate: AttackRate

    @property
    def value(self) -> float:
        return self.rate.value


@pytest.fixture(scope="module")
def light() -> AttackScenario:
    return attacked("candidate_light.csv")


def test_an_interval_beside_the_truth_is_counted(light: AttackScenario) -> None:
    def biased(scenario: AttackScenario) -> AttackResult:
        """Succeeds with everybody if all are attacked, else with nobody."""
        return AttackResult(
            AttackRate(scenario.targets.rows if scenario.exact else 0, scenario.targets.rows, 0.0, None, scenario.exact)
        )

    assert missed(light, biased, 200, 3) == 1


def test_at_most_7_percent_of_the_95_percent_intervals_miss_the_true_attack_rate(light: AttackScenario) -> None:
    assert missed(light, link_records, 500, 60) <= 0.07
