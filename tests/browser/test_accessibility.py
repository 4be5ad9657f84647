"""Every page for everybody: axe-core finds nothing of ours, light and dark, and a telephone shows all of it.

The same in states that controls open, and in the report.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

import metrics
from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from metrics.report import appendix_html, report_html, technical_html
from tests.browser.actions import load_sample, open_page, rerun, settled, show_view
from tests.browser.conftest import watched_page
from tests.browser.serving import Server

STREAMLITS = {
    "list": "[data-testid=stSidebarNavItems]",
    "listitem": "[data-testid=stSidebarNavItems]",
    "presentation-role-conflict": "[data-testid=stFileUploaderDropzone]",
    "svg-img-alt": "[data-testid=stVegaLiteChart]",
}
"""Rules that Streamlit's own markup breaks, and where: the menu, drop zones with a name, and Vega's empty selection."""
_WITHIN = "([target, place]) => document.querySelector(target)?.closest(place) !== null"
# Streamlit changes its colours some time after the scheme has changed.
_HAS_COLOURS_OF = """(scheme) => {
    const app = document.querySelector('[data-testid="stApp"]');
    if (app === null) return true;
    const [red, green, blue] = getComputedStyle(app).backgroundColor.match(/\\d+/g).map(Number);
    return (red + green + blue < 384) === (scheme === 'dark');
}"""
_DRAWN = "() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect.getTiming().iterations > 1)"

MAIN = "[data-testid=stMain]"
TELEPHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 1000}
LONGEST_PX = 4_500
"""Height of a page on a telephone."""
MOST_TABS = 25
_RESULTS = (
    ".js-plotly-plot, .tile, iframe, [class*=st-key-heading_], [data-testid=stDataFrame], [data-testid=stMetric], "
    "[data-testid=stVegaLiteChart]"
)
_IS_AT_RESULT = """(results) => {
    const first = document.querySelector('[data-testid="stMain"]').querySelector(results);
    const place = first.compareDocumentPosition(document.activeElement);
    return (place & (Node.DOCUMENT_POSITION_CONTAINED_BY | Node.DOCUMENT_POSITION_FOLLOWING)) !== 0;
}"""
_FITS = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return [document.scrollingElement, main].every((box) => box.scrollWidth <= box.clientWidth);
}"""


