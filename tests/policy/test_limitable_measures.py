"""Limits: which figures keep them, and which limits make no sense."""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import InputError, Policy, Roles
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, Outcome, change_text
from metrics.scoring.scorecard import Scorecard
from tests.support.small_tables import table


@pytest.fixture(scope="module")
def card() -> Scorecard:
    """Two classes of two records, k = 2; one holds a single illness, so no c holds for l = 2."""
    anonymized = table({"zip": ["1", "1", "2", "2"], "illness": ["a", "b", "a", "a"]})
    return metrics.score(anonymized, Roles(["zip"], ["illness"]))


def judged(limits: Mapping[str, float | bool], card: Scorecard) -> dict[str, bool | None]:
    """Whether each limit is kept; None where that is not measured."""
    kept = {Outcome.MET: True, Outcome.FAILED: False, Outcome.NOT_MEASURED: None}
    return {one.metric: kept[one.outcome] for one in Policy("own", limits).check(card).limits}


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
    assert judged({identifier: limit}, card) == {identifier: kept}


def test_metrics_without_a_limit_are_not_judged(card: Scorecard) -> None:
    assert judged({}, card) == {}
    assert list(judged({"profitability": True, "k_anonymity": 2}, card)) == ["k_anonymity", "profitability"]


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
        Policy("own", {identifier: limit})


def test_each_limit_is_written_as_at_least_at_most_or_yes() -> None:
    assert LIMITABLE_MEASURES["k_anonymity"].limit_text(5.0) == "at least 5"
    assert LIMITABLE_MEASURES["t_closeness"].limit_text(0.2) == "at most 0.2"
    assert LIMITABLE_MEASURES["no_attack"].limit_text(True) == "yes"
    assert LIMITABLE_MEASURES["t_closeness"].limit_text(2e-5) == "at most 0.00002"
    assert LIMITABLE_MEASURES["reidentification_risk"].limit_text(1e-7) == "at most 0.00001%"


@given(st.floats(1e-7, 1e9), st.sampled_from(["k_anonymity", "t_closeness", "reidentification_risk", "suppression"]))
def test_no_limit_is_written_with_an_e(limit: float, identifier: str) -> None:
    assert not re.search(r"e[+-]?\d", LIMITABLE_MEASURES[identifier].limit_text(limit))


@pytest.mark.parametrize(
    ("identifier", "value", "before", "change"),
    [
        ("k_anonymity", 10, 1, "+9"),
        ("non_uniform_entropy", 0.7166, 0.7271, "−1 pp"),
        ("t_closeness", 0.87978, 0.49604, "+0.384"),
        ("t_closeness", 0.49601, 0.49604, ""),
        ("t_closeness", 0.5, None, ""),
        ("profitability", True, False, "from no"),
        ("profitability", True, True, ""),
    ],
)
def test_a_change_is_that_of_the_figures_as_they_are_shown(
    identifier: str, value: float | bool, before: float | bool | None, change: str
) -> None:
    assert change_text(identifier, value, before) == change
