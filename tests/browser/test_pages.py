"""Every page with the sample: what opens, moves, stays, fits the window and can be taken away."""

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboard.navigation import PAGES
from dashboard.page_requirement import PageRequirement
from tests.browser.actions import (
    choose_option,
    download,
    load_sample,
    metric_value,
    open_page,
    press_slider,
    rerun,
    row_texts,
    slider_value,
    table_named,
    upload,
)
from tests.dashboard import hostile

PATHS = [f"/{spec.path}" for spec in PAGES]
OPEN_TO_ALL = sum(spec.requirement is PageRequirement.NOTHING for spec in PAGES)
LINKS_WITHOUT_DATA = 0 if OPEN_TO_ALL == 1 else OPEN_TO_ALL
"""A menu of one page is not shown."""
DOWNLOADS = {"/classes": "These classes as CSV (confidential)", "/p29": "Failing classes as CSV (confidential)"}
ROW_HEIGHT = 31
CLASS_TABLE = "Equivalence classes with size, diversity and distance"
FOCUSED = """() => {
    const held = document.activeElement.closest('[class*=st-key-]');
    return held === null ? '' : held.className.match(/st-key-(\\S+)/)[1];
}"""


def click_row(page: Page, name: str, row: int) -> None:
    """Click the box at the left of a row, counted from 1, of a table drawn on a canvas."""
    table = table_named(page, name)
    expect(table.locator(f'[role=row][aria-rowindex="{row + 1}"]')).to_have_count(1)
    with rerun(page):
        # The part that scrolls lies above the canvas; rows are as high as the header.
        table.locator(".dvn-scroller").click(position={"x": 15, "y": ROW_HEIGHT * row + ROW_HEIGHT / 2})


