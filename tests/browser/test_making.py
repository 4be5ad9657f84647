"""From the sample to a candidate by another method than the lattice, kept and compared with the others."""

import re

from playwright.sync_api import Page, expect

from metrics.candidates.methods.costs import LATTICE
from tests.browser.actions import load_sample, metric_value, open_page, rerun, table_named


def choose_method(page: Page, title: str) -> None:
    with rerun(page):
        page.locator(".st-key-explore_method").get_by_role("radio", name=title, exact=True).click()


def test_candidates_are_made_kept_and_their_methods_compared(page: Page) -> None:
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/explore")
    for title, stem in (("Mondrian", "hospital_mondrian"), ("PRAM", "hospital_pram")):
        choose_method(page, title)
        with rerun(page):
            page.locator(".st-key-make_candidate button").click()
        expect(page.get_by_role("heading", level=2).first).to_have_text(re.compile("policy", re.IGNORECASE))
        if title == "Mondrian":
            assert int(metric_value(page, "k-anonymity")) >= 5
        with rerun(page):
            page.locator(".st-key-make_keep button").click()
        expect(page.get_by_text(re.compile(f"Kept as {stem}"))).to_be_visible()
        expect(page.get_by_role("link", name="Compare now")).to_be_visible()
    page.locator(".st-key-compare_methods button").click()
    table = table_named(page, "What the methods cost")
    expect(table).to_be_visible(timeout=120_000)
    first = table.locator("[role=row] [role=gridcell]:first-child")
    expect(first).to_have_text(
        [
            "Mondrian",
            "Mondrian",
            LATTICE,
            "Microaggregation",
            "PRAM",
            "Additive noise",
            "Rank swapping",
            "Top and bottom coding",
        ]
    )
