"""Profitability where amounts are equal: decided in the decimals that the user wrote, not in binary floats."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, score
from metrics.config.parameters import ProfitabilityParameters
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.texts import text
from tests import oracle
from tests.support.against_oracle import near, no_class
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import table, written


def test_worked_example() -> None:
    amounts = {"adversary_cost": 4, "adversary_gain": 10, "publisher_benefit": 120, "publisher_loss": 300}
    parameters = Parameters().with_settings({f"profitability.{name}": amount for name, amount in amounts.items()})
    released = written("age\n20-29\n20-29\n30-39\n30-39\n30-39")
    found = score(released, Roles(["age"]), parameters=parameters)["profitability"]
    # 10 / 2 exceeds the cost of 4, 10 / 3 does not: the first two are attacked, each at a risk of 300 / 2 > 120.
    assert found.details["records_attacked"] == 2
    assert found.details["publisher_payout"] == 5 * 120 - 2 * 300 / 2
    assert found.value is False


def of_one_class(records: int, **given: Any) -> dict[str, Any]:
    parameters = Parameters(profitability=ProfitabilityParameters(**given))
    found = score(table({"q": ["a"] * records}), Roles(quasi_identifiers=["q"]), parameters=parameters)
    return {"value": found["profitability"].value, **found["profitability"].details}


# 0.3/0.1, 0.7/0.1, 1.1/0.1 and 4.35/0.01 are 3, 7, 11 and 435; in doubles each lies just beside.
@pytest.mark.parametrize(
    ("dear", "cheap", "times"), [(0.3, 0.1, 3), (0.7, 0.1, 7), (1.1, 0.1, 11), (4.35, 0.01, 435), (6, 2, 3)]
)
def test_no_attack_happens_if_the_gain_exactly_equals_the_cost(dear: float, cheap: float, times: int) -> None:
    for records in (times - 1, times, times + 1):
        found = of_one_class(records, adversary_gain=dear, adversary_cost=cheap)
        assert found["records_attacked"] == (records if records < times else 0)
        assert found["no_attack"] is (records > times)
        assert found["attack_free_size"] == times + 1


@pytest.mark.parametrize(("dear", "cheap", "times"), [(0.3, 0.1, 3), (0.7, 0.1, 7), (4.35, 0.01, 435), (6, 2, 3)])
def test_publishing_is_not_profitable_if_the_loss_equals_the_benefit(dear: float, cheap: float, times: int) -> None:
    for records in (times - 1, times, times + 1):
        found = of_one_class(records, adversary_cost=0, publisher_loss=dear, publisher_benefit=cheap)
        assert found["records_attacked"] == records
        assert found["value"] is found["basic"] is (records > times)
        assert found["publisher_payout"] == pytest.approx(records * cheap - dear, abs=1e-12)


def test_free_attacks_always_happen_and_worthless_ones_never() -> None:
    free = of_one_class(10**4, adversary_cost=0)
    assert (free["no_attack"], free["attack_free_size"], free["records_attacked"]) == (False, None, 10**4)
    worthless = of_one_class(1, adversary_gain=0, allow_attack=False)
    assert (worthless["value"], worthless["attack_free_size"], worthless["records_attacked"]) == (True, 1, 0)
    nothing = of_one_class(5, adversary_gain=0, publisher_benefit=0)
    assert (nothing["value"], nothing["publisher_payout"]) == (False, 0)


def test_the_strict_definition_requires_a_profit_and_no_attack() -> None:
    assert of_one_class(76, allow_attack=False)["value"] is True
    assert of_one_class(75, allow_attack=False)["value"] is False
    assert of_one_class(75, allow_attack=True)["value"] is True
    assert of_one_class(76, allow_attack=False, publisher_benefit=0)["value"] is False


@pytest.mark.parametrize("amount", [1e15, 1e-300, 5e-324])
def test_extreme_amounts_stay_finite(amount: float) -> None:
    for name in ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit"):
        assert abs(of_one_class(3, **{name: amount})["publisher_payout"]) < 1e17


def test_a_verdict_of_no_names_its_reason_without_an_attack_too() -> None:
    parameters = Parameters(profitability=ProfitabilityParameters(adversary_gain=0, publisher_benefit=0))
    found = score(table({"q": ["a"] * 5}), Roles(quasi_identifiers=["q"]), parameters=parameters)["profitability"]
    assert found.value is False
    assert found.summary() == text("profitability.no_benefit", unprofitable=5)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_profitable_attack_is_a_weakness_that_the_settings_allow_or_not(allowed: bool) -> None:
    parameters = Parameters(profitability=ProfitabilityParameters(publisher_benefit=1000, allow_attack=allowed))
    card = score(table({"q": ["a"] * 5}), Roles(quasi_identifiers=["q"]), parameters=parameters)
    amounts = text("profitability.own_amounts")
    accepted = "" if allowed else text("profitability.not_accepted")
    expected = text("profitability.attacked_all", amounts=amounts, gain=300, cost=4, records=5, accepted=accepted)
    assert card["profitability"].summary().startswith(expected)
    assert said(card, FindingKind.PROFITABLE_ATTACK) == expected


amounts = st.one_of(st.integers(0, 40).map(str), st.integers(0, 4000).map(lambda cents: f"{cents / 100:.2f}"))


@st.composite
def costs(draw: st.DrawFn) -> dict[str, str]:
    """Four amounts; often such that gain/cost or loss/benefit is a whole number, where comparisons are equalities."""
    cost, benefit = draw(amounts), draw(amounts)
    times = st.integers(0, 6)
    gain = str(Fraction(cost) * draw(times)) if draw(st.booleans()) else draw(amounts)
    loss = str(Fraction(benefit) * draw(times)) if draw(st.booleans()) else draw(amounts)
    given = {"adversary_cost": cost, "adversary_gain": gain, "publisher_loss": loss, "publisher_benefit": benefit}
    return {name: f"{float(Fraction(amount)):.2f}" for name, amount in given.items()}


@given(sensitive_scenes(), costs(), st.booleans())
def test_the_payout_and_the_records_attacked_equal_those_of_the_oracle(
    scene: Scene, given: dict[str, str], allow_attack: bool
) -> None:
    settings = {f"profitability.{name}": amount for name, amount in given.items()}
    card = scene.score("profitability", **settings, **{"profitability.allow_attack": allow_attack})
    if no_class(card, scene):
        return
    expected = oracle.profitability(scene.records, scene.quasi_identifiers, **given, allow_attack=allow_attack)
    event(f"holds: {expected.holds}, free of attacks: {expected.no_attack}")
    score = card["profitability"]
    assert score.value is expected.holds
    details = score.details
    assert (details["basic"], details["no_attack"]) == (expected.basic, expected.no_attack)
    assert details["records_attacked"] == expected.records_attacked
    assert details["publisher_payout"] == near(expected.publisher_payout)
    result: Any = score.result
    assert math.fsum(result.payout) == near(expected.publisher_payout)
    assert int((result.sizes * result.attacked).sum()) == expected.records_attacked
