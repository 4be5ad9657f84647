"""From the sample to a candidate by another method than the lattice, kept and compared."""

import re

import pytest
from playwright.sync_api import Page, expect

from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.costs import LATTICE
from tests.browser.actions import load_sample, metric_value, open_page, rerun, table_named, tag


def choose_method(page: Page, title: str) -> None:
    with rerun(page):
        page.locator(".st-key-explore_method").get_by_role("radio", name=title, exact=True).click()


@pytest.mark.parametrize("title", [method.title for method in METHODS])
def test_a_candidate_is_made_and_kept(page: Page, title: str) -> None:
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/explore")
    choose_method(page, title)
    with rerun(page):
        page.locator(".st-key-make_candidate button").click()
    expect(page.get_by_role("heading", level=2)).to_have_text(re.compile("policy", re.IGNORECASE))
    if title == "Mondrian":
        assert int(metric_value(page, "k-anonymity")) >= 5
    with rerun(page):
        page.locator(".st-key-make_keep button").click()
    expect(page.get_by_text(re.compile("Kept as hospital_"))).to_be_visible()
    expect(page.get_by_role("link", name="Compare now")).to_be_visible()


def test_the_methods_are_compared(page: Page) -> None:
    open_page(page, "/")
    load_sample(page)
    tag(page, dict.fromkeys(["occupation", "admission", "zip_code"], "insensitive"))
    open_page(page, "/explore")
    choose_method(page, "Rank swapping")
    with rerun(page):
        page.locator(".st-key-compare_methods button").click()
    table = table_named(page, "What the methods cost")
    for title in (LATTICE, "Microaggregation", "PRAM"):
        expect(table.get_by_role("gridcell", name=title, exact=True)).to_have_count(1)
