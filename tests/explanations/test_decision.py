"""Why a table fails, and the rows that compare candidates."""

import pandas as pd

import metrics
from metrics.explanations.decision import judge_all, judged_rows, reasons

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
FRAME = pd.DataFrame({"age": ["30-39"] * 3, "illness": ["a", "b", "b"]})


def test_a_failing_status_is_explained_by_the_limits_that_fail() -> None:
    policy = metrics.Policy("Ours", {"k_anonymity": 5, "distinct_l_diversity": 2, "t_closeness": 0.5})
    own = judge_all({"one": metrics.score(FRAME, ROLES)}, policy)["one"]
    (only,) = reasons(own)
    assert only.startswith("k-anonymity: 3; the policy requires at least 5.")


def test_a_met_status_is_explained_by_the_limits_that_are_met() -> None:
    policy = metrics.Policy("Ours", {"k_anonymity": 2, "distinct_l_diversity": 2})
    own = judge_all({"one": metrics.score(FRAME, ROLES)}, policy)["one"]
    assert len(reasons(own)) == 2


def test_whether_attacking_pays_is_said_in_these_words() -> None:
    costly = metrics.Parameters().with_settings({"profitability.adversary_cost": 1000})
    cards = {"cheap": metrics.score(FRAME, ROLES), "costly": metrics.score(FRAME, ROLES, parameters=costly)}
    rows = {
        title: [text for text, _ in cells]
        for title, _, cells in judged_rows(judge_all(cards, metrics.Policy("None", {})))
    }
    assert rows["Attacking pays"] == ["yes", "no"]
    assert "Publishing is profitable" not in rows


def test_amounts_that_nobody_chose_decide_nothing() -> None:
    cards = {"one": metrics.score(FRAME, ROLES)}
    without, with_limit = metrics.Policy("None", {}), metrics.Policy("No attack", {"no_attack": True})
    assert "Attacking pays" not in [title for title, *_ in judged_rows(judge_all(cards, without))]
    assert "No attack pays" in [title for title, *_ in judged_rows(judge_all(cards, with_limit))]
