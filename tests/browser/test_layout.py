"""What a reader has hold of stays where it is: the focused control does not move by a pixel when the page changes."""

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.actions import choose_option, open_page, rerun, settled
from tests.browser.conftest import watched_page
from tests.browser.serving import Server


def top(control: Locator) -> float:
    """Where a control begins, in the window."""
    box = control.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(
    ("path", "key", "press"),
    [
        ("/p29", "w_k", "End"),
        ("/p29", "p29_t_max", "End"),
        ("/t-closeness", "t_limit", "End"),
        ("/profitability", "adversary_gain", "Home"),
        ("/profitability", "publisher_loss", "End"),
        ("/classes", "k_limit", "End"),
        ("/risk", "risk_threshold", "End"),
    ],
)
def test_a_slider_keeps_its_position_when_it_is_moved(shared: Page, path: str, key: str, press: str) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, path)
    control = shared.locator(f".st-key-{key} input[type=range]")
    control.focus()
    control.scroll_into_view_if_needed()
    place = shared.locator(f".st-key-{key}")
    before = top(place)
    with rerun(shared):
        control.press(press)
    assert top(place) == pytest.approx(before, abs=0.5)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/attacks", "attacks"),
        ("/p29", "p29"),
        ("/t-closeness", "closeness"),
        ("/profitability", "profitability"),
        ("/information-loss", "loss"),
    ],
)
def test_the_selector_of_a_view_keeps_its_position(shared: Page, path: str, key: str) -> None:
    open_page(shared, path)
    parts = shared.locator(f".st-key-{key}_view").get_by_role("radio")
    parts.first.scroll_into_view_if_needed()
    before = top(parts.first)
    for number in [*range(1, parts.count()), 0]:
        with rerun(shared):
            parts.nth(number).click()
        settled(shared)
        expect(parts.nth(number)).to_have_attribute("aria-checked", "true")
        assert top(parts.first) == pytest.approx(before, abs=0.5)


def test_the_menu_of_a_telephone_closes_once_a_page_is_chosen(context: BrowserContext, server: Server) -> None:
    with watched_page(context, server, width=390, height=844) as page:
        open_page(page, "/")
        menu = page.get_by_test_id("stSidebar")
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(menu).to_be_in_viewport()
        menu.get_by_role("link", name="Learn").click()
        expect(page.get_by_role("heading", level=1, name="Learn")).to_be_visible()
        expect(menu).not_to_be_in_viewport()
