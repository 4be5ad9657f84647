"""What a reader has hold of stays where it is: the focused control does not move by a pixel when the page changes."""

from collections.abc import Mapping

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.actions import choose_option, open_page, press_slider, rerun, settled, slider_value, upload
from tests.browser.conftest import watched_page
from tests.browser.serving import Server
from tests.support.sample import SAMPLE

FOCUSED = """() => {
    const held = document.activeElement.closest('[class*=st-key-]');
    return held === null ? '' : held.className.match(/st-key-(\\S+)/)[1];
}"""


def top(control: Locator) -> float:
    """Where a control begins, in the window."""
    box = control.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(
    ("path", "view", "presses"),
    [
        ("/p29", "p29", {"w_k": "End", "p29_t_max": "End"}),
        ("/t-closeness", "closeness", {"t_limit": "End"}),
        ("/profitability", "profitability", {"adversary_gain": "Home", "publisher_loss": "End"}),
        ("/attacks", "attacks", {}),
        ("/information-loss", "loss", {}),
        ("/classes", "", {"k_limit": "End"}),
        ("/risk", "", {"risk_threshold": "End"}),
    ],
)
def test_a_slider_and_the_selector_of_a_view_keep_their_position(
    shared: Page, path: str, view: str, presses: Mapping[str, str]
) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, path)
    for key, press in presses.items():
        control = shared.locator(f".st-key-{key} input[type=range]")
        control.focus()
        control.scroll_into_view_if_needed()
        place = shared.locator(f".st-key-{key}")
        before = top(place)
        with rerun(shared):
            control.press(press)
        assert top(place) == pytest.approx(before, abs=0.5), key
    if view:
        parts = shared.locator(f".st-key-{view}_view").get_by_role("radio")
        parts.first.scroll_into_view_if_needed()
        before = top(parts.first)
        for number in [*range(1, parts.count()), 0]:
            with rerun(shared):
                parts.nth(number).click()
            settled(shared)
            expect(parts.nth(number)).to_have_attribute("aria-checked", "true")
            assert top(parts.first) == pytest.approx(before, abs=0.5)


def test_the_main_controls_can_be_reached_by_keyboard(shared: Page) -> None:
    wanted: Mapping[str, set[str]] = {
        "/": {"upload_original", "upload_anonymized", "load_sample", "forget_data", "role_age", "section_hierarchies"},
        "/p29": {"w_k", "w_l", "w_t", "p29_t_max"},
        "/profitability": {"adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit", "allow_attack"},
        "/classes": {"policy", "k_limit", "class_filter", "class_order", "classes_view"},
    }
    for path, keys in wanted.items():
        open_page(shared, path)
        reached: set[str] = set()
        for _ in range(250):
            shared.keyboard.press("Tab")
            reached.add(shared.evaluate(FOCUSED))
            if keys <= reached:
                break
        assert keys <= reached, path


def test_the_menu_of_a_telephone_closes_once_a_page_is_chosen(context: BrowserContext, server: Server) -> None:
    with watched_page(context, server, width=390, height=844) as page:
        open_page(page, "/")
        upload(page, "upload_anonymized", [SAMPLE / "candidate_light.csv"])
        menu = page.get_by_test_id("stSidebar")
        for name in ("Learn", "Compare"):  # Compare ends early, as there is one candidate
            page.get_by_test_id("stExpandSidebarButton").click()
            expect(menu).to_be_in_viewport()
            menu.get_by_role("link", name=name).click()
            expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
            expect(menu).not_to_be_in_viewport()
        # Streamlit remembers for all pages of the browser that the menu is folded.
        page.evaluate("() => localStorage.clear()")


@pytest.mark.parametrize("width", [1440, 1100, 390])
def test_a_filter_of_classes_does_not_move_their_list(shared: Page, width: int) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/classes")
    before = shared.viewport_size
    assert before is not None
    shared.set_viewport_size({"width": width, "height": before["height"]})
    kinds, order = shared.locator(".st-key-class_filter").get_by_role("radio"), shared.locator(".st-key-class_order")
    settled(shared)
    places = []
    for number in (1, 0):
        with rerun(shared):
            kinds.nth(number).click()
        settled(shared)
        places.append(top(order) - top(kinds.first))
    shared.set_viewport_size(before)
    assert places[0] == pytest.approx(places[1], abs=0.5)


def test_focus_goes_to_the_heading_of_a_page_and_what_a_slider_finds_is_announced(shared: Page) -> None:
    open_page(shared, "/risk")
    shared.get_by_test_id("stSidebarNav").get_by_role("link", name="Equivalence classes").click()
    expect(shared.get_by_role("heading", level=1, name="Equivalence classes")).to_be_focused()
    settled(shared)
    # Away from the end where an earlier test may have left it: a press there changes nothing.
    press_slider(shared, "k_limit", "ArrowLeft")
    heading = shared.locator(".st-key-heading_class_sizes h2")
    expect(heading).to_contain_text(f"fewer than {slider_value(shared, 'k_limit'):.0f} records")
    finding = heading.inner_text().strip()
    expect(shared.get_by_role("status").filter(has_text=finding)).to_have_count(1)


def test_a_page_is_presented_on_a_key_but_not_while_somebody_types(shared: Page) -> None:
    open_page(shared, "/classes")
    body, menu = shared.locator("body"), shared.get_by_test_id("stSidebar")
    shared.get_by_role("heading", level=1).click()
    shared.keyboard.press("p")
    expect(menu).to_be_hidden()
    # Charts and tables are enlarged with the page, and not once more.
    main = "document.querySelector('[data-testid=stMain]')"
    shared.wait_for_function(f"() => {main}.scrollWidth <= {main}.clientWidth")
    plot = shared.locator(".st-key-class_sizes .main-svg").first.bounding_box()
    place = shared.locator(".st-key-class_sizes").bounding_box()
    assert plot == pytest.approx(place, abs=2)
    shared.keyboard.press("Escape")
    expect(menu).to_be_visible()
    shared.locator(".st-key-policy_edit button").first.click()
    shared.get_by_label("Name of the policy").press("p")
    expect(body).not_to_have_class("presentation")
    shared.keyboard.press("Escape")
