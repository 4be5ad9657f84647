"""Limits: which figures keep them, and which limits make no sense."""

import pytest

import metrics
from metrics import InputError, Roles, Thresholds
from metrics.policy.thresholds import wanted
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard
from tests.support.small_tables import table


@pytest.fixture(scope="module")
def card() -> Scorecard:
    """Two classes of two records, k = 2; one holds a single illness, so no c holds for l = 2."""
    anonymized = table({"zip": ["1", "1", "2", "2"], "illness": ["a", "b", "a", "a"]})
    return metrics.score(anonymized, Roles(["zip"], ["illness"]))


@pytest.mark.parametrize(
    ("identifier", "limit", "kept"),
    [
        ("k_anonymity", 1, True),
        ("k_anonymity", 2, True),
        ("k_anonymity", 2.5, False),
        ("t_closeness", 0.25, True),
        ("t_closeness", 0.2, False),
        ("profitability", True, True),
        ("recursive_cl_diversity", 100, False),
        ("non_uniform_entropy", 0.5, None),
    ],
)
def test_a_limit_is_judged_by_the_metrics_direction(
    card: Scorecard, identifier: str, limit: float | bool, kept: bool | None
) -> None:
    assert Thresholds({identifier: limit}).judge(card) == {identifier: kept}


def test_metrics_without_a_limit_are_not_judged(card: Scorecard) -> None:
    assert Thresholds().judge(card) == {}
    several = Thresholds({"profitability": True, "k_anonymity": 2})
    assert list(several.judge(card)) == ["k_anonymity", "profitability"]
    assert several.with_limit("profitability", None) == Thresholds({"k_anonymity": 2.0})
    assert several.with_limit("k_anonymity", 3).limits == {"profitability": True, "k_anonymity": 3.0}
    assert several.limits["k_anonymity"] == 2


@pytest.mark.parametrize(
    ("identifier", "limit"),
    [
        ("p30", 1),
        ("p29", 1.01),
        ("p29", -0.1),
        ("p29", float("nan")),
        ("p29", True),
        ("k_anonymity", 0),
        ("k_anonymity", float("inf")),
        ("profitability", False),
        ("profitability", 1),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(identifier: str, limit: float | bool) -> None:
    with pytest.raises(InputError):
        Thresholds({identifier: limit})


def test_each_limit_is_written_as_at_least_at_most_or_yes() -> None:
    said = {
        name: wanted(BY_ID[name], limit) for name, limit in Thresholds({"k_anonymity": 5, "p29": 0.5}).limits.items()
    }
    assert said == {"k_anonymity": "at least 5", "p29": "at least 0.5"}
    assert wanted(BY_ID["t_closeness"], 0.2) == "at most 0.2"
    assert wanted(BY_ID["profitability"], True) == "yes"
