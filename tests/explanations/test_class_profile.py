"""The profile of a class holds the figures of the class table, and says why each fails."""

import pytest

import metrics
from metrics.explanations.class_profile import class_profile
from metrics.metric import ClassMeasure
from tests.support.small_tables import written

TABLE = """
age   illness  stay
20-29 flu      1
20-29 flu      2
30-39 flu      3
30-39 cold     1
30-39 cough    9
40-49 cold     2
"""


def profiles() -> list[dict[tuple[str, str], ClassMeasure]]:
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness", "stay"])
    parameters = metrics.Parameters().with_settings({"profitability.adversary_cost": 150, "t_closeness.t": 0.3})
    card = metrics.score(written(TABLE), roles, parameters=parameters)
    policy = metrics.Policy("own", {"k_anonymity": 3})
    return [
        {(row.measure, row.attribute): row for row in class_profile(card, index, policy)}
        for index in range(len(card.classes))
    ]


def test_the_profile_of_a_class_shows_the_figures_of_that_class() -> None:
    pair, three, one = profiles()
    assert [found[("size", "")].figure for found in (pair, three, one)] == [2, 3, 1]
    assert three[("Highest risk", "")].figure == pytest.approx(1 / 3)
    assert three[("Distinct l-diversity", "illness")].figure == 3
    assert three[("Entropy l-diversity", "illness")].figure == pytest.approx(3)
    assert three[("Recursive (c,l)-diversity", "illness")].figure == pytest.approx(0.5)
    assert pair[("Recursive (c,l)-diversity", "illness")].figure is None
    assert pair[("(α,k)-anonymity", "illness")].figure == 1
    assert pair[("Basic β-likeness", "illness")].figure == 1
    assert pair[("δ-disclosure", "illness")].figure == 1
    assert pair[("t of P_29, variational distance", "illness")].figure == pytest.approx(0.5)
    assert pair[("publisher's expected loss per record", "")].figure == 0
    assert one[("publisher's expected loss per record", "")].figure == 300


def test_failures_are_reported_and_nothing_else_is() -> None:
    pair, three, one = ({key: row.failure for key, row in found.items() if row.failure} for found in profiles())
    assert pair[("size", "")] == "fails the limit (at least 3)"
    assert pair[("Distinct l-diversity", "illness")] == "all records share one value (l = 1)"
    assert pair[("Recursive (c,l)-diversity", "illness")] == "fewer than 2 distinct values: not satisfied for any c"
    assert pair[("t-closeness, equal distance", "illness")] == "exceeds the t-closeness limit (0.3)"
    assert ("attacker's expected gain per record", "") not in pair
    assert one[("size", "")] == "single record"
    assert one[("attacker's expected gain per record", "")] == "exceeds the cost of an attack (150)"
    assert one[("t of P_29, variational distance", "illness")] == "fails the t condition of P_29 (limit 0.5)"
    assert ("size", "") not in three
    assert not [key for key in three if key[0].startswith("Distinct")]


def test_without_sensitive_attributes_size_and_money_remain() -> None:
    card = metrics.score(written(TABLE), metrics.Roles(quasi_identifiers=["age"]))
    assert [row.measure for row in class_profile(card, 0)] == [
        "size",
        "Highest risk",
        "attacker's expected gain per record",
        "publisher's expected loss per record",
        "publisher's payout from the class",
    ]


def test_a_limit_set_for_a_metric_holds_for_each_class() -> None:
    card = metrics.score(written(TABLE), metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"]))
    limits = metrics.Policy("own", {"alpha_k_anonymity": 0.5, "entropy_l_diversity": 2.5, "reidentification_risk": 1.0})
    found = [{row.measure: row.failure for row in class_profile(card, index, limits)} for index in range(3)]
    assert [rows["(α,k)-anonymity"] for rows in found] == [
        "fails the limit (at most 0.5)",
        "",
        "fails the limit (at most 0.5)",
    ]
    assert [rows["Entropy l-diversity"] for rows in found] == [
        "fails the limit (at least 2.5)",
        "",
        "fails the limit (at least 2.5)",
    ]
    assert {rows["Highest risk"] for rows in found} == {""}
