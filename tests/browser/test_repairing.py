"""A candidate is repaired until it meets limits, kept as one more candidate, and scores as was promised."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import metrics
from dashboard.components.release_file import RELEASE_FILE
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.repair.summary import change_summary
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.policy.thresholds import figure_text
from metrics.wording import short_percent
from tests.browser.actions import (
    choose_option,
    download,
    load_sample,
    open_page,
    row_texts,
    scores,
    set_limit,
    settled,
)
from tests.support.command_line import ROOT
from tests.support.small_tables import columns_of

DATA = ROOT / "sample_data"
BALANCED = "candidate_balanced.csv"
COSTS = "Utility metrics before and after the repair"
LIMITS = Constraints(k=12, l=3)
NAMES = {
    Method.RECORDS: "Suppress whole classes",
    Method.CELLS: "Suppress single cells",
    Method.MERGE: "Merge classes",
}


@pytest.fixture(scope="module")
def repairs() -> dict[Method, LimitedRepair]:
    """The repairs as the library makes them."""
    aggregates = TableAggregates(
        metrics.read_table(DATA / BALANCED),
        metrics.read_roles(DATA / "roles.yaml").roles,
        metrics.read_table(DATA / "hospital.csv"),
        metrics.read_hierarchies(DATA / "hierarchies"),
    )
    return {method: repair_to(aggregates, LIMITS, method) for method in NAMES}


@pytest.fixture
def limited(page: Page) -> Page:
    """The page of repairs with the balanced sample, and the limits set."""
    open_page(page, "/")
    load_sample(page)
    choose_option(page, "candidate", BALANCED)
    set_limit(page, "k_anonymity", str(LIMITS.k))
    set_limit(page, "distinct_l_diversity", str(LIMITS.l))
    for identifier in ("t_closeness", "reidentification_risk", "suppression"):
        set_limit(page, identifier, "")
    open_page(page, "/repair")
    return page


def chosen(page: Page, repair: LimitedRepair) -> None:
    """Choose a way of repairing, and wait for what it comes to."""
    page.locator(".st-key-repair_method").get_by_text(NAMES[repair.method], exact=True).click()
    expect(page.get_by_text(f"{change_summary(repair)}. ")).to_be_visible()
    settled(page)


def test_a_repaired_candidate_scores_as_promised_and_has_a_recipe(
    limited: Page, repairs: dict[Method, LimitedRepair], tmp_path: Path
) -> None:
    for repair in repairs.values():
        chosen(limited, repair)
    repair = repairs[Method.RECORDS]
    chosen(limited, repair)
    promised = [row_texts(limited, COSTS, number)[:3] for number in (1, 2, 3)]
    taken = metrics.read_table(download(limited, RELEASE_FILE), name="repaired.csv")
    recipe = tmp_path / "repair.yaml"
    recipe.write_bytes(download(limited, "Recipe"))
    again = metrics.read_recipe(recipe).apply(metrics.read_table(DATA / BALANCED)).table
    assert columns_of(again.sorted_by_cells()) == columns_of(taken)
    limited.locator(".st-key-keep_repair button").click()
    expect(limited.locator(".st-key-candidate input")).to_have_value(f"candidate_balanced_records_k{LIMITS.k}")
    expect(
        limited.get_by_text("Every class meets k of at least 12 and l of at least 3. t has no limit")
    ).to_be_visible()
    after = scores(limited)
    assert after["classes"]["smallest"] >= 12
    assert after["metrics"]["distinct_l_diversity"]["value"] >= 3
    known = [cost for cost in repair.costs if cost.before.value is not None]
    for cost, told in zip(known, promised, strict=False):
        value = after["metrics"][cost.before.metric.id]["value"]
        assert value == cost.after.value
        assert told[0] == cost.before.metric.title
        assert told[1:] == [
            figure_text(cost.before.metric.id, one, short_percent) for one in (cost.before.value, value)
        ]
    # The table that was downloaded is the one that was kept.
    aggregates = repair.aggregates
    card = metrics.score(again, aggregates.roles, original=aggregates.original, hierarchies=aggregates.hierarchies)
    taken_away = card.to_dict()
    assert taken_away["classes"] == after["classes"]
    for cost in known:
        assert taken_away["metrics"][cost.before.metric.id]["value"] == cost.after.value
