"""What is said of a table in which no class violates a limit, and when that is no all-clear."""

from typing import Any

import pytest

from metrics.candidates.limits.enforced import K, L, T
from metrics.candidates.repair.summary import no_violations_summary
from metrics.config.parameters import P29Parameters
from metrics.formatting import join_names
from metrics.metric import ABOVE_ZERO
from metrics.texts import text

OF_T = text("repair.limit.t", limit=0.5)


@pytest.mark.parametrize(
    ("limits", "met", "missing"),
    [
        ({K: 2, L: 2, T: 0.5}, [text("repair.limit.k", limit=2), text("repair.limit.l", limit=2), OF_T], []),
        ({K: 5}, [text("repair.limit.k", limit=5)], ["l", "t"]),
        ({K: 5, L: 1, T: 1}, [text("repair.limit.k", limit=5)], ["l", "t"]),  # which no class can miss
        ({T: 0.5, "entropy_l_diversity": 1.5}, [OF_T, text("repair.limit.entropy_l", limit=1.5)], ["k"]),
        ({"p29": ABOVE_ZERO}, [text("repair.limit.p29_above_zero")], []),
        ({T: 0.5, "normalized_entropy_l_diversity": 0.1}, [OF_T, text("repair.limit.normalized_l", limit=0.1)], ["k"]),
        ({"no_attack": True}, [text("repair.limit.no_attack")], ["k", "l", "t"]),
    ],
)
def test_an_all_clear_names_the_limits_that_every_class_meets(
    limits: dict[str, Any], met: list[str], missing: list[str]
) -> None:
    sentence, complete = no_violations_summary(limits, P29Parameters())
    assert complete is (not missing)
    if complete:
        assert sentence == text("repair.nothing_to_repair", limits=join_names(met))
    else:
        assert sentence == f"{text('repair.limits_met', limits=join_names(met))} {without_limit(*missing)}"


def without_limit(*criteria: str) -> str:
    return text("repair.criteria_without_limit", criteria=join_names(criteria), number=len(criteria))


def test_p29_without_a_limit_on_t_is_no_all_clear() -> None:
    met = text("repair.limits_met", limits=text("repair.limit.p29_above_zero"))
    assert no_violations_summary({"p29": ABOVE_ZERO}, P29Parameters(t_max=1)) == (f"{met} {without_limit('t')}", False)


def test_limits_that_no_class_can_miss_are_no_all_clear() -> None:
    sentence, complete = no_violations_summary({K: 1, L: 1, T: 1}, P29Parameters())
    assert not complete
    assert sentence == f"{text('repair.no_limit')} {without_limit('k', 'l', 't')}"
