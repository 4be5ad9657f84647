"""What a reader decides by: repairs, what would change the payout, and limits."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

import metrics
from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.break_even import break_even
from metrics.figures.theme import amount
from metrics.policy.release_contexts import POLICIES
from metrics.scoring.scorecard import Scorecard
from tests.browser.actions import (
    choose_option,
    load_sample,
    metric_value,
    open_page,
    rerun,
    settled,
    show_view,
    slider_value,
    verdict_row,
)
from tests.support.command_line import ROOT

WORKED_EXAMPLE = "Example: cost 4, gain 300, loss 300, benefit 1,200"
HEAVY_FINES = "Heavy fines: loss 3,000 per record"
# Of four amounts, in the order of the sliders; the presets' names tell them.
PRESETS = {
    "Strict definition (no profitable attack allowed)": (4, 300, 300, 1200),
    "Costly attack: cost 60": (60, 300, 300, 1200),
    "Lucrative records: gain 3,000": (4, 3000, 300, 1200),
    HEAVY_FINES: (4, 300, 3000, 1200),
}
AMOUNTS = ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit")
BALANCED = "candidate_balanced.csv"


@pytest.fixture
def sampled(shared: Page) -> Page:
    """A page with the sample, and the candidate of middling loss chosen; each test takes back its parameters."""
    choose_option(shared, "candidate", BALANCED)
    return shared


@pytest.fixture
def profitability(sampled: Page) -> Iterator[Page]:
    """The same on the page on profitability, with the amounts of the worked example before and after."""
    open_page(sampled, "/profitability")
    yield sampled
    choose_option(sampled, "profit_preset", WORKED_EXAMPLE)


@pytest.fixture(scope="module")
def balanced() -> Scorecard:
    """The same candidate, scored without the dashboard."""
    data = ROOT / "sample_data"
    return metrics.score(
        metrics.read_table(data / BALANCED),
        metrics.read_roles(data / "roles.yaml").roles,
        original=metrics.read_table(data / "hospital.csv"),
        hierarchies=metrics.read_hierarchies(data / "hierarchies"),
    )


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
        sampled.locator(".st-key-p29_reset button").click()


def verdict_cards(page: Page) -> list[str]:
    return [metric_value(page, label) for label in ("Publisher's payout", "Records attacked", "Profitability")]


def test_presets_set_the_amounts_and_the_payout(profitability: Page) -> None:
    seen = [verdict_cards(profitability)]
    for preset, amounts in PRESETS.items():
        choose_option(profitability, "profit_preset", preset)
        assert tuple(slider_value(profitability, key) for key in AMOUNTS) == amounts
        seen.append(verdict_cards(profitability))
    assert all(one != other for one, other in pairwise(seen))


def test_the_switches_change_the_verdict(profitability: Page) -> None:
    def press(key: str, *, checked: bool) -> None:
        switch = profitability.locator(f".st-key-{key}").get_by_role("switch")
        expect(switch).to_be_checked(checked=not checked)
        switch.focus()
        with rerun(profitability):
            profitability.keyboard.press("Space")
        expect(switch).to_be_checked(checked=checked)

    assert metric_value(profitability, "Profitability") == "yes"
    press("allow_attack", checked=False)
    assert metric_value(profitability, "Profitability") == "no"
    payout = metric_value(profitability, "Publisher's payout")
    press("information_loss", checked=True)
    assert metric_value(profitability, "Publisher's payout") != payout
    expect(profitability.get_by_text("Information loss is not included.")).to_be_visible()


def test_the_address_takes_the_amounts_along(profitability: Page) -> None:
    assert "publisher_loss" not in profitability.url
    choose_option(profitability, "profit_preset", HEAVY_FINES)
    expect(profitability).to_have_url(re.compile(r"[?&]publisher_loss="))
    assert parse_qs(urlsplit(profitability.url).query) == {"publisher_loss": ["3000"]}
    expected = verdict_cards(profitability)
    with profitability.context.new_page() as other:
        open_page(other, profitability.url)
        with rerun(other):
            other.get_by_role("link", name="Load a table or restore a session").click()
        load_sample(other)
        choose_option(other, "candidate", BALANCED)
        open_page(other, "/profitability")
        assert slider_value(other, "publisher_loss") == 3000
        assert verdict_cards(other) == expected
        assert parse_qs(urlsplit(other.url).query) == {"publisher_loss": ["3000"]}


def test_where_the_verdict_changes_is_shown(profitability: Page, balanced: Scorecard) -> None:
    choose_option(profitability, "profit_preset", HEAVY_FINES)
    points = break_even(balanced.aggregates.classes, replace(ProfitabilityParameters(), publisher_loss=3000.0))
    values = (points.benefit, points.total_benefit, points.loss, points.attack_free_cost, points.attack_free_gain)
    texts = [amount(value) for value in (*values, points.attack_free_size) if value is not None]
    assert len(texts) == 6
    expect(profitability.get_by_test_id("stTable").locator("tbody tr > :nth-child(2)")).to_have_text(texts)
    show_view(profitability, "profitability", "Ranges of the amounts")
    for key in ("phase_attack", "phase_publisher"):
        diagram = profitability.locator(f".st-key-{key}")
        diagram.scroll_into_view_if_needed()
        expect(diagram.locator(".heatmaplayer image")).to_have_attribute("href", re.compile("^data:image/png;base64,."))
        expect(diagram.locator(".scatterlayer .trace path.point")).to_have_count(1)


def test_a_limit_is_judged_and_stays_until_it_is_emptied(shared: Page) -> None:
    choose_option(shared, "candidate", BALANCED)
    open_page(shared, "/scorecard")
    button = shared.locator(".st-key-policy_edit").get_by_test_id("stPopoverButton")
    field = shared.locator(".st-key-limit_k_anonymity input")
    status = verdict_row(shared, "k-anonymity").locator(".metric-status")
    button.click()
    for limit, judgement in (("11", "fails (≥ 11)"), ("10", "meets (≥ 10)")):
        field.fill(limit)
        with rerun(shared):
            field.press("Enter")
        expect(status).to_have_text(judgement)
    shared.keyboard.press("Escape")
    expect(field).to_be_hidden()
    open_page(shared, "/classes")
    expect(shared.locator(".st-key-k_limit").get_by_test_id("stSliderThumbValue")).to_have_text("10")
    open_page(shared, "/scorecard")
    expect(status).to_have_text("meets (≥ 10)")
    choose_option(shared, "candidate", "candidate_light.csv")
    expect(status).to_have_text("fails (≥ 10)")
    expect(shared.locator(".st-key-verdict_status")).to_contain_text("Fails the policy")
    button.click()
    expect(field).to_have_value("10")
    with rerun(shared):
        field.fill("")
        field.press("Enter")
    expect(status).to_have_text("")
    shared.keyboard.press("Escape")
    expect(field).to_be_hidden()
    choose_option(shared, "policy", next(iter(POLICIES)))
    open_page(shared, "/classes")  # a field in the closed popover keeps what was typed, and must not bring it back
    expect(shared.locator(".st-key-policy input")).to_have_value(next(iter(POLICIES)))
