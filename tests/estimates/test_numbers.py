"""Coefficients that change because the numbers or groups of a regression are coarser, and what is said of them."""

import random
from typing import Any

import numpy as np
import pytest

from metrics import Linear, Logistic, Term
from metrics.estimates.estimate import Estimate, Value
from metrics.estimates.result import AnalysisResult
from tests.estimates.test_analyze import BEFORE, TREE, drawn, run
from tests.oracle import analyses as oracle


def one(found: AnalysisResult, name: str) -> Estimate:
    (estimate,) = [each for each in found.estimates if each.name.startswith(name)]
    return estimate


def test_a_coefficient_that_moves_is_shown_beside_the_original_in_the_groups_of_the_release() -> None:
    """Men are in group b, women in a: where these are merged, the difference of the groups is one of the sexes."""
    before = {**BEFORE, "sex": ["m" if group in "bd" else "f" for group in BEFORE["g"]]}
    before["sex"][::9] = ["f"] * len(before["sex"][::9])
    merged = {**before, "g": ["ab" if group in "ab" else group for group in before["g"]]}
    found = run(before, merged, Linear("stay", ["sex", Term("g", reference="d")]), g=TREE)
    sex = one(found, "sex")
    assert not sex.survives
    assert sex.is_by_labels
    assert sex.recoded is not None
    assert sex.released is not None
    assert sex.recoded.estimate == pytest.approx(sex.released.estimate)
    own = run(merged, merged, Linear("stay", ["sex", Term("g", reference="d")]))
    same = one(own, "sex")
    assert (same.original.estimate, same.recoded) == (pytest.approx(sex.recoded.estimate), None)


def banded(ages: list[str]) -> list[str]:
    """Bands of 1, 3 and 36 years, so that the oldest count as one."""
    return [age if int(age) < 21 else "[21-24)" if int(age) < 24 else "[24-60)" for age in ages]


MIDDLES = {"20": 20.0, "[21-24)": 22.0, "[24-60)": 41.5}


@pytest.mark.parametrize("is_logistic", [False, True])
def test_a_number_in_bands_is_shown_beside_the_original_in_the_same_bands(is_logistic: bool) -> None:
    """The outcome rises with the age among the oldest only, which the band hides; the groups are merged too."""
    before: dict[str, Any] = drawn(900, seed=3)
    random_numbers = random.Random(2)
    before["stay"] = [str(max(int(age) - 50, 0) + random_numbers.gauss(0, 3)) for age in before["age"]]
    before["ill"] = [str(int(float(stay) > 2)) for stay in before["stay"]]
    after = {**before, "age": banded(before["age"]), "g": ["ab" if each in "ab" else each for each in before["g"]]}
    analysis = Logistic("ill", "1", ["age", "g"]) if is_logistic else Linear("stay", ["age", "g"])
    found = run(before, after, analysis, g=TREE)
    age = one(found, "age")
    design = [
        [1.0, MIDDLES[label], float(group == "c"), float(group == "d")]
        for label, group in zip(after["age"], before["g"], strict=True)
    ]
    outcome = [float(cell) for cell in before["ill" if is_logistic else "stay"]]
    expected = (oracle.likelihood if is_logistic else oracle.least_squares)(design, outcome)[1]
    assert age.recoded is not None
    assert (age.recoded.estimate, age.recoded.low, age.recoded.high) == pytest.approx(expected, rel=1e-6)
    assert age.is_by_labels
    assert found.notes == (
        "with age in 3 bands instead of 40 values and g in ab (a + b)",
        f"{sum(each.is_by_labels for each in found.estimates)} change comes from coarser labels alone",
    )


def test_records_left_out_are_told_from_labels() -> None:
    """Same labels, but the ill of a high age are suppressed; bands that overlap leave open what is the cause."""
    before: dict[str, Any] = drawn(600, seed=5)
    left = [int(age) < 40 or float(stay) < 5 for age, stay in zip(before["age"], before["stay"], strict=True)]
    ages = np.where(left, before["age"], "*").tolist()
    found = run(before, {**before, "age": ages}, Linear("stay", ["age", "sex"]))
    age = one(found, "age")
    assert (age.recoded, age.is_by_labels) == (age.original, False)
    assert "1 change comes from records left out or changed" in found.summary()
    mixed = ["[20-60)" if kept and row % 2 else age for row, (kept, age) in enumerate(zip(left, ages, strict=True))]
    mixed = [age if age == "*" or row % 3 else "[20-40)" for row, age in enumerate(mixed)]
    found = run(before, {**before, "age": mixed}, Linear("stay", ["age", "sex"]))
    assert one(found, "age").recoded is None
    assert found.notes == (
        "with age partly in broader labels",
        f"intervals, even of surviving results, up to {one(found, 'sex').width_ratio:.3g} times as wide",
    )


@pytest.mark.parametrize(("recoded", "is_by_labels"), [(1.1, False), (1.15, True), (1.3, True), (1.6, False)])
def test_a_change_that_records_make_for_the_most_part_is_not_put_down_to_labels(
    recoded: float, is_by_labels: bool
) -> None:
    """The release lies in the interval of the original with its labels, but may be nearer to the original without."""
    before, after, between = (Value(x, x - 0.2, x + 0.2, 0.1, True, 1, 9) for x in (1.0, 1.21, recoded))
    assert Estimate("age", before, after, recoded=between).is_by_labels == is_by_labels


def test_a_number_of_an_outcome_in_bands_is_told_apart() -> None:
    found = run(BEFORE, {**BEFORE, "age": banded(BEFORE["age"])}, Linear("age", ["sex"]))
    assert "outcome age in 3 bands instead of 40 values" in found.notes
