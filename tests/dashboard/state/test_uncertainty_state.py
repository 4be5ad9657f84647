"""Halves scored in the background: kept for the same versions and settings, ended when stopped."""

from dataclasses import replace

import pytest

from dashboard.state.uncertainty_state import UncertaintyState
from metrics import Parameters, Roles, Scorecard, score
from tests.support.small_tables import table

ROWS = 60
METRICS = ("granularity",)


@pytest.fixture
def cards() -> dict[str, Scorecard]:
    cells = {"age": [str(number % 12) for number in range(ROWS)], "illness": ["flu", "cold"] * (ROWS // 2)}
    original = table(cells)
    roles = Roles(quasi_identifiers=["age"], sensitive=["illness"])
    return {label: score(original, roles, original=original) for label in ("one", "other")}


def test_what_was_found_is_that_of_the_same_cards_and_metrics(cards: dict[str, Scorecard]) -> None:
    state = UncertaintyState()
    assert state.found(cards, METRICS) is None
    state.begin(cards, METRICS)
    scoring = state.scoring(dict(cards), METRICS)
    assert scoring is not None
    assert scoring.job.ended(60)
    found = state.found(cards, METRICS)
    assert found is not None
    assert found.better("one", "other", "granularity") == 0.5
    changed = replace(cards["one"], parameters=Parameters().with_settings({"p29.t_max": 0.4}))
    assert state.scoring(cards | {"one": changed}, METRICS) is None
    assert state.scoring(cards, ["k_anonymity"]) is None


def test_stopping_ends_the_work_and_forgets_it(cards: dict[str, Scorecard]) -> None:
    state = UncertaintyState()
    state.begin(cards, METRICS)
    scoring = state.scoring(cards, METRICS)
    assert scoring is not None
    state.stop()
    assert scoring.job.ended(60)
    assert state.scoring(cards, METRICS) is None
    assert scoring.share < 1
