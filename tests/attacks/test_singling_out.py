"""Singling out people of a release whose records belong to nobody in particular."""

import pandas as pd
import pytest

import metrics
from metrics.attacks.singling_out import SinglingOut
from metrics.config.parameters import Parameters
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import score_metric

ORIGINAL = pd.DataFrame({"age": ["31", "32", "47", "47"], "illness": ["flu", "cold", "ulcer", "ulcer"]})
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])


@pytest.mark.parametrize(
    ("ages", "illnesses", "share"),
    [
        (["31", "32", "47"], ["flu", "cold", "ulcer"], 2 / 3),  # two people are 47 with an ulcer
        (["31", "31", "50"], ["flu", "flu", "cold"], 0.0),  # two records say the same; nobody is 50
        (
            ["30-39", "32", "47", "32", "47", "47"],
            ["flu", "flu", "ulcer", "cold", "ulcer", "flu"],
            1 / 6,
        ),  # 32 is 30-39 and has flu, too
    ],
)
def test_records_need_not_be_matched(ages: list[str], illnesses: list[str], share: float) -> None:
    card = metrics.score(pd.DataFrame({"age": ages, "illness": illnesses}), ROLES, original=ORIGINAL)
    assert card["record_linkage_attack"].value is None
    result = score_metric(BY_ID["singling_out_attack"], card.aggregates, Parameters()).result
    assert isinstance(result, SinglingOut)
    assert result.class_and_value["illness"] == pytest.approx(share, abs=1e-12)
    assert result.rate.attempts > 0
