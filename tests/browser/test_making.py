"""From the sample to a candidate by another method than the lattice, kept beside the others."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import choose_option, load_sample, metric_value, open_page, rerun


def test_a_candidate_is_made_by_mondrian_and_kept(page: Page) -> None:
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/explore")
    choose_option(page, "explore_method", "Mondrian")
    with rerun(page):
        page.locator(".st-key-make_candidate button").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text(re.compile("policy", re.IGNORECASE))
    assert int(metric_value(page, "k-anonymity")) >= 5
    with rerun(page):
        page.locator(".st-key-make_keep button").click()
    expect(page.get_by_text(re.compile("Kept as hospital_mondrian"))).to_be_visible()
    expect(page.get_by_role("link", name="Compare now")).to_be_visible()
