"""The repair that is named beside the versions, and that every recommendation names the same."""

import pytest

import metrics
from metrics.explanations.recommendation import Recommendation, recommend
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.texts import text
from tests.report.samples import scored

LIGHT, BALANCED, STRICT = "candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"


@pytest.fixture(scope="module")
def found() -> Recommendation:
    return recommend({name: scored(name) for name in (LIGHT, BALANCED, STRICT)}, DEFAULT_POLICY)


def test_a_repair_that_keeps_more_than_the_version_to_choose_is_part_of_every_recommendation(
    found: Recommendation,
) -> None:
    offer = found.offer
    assert offer is not None
    assert offer.label == LIGHT
    assert offer.information > (found.versions[BALANCED].information or 1)
    assert offer.summary == text("decision.repair", version=LIGHT, information=offer.information)
    assert "46.9%" in offer.summary
    assert offer.summary in found.choice()
    assert found.of(LIGHT)[-1] == offer.summary
    assert Recommendation({LIGHT: found.versions[LIGHT]}).of(LIGHT)[-1] == offer.summary


def test_no_repair_is_offered_that_may_miss_a_limit(found: Recommendation) -> None:
    assert Recommendation({name: found.versions[name] for name in (BALANCED, STRICT)}).offer is None
    beyond = metrics.Policy("Ours", {"k_anonymity": 5, "ambiguity": 0.9})  # a repair enforces no limit on ambiguity
    assert recommend({LIGHT: scored(LIGHT)}, beyond).offer is None


def test_the_version_to_choose_instead_is_named(found: Recommendation) -> None:
    keeps = found.versions[BALANCED].information
    assert keeps == pytest.approx(0.316, abs=5e-4)
    assert found.instead_of(LIGHT) == found.choice()[0]
    assert found.instead_of(BALANCED) is None
    assert found.instead_of(STRICT) == text("decision.consider", best=BALANCED, kept="31.6%", instead="25.2%")
