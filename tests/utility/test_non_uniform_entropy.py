"""Non-uniform entropy of every column and level, against the oracle."""

import math

import pandas as pd
import pytest
from hypothesis import event, given

import metrics
from metrics import Hierarchy, Roles, score
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.texts import text
from metrics.utility.non_uniform_entropy.chart import loss_by_column
from metrics.utility.non_uniform_entropy.measure import NonUniformEntropy
from tests import oracle
from tests.support.against_oracle import (
    as_read,
    blank_for_missing,
    implied,
    near,
)
from tests.support.scenes import Rows, Scene, pair_scenes
from tests.support.small_tables import records, table, written


def test_worked_example() -> None:
    letters = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"]])
    original, released = written("letter\na\nb\nb\nc"), written("letter\nAB\nAB\nAB\nc")
    card = score(released, Roles(["letter"]), original=original, hierarchies={"letter": letters})
    # Of the three records of AB, one was a and two were b; of all four, one was a, two were b and one was c.
    lost = -math.log2(1 / 3) - 2 * math.log2(2 / 3)
    largest = -math.log2(1 / 4) - 2 * math.log2(2 / 4) - math.log2(1 / 4)
    assert card["non_uniform_entropy"].value == pytest.approx(1 - lost / largest)


IDENTIFIER = "non_uniform_entropy"


@given(pair_scenes())
def test_the_loss_of_every_column_and_level_equals_that_of_the_oracle(scene: Scene) -> None:
    hierarchies: dict[str, Rows] = {}
    # A hierarchy that is implied has a blank leaf for them, too.
    read_original, read_anonymized, strange = as_read(scene)
    original = blank_for_missing(read_original, read_original)
    anonymized = blank_for_missing(read_anonymized, read_anonymized)
    fits = scene.rows > 0 and len(strange) < len(scene.quasi_identifiers)
    for name in scene.quasi_identifiers:
        before, after = original[name], anonymized[name]
        rows = scene.hierarchies.get(name) or implied(before, after)
        labels = {"*", *(label for row in rows or () for label in row)}
        leaves = {row[0] for row in rows or ()}
        fits = fits and rows is not None and set(before) <= leaves and set(after) <= labels
        hierarchies[name] = rows or []
    score = scene.score("non_uniform_entropy")["non_uniform_entropy"]
    event(f"available: {fits}")
    assert (score.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.non_uniform_entropy(records(original), records(anonymized), scene.quasi_identifiers, hierarchies)
    assert score.value == near(expected.score)
    details = score.details
    assert details["loss_by_column"] == {name: near(of) for name, of in expected.loss.items()}
    assert details["largest_loss"] == near(math.fsum(expected.largest_loss.values()))
    for name, lost in expected.loss.items():
        assert math.fsum(details["loss_by_level"][name].values()) == near(lost)
        largest = expected.largest_loss[name]
        assert score.attributes[name] == (None if name in strange else near(1 - lost / largest if largest else 1))


@pytest.mark.parametrize("identifier", [IDENTIFIER, "precision"])
def test_a_label_that_is_read_on_a_lower_level_overstates_the_information_and_is_judged_by_no_limit(
    identifier: str,
) -> None:
    rows = [["10", "20", "*"], ["20", "20", "*"], ["30", "40", "*"], ["40", "40", "*"]]
    ages, roles = ["10", "20", "30", "40"], metrics.Roles(quasi_identifiers=["age"])
    original = pd.DataFrame({"age": ages})
    released = {"generalized": ["20", "20", "40", "40"], "unchanged": ages, "suppressed": ["*"] * 4}
    trees = {"age": metrics.Hierarchy(rows)}
    scores = {
        name: metrics.score(pd.DataFrame({"age": of}), roles, original=original, hierarchies=trees)[identifier]
        for name, of in released.items()
    }
    assert scores["generalized"].result.misread == {"age": 0.5}
    assert "50% of the released values of age" in str(scores["generalized"].not_checked)
    assert "also stand for a more specific value" in scores["generalized"].summary()
    assert scores["unchanged"].not_checked is scores["suppressed"].not_checked is None


def test_a_suppressed_value_whose_loss_is_not_counted_is_not_said_to_be_kept() -> None:
    people = table({"sex": ["m", "f"] * 4})
    suppressed = table({"sex": ["*", "f"] * 4})
    roles = Roles(quasi_identifiers=("sex",))
    assert metrics.score(people, roles, original=people)["non_uniform_entropy"].summary() == text(
        "non_uniform_entropy.unchanged"
    )
    card = metrics.score(suppressed, roles, original=people)
    assert card["non_uniform_entropy"].value == 1
    assert card["non_uniform_entropy"].summary() == text("non_uniform_entropy.uncounted")
    assert said(card, FindingKind.INFORMATION_LOSS) == text("non_uniform_entropy.uncounted")


def test_nothing_is_said_to_be_unchanged_beside_changed_values() -> None:
    """Noise on the ages: no loss is counted for them, which is no reason to call them as informative as before."""
    ages = [str(20 + at % 50) for at in range(100)]
    noise = [str(int(age) + (at % 7 != 0)) for at, age in enumerate(ages)]
    sexes = ["f", "m"] * 50
    card = score(
        table({"age": noise, "sex": sexes}), Roles(["age", "sex"]), original=table({"age": ages, "sex": sexes})
    )
    result = card["non_uniform_entropy"].result
    assert isinstance(result, NonUniformEntropy)
    for sentence in (
        result.brief(),
        result.summary(),
        said(card, *FindingKind),
        str(loss_by_column(result).layout.title),
    ):
        assert text("non_uniform_entropy.unchanged") not in sentence
        assert "No information was lost" not in sentence
    assert result.brief() == "The changed values of age are not counted; no other information was lost."
    assert "85% of the released values of age" in result.summary()


def test_nothing_is_said_to_be_unchanged_where_labels_are_read_as_more_specific_values() -> None:
    """Ages became the middle of their group, which is an age itself."""
    ages = [str(20 + at % 10) for at in range(100)]
    middles = Hierarchy([[str(age), "22" if age < 25 else "27", "*"] for age in range(20, 30)])
    released = ["22" if int(age) < 25 else "27" for age in ages]
    card = score(table({"age": released}), Roles(["age"]), original=table({"age": ages}), hierarchies={"age": middles})
    result = card["non_uniform_entropy"].result
    assert isinstance(result, NonUniformEntropy)
    assert result.brief() == "No loss is counted, because labels of age are read as more specific values."
