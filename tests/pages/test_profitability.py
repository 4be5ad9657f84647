"""The profitability page: every amount and preset moves its figures, and the values at which the verdict changes."""

from dataclasses import replace

from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.break_even import break_even
from metrics.formatting import format_number
from tests.dashboard.application import captions, choose, metric, sample, state_of

AMOUNTS = ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit")
CARDS = ("Publisher's payout", "Records attacked", "Profitability")
# Of four amounts, in the order of the sliders; the presets' names tell them.
PRESETS = {
    "Strict definition (no profitable attack allowed)": (4, 300, 300, 1200),
    "Costly attack: cost 60": (60, 300, 300, 1200),
    "Lucrative records: gain 3,000": (4, 3000, 300, 1200),
    "Heavy fines: loss 3,000 per record": (4, 300, 3000, 1200),
    "Default amounts": (4, 300, 300, 1200),
}


def test_every_amount_moves_profitability_and_the_switch_asks_for_the_strict_definition() -> None:
    app = sample("profitability")
    labels = ("Publisher's payout", "Records attacked", "Free of profitable attacks", "Profitability")
    before = (metric(app, "Profitability"), app.markdown[0].value)
    choose(app, "allow_attack", False)
    assert (metric(app, "Profitability"), app.markdown[0].value) != before
    for key, new in {
        "publisher_loss": 3000.0,
        "publisher_benefit": 500.0,
        "adversary_cost": 100.0,
        "adversary_gain": 0.0,
    }.items():
        seen = [metric(app, label) for label in labels]
        choose(app, key, new)
        assert [metric(app, label) for label in labels] != seen, key
        assert state_of(app).policy.what_if("profitability").parameters.to_dict()["profitability"][key] == new
    assert metric(app, "Free of profitable attacks") == "yes"


def test_presets_set_the_amounts_and_the_payout() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    assert set(app.get_by_key("profit_preset").options) == set(PRESETS)
    seen = [metric(app, label) for label in CARDS]
    for preset, amounts in PRESETS.items():
        choose(app, "profit_preset", preset)
        assert tuple(app.get_by_key(key).value for key in AMOUNTS) == amounts
        before, seen = seen, [metric(app, label) for label in CARDS]
        assert seen != before, preset


def test_the_values_at_which_the_verdict_changes_are_those_of_the_library() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    choose(app, "publisher_loss", 3000.0)
    classes = state_of(app).card("candidate_balanced.csv").aggregates.classes
    points = break_even(classes, replace(ProfitabilityParameters(), publisher_loss=3000.0))
    values = (points.benefit, points.total_benefit, points.loss, points.attack_free_cost, points.attack_free_gain)
    texts = [format_number(value) for value in (*values, points.attack_free_size) if value is not None]
    assert len(texts) == 6
    (table,) = app.table
    assert list(table.value["value"]) == texts


def test_information_loss_changes_the_payout_and_not_the_values_at_which_the_verdict_changes() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    said, payout = "Information loss is not included.", metric(app, "Publisher's payout")
    assert not any(said in one for one in captions(app))
    choose(app, "information_loss", True)
    assert any(said in one for one in captions(app))
    assert metric(app, "Publisher's payout") != payout
