"""The profitability page: every amount moves its figures."""

from tests.dashboard.application import (
    choose,
    metric,
    sample,
    state_of,
)


def test_every_amount_moves_profitability_and_the_switch_asks_for_the_strict_definition() -> None:
    app = sample("profitability")
    labels = ("Publisher's payout", "Records attacked", "Free of attacks", "Profitability")
    before = (metric(app, "Profitability"), app.markdown[0].value)
    choose(app, "allow_attack", False)
    assert (metric(app, "Profitability"), app.markdown[0].value) != before
    for key, amount in {
        "publisher_loss": 3000.0,
        "publisher_benefit": 500.0,
        "adversary_cost": 100.0,
        "adversary_gain": 0.0,
    }.items():
        seen = [metric(app, label) for label in labels]
        choose(app, key, amount)
        assert [metric(app, label) for label in labels] != seen, key
        assert state_of(app).parameters.to_dict()["profitability"][key] == amount
    assert metric(app, "Free of attacks") == "yes"
