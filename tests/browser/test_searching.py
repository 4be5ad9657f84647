"""From an upload to a better candidate: search the lattice, keep the best, compare it, take it away; with adult."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import metrics
from dashboard.components.release_file import RELEASE_FILE
from metrics.candidates.limits.figures import FIGURES
from metrics.policy.thresholds import figure_text
from tests.browser.actions import (
    choose_option,
    download,
    expand,
    metric_value,
    open_page,
    rerun,
    set_limit,
    settled,
    tag,
    upload,
)
from tests.support.reference_data import reference
from tests.support.small_tables import columns_of

QUASI_IDENTIFIERS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "occupation",
    "salary-class",
)
# ARX's optimum for k = 5 and 4% suppressed, in the order of the original's columns.
BEST = [0, 3, 0, 1, 2, 1, 1, 0]


@pytest.fixture
def adult(page: Page) -> Page:
    """The data page with adult, its anonymized version and its hierarchies, tagged."""
    folder = reference("petworks", "adult")
    open_page(page, "/")
    upload(page, "upload_original", [folder / "adult.csv"])
    upload(page, "upload_anonymized", [folder / "adult_anonymized.csv"])
    upload(page, "upload_hierarchies", sorted((folder / "adult_hierarchy_intervals").glob("*.csv")))
    tag(page, {**dict.fromkeys(QUASI_IDENTIFIERS, "quasi-identifier"), "workclass": "insensitive"})
    return page


@pytest.mark.reference
def test_from_an_upload_to_a_better_candidate(adult: Page) -> None:
    choose_option(adult, "policy", "No limits")
    set_limit(adult, "k_anonymity", "5")
    set_limit(adult, "suppression", "0.04")
    open_page(adult, "/explore")
    # What ARX searches by.
    choose_option(adult, "explore_measure", FIGURES["loss"].title)
    adult.locator(".st-key-explore_search button").click()
    expect(adult.locator(".st-key-front_table")).to_be_visible(timeout=240_000)
    settled(adult)
    expect(adult.get_by_role("heading", name="These levels meet every limit checked here")).to_be_visible()
    for name, level in zip(QUASI_IDENTIFIERS, BEST, strict=True):
        expect(adult.locator(f".st-key-level_{name}").get_by_role("radio").nth(level)).to_be_checked()
    released = metrics.read_table(download(adult, RELEASE_FILE), name="made.csv")
    with rerun(adult):
        adult.locator(".st-key-explore_keep button").click()
    label = str(adult.locator(".st-key-candidate input").input_value())
    expect(adult.get_by_text(f"Kept as {label}; all pages now show it.")).to_be_visible()
    open_page(adult, "/report")
    made = metrics.read_table(download(adult, "Table in original order"), name="made.parquet")
    assert columns_of(made.sorted_by_cells()) == columns_of(released)
    open_page(adult, "/explore")
    folder = reference("petworks", "adult")
    card = metrics.score(
        made,
        metrics.Roles(quasi_identifiers=QUASI_IDENTIFIERS),
        original=metrics.read_table(folder / "adult.csv"),
        hierarchies=metrics.read_hierarchies(folder / "adult_hierarchy_intervals"),
    )
    assert card.aggregates.classes.suppressed == 1173
    assert metric_value(adult, "Record suppression") == figure_text("suppression", 1173 / 30162)
    assert metric_value(adult, "Information kept") == figure_text(
        "non_uniform_entropy", card["non_uniform_entropy"].value
    )
    assert label == f"adult_generalized_k5_{100 * card['non_uniform_entropy'].value:.0f}pct"
    open_page(adult, "/scorecard")
    expect(adult.get_by_text("equivalence classes · 1,173 records suppressed")).to_be_visible()
    assert metric_value(adult, "k-anonymity") == "5"
    open_page(adult, "/compare")
    main = adult.get_by_test_id("stMain")
    expect(main.get_by_text(re.compile(re.escape(label))).first).to_be_visible()
    expect(adult.get_by_test_id("stAlert")).to_have_count(0)


def test_a_search_of_a_million_generalizations_is_stopped_and_keeps_its_answer(page: Page, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    names = [f"q{number}" for number in range(20)]
    rows = [names, *rng.integers(0, 4, (500, 20)).tolist()]
    (tmp_path / "wide.csv").write_text("\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    (tmp_path / "roles.yaml").write_text(f"quasi_identifiers: [{', '.join(names)}]", encoding="utf-8")
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "wide.csv"])
    expand(page, "Roles from a file")
    upload(page, "section_roles", [tmp_path / "roles.yaml"])
    choose_option(page, "policy", "No limits")
    set_limit(page, "k_anonymity", "5")
    open_page(page, "/explore")
    page.locator(".st-key-explore_search button").click()
    stop = page.locator(".st-key-stop_search button")
    # At first the best is everything suppressed, which keeps nothing.
    bound = page.get_by_text(re.compile(r"no full-domain generalization .*; this one \D*[1-9]")).first
    expect(bound).to_be_visible()
    stop.click()
    expect(stop).to_have_count(0)
    expect(page.locator(".st-key-front_table")).to_be_visible()
    expect(page.get_by_role("heading", name="These levels meet every limit checked here")).to_be_visible()
