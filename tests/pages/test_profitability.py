"""The profitability page: every amount and scenario moves its answer, and the values at which the verdict changes."""

import re
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.break_even import break_even
from metrics.formatting import format_number
from metrics.texts import text
from tests.dashboard.application import captions, choose, sample, state_of

AMOUNTS = ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit")
# Of four amounts, in the order of the sliders; the scenarios' names tell them.
SCENARIOS = {
    "Strict definition (no profitable attack allowed)": (4, 300, 300, 1200),
    "Costly attack: cost 60": (60, 300, 300, 1200),
    "Lucrative records: gain 3,000": (4, 3000, 300, 1200),
    "Heavy fines: loss 3,000 per record": (4, 300, 3000, 1200),
    "Default amounts": (4, 300, 300, 1200),
}


def answer(app: AppTest) -> str:
    """The sentence at the top, without what makes numbers bold and isolates them."""
    return re.sub(r"[*\\\u2066-\u2069]", "", app.markdown[0].value)


def test_the_answer_has_the_four_amounts_and_what_follows() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_light.csv")
    said = "An attacker who spends 4 to win 300 attacks 10,000 of 10,000 records; you earn 1,200 per record, "
    assert answer(app) == f"{said}lose 300 when one is found, and keep 11.3 million."
    choose(app, "profitability_currency", "€")
    assert "you earn 1,200 € per record" in answer(app)
    choose(app, "allow_attack", False)
    assert answer(app).endswith(text("profitability.strict_not_met"))


def test_every_amount_is_set_by_its_slider_and_by_its_field() -> None:
    app = sample("profitability")
    for key, new in {"publisher_loss": 3000.0, "publisher_benefit": 500.0, "adversary_cost": 100.0}.items():
        for control, value in ((key, new), (f"{key}_field", new / 4)):
            seen = answer(app)
            choose(app, control, value)
            assert answer(app) != seen, control
            assert app.get_by_key(key).value == app.get_by_key(f"{key}_field").value == value
            settings = state_of(app).policy.what_if("profitability").parameters.to_dict()["profitability"]
            assert settings[key] == value
    choose(app, "adversary_gain_field", 123_456.0)
    assert app.get_by_key("adversary_gain").value == 123_456
    choose(app, "adversary_gain", 0.0)
    assert "attacks 0 of" in answer(app)


def test_only_the_field_in_hand_counts_where_a_slow_browser_sends_older_values() -> None:
    app = sample("profitability")
    app.session_state["control_in_hand"] = "adversary_cost"
    app.get_by_key("adversary_cost").set_value(60.0)
    app.get_by_key("adversary_cost_field").set_value(5.0)
    app.run()
    assert app.get_by_key("adversary_cost").value == app.get_by_key("adversary_cost_field").value == 60


def test_records_that_break_even_are_stated_once() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_strict.csv")
    smallest = int(state_of(app).card("candidate_strict.csv").aggregates.classes.sizes.min())
    choose(app, "adversary_cost", 1.0)
    choose(app, "adversary_gain_field", float(smallest))
    assert answer(app).endswith("exactly break even.")
    assert answer(app).startswith("An attacker who spends 1 ")


def test_scenarios_set_the_amounts_and_the_answer() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    assert set(app.get_by_key("profit_preset").options) == set(SCENARIOS)
    seen = answer(app)
    for scenario, amounts in SCENARIOS.items():
        choose(app, "profit_preset", scenario)
        assert tuple(app.get_by_key(key).value for key in AMOUNTS) == amounts
        before, seen = seen, answer(app)
        assert seen != before, scenario


def test_the_values_at_which_the_verdict_changes_are_those_of_the_library() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    choose(app, "publisher_loss", 3000.0)
    choose(app, "profitability_view", "Break-even values")
    classes = state_of(app).card("candidate_balanced.csv").aggregates.classes
    points = break_even(classes, replace(ProfitabilityParameters(), publisher_loss=3000.0))
    values = (points.benefit, points.total_benefit, points.loss, points.attack_free_cost, points.attack_free_gain)
    texts = [format_number(value) for value in (*values, points.attack_free_size) if value is not None]
    assert len(texts) == 6
    (table,) = app.table
    assert list(table.value["value"]) == texts


def test_information_loss_changes_the_payout_and_not_the_values_at_which_the_verdict_changes() -> None:
    app = choose(sample("profitability"), "candidate", "candidate_balanced.csv")
    choose(app, "profitability_view", "Break-even values")
    said, payout = "Information loss is not included.", answer(app)
    assert not any(said in one for one in captions(app))
    choose(app, "information_loss", True)
    assert any(said in one for one in captions(app))
    assert answer(app) != payout
