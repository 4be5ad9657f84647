"""A candidate is repaired until it meets limits, kept as one more candidate, and scores as was promised."""

import json

import pytest
from playwright.sync_api import Page, expect

import metrics
from metrics.candidates.constraints import Constraints
from metrics.candidates.repair_to import LimitedRepair, Method, repair_to
from metrics.evidence import Evidence
from tests.browser.actions import (
    choose_option,
    download,
    expand,
    load_sample,
    metric_card,
    open_page,
    row_texts,
    settled,
)
from tests.command_line import ROOT

pytestmark = pytest.mark.journey

DATA = ROOT / "sample_data"
BALANCED = "candidate_balanced.csv"
COSTS = "Utility metrics before and after the repair"
LIMITS = Constraints(k=12, l=3)
NAMES = {
    Method.RECORDS: "Suppress whole records",
    Method.CELLS: "Suppress single cells",
    Method.MERGE: "Merge classes",
}


@pytest.fixture(scope="module")
def repairs() -> dict[Method, LimitedRepair]:
    """The repairs as the library makes them."""
    evidence = Evidence(
        metrics.read_table(DATA / BALANCED),
        metrics.read_roles(DATA / "roles.yaml").roles,
        metrics.read_table(DATA / "hospital.csv"),
        metrics.read_hierarchies(DATA / "hierarchies"),
    )
    return {method: repair_to(evidence, LIMITS, method) for method in NAMES}


@pytest.fixture
def classes(page: Page) -> Page:
    """The page of equivalence classes with the balanced sample, and the limits set."""
    open_page(page, "/")
    load_sample(page)
    choose_option(page, "candidate", BALANCED)
    open_page(page, "/classes")
    for key, value in (("k_limit", LIMITS.k), ("repair_l", LIMITS.l)):
        slider = page.locator(f".st-key-{key} input[type=range]")
        begun = int(slider.input_value())
        for _ in range(begun, value or 0):
            slider.press("ArrowRight")
        expect(page.locator(f".st-key-{key}").get_by_test_id("stSliderThumbValue")).to_have_text(str(value))
    return page


def shows(page: Page, label: str, value: object) -> None:
    """Wait until the card with a label has a value."""
    expect(metric_card(page, label).get_by_test_id("stMetricValue")).to_have_text(f"{value}", timeout=30_000)


def chosen(page: Page, repair: LimitedRepair) -> None:
    """Choose a way of repairing, and wait for what it comes to."""
    page.locator(".st-key-repair_method").get_by_text(NAMES[repair.method], exact=True).click()
    shows(page, "Records changed", repair.records_changed)
    shows(page, "Cells changed", repair.cells_changed)
    shows(page, "Records suppressed by it", repair.suppressed_now)
    shows(page, "Found by", "exact" if repair.exact else "heuristic")
    settled(page)


def test_a_repaired_candidate_scores_as_promised(classes: Page, repairs: dict[Method, LimitedRepair]) -> None:
    for repair in repairs.values():
        chosen(classes, repair)
    repair = repairs[Method.RECORDS]
    chosen(classes, repair)
    promised = [row_texts(classes, COSTS, number)[:3] for number in (1, 2, 3)]
    taken = metrics.read_table(download(classes, "Table as CSV"), name="repaired.csv")
    classes.locator(".st-key-keep_repair button").click()
    label = f"candidate_balanced_records_k{LIMITS.k}.parquet"
    choose_option(classes, "candidate", label)
    expect(classes.get_by_text("Every class meets the limits; there is nothing to repair.")).to_be_visible()
    open_page(classes, "/scorecard")
    expand(classes, "All figures in full")
    after = json.loads(download(classes, "Download as JSON"))
    assert after["classes"]["smallest"] >= 12
    assert after["metrics"]["distinct_l_diversity"]["value"] >= 3
    known = [cost for cost in repair.costs if cost.before.value is not None]
    for cost, told in zip(known, promised, strict=False):
        value = after["metrics"][cost.before.metric.id]["value"]
        assert value == cost.after.value
        assert told[0] == cost.before.metric.title
        assert [float(figure) for figure in told[1:]] == pytest.approx([cost.before.value, value], abs=1e-12)
    # The table that was downloaded is the one that was kept.
    evidence = repair.evidence
    card = metrics.score(taken, evidence.roles, original=evidence.original, hierarchies=evidence.hierarchies)
    assert card.to_dict() == after
