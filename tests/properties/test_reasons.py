"""Why metrics have no figure where a table, a role or a match is missing: the same reason for all that need it."""

import pytest

from metrics import METRICS, Hierarchy, Roles, Scorecard, score
from metrics.metric import Family
from metrics.texts import text
from tests.properties.families import OF_SENSITIVE
from tests.support.small_tables import Cells, table

IDS = {metric.id for metric in METRICS}
COMPARING = {metric.id for metric in METRICS if metric.family in (Family.ATTACKS, Family.UTILITY)}
OF_PEOPLE = {"people_k_anonymity", "people_linkage_attack"}
LINKING = {
    "one_to_one_linkage",
    "record_linkage_attack",
    "attribute_inference_attack",
    "two_source_linkage_attack",
    "membership_attack",
}
OF_LEVELS = {"ambiguity", "precision", "granularity", "normalized_certainty_penalty"}
"""They need no original if the quasi-identifiers have hierarchies."""
OF_TABLES = {
    *("singling_out_attack", "correct_attribution", "disco", "learning_attack", "distance_to_closest_record"),
    *("suppressed_cells", "eigenvalue_difference", "association_change", "pmse", "utility_bias"),
    *("count_queries", "k_marginals"),
}
"""They compare two tables without matching their records."""

CELLS: dict[str, Cells] = {"q": ["a"] * 9, "r": ["1", "2", "3"] * 3, "s": ["c", "d", "e"] * 3}
NO_CELLS: dict[str, Cells] = {name: [] for name in CELLS}
ROLES = Roles(["q", "r"], ["s"])


def unavailable(card: Scorecard, reason: str) -> set[str]:
    return {identifier for identifier in IDS if card[identifier].unavailable == reason}


def test_without_an_original_nothing_is_compared() -> None:
    card = score(table(CELLS), ROLES, metrics=IDS)
    without = COMPARING - OF_LEVELS - {"suppressed_cells", "people_linkage_attack"}
    assert unavailable(card, text("unavailable.no_original")) == without
    assert unavailable(card, text("unavailable.unknown_domain", column="q")) == OF_LEVELS
    trees = {name: Hierarchy([[label, "*"] for label in "a123"]) for name in "qr"}
    assert all(score(table(CELLS), ROLES, hierarchies=trees, metrics=OF_LEVELS)[one].result for one in OF_LEVELS)


def test_records_that_cannot_be_matched_are_not_compared() -> None:
    card = score(table(CELLS), ROLES, original=table({name: cells[:5] for name, cells in CELLS.items()}), metrics=IDS)
    matching = COMPARING - OF_TABLES - {"analyses", "people_linkage_attack"}
    assert unavailable(card, str(card.aggregates.comparison.unmatched)) == matching


def test_an_empty_table_has_no_figure() -> None:
    card = score(table(NO_CELLS), ROLES, original=table(NO_CELLS), metrics=IDS)
    assert unavailable(card, text("attack.unavailable.no_match")) == LINKING
    other = LINKING | {"people_linkage_attack", "utility_bias"}
    assert unavailable(card, text("unavailable.no_records")) == IDS - other
    assert all(card[identifier].unavailable for identifier in other)


@pytest.mark.parametrize(
    ("reason", "metrics"),
    [
        (text("unavailable.no_person"), OF_PEOPLE),
        (text("unavailable.no_household"), {"household_risk"}),
        (text("km_anonymity.unavailable.no_item"), {"km_anonymity"}),
        (
            text("unavailable.no_key_sets"),
            {"key_set_k_anonymity"},
        ),
        (text("analyses.unavailable.no_analysis"), {"analyses"}),
        (text("unavailable.no_population"), {"delta_presence", "k_map"}),
        (text("membership_attack.unavailable.no_holdout"), {"membership_attack"}),
        (text("unavailable.on_demand"), {metric.id for metric in METRICS if metric.on_demand}),
    ],
)
def test_what_is_not_set_or_not_asked_for_has_no_figure(reason: str, metrics: set[str]) -> None:
    assert unavailable(score(table(CELLS), ROLES, original=table(CELLS)), reason) == metrics


def test_without_a_sensitive_attribute_none_is_guessed_or_judged() -> None:
    card = score(table(CELLS), Roles(["q", "r"]), original=table(CELLS), metrics=IDS)
    guessing = {"attribute_inference_attack", "correct_attribution", "disco", "learning_attack"}
    assert unavailable(card, text("unavailable.no_sensitive")) == OF_SENSITIVE | guessing
    assert unavailable(card, text("classification_accuracy.unavailable.no_target")) == {"classification_accuracy"}
