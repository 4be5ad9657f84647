"""The repair that is named beside the candidates, and that every recommendation names the same."""

import pytest

import metrics
from metrics.explanations.decision import decision
from metrics.explanations.judged_candidate import JudgedCandidate, judge_all
from metrics.explanations.recommendation import other_candidate, recommendation
from metrics.explanations.repair_offer import repair_offer
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.texts import text
from tests.report.samples import scored

LIGHT, BALANCED, STRICT = "candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"


@pytest.fixture(scope="module")
def judged() -> dict[str, JudgedCandidate]:
    return judge_all({name: scored(name) for name in (LIGHT, BALANCED, STRICT)}, DEFAULT_POLICY)


def test_a_repair_that_keeps_more_than_the_candidate_to_choose_is_part_of_every_recommendation(
    judged: dict[str, JudgedCandidate],
) -> None:
    offer = repair_offer(judged)
    assert offer is not None
    assert offer.label == LIGHT
    assert offer.information > (judged[BALANCED].information or 1)
    assert offer.summary == text("decision.repair_keeps_more", candidate=LIGHT, information=offer.information)
    assert "(46.9%)" in offer.summary
    assert offer.summary in decision(judged)
    assert recommendation(judged[LIGHT], judged).endswith(offer.summary)
    failing = {LIGHT: judged[LIGHT]}
    alone = text("decision.repair", candidate=LIGHT, information=offer.information)
    assert alone in recommendation(judged[LIGHT], failing)


def test_no_repair_is_offered_that_may_miss_a_limit(judged: dict[str, JudgedCandidate]) -> None:
    assert repair_offer({name: judged[name] for name in (BALANCED, STRICT)}) is None
    beyond = metrics.Policy("Ours", {"k_anonymity": 5, "ambiguity": 0.9})  # a repair enforces no limit on ambiguity
    assert repair_offer(judge_all({LIGHT: scored(LIGHT)}, beyond)) is None


def test_the_candidate_to_choose_instead_is_named(judged: dict[str, JudgedCandidate]) -> None:
    keeps = judged[BALANCED].information
    assert keeps == pytest.approx(0.316, abs=5e-4)
    meets = text("decision.already_meets_and_keeps", best=BALANCED, information=keeps)
    assert other_candidate(judged[LIGHT], judged) == meets
    assert other_candidate(judged[BALANCED], judged) is None
    other = other_candidate(judged[STRICT], judged)
    assert other == text("decision.consider", best=BALANCED, kept="31.6%", instead="25.2%")
