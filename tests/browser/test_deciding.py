"""What a reader decides by: repairs, what would change the payout, and limits."""

import re

import pytest
from playwright.sync_api import Page, expect

from metrics.policy.built_in_policies import POLICIES
from tests.browser.actions import (
    choose_option,
    open_page,
    rerun,
    settled,
    show_view,
    slider_value,
    verdict_row,
)

BALANCED = "candidate_balanced.csv"


@pytest.fixture
def sampled(shared: Page) -> Page:
    """A page with the sample, and the candidate of middling loss chosen; each test takes back its parameters."""
    choose_option(shared, "candidate", BALANCED)
    return shared


def test_the_other_weights_and_the_working_follow_quick_key_presses(sampled: Page) -> None:
    open_page(sampled, "/p29")
    with rerun(sampled):
        sampled.locator(".st-key-working_p29 summary").click()
    violations = sampled.get_by_test_id("stDataFrame").first
    violations.evaluate("(element) => { element.dataset.mine = 'yes'; }")
    slider = sampled.locator(".st-key-w_l input[type=range]")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    settled(sampled)
    weights = [slider_value(sampled, name) for name in ("w_k", "w_l", "w_t")]
    assert sum(weights) == pytest.approx(1, abs=2e-4)
    assert weights[1] == 0.3
    formula = sampled.locator(".st-key-working_p29 annotation").filter(has_text="P_{29}").last
    expect(formula).to_contain_text(rf"{weights[1]:.6g} \cdot")
    # The table, which no weight changes, is not drawn anew.
    expect(violations).to_have_attribute("data-mine", "yes")
    with rerun(sampled):
        sampled.locator(".st-key-what_if_undo button").click()


def test_a_point_of_a_plane_sets_the_amounts_while_it_is_dragged(sampled: Page) -> None:
    open_page(sampled, "/profitability")
    show_view(sampled, "profitability", "Publisher's amounts")
    answer = sampled.locator(".st-key-finding")
    for key, names in (
        ("plane_attack", ("adversary_cost", "adversary_gain")),
        ("plane_publisher", ("publisher_loss", "publisher_benefit")),
    ):
        plane = sampled.locator(f".st-key-{key} .nsewdrag")
        plane.scroll_into_view_if_needed()
        settled(sampled)
        box = plane.bounding_box()
        assert box is not None
        before = answer.inner_text()
        sampled.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
        sampled.mouse.down()
        sampled.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(answer).not_to_have_text(before)  # not released yet
        sampled.mouse.up()
        settled(sampled)
        # The middle of logarithmic axes that begin at a three-hundredth of their end.
        for name, maximum in zip(names, (100 if "cost" in names[0] else 3000, 3000), strict=True):
            slider = sampled.locator(f".st-key-{name} input[type=range]")
            assert float(slider.input_value()) == pytest.approx(maximum / 300**0.5, rel=0.1)
            field = sampled.locator(f".st-key-{name}_field input")
            assert field.input_value() == slider.input_value()
    with rerun(sampled):
        sampled.locator(".st-key-what_if_undo button").click()


def test_a_limit_is_judged_and_stays_until_it_is_emptied(sampled: Page) -> None:
    open_page(sampled, "/scorecard")
    button = sampled.locator(".st-key-policy_edit").get_by_test_id("stPopoverButton")
    field = sampled.locator(".st-key-limit_k_anonymity input")
    status = verdict_row(sampled, "k-anonymity").locator(".metric-status")
    for limit, measured in (("11", "fails"), ("", "")):
        button.click()
        with rerun(sampled):
            field.fill(limit)
            field.press("Enter")
        expect(status).to_have_text(measured)
        sampled.keyboard.press("Escape")
        expect(field).to_be_hidden()
    choose_option(sampled, "policy", next(iter(POLICIES)))
    open_page(sampled, "/classes")  # a field in the closed popover keeps what was typed, and must not bring it back
    expect(sampled.locator(".st-key-policy input")).to_have_value(next(iter(POLICIES)))
    open_page(sampled, "/explore")  # nor its old name, whose callback would take the place of the button's run
    choose_option(sampled, "explore_method", "Mondrian")
    sampled.locator(".st-key-make_candidate button").click()
    expect(sampled.locator(".st-key-change_tiles")).to_be_visible()


def test_a_repair_is_never_shown_under_another_method(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/repair")
    finding = shared.get_by_test_id("stMain").get_by_role("heading", level=2)
    expect(finding).to_contain_text("Merging")
    with rerun(shared):
        shared.get_by_text("Suppress whole classes", exact=True).click()
        # While the new method is at work, which takes longer than this, the former one's finding is gone.
        expect(finding.filter(has_text="Merging")).to_have_count(0, timeout=500)


def test_versions_chosen_or_framed_on_the_plane_stay_while_the_others_fade_in_the_table_too(sampled: Page) -> None:
    open_page(sampled, "/compare")
    view = sampled.locator(".st-key-compare_results svg.marks")
    marks = view.locator(".mark-symbol path")
    expect(marks).to_have_count(3)

    results = view.locator(".mark-text text").filter(has_text=re.compile("^[✓✗]"))

    def faded() -> list[list[bool]]:
        sampled.mouse.move(0, 0)
        sampled.wait_for_timeout(300)
        return [[float(one.get_attribute("opacity") or 1) < 1 for one in each.all()[:3]] for each in (marks, results)]

    for place in (marks.nth(0), results.nth(1)):
        place.click(force=True)  # its cell lies above the text
        marked, written = faded()
        assert marked == written
        assert sum(marked) == 2
        place.click(force=True)  # its cell lies above the text
        assert faded() == [[False] * 3] * 2
