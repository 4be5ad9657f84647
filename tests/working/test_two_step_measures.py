"""Derivations of what compares distributions, numbers and associations, on tables of every kind."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, score
from metrics.errors import Unavailable
from metrics.scoring.working import working
from tests.properties.test_catalog import EXTREMES, TREES, candidates, tables
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, table
from tests.working.formulas import assert_sound

MEASURES = ["kl_divergence", "variance_preserved", "distribution_distance", "association_change", "utility_bias"]
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s", "S"])


def assert_derives(card: Any) -> None:
    for metric_id in MEASURES:
        if card[metric_id].result is None:
            with pytest.raises(Unavailable) as caught:
                working(card, metric_id)
            assert str(caught.value) == card[metric_id].unavailable
            continue
        made = working(card, metric_id)
        assert made.subject == "the whole table"
        assert made.result == pytest.approx(card[metric_id].value, rel=1e-12, abs=1e-12)
        assert_sound(made)
        assert card[metric_id].summary().endswith(".")


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("statistic", ["mean", "median", "share"])
def test_workings_of_pair_measures_end_at_the_score_for_extreme_tables(name: str, statistic: str) -> None:
    anonymized, before = tables(EXTREMES[name])
    parameters = Parameters().with_settings({"utility_bias.statistic": statistic})
    for hierarchies in ({}, TREES):
        card = score(
            anonymized, ROLES, original=before, hierarchies=hierarchies, parameters=parameters, metrics=MEASURES
        )
        assert_derives(card)


@given(pair_scenes(20))
def test_workings_of_pair_measures_end_at_the_score_for_random_tables(scene: Scene) -> None:
    assert_derives(score(table(scene.anonymized), scene.roles, original=table(scene.original), metrics=MEASURES))


@given(candidates(), st.sampled_from(["mean", "median", "count", "share", "correlation"]))
def test_workings_of_pair_measures_end_at_the_score_with_sensitive_attributes(
    candidate: tuple[dict[str, Cells], dict[str, Cells]], statistic: str
) -> None:
    before, after = candidate
    parameters = Parameters().with_settings({"utility_bias.statistic": statistic, "utility_bias.other": "S"})
    assert_derives(score(table(after), ROLES, original=table(before), parameters=parameters, metrics=MEASURES))
