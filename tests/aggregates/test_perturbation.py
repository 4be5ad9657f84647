"""Which tables have measures of perturbation, and why others have none."""

from typing import Any

import pytest

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from tests.support.small_tables import Cells, table

NUMBERS: dict[str, Cells] = {"age": ["20", "31", "45", "52"], "pay": ["100", "250", "300", "900"]}
ROLES = Roles(["age"], ["pay"])
IDS = ["interval_disclosure", "standardized_difference"]
"""Those that compare numbers record by record."""


def card_of(after: dict[str, Cells], before: dict[str, Cells] | None = NUMBERS, **given: Any) -> Scorecard:
    roles = given.pop("roles", ROLES)
    return score(table(after), roles, original=None if before is None else table(before), **given)


def reasons(card: Scorecard) -> set[str | None]:
    return {card[identifier].unavailable for identifier in IDS}


NOISE: Cells = ["21", "30", "47", "52"]


def test_metrics_for_perturbed_tables_have_figures_for_perturbed_and_unchanged_tables() -> None:
    for after in ({**NUMBERS, "age": NOISE}, {**NUMBERS, "pay": ["101", "249", "300", "901"]}, NUMBERS):
        card = card_of(after)
        assert reasons(card) == {None}
        for identifier in IDS:
            assert set(card[identifier].attributes) == {"age", "pay"}
            assert card[identifier].details["left_out"] == []


def test_a_generalized_table_with_no_perturbed_numbers_has_no_figure_of_perturbation() -> None:
    tens = {**NUMBERS, "age": ["20-29", "30-39", "40-49", "50-59"]}
    assert reasons(card_of(tens)) == {
        "it applies to perturbed tables only, but age is generalized or suppressed, and no perturbation is found in pay"
    }
    # Where pay is perturbed, its figure is that of pay alone.
    card = card_of({**tens, "pay": ["100", "250", "310", "900"]})
    assert reasons(card) == {None}
    for identifier in IDS:
        assert set(card[identifier].attributes) == {"pay"}
        assert card[identifier].details["left_out"] == ["age"]


def test_generalization_to_labels_that_are_also_leaves_is_not_mistaken_for_perturbation() -> None:
    groups = Hierarchy([[age, "45" if int(age) < 50 else "52", "*"] for age in ("20", "31", "45", "52")])
    card = card_of({"age": ["45", "45", "45", "52"]}, hierarchies={"age": groups}, roles=Roles(["age"]))
    assert reasons(card) == {"exact values are compared, but age is generalized or suppressed"}
    noisy = card_of({"age": ["20", "45", "31", "52"]}, hierarchies={"age": groups}, roles=Roles(["age"]))
    assert reasons(noisy) == {None}


def test_emptied_cells_are_suppressed_where_records_are_matched() -> None:
    emptied: dict[str, Cells] = {**NUMBERS, "age": ["20", "", None, "52"]}
    assert reasons(card_of(emptied)) == {
        "it applies to perturbed tables only, but age is generalized or suppressed, and no perturbation is "
        "found in age and pay"
    }
    longer = {name: [*cells, cells[0]] for name, cells in emptied.items()}
    assert card_of(longer)["eigenvalue_difference"].unavailable is None
    starred = {**longer, "age": ["20", "*", "*", "*", "31"]}
    assert "age is generalized or suppressed" in str(card_of(starred)["eigenvalue_difference"].unavailable)


def test_without_numbers_the_reason_is_given() -> None:
    words: dict[str, Cells] = {"age": list("abcd"), "pay": ["00100", "x", None, "y"]}
    assert reasons(card_of(words, words)) == {"no quasi-identifier or sensitive attribute contains numbers"}
    starred = {**NUMBERS, "age": ["*"] * 4, "pay": ["*"] * 4}
    assert reasons(card_of(starred)) == {"no matched record has a number in both tables"}
    card = card_of({**NUMBERS, "age": ["*", "", None, "*"], "pay": ["101", "250", "300", "900"]})
    assert {card[identifier].details["left_out"][0] for identifier in IDS} == {"age"}


@pytest.mark.parametrize("generalized", [1, 2])
def test_one_percent_of_the_cells_may_be_generalized(generalized: int) -> None:
    ages = [str(i) for i in range(100)]
    after = [*["0-9"] * generalized, *(str(i + 1) for i in range(generalized, 100))]
    card = card_of({"age": after}, {"age": ages}, roles=Roles(["age"]))
    assert all((card[identifier].unavailable is None) is (generalized == 1) for identifier in IDS)
    if generalized == 1:
        assert card["interval_disclosure"].details["numbers"] == {"age": 99}


@pytest.mark.parametrize("empty", ["*", None, ""])
def test_suppressed_numbers_are_left_out_of_a_perturbed_column(empty: str | None) -> None:
    card = card_of({**NUMBERS, "age": [empty, "30", "47", "52"]})
    for identifier in IDS:
        assert card[identifier].details["numbers"] == {"age": 3, "pay": 4}


def test_the_verdict_reports_interval_disclosure_for_perturbed_tables_only() -> None:
    roles = Roles(["q"])
    before: dict[str, Cells] = {"q": ["a", "b", "c", "d"]}
    title = "Interval disclosure"
    swapped = card_of({"q": ["b", "a", "d", "c"]}, before, roles=roles)
    assert title in said(swapped, FindingKind.UNMEASURED)
    generalized = card_of({"q": ["AB", "AB", "CD", "CD"]}, before, roles=roles)
    assert title not in said(generalized, FindingKind.UNMEASURED)
