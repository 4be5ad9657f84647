"""Every page: the way in, by keyboard and by an address, and that whatever stands in a table stays text."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Dialog, Page, expect

from dashboard.navigation import PAGES, PageRequirement
from tests.browser.actions import download, open_page, press_slider, rerun, slider_value, table_named, upload
from tests.dashboard import hostile

PATHS = [f"/{spec.path}" for spec in PAGES]
OPEN_TO_ALL = sum(spec.requirement is PageRequirement.NOTHING for spec in PAGES)
LINKS_WITHOUT_DATA = 0 if OPEN_TO_ALL == 1 else OPEN_TO_ALL
"""A menu of one page is not shown."""
DOWNLOADS = {"/classes": "Download classes (CSV, confidential)", "/p29": "Download classes (CSV, confidential)"}
ROW_HEIGHT = 31
CLASS_TABLE = "Equivalence classes with size, diversity and distance"


def click_row(page: Page, name: str, row: int) -> None:
    """Click the box at the left of a row, counted from 1, of a table drawn on a canvas."""
    table = table_named(page, name)
    expect(table.locator(f'[role=row][aria-rowindex="{row + 1}"]')).to_have_count(1)
    with rerun(page):
        # The part that scrolls lies above the canvas; rows are as high as the header.
        table.locator(".dvn-scroller").click(position={"x": 15, "y": ROW_HEIGHT * row + ROW_HEIGHT / 2})


def test_from_an_address_without_data_to_the_sample_by_keyboard_and_back(page: Page) -> None:
    open_page(page, "/")
    menu = page.get_by_test_id("stSidebarNavLink")
    expect(menu).to_have_count(LINKS_WITHOUT_DATA)
    page.goto("/profitability?publisher_loss=3000")
    expect(page.get_by_text("There is no anonymized table yet.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("No results yet")
    expect(page.get_by_role("button", name="Try the sample")).to_be_visible()
    with rerun(page):
        page.get_by_role("link", name="Load a table or restore a session").click()
    page.locator(".st-key-load_sample button").focus()
    with rerun(page):
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/scorecard"))
    expect(menu).to_have_count(len(PATHS))
    open_page(page, "/profitability")
    assert slider_value(page, "publisher_loss") == 3000
    press_slider(page, "publisher_benefit", "ArrowLeft")
    expect(page).to_have_url(re.compile(r"[?&]publisher_benefit="))
    assert parse_qs(urlsplit(page.url).query) == {"publisher_loss": ["3000"], "publisher_benefit": ["1190"]}
    open_page(page, "/")
    role = page.locator(".st-key-role_age").get_by_role("radio", name="quasi-identifier")
    expect(role).to_have_attribute("aria-checked", "true")
    role.focus()
    page.keyboard.press("ArrowRight")
    with rerun(page):
        page.keyboard.press("Enter")
    expect(page.locator(".st-key-role_age [aria-checked=true]")).to_have_text("sensitive")
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.reload()
    assert asked == ["beforeunload"]


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
            expect(page.get_by_role("button", name="Download as CSV", include_hidden=True)).to_have_count(0)