def test_pages_that_need_data_are_hidden_and_say_so(page: Page) -> None:
    open_page(page, "/")
    menu = page.get_by_test_id("stSidebarNavLink")
    expect(menu).to_have_count(LINKS_WITHOUT_DATA)
    page.goto("/scorecard")
    expect(page.get_by_text("There is no anonymized table yet.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("No results yet")
    expect(page.get_by_role("button", name="Try the sample")).to_be_visible()
    with rerun(page):
        page.get_by_role("link", name="Load a table or restore a session").click()
    load_sample(page)
    expect(menu).to_have_count(len(PATHS))


def test_a_click_on_a_class_opens_its_distributions_in_place_of_the_map(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/classes")
    class_map = shared.locator("[class*=st-key-class_map_] .js-plotly-plot")
    expect(class_map).to_be_visible()
    place = shared.locator("[class*=st-key-class_table_]").bounding_box()
    for row in (1, 3):
        click_row(shared, CLASS_TABLE, row)
        expect(shared.get_by_role("heading", name=re.compile("^Selected class: "))).to_be_visible()
        sex, age = row_texts(shared, CLASS_TABLE, row)[-1].split(" · ")[:2]
        expect(shared.get_by_text(f"sex = {sex}, age = {age}")).to_be_visible()
    expect(class_map).to_have_count(0)
    assert shared.locator("[class*=st-key-class_table_]").bounding_box() == place
    drawn = shared.locator(".st-key-class_distribution .js-plotly-plot")
    expect(drawn).to_be_visible()
    finding = shared.get_by_role("heading", level=2).filter(has_text="length_of_stay")
    expect(finding).to_have_count(0)
    with rerun(shared):
        shared.locator(".st-key-class_attribute").get_by_role("radio", name="length_of_stay").click()
    expect(finding).to_be_visible()
    expect(drawn).to_be_visible()
    with rerun(shared):
        shared.locator(".st-key-class_close button").click()
    expect(class_map).to_be_visible()
    expect(drawn).to_have_count(0)


def test_weights_move_the_score_and_stay(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, "/p29")
    before = metric_value(shared, "P_29")
    press_slider(shared, "w_k", "ArrowRight", times=3)
    assert slider_value(shared, "w_k") == 0.53
    assert sum(slider_value(shared, key) for key in ("w_k", "w_l", "w_t")) == pytest.approx(1, abs=1e-9)
    moved = metric_value(shared, "P_29")
    assert moved != before
    open_page(shared, "/profitability")
    press_slider(shared, "publisher_benefit", "ArrowLeft", times=2)
    payout = metric_value(shared, "Publisher's payout")
    open_page(shared, "/p29")
    assert (slider_value(shared, "w_k"), metric_value(shared, "P_29")) == (0.53, moved)
    open_page(shared, "/profitability")
    assert slider_value(shared, "publisher_benefit") == 1180
    assert metric_value(shared, "Publisher's payout") == payout


def test_the_candidate_changes_the_figures(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/scorecard")
    seen = [metric_value(shared, "k-anonymity")]
    for candidate in ("candidate_balanced.csv", "candidate_strict.csv"):
        choose_option(shared, "candidate", candidate)
        seen.append(metric_value(shared, "k-anonymity"))
    assert len(set(seen)) == 3


def test_hostile_names_and_cells_are_text_on_every_page_and_harmless_in_a_spreadsheet(
    page: Page, tmp_path: Path
) -> None:
    for name, content in (("original.csv", hostile.table()), ("roles.yaml", hostile.roles())):
        (tmp_path / name).write_bytes(content)
    named = tmp_path / hostile.FILE
    named.write_bytes(hostile.table())
    (tmp_path / hostile.HIERARCHY_FILE).write_bytes(hostile.hierarchy())
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "original.csv"])
    upload(page, "upload_anonymized", [named])
    upload(page, "upload_roles_0", [tmp_path / "roles.yaml"])
    upload(page, "upload_hierarchies", [tmp_path / hostile.HIERARCHY_FILE])
    shown = [text.replace("\u2060", "") for text in page.locator(".stMarkdown strong, .column b").all_inner_texts()]
    for name in (*hostile.NAMES, hostile.FILE):
        assert name.replace("\u202e", "⟨U+202E⟩") in shown
    for path in PATHS:
        open_page(page, path)
        if path == "/classes":
            click_row(page, CLASS_TABLE, 1)
            expect(page.get_by_role("heading", name=re.compile("^Selected class: "))).to_be_visible()
        main = page.get_by_test_id("stMain")
        assert main.locator("script, object, embed").count() == 0
        # The report itself is shown in a frame, which runs no script.
        expect(main.locator("iframe")).to_have_count(int(path == "/report"))
        assert main.locator("img[src=x], img[src*=outside], .katex a, [onerror]").count() == 0
        assert main.locator("a[href*=outside]:not([href^='#']), a[href^=javascript], a[href^=mailto]").count() == 0
        assert main.locator(".js-plotly-plot a").count() == 0
        assert "\u202e" not in main.inner_text()
        if path in DOWNLOADS:
            rows = list(csv.reader(io.StringIO(download(page, DOWNLOADS[path]).decode("utf-8"))))
            assert len(rows) > 5
            assert "'=HYPERLINK(1)" in [cell for row in rows for cell in row]
            assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]
            # What the table itself would offer is not made safe for a spreadsheet.
            page.get_by_test_id("stDataFrame").first.hover()
            expect(page.get_by_role("button", name="Search").first).to_be_visible()
            expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)


def test_the_main_controls_can_be_reached_by_keyboard(shared: Page) -> None:
    wanted: Mapping[str, set[str]] = {
        "/": {"upload_original", "upload_anonymized", "load_sample", "forget_data", "role_age", "section_hierarchies"},
        "/p29": {"w_k", "w_l", "w_t", "p29_t_max", "p29_reset"},
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


def test_buttons_and_tags_obey_the_keyboard(page: Page) -> None:
    open_page(page, "/")
    page.locator(".st-key-load_sample button").focus()
    with rerun(page):
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/scorecard"))
    open_page(page, "/")
    role = page.locator(".st-key-role_age").get_by_role("radio", name="quasi-identifier")
    expect(role).to_have_attribute("aria-checked", "true")
    role.focus()
    page.keyboard.press("ArrowRight")
    with rerun(page):
        page.keyboard.press("Enter")
    expect(page.locator(".st-key-role_age [aria-checked=true]")).to_have_text("sensitive")
