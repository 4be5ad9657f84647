"""A version's status under a policy, and the figures by which it is compared with others."""

from dataclasses import replace

import pytest

import metrics
from metrics.explanations.checked_version import CheckedVersion, share_of
from metrics.explanations.recommendation import recommend
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import INFORMATION
from tests.support.small_tables import Cells, table

AGES: Cells = ["31", "35", "42", "48"]
SEXES: Cells = ["m", "f", "m", "f"]
ROLES = metrics.Roles(["age", "sex"])


def judged(ages: Cells, policy: Policy, *, alone: bool = False) -> CheckedVersion:
    original = None if alone else table({"age": AGES, "sex": SEXES})
    card = metrics.score(table({"age": ages, "sex": SEXES}), ROLES, original=original)
    return recommend({"one": card}, policy).versions["one"]


def test_unmet_limits_end_with_those_that_were_not_measured() -> None:
    policy = Policy("own", {"distinct_l_diversity": 2, "k_anonymity": 3, "reidentification_risk": 1.0})
    found = judged(["30-39", "30-39", "40-49", "40-49"], policy)
    assert found.status is Status.FAILS
    assert [limit.metric for limit in found.unmet] == ["k_anonymity", "distinct_l_diversity"]
    assert found.limit_on("k_anonymity") == replace(found.unmet[0], also=None)
    assert found.limit_on("t_closeness") is None


def test_risk_and_information_are_those_of_the_scorecard() -> None:
    """Each sex is alone in its decade; the decade leaves one of two bits of the age, the sex all of its one bit."""
    found = judged(["30-39", "30-39", "40-49", "40-49"], Policy("own", {"k_anonymity": 1}))
    assert found.status is Status.MEETS
    assert (found.risk, found.average_risk) == (1, 1)
    assert found.information == share_of(found.card, INFORMATION) == pytest.approx(2 / 3)
    uneven = judged(["*", "*", "*", "48"], Policy("own", {"k_anonymity": 1}))
    assert (uneven.risk, uneven.average_risk) == (1, 0.75)  # two men are alike


def test_information_that_counts_perturbed_values_as_kept_is_not_known() -> None:
    found = judged(["32", "34", "43", "47"], Policy("own", {"k_anonymity": 1}))
    assert found.is_overstated(INFORMATION)
    assert found.information is None
    assert share_of(found.card, INFORMATION) == 1


def test_without_an_original_there_is_no_information() -> None:
    found = judged(AGES, Policy("own", {"k_anonymity": 1}), alone=True)
    assert (found.information, share_of(found.card, INFORMATION)) == (None, None)


def test_without_records_the_average_risk_is_the_worst() -> None:
    card = metrics.score(table({"age": ["*"], "sex": ["*"]}), ROLES)
    found = recommend({"one": card}, Policy("own", {"k_anonymity": 1})).versions["one"]
    assert (found.risk, found.average_risk) == (None, 1)
    assert share_of(card, "reidentification_risk") is None


def test_every_version_is_judged_under_its_label() -> None:
    card = metrics.score(table({"age": ["31", "31"], "sex": ["m", "m"]}), ROLES)
    found = recommend({"first": card, "second": card}, Policy("own", {"k_anonymity": 2})).versions
    assert {label: one.label for label, one in found.items()} == {"first": "first", "second": "second"}
    assert all(one.status is Status.MEETS for one in found.values())
