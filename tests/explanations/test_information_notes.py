"""What is said of the information kept beside its figure."""

from collections.abc import Mapping

import pandas as pd
import pytest

import metrics
from metrics.explanations.information_notes import information_notes
from metrics.scoring.scorecard import Scorecard

AGES, DECADES = ["31", "35", "42", "47"], ["3*", "3*", "4*", "4*"]
JOBS, KINDS = ["nurse", "baker", "nurse", "baker"], ["care", "craft", "care", "craft"]
TREES = {
    "age": metrics.Hierarchy([["31", "3*", "*"], ["35", "3*", "*"], ["42", "4*", "*"], ["47", "4*", "*"]]),
    "job": metrics.Hierarchy([["nurse", "care", "*"], ["baker", "craft", "*"]]),
}


ONLY_AGE, BOTH = metrics.Roles(["age"], insensitive=["job"]), metrics.Roles(["age", "job"])


def scored(ages: list[str], jobs: list[str], roles: metrics.Roles, trees: Mapping[str, metrics.Hierarchy]) -> Scorecard:
    """The scores of ages and jobs released in place of the four."""
    tables = pd.DataFrame({"age": AGES, "job": JOBS}), pd.DataFrame({"age": ages, "job": jobs})
    return metrics.score(tables[1], roles, original=tables[0], hierarchies=trees)


def notes(
    ages: list[str], jobs: list[str], roles: metrics.Roles = ONLY_AGE, trees: Mapping[str, metrics.Hierarchy] = TREES
) -> list[str]:
    """What is said of the information kept."""
    return list(information_notes(scored(ages, jobs, roles, trees)))


def test_columns_that_are_generalized_and_no_quasi_identifiers_are_named_with_the_figure_that_counts_them() -> None:
    # Ages lose 4 of 8 bits; jobs, all hidden, 4 of 4.
    (note,) = notes(DECADES, ["*"] * 4)
    assert "with job as well, generalized but not tagged as quasi-identifiers: 33.3%. PETWorks counts" in note
    counted = scored(DECADES, ["*"] * 4, BOTH, TREES)["non_uniform_entropy"].value
    assert counted == pytest.approx(1 / 3)


def test_columns_that_are_as_in_the_original_or_have_no_hierarchy_are_not_named() -> None:
    assert notes(DECADES, JOBS) == []
    assert notes(DECADES, KINDS, BOTH) == []
    assert notes(DECADES, KINDS, trees={"age": TREES["age"]}) == []
    assert notes(DECADES, ["smith"] * 4) == []


def test_the_sign_of_an_upper_bound_is_explained() -> None:
    (note,) = notes(["4*"] * 4, KINDS, BOTH)
    assert note.startswith("≤: upper bound")
