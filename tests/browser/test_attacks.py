"""The page about attacks as its reader uses it: what is known by pills, an exposed class, and a hold-out table."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import at_rest, open_page, rerun, show_view


def pill(page: Page, column: str) -> Locator:
    """The pill of a column that the attacker can know."""
    return page.locator(".st-key-attack_known").get_by_role("button", name=column, exact=True)


def said(page: Page, sentence: str | re.Pattern[str]) -> Locator:
    return page.get_by_test_id("stMain").get_by_text(sentence)


def test_an_exposed_class_opens_on_its_page(shared: Page) -> None:
    open_page(shared, "/attacks")
    table = shared.locator(".st-key-attack_classes").get_by_test_id("stDataFrame")
    box = at_rest(table)
    with rerun(shared):
        shared.mouse.click(box["x"] + 18, box["y"] + 52)
    shared.locator(".st-key-open_class button").click()
    expect(shared).to_have_url(re.compile(r"/classes"))
    expect(said(shared, "1 class, 4 records")).to_be_visible()


def test_figures_follow_what_is_known(shared: Page) -> None:
    open_page(shared, "/attacks")
    show_view(shared, "attacks", "How each attack works")
    expect(said(shared, re.compile(r"guesses diagnosis correctly for 3[45]\.\d% of people"))).to_be_visible()
    # The sample comes with a hold-out table.
    expect(said(shared, "the same attack on people who are not in the table")).to_be_visible()
    inference = shared.locator(".st-key-attack_inference").get_by_test_id("stPlotlyChart")
    before = inference.inner_html()
    for column in ("marital_status", "occupation", "admission"):
        with rerun(shared):
            pill(shared, column).click()
    expect(said(shared, re.compile(r"guesses diagnosis correctly for 1[45]\.\d% of people"))).to_be_visible()
    assert inference.inner_html() != before
    show_view(shared, "attacks", "Success by columns known")
    expect(said(shared, re.compile("Knowing one column, guessing diagnosis succeeds"))).to_be_visible()
    open_page(shared, "/compare")
    with rerun(shared):
        shared.locator(".st-key-compare_view").get_by_role("radio", name="Attacks").click()
    expect(said(shared, re.compile("both releases, an attacker who knows sex, age and zip_code"))).to_be_visible()
