"""What is said of a table in which no class violates a limit, and when that is no all-clear."""

from typing import Any

import pytest

from metrics.candidates.limits.enforced import K, L, T
from metrics.candidates.repair.summary import no_violations_summary
from metrics.config.parameters import P29Parameters
from metrics.metric import ABOVE_ZERO
from metrics.texts import text


@pytest.mark.parametrize(
    ("limits", "met", "missing"),
    [
        ({K: 2, L: 2, T: 0.5}, "k of at least 2, l of at least 2 and t of at most 0.5", None),
        ({K: 5, L: 1, T: 1}, "k of at least 5", "l and t have"),
        ({K: 1, T: 0.2, "entropy_l_diversity": 1.5}, "t of at most 0.2 and entropy l of at least 1.5", "k has"),
        ({"p29": ABOVE_ZERO}, "P_29 above 0", None),
        (
            {K: 3, "normalized_entropy_l_diversity": 0.1},
            "k of at least 3 and normalized entropy of at least 0.1",
            "t has",
        ),
        ({"no_attack": True}, text("repair.limit.no_attack"), "k, l and t have"),
    ],
)
def test_an_all_clear_names_the_limits_that_every_class_meets(
    limits: dict[str, Any], met: str, missing: str | None
) -> None:
    sentence, complete = no_violations_summary(limits, P29Parameters())
    assert complete is (missing is None)
    rest = "; there is nothing to repair." if missing is None else f". {missing} no limit, so "
    assert sentence.startswith(f"Every class meets {met}{rest}")


def test_p29_without_a_limit_on_t_is_no_all_clear() -> None:
    assert no_violations_summary({"p29": ABOVE_ZERO}, P29Parameters(t_max=1)) == (
        "Every class meets P_29 above 0. t has no limit, so classes may still disclose what it would prevent.",
        False,
    )


def test_limits_that_no_class_can_miss_are_no_all_clear() -> None:
    sentence, complete = no_violations_summary({K: 1, L: 1, T: 1}, P29Parameters())
    assert not complete
    assert sentence.startswith("No limit is set that a class could fail. k, l and t have no limit")
