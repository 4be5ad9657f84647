"""Singling out: against trying predicates one by one, and where released records belong to nobody in particular."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import metrics
from metrics import Parameters, Roles, score
from metrics.attacks.singling_out.measure import SinglingOut
from metrics.scoring.catalog import BY_ID
from metrics.scoring.metric_score import Score
from metrics.scoring.scorecard import score_metric
from metrics.texts import text
from tests.attacks.scenes import KNOWN, TREE, Scene, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("age sex\n21 f\n22 m\n33 m\n34 m")
    released = written("age sex\n20-29 f\n20-29 m\n30-39 m\n30-39 f")
    card = score(released, Roles(["age", "sex"]), original=original, metrics=["singling_out_attack"])
    # No age and no sex is of one released record alone, but each pair of them is. One person fits the first two pairs,
    # two people fit the third, and nobody the last.
    assert card["singling_out_attack"].details["attempts"] == 4
    assert card["singling_out_attack"].value == (1 + 1 + 0 + 0) / 4


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
    assert result.in_short == text("singling_out_attack.of_records", share=share, knowledge=knowledge)
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


def test_numbers_that_no_original_record_has_are_not_judged() -> None:
    incomes = [1_000 * at + 37 for at in range(200)]
    original = pd.DataFrame({"age": ["30"] * 200, "income": [str(income) for income in incomes]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["income"])

    def found(released: list[str]) -> Score:
        table = original.assign(income=released)
        return metrics.score(table, roles, original=original, metrics=["singling_out_attack"])["singling_out_attack"]

    in_cents = found([str(income * 1_000_000 + 1) for income in incomes])
    assert (in_cents.value, in_cents.not_checked) == (0, "most released values of income are none of the original's")
    as_they_are = found([str(income) for income in incomes])
    assert (as_they_are.value, as_they_are.not_checked) == (1, None)


def test_a_description_with_a_recoded_value_fits_the_records_whose_value_became_it() -> None:
    """Everybody's code was raised by one, and the last is that of two."""
    codes = [at // 4 for at in range(40)]
    marks = [str(at) for at in range(40)]
    original = pd.DataFrame({"code": [str(code) for code in codes], "mark": marks})
    released = original.assign(code=[str(min(code + 1, 9)) for code in codes])
    roles = metrics.Roles(quasi_identifiers=["code"], sensitive=["mark"])
    card = metrics.score(released, roles, original=original, metrics=["singling_out_attack"])
    assert card["singling_out_attack"].details["class_and_value"] == {"mark": 1}
    assert card["singling_out_attack"].value == 1
