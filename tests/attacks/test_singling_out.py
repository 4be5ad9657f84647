"""Singling out: against trying predicates one by one, and where released records belong to nobody in particular."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import metrics
from metrics import Parameters
from metrics.attacks.singling_out import SinglingOut
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import score_metric
from metrics.texts import text
from tests.attacks.scenes import KNOWN, TREE, Scene, near, scenes
from tests.explanations.workings.formulas import assert_derives
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples

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
def test_singling_out_needs_no_matched_records(ages: list[str], illnesses: list[str], share: float) -> None:
    card = metrics.score(pd.DataFrame({"age": ages, "illness": illnesses}), ROLES, original=ORIGINAL)
    assert card["record_linkage_attack"].value is None
    result = score_metric(BY_ID["singling_out_attack"], card.aggregates, Parameters()).result
    assert isinstance(result, SinglingOut)
    assert result.class_and_value["illness"] == pytest.approx(share, abs=1e-12)
    knowledge = text("singling_out_attack.by_value", column="illness")
    assert (result.in_short == text("singling_out_attack.of_records", share=share, knowledge=knowledge)) == (share > 0)
    assert result.in_title == text("singling_out_attack.in_title", share=share, value=result.value)
    assert result.rate.attempts > 0


@fewer_examples()
@given(scenes(8))
def test_the_singling_out_rate_equals_that_of_trying_every_predicate(scene: Scene) -> None:
    card = scene.score("singling_out_attack", holdout=True)
    found = card["singling_out_attack"]
    usable = list(scene.released)
    classes = [[*KNOWN, name] for name in ("illness", "days")]
    expected = oracle.predicates(scene.release, usable, classes, TREE, scene.people)
    tables = scene.people, scene.release
    hits = sum(oracle.matching(one, scene.people, TREE, *tables) == 1 for one in expected)
    controls = sum(oracle.matching(one, scene.others, TREE, *tables) == 1 for one in expected)
    assert found.details["attempts"] == len(expected)
    assert found.value == near(Fraction(hits, len(expected)) if expected else Fraction(0))
    assert found.details["control"] == (near(Fraction(controls, len(expected))) if expected else None)
    for columns in (*classes, [*KNOWN, "illness", "days"]):
        single = [
            record
            for record in scene.release
            if oracle.matching({name: record[name] for name in columns}, scene.release, TREE, *tables) == 1
            and oracle.matching({name: record[name] for name in columns}, scene.people, TREE, *tables) == 1
        ]
        share = near(Fraction(len(single), len(scene.release)))
        if columns in classes:
            assert found.details["class_and_value"][columns[-1]] == share
        else:
            assert found.details["class_and_all_values"] == share
    assert_derives(card, "singling_out_attack")


def test_neither_the_order_of_many_records_nor_that_of_columns_changes_a_figure() -> None:
    rng = np.random.default_rng(3)
    original = pd.DataFrame(
        {name: rng.integers(10, 50, 3_000).astype(str) for name in ("age", "zip", "illness", "days", "job", "other")}
    )
    released = original.assign(age=original["age"].str[:1] + "*")
    roles = metrics.Roles(quasi_identifiers=["age", "zip"], sensitive=["illness", "days"])
    shuffled, columns = rng.permutation(3_000), list(reversed(original.columns))
    cards = [
        metrics.score(after, roles, original=before, metrics=["singling_out_attack"])
        for before, after in (
            (original, released),
            (original.iloc[shuffled][columns], released.iloc[rng.permutation(3_000)][columns]),
        )
    ]
    found, again = (card["singling_out_attack"].to_dict() for card in cards)
    assert not found["details"]["exact"]
    assert found == again