def violations(page: Page, within: str = "html") -> list[str]:
    """What axe-core finds on the page, or in a part of it, without what is Streamlit's; when dark, only colours differ.

    It begins with the scheme that the page has: every change of it draws the page anew.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
        page.add_style_tag(content="* { transition: none !important; }")  # colours on their way to the other scheme
    colours = {"runOnly": ["color-contrast", "link-in-text-block"]}
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return [
        f"{scheme}: {found}"
        for scheme in (("dark", "light") if is_dark else ("light", "dark"))
        for found in _violations(page, within, scheme, **(colours if scheme == "dark" else {}))
    ]


def _violations(page: Page, within: str, scheme: Any, **options: Any) -> list[str]:
    page.mouse.move(0, 0)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(_HAS_COLOURS_OF, arg=scheme)
    page.wait_for_function(_DRAWN)
    found: list[dict[str, Any]] = page.evaluate(
        "([within, options]) => axe.run(within, options).then((found) => found.violations)",
        [within, {"resultTypes": ["violations"], **options}],
    )
    return [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in found
        for node in rule["nodes"]
        if not (rule["id"] in STREAMLITS and page.evaluate(_WITHIN, [node["target"][0], STREAMLITS[rule["id"]]]))
    ]


@pytest.fixture(scope="module")
def shared(context: BrowserContext, server: Server) -> Iterator[Page]:
    """A page with the sample; the start before it has been looked at."""
    with watched_page(context, server, **DESK) as page:
        open_page(page, "/")
        assert violations(page) == []
        load_sample(page)
        yield page


PARTS = {
    "attacks": ("attacks", "Success by columns known", "How each attack works"),
    "p29": ("p29", "Attributes", "Repair options"),
    "t-closeness": ("closeness", "Classes above the limit"),
    "profitability": ("profitability", "Publisher's amounts", "Class by class"),
    "information-loss": ("loss", "Combinations per record", "Column by column"),
}
"""By page: the key of the choice of its parts, and those that are not shown at first."""


@pytest.mark.parametrize("path", [spec.path for spec in PAGES])
def test_a_page_is_accessible_and_fits_a_telephone(shared: Page, path: str) -> None:
    open_page(shared, f"/{path}")
    assert violations(shared, MAIN if path else "html") == []  # the menu is the same on every page
    expect(shared.get_by_role("heading", level=1)).to_be_visible()
    expect(shared.get_by_test_id("stException")).to_have_count(0)
    expect(shared.get_by_test_id("stAlertContentError")).to_have_count(0)
    shared.set_viewport_size(TELEPHONE)
    # Figures and tables take a moment to fill their place.
    shared.wait_for_function(_FITS)
    box = shared.get_by_test_id("stMainBlockContainer").bounding_box()
    shared.set_viewport_size(DESK)
    assert box is not None
    assert box["height"] <= LONGEST_PX
    key, *parts = PARTS.get(path, ("",))
    for part in parts:
        show_view(shared, key, part)
        assert violations(shared, f".st-key-{key}_view_part") == [], part


@pytest.mark.parametrize("path", [spec.path for spec in PAGES if spec.path])
def test_few_presses_of_the_tab_key_lead_from_the_heading_to_the_first_result(shared: Page, path: str) -> None:
    if shared.url.rstrip("/").endswith(path):
        open_page(shared, "/")
    open_page(shared, f"/{path}")
    settled(shared)
    expect(shared.get_by_role("heading", level=1)).to_be_focused()
    expect(shared.locator(f"{MAIN} :is({_RESULTS})").first).to_be_visible()
    presses = 0
    while not shared.evaluate(_IS_AT_RESULT, _RESULTS):
        shared.keyboard.press("Tab")
        presses += 1
        assert presses <= MOST_TABS


def open_working(page: Page) -> str:
    """The working of P_29, and its definition."""
    open_page(page, "/p29")
    with rerun(page):
        page.locator(".st-key-working_p29 summary").click()
    page.get_by_text("The definition").click()
    return MAIN


def open_metric(page: Page) -> str:
    """The dialog of a metric."""
    open_page(page, "/scorecard")
    with rerun(page):
        page.locator(".metric-row").first.click()
    return "[role=dialog]"


def open_policy(page: Page) -> str:
    """The limits of the policy."""
    open_page(page, "/scorecard")
    page.get_by_role("button", name="Edit limits").click()
    return "[data-testid=stPopoverBody]"


def search(page: Page) -> str:
    """What a search found until it was stopped."""
    open_page(page, "/explore")
    page.locator(".st-key-explore_search button").click()
    expect(page.locator(".st-key-live_search .js-plotly-plot")).to_be_visible()
    page.locator(".st-key-stop_search button").click()
    expect(page.locator(".st-key-front_table")).to_be_visible()
    settled(page)
    return MAIN


@pytest.mark.parametrize("reach", [open_working, open_policy, search, open_metric])
def test_pages_in_every_state_have_no_accessibility_violations(shared: Page, reach: Callable[[Page], str]) -> None:
    part = reach(shared)
    expect(shared.locator(part)).to_be_visible()
    found = violations(shared, part)
    shared.keyboard.press("Escape")
    assert found == []


# axe-core does not judge contrast in a dialog, which lies over other text.
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_captions_of_a_dialog_have_the_contrast_of_those_of_the_page(shared: Page, scheme: Any) -> None:
    shared.emulate_media(color_scheme=scheme)
    shared.wait_for_function(_HAS_COLOURS_OF, arg=scheme)
    within = open_metric(shared)
    captions = [shared.locator(f"{place} [data-testid=stCaptionContainer]").first for place in (MAIN, within)]
    colours = [caption.evaluate("(element) => getComputedStyle(element).color") for caption in captions]
    shared.keyboard.press("Escape")
    assert colours[0] == colours[1]


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    """A candidate of the sample with few classes and metrics, which axe-core goes through in seconds."""
    data = ROOT / "sample_data"
    return metrics.score(
        metrics.read_table(data / "candidate_balanced.csv"),
        metrics.read_roles(data / "roles.yaml").roles,
        original=metrics.read_table(data / "hospital.csv"),
        hierarchies=metrics.read_hierarchies(data / "hierarchies"),
        metrics=["k_anonymity", "p29", "t_closeness", "non_uniform_entropy", "ambiguity", "profitability"],
    )


@pytest.mark.parametrize("made", [report_html, technical_html, appendix_html])
def test_reports_have_no_accessibility_violations(
    browser: Browser, card: metrics.Scorecard, tmp_path: Path, made: Callable[[Any], str]
) -> None:
    written = tmp_path / "report.html"
    written.write_text(made(card), encoding="utf-8")
    with browser.new_context(viewport={"width": 1000, "height": 1200}) as context:
        page = context.new_page()
        page.goto(written.as_uri())
        assert violations(page) == []
