"""The report in a browser without a network: opened from disk, drawn, and read on every kind of page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import metrics
from metrics import Roles
from metrics.report import appendix_html, report_html
from metrics.scoring.scorecard import Scorecard
from tests.dashboard.hostile import QUASI_IDENTIFIERS, SENSITIVE
from tests.dashboard.hostile import table as hostile_table
from tests.support.reference_data import reference
from tests.support.sample import SAMPLE


def sample() -> Scorecard:
    return metrics.score(
        metrics.read_table(SAMPLE / "candidate_balanced.csv"),
        metrics.read_roles(SAMPLE / "roles.yaml").roles,
        original=metrics.read_table(SAMPLE / "hospital.csv"),
        hierarchies=metrics.read_hierarchies(SAMPLE / "hierarchies"),
    )


def adult() -> Scorecard:
    folder = reference("petworks", "adult")
    return metrics.score(
        metrics.read_table(folder / "adult_anonymized.csv"),
        Roles(["sex", "age", "race", "marital-status", "education", "native-country"], ["occupation", "salary-class"]),
        original=metrics.read_table(folder / "adult.csv"),
        hierarchies=metrics.read_hierarchies(folder / "adult_hierarchy"),
    )


def diabetes() -> Scorecard:
    table = metrics.read_table(reference("diabetes", "diabetes_before_deletion.csv.gz"))
    return metrics.score(
        table, Roles(["race", "gender", "age"], [name for name in table.names if name[0] in "dmAr"][1:])
    )


def hostile() -> Scorecard:
    return metrics.score(metrics.read_table(hostile_table()), Roles(QUASI_IDENTIFIERS, SENSITIVE))


NEEDS_REFERENCE = [pytest.param(made, marks=pytest.mark.reference) for made in (adult, diabetes)]


@pytest.fixture(scope="module", params=[sample, hostile, *NEEDS_REFERENCE])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on disk."""
    path = tmp_path_factory.mktemp("report") / f"{request.param.__name__}.html"
    path.write_text(report_html(request.param(), date="2026-01-31"), encoding="utf-8")
    return path


VIEWS = {"light": ("light", 1200), "dark": ("dark", 1200), "narrow": ("light", 390)}


@pytest.fixture(scope="module", params=VIEWS)
def opened(request: pytest.FixtureRequest, browser: Browser, report: Path) -> Iterator[Page]:
    """The report in a browser that has no network; whatever it asks for, says or fails at is a failure."""
    scheme, width = VIEWS[request.param]
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True) as context:
        page = context.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto(report.as_uri())
        yield page
        page.wait_for_load_state("networkidle")
        assert asked == [report.as_uri()]
        assert said == []


def test_both_pictures_are_drawn_and_nothing_runs_wide(opened: Page) -> None:
    figures = opened.locator("figure svg")
    for i in range(figures.count()):
        expect(figures.nth(i)).to_be_visible()
    assert figures.count() >= 1
    width, window = opened.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window


def test_its_text_stands_out_from_the_page(opened: Page) -> None:
    """Contrast of 4.5 and more, as WCAG 2.2 asks, in figures too."""
    contrast = """(selector) => {
        const light = (color) => {
            const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => {
                const share = part / 255;
                return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const page = light(getComputedStyle(document.body).backgroundColor);
        return Math.min(...[...document.querySelectorAll(selector)].map((element) => {
            const style = getComputedStyle(element);
            const text = light(element instanceof SVGElement ? style.fill : style.color);
            return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
        }));
    }"""
    for selector in ("p", "h1", "h2", "dt", "th", ".about", "svg text"):
        assert opened.evaluate(contrast, selector) >= 4.5, selector


def test_the_report_prints_on_a_white_background_and_few_pages(opened: Page, tmp_path: Path) -> None:
    opened.emulate_media(media="print")
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    opened.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    content = (tmp_path / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") <= 5
    opened.emulate_media(media="screen")


def test_every_printed_page_of_the_appendix_says_that_it_is_confidential(page: Page, tmp_path: Path) -> None:
    """The running header, as the browser has understood it: text in the margin of every page."""
    path = tmp_path / "confidential.html"
    path.write_text(appendix_html(sample()), encoding="utf-8")
    page.goto(path.as_uri())
    expect(page).to_have_title("Confidential appendix on candidate_balanced.csv")
    headers = page.evaluate(
        """() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
            .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === "print")
            .flatMap((rule) => [...rule.cssRules]).filter((rule) => rule instanceof CSSPageRule)
            .flatMap((rule) => [...rule.cssRules]).map((rule) => [rule.name, rule.style.content])"""
    )
    assert dict(headers)["top-center"].startswith('"Confidential')
    page.emulate_media(media="print")
    expect(page.get_by_role("note")).to_be_visible()
