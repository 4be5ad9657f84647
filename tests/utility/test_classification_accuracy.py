"""Classification accuracy, by hand, against scikit-learn's own cross-validation, and at its edges."""

import json
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, Table, score
from metrics.aggregates import TableAggregates
from metrics.errors import Unavailable
from metrics.interruption import reporting
from metrics.scoring.working import working
from metrics.utility.classification_accuracy.measure import (
    CLASSIFICATION_ACCURACY,
    ClassificationAccuracy,
    stratified_folds,
    task_of,
)
from tests.support.small_tables import Cells, cells_of, table, written
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    original, released = written("q s\n" + "a A\nb B\nc C\nd D\n" * 25), written("q s\n" + "* A\n* B\n* C\n* D\n" * 25)
    card = score(released, Roles(["q"], ["s"]), original=original, metrics=["classification_accuracy"])
    found: Any = card["classification_accuracy"].result
    # q told s; suppressed, it leaves a model to guess one of four values.
    assert (found.before, found.value, found.baseline, found.relative) == (1, 1 / 4, 1 / 4, 0)
    assert (found.lost, found.newly_right, found.newly_wrong) == (1 - 1 / 4, 0, 75)
    assert found.suppressed == found.records == found.available == 100
    assert [fold.records for fold in found.folds] == [100 / 5] * 5
    assert found.unfinished == 0
    assert found.interval == pytest.approx((0.175, 0.343), abs=5e-4)  # Wilson's


ID = "classification_accuracy"
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
GROUPS = {"a": "AB", "b": "AB", "c": "CD", "d": "CD"}


def scored(after: Table, before: Table | None, roles: Roles = ROLES, **chosen: object) -> Scorecard:
    parameters = Parameters().with_settings({f"{ID}.{name}": value for name, value in chosen.items()})
    return score(after, roles, original=before, parameters=parameters, metrics=[ID])


def accuracy(after: Table, before: Table, roles: Roles = ROLES, **chosen: object) -> ClassificationAccuracy:
    result = scored(after, before, roles, **chosen)[ID].result
    assert isinstance(result, ClassificationAccuracy)
    return result


def pair(rows: int = 60, seed: int = 1) -> tuple[Table, Table]:
    """s follows q but for every fifth record; after anonymization only groups of q are left, some records nothing."""
    lot = np.random.default_rng(seed)
    q = [str(one) for one in lot.choice(list("abcd"), rows)]
    r = [str(one) for one in lot.choice(list("xyz"), rows)]
    s = [{"a": "1", "b": "2", "c": "3", "d": "3"}[one] if i % 5 else "1" for i, one in enumerate(q)]
    gone = [i % 10 == 0 for i in range(rows)]
    wide = {
        "q": ["*" if lost else GROUPS[one] for one, lost in zip(q, gone, strict=True)],
        "r": ["*" if lost else one for one, lost in zip(r, gone, strict=True)],
        "s": s,
    }
    return table({"q": q, "r": r, "s": s}, "original"), table(wide, "anonymized")


def test_a_table_that_was_not_changed_has_lost_nothing() -> None:
    before, _ = pair()
    found = accuracy(before, before)
    assert (found.lost, found.lost_interval, found.relative) == (0, (0, 0), 1)
    assert found.value == found.before > found.baseline


def test_the_accuracy_is_that_of_scikit_learns_own_encoder_and_cross_validation() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import PredefinedSplit, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    before, after = pair(150)
    folds = 3
    found = accuracy(after, before, folds=folds, seed=3)
    task = task_of(TableAggregates(after, ROLES, before), "")
    records = task.sample(10**6, 3)
    truth = np.array(cells_of(before["s"]))[records]
    split = PredefinedSplit(stratified_folds(np.unique(truth, return_inverse=True)[1], folds, 3))
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=500))
    for content, expected in ((before, found.before), (after, found.value)):
        features = np.array([cells_of(content["q"]), cells_of(content["r"])]).T[records]
        assert np.mean(cross_val_predict(model, features, truth, cv=split) == truth) == expected
    assert found.value != found.before


def slow_baseline(cells: Cells) -> Fraction:
    """Share of right guesses of somebody who always guesses the most frequent value."""
    guess = Counter(cells).most_common(1)[0][0]
    return Fraction(sum(cell == guess for cell in cells), len(cells))


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60), st.integers(1, 8), st.integers(0, 3))
def test_folds_share_out_every_value_evenly(cells: list[str], folds: int, seed: int) -> None:
    numbers = stratified_folds(np.unique(cells, return_inverse=True)[1], folds, seed)
    for members in [range(len(cells)), *([i for i, c in enumerate(cells) if c == one] for one in set(cells))]:
        sizes = [sum(numbers[i] == fold for i in members) for fold in range(folds)]
        assert max(sizes) - min(sizes) <= 1


three = st.sampled_from(["a", "b", "c"])


