"""Direct identifiers on the data page: pointed out with masked examples, tagged by one button."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import open_page, rerun, upload
from tests.browser.test_accessibility import violations
from tests.pages.data.test_columns import TABLE


def test_a_column_of_telephone_numbers_is_pointed_out_and_tagged(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(TABLE)
    open_page(page, "/")
    upload(page, "upload_original", [path])
    notice = page.locator(".st-key-direct_identifiers")
    expect(page.locator(".st-key-role_note").get_by_role("radio", name="identifier", exact=True)).to_have_attribute(
        "aria-checked", "true"
    )
    expect(notice).to_have_count(0)
    with rerun(page):
        page.locator(".st-key-role_note").get_by_role("radio", name="insensitive", exact=True).click()
    expect(notice).to_contain_text("1 column may identify people directly")
    expect(notice).to_contain_text("note looks like telephone numbers")
    expect(notice).to_contain_text("+•• •• •••••••")
    expect(notice).not_to_contain_text("1234560")
    assert violations(page, ".st-key-direct_identifiers") == []
    with rerun(page):
        notice.get_by_role("button", name="Tag as suggested").click()
    expect(notice).to_have_count(0)
    chosen = page.locator(".st-key-role_note").get_by_role("radio", name="identifier", exact=True)
    expect(chosen).to_have_attribute("aria-checked", "true")
