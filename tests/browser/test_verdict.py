"""The start, the policy and the verdict as a user meets them: the answer first, on a desk and on a telephone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.actions import at_rest, load_sample, open_page, rerun, settled, verdict_row
from tests.browser.conftest import watched_page
from tests.browser.serving import Server


@pytest.fixture(scope="module")
def sampled(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with the sample on a desk's window, reached by one click."""
    with watched_page(context, server, width=1440, height=900) as page:
        open_page(page, "/")
        load_sample(page)
        yield page


@pytest.fixture
def verdict(sampled: Page) -> Page:
    """The verdict; each test takes back what it chooses."""
    open_page(sampled, "/scorecard")
    return sampled


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).last.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def height(page: Page) -> float:
    box = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert box is not None
    return box["height"]


def test_the_answer_stands_on_the_first_screen(verdict: Page) -> None:
    expect(verdict).to_have_url(re.compile(r"/scorecard"))
    assert verdict.locator(".st-key-verdict_status").inner_text().startswith("Fails the policy")
    for selector in (".tiles", "[class*=st-key-verdict_figure_]", ".st-key-groups", ".st-key-verdict_repair"):
        assert bottom(verdict, selector) <= 900, selector
    assert height(verdict) <= 1_800


def test_the_verdict_fits_a_telephone(verdict: Page) -> None:
    verdict.set_viewport_size({"width": 390, "height": 844})
    settled(verdict)
    assert height(verdict) <= 4_500
    expect(verdict.locator(".st-key-candidate input")).to_be_visible()
    verdict.set_viewport_size({"width": 1440, "height": 900})


def test_a_row_opens_the_definition_and_the_limit_by_the_keyboard(verdict: Page) -> None:
    row = verdict_row(verdict, "k-anonymity")
    row.focus()
    with rerun(verdict):
        row.press("Enter")
    dialog = verdict.get_by_role("dialog")
    expect(dialog).to_contain_text("Definition")
    expect(dialog.locator(".st-key-detail_limit_k_anonymity input")).to_have_value("5")
    verdict.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_typeface_comes_from_this_server(verdict: Page) -> None:
    assert verdict.evaluate("document.fonts.check('14px Inter')")
    loaded = verdict.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert any("/app/static/inter-latin.woff2" in name for name in loaded)


def test_the_typical_person_of_a_group_opens_on_the_page_of_classes(verdict: Page) -> None:
    with rerun(verdict):
        verdict.locator(".st-key-group_0 button:visible").click()
        expect(verdict).to_have_url(re.compile("/classes"))
    expect(verdict.get_by_role("heading", name=re.compile("^Selected class: 1 record"))).to_be_visible()


def test_a_search_leaves_the_metrics_that_contain_its_words(verdict: Page) -> None:
    verdict.locator(".st-key-all_metrics summary").click()
    rows = verdict.locator(".st-key-all_metrics .metric-row:visible")
    expect(rows.first).to_be_visible()
    verdict.get_by_role("searchbox").fill("population")
    expect(verdict.locator(".st-key-all_metrics output")).to_contain_text(" of ")
    assert all("population" in text.lower() for text in rows.all_inner_texts())


def test_a_mark_of_the_chart_chooses_its_version(verdict: Page) -> None:
    def chosen(name: str) -> None:
        expect(verdict.locator(".st-key-verdict_status")).to_contain_text(name)

    figure = verdict.locator('[class*="st-key-verdict_figure_"]')
    for index, name in ((1, "candidate_light.csv"), (0, "candidate_balanced.csv"), (1, "candidate_light.csv")):
        expect(figure).to_have_count(1)
        box = at_rest(figure.locator(".scatterlayer .trace .point").nth(index))
        verdict.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(figure.locator(".hoverlayer .hovertext")).to_have_count(1)
        with rerun(verdict):
            verdict.mouse.down()
            verdict.mouse.up()
            chosen(name)
