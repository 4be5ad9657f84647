"""The page on analyses in a browser: an estimate is chosen in the chart, without a run, and the image is saved."""

import re
import struct

from playwright.sync_api import Page, expect

from tests.browser.actions import choose_option, open_page, rerun, settled


def told(page: Page) -> str:
    """What the chart says of the chosen estimate."""
    return " ".join(page.locator(".st-key-analysis_chart svg .mark-text text").all_text_contents())


def test_a_chosen_estimate_is_told_in_every_version_without_a_run(shared: Page) -> None:
    open_page(shared, "/analyses")
    settled(shared)
    chart = shared.locator(".st-key-analysis_chart svg.marks")
    expect(chart).to_have_count(1)
    names = chart.locator('[aria-roledescription="bar"], .mark-rect path')
    before, ended = told(shared), shared.evaluate("() => window.runsEnded")
    names.nth(names.count() - 1).click(force=True)
    shared.wait_for_function(
        "(before) => [...document.querySelectorAll('.st-key-analysis_chart svg .mark-text text')]"
        ".map((mark) => mark.textContent).join(' ') !== before",
        arg=before,
    )
    assert shared.evaluate("() => window.runsEnded") == ended


def test_an_estimate_is_chosen_by_the_keyboard(shared: Page) -> None:
    open_page(shared, "/analyses")
    settled(shared)
    listed = shared.locator(".st-key-analysis_chart select")
    listed.focus()
    shared.keyboard.press("End")
    last = listed.input_value()
    heading = shared.locator(".st-key-analysis_chart svg .mark-text text").filter(has_text=re.compile(f"^{last}$"))
    expect(heading).to_have_count(2)  # beside its bars, and above the chart


def test_a_chosen_cell_is_still_chosen_in_another_version(shared: Page) -> None:
    open_page(shared, "/analyses")
    choose_option(shared, "chosen_analysis", "diagnosis and sex")
    settled(shared)
    listed = shared.locator(".st-key-analysis_chart select")
    with rerun(shared):
        listed.select_option("COPD, Male")
    for version in ("strict", "light"):
        with rerun(shared):
            shared.locator("[class*=st-key-cells_]").get_by_text(version, exact=True).click()
        expect(shared.locator(".st-key-analysis_chart svg.marks")).to_contain_text(f"{version} ")
        expect(listed).to_have_value("COPD, Male")


def test_the_charts_image_is_saved(shared: Page) -> None:
    open_page(shared, "/analyses")
    settled(shared)
    for kind, beginning in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        shared.locator(".st-key-menu_analysis button").first.click()
        with shared.expect_download() as saved:
            shared.get_by_role("button", name=f"Image as {kind}").click()
        assert saved.value.path().read_bytes().startswith(beginning)
        shared.keyboard.press("Escape")


def test_an_analysis_is_chosen_from_the_list(shared: Page) -> None:
    open_page(shared, "/analyses")
    choose_option(shared, "chosen_analysis", "diagnosis and sex")
    expect(shared.locator(".st-key-heading_analysis h2")).to_contain_text("cells can still")


def test_heat_maps_are_stacked_on_a_telephone_and_a_cell_is_chosen_by_the_keyboard(shared: Page) -> None:
    open_page(shared, "/analyses")
    choose_option(shared, "chosen_analysis", "diagnosis and sex")
    settled(shared)
    shared.set_viewport_size({"width": 390, "height": 844})
    try:
        maps = shared.locator(".st-key-analysis_chart_stacked")
        expect(maps.locator("svg.marks")).to_be_visible()
        expect(shared.locator(".st-key-analysis_chart")).to_be_hidden()
        assert maps.evaluate("(maps) => maps.scrollWidth <= maps.clientWidth + 1")
        listed = maps.locator("select")
        listed.focus()
        shared.keyboard.press("End")
        last = listed.input_value()
        expect(maps.locator("svg .mark-text text").filter(has_text=re.compile(f"^{last}$"))).to_have_count(1)
        shared.locator(".st-key-menu_analysis button:visible").first.click()
        with shared.expect_download() as saved:
            shared.get_by_role("button", name="Image as PNG").click()
        width, height = struct.unpack(">II", saved.value.path().read_bytes()[16:24])
        assert height > width > 0
        shared.keyboard.press("Escape")
    finally:
        shared.set_viewport_size({"width": 1440, "height": 900})