@given(
    st.lists(st.tuples(three, three, st.sampled_from(["1", "1", "2", "3", None])), min_size=1, max_size=14), st.data()
)
def test_small_tables_have_an_accuracy_unless_the_target_is_constant(
    rows: list[tuple[str, str, str | None]], data: st.DataObject
) -> None:
    columns: dict[str, Cells] = dict(zip("qrs", zip(*rows, strict=True), strict=True))
    hidden = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    wide = {**columns, "q": ["*" if gone else cell for cell, gone in zip(columns["q"], hidden, strict=True)]}
    card = scored(table(wide), table(columns), folds=2)
    found = card[ID].result
    if found is None:
        assert len(set(columns["s"])) == 1
        assert card[ID].unavailable == '"s" has the same value in every record, so there is nothing to predict'
        return
    assert isinstance(found, ClassificationAccuracy)
    assert found.baseline == float(slow_baseline(columns["s"]))
    assert found.interval[0] <= found.value <= found.interval[1]
    assert found.lost_interval[0] <= found.lost <= found.lost_interval[1]
    assert found.lost == pytest.approx(found.before - found.value, abs=1e-12)
    assert sum(fold.records for fold in found.folds) == found.records == len(rows)
    assert dict(zip(found.labels, found.frequencies, strict=True)) == Counter(columns["s"])
    json.dumps(card.to_dict(), allow_nan=False)
    made = working(card, ID)
    assert made.result == found.value
    assert_sound(made)
    order = data.draw(st.permutations(range(len(rows))))
    assert accuracy(table(wide).take(np.array(order)), table(columns).take(np.array(order)), folds=2) == found


def test_values_rarer_than_folds_are_never_learnt_yet_counted() -> None:
    before, _ = pair(40)
    rare = table(
        {"q": cells_of(before["q"]), "r": cells_of(before["r"]), "s": ["once", "twice", "twice", *["often"] * 37]}
    )
    found = accuracy(rare, rare, folds=10)
    assert (found.labels, found.frequencies) == (("often", "once", "twice"), (37, 1, 2))
    assert found.value <= 39 / 40


def test_two_records_that_differ_teach_nothing_about_each_other() -> None:
    two = table({"q": ["a", "b"], "r": ["x", "x"], "s": ["1", "2"]})
    found = accuracy(two, two)
    assert (found.value, found.baseline, len(found.folds)) == (0, 0.5, 2)


def test_the_same_seed_gives_the_same_and_progress_ends_at_one() -> None:
    before, after = pair()
    assert accuracy(after, before, folds=2, seed=4) == accuracy(after, before, folds=2, seed=4)
    shares: list[float] = []
    with reporting(shares.append):
        CLASSIFICATION_ACCURACY.compute(TableAggregates(after, ROLES, before), Parameters())
    assert shares == pytest.approx([i / 10 for i in range(1, 11)])


def test_no_more_records_than_asked_for_are_sampled() -> None:
    before, after = pair(250)
    found = accuracy(after, before, folds=2, max_records=100)
    assert (found.records, found.available) == (100, 250)
    assert accuracy(after, before, folds=2, max_records=100) == found


def test_the_target_s_true_values_come_from_the_original() -> None:
    before, after = pair()
    masked = table({name: cells_of(after[name]) if name != "s" else ["*"] * 60 for name in ("q", "r", "s")})
    found = accuracy(after, before, folds=2)
    assert accuracy(masked, before, folds=2) == found
    without = table({name: cells_of(before[name]) for name in ("q", "r")})
    assert accuracy(after, without, folds=2) == found


def test_a_quasi_identifier_as_target_does_not_predict_itself() -> None:
    before, after = pair()
    found = accuracy(after, before, folds=2, target="q")
    assert found.target == "q"
    assert found.before < 1
    assert found.labels == ("a", "b", "c", "d")


def test_deleted_records_count_as_suppressed() -> None:
    before, after = pair()
    key = [str(i) for i in range(60)]
    roles = Roles(quasi_identifiers=["q", "r"], sensitive=["s"], key="id")
    marked = [table({"id": key, **{name: cells_of(one[name]) for name in "qrs"}}) for one in (before, after)]
    kept = np.array([i for i in range(60) if i % 10])
    found = accuracy(marked[1].take(kept[::-1]), marked[0], roles, folds=2)
    assert found == accuracy(*reversed(marked), roles, folds=2)
    assert found.suppressed == 6
    # What a deleted record's target was nobody knows where the original has no such column.
    without = table({"id": key, **{name: cells_of(before[name]) for name in "qr"}})
    assert accuracy(marked[1].take(kept), without, roles, folds=2).available == 54


def reason(card: Scorecard) -> str:
    one = card[ID]
    assert one.result is None
    assert one.unavailable
    with pytest.raises(Unavailable) as caught:
        working(card, ID)
    assert str(caught.value) == one.unavailable
    return one.unavailable


def test_without_an_accuracy_the_reason_is_given() -> None:
    before, after = pair()
    untagged = Roles(quasi_identifiers=["q", "r"])
    assert accuracy(after, before, untagged, folds=2, target="s") == accuracy(after, before, folds=2)
    assert reason(scored(after, before, target="absent")) == 'the target "absent" is in neither table'
    alone = Roles(quasi_identifiers=["q"])
    assert "only quasi-identifier" in reason(scored(after, before, alone, target="q"))
    many: dict[str, Cells] = {name: [str(i) for i in range(101)] for name in "qrs"}
    assert '"s" has 101 distinct values' in reason(scored(table(many), table(many)))


def test_without_scikit_learn_the_reason_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sklearn", "sklearn.exceptions", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, name, None)
    before, after = pair()
    assert "pip install 'quasi[accuracy]' installs it" in reason(scored(after, before))


def test_models_that_do_not_settle_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.utility.classification_accuracy.measure._MAX_STEPS", 1)
    before, after = pair()
    assert accuracy(after, before).details()["unfinished_models"] == 10
