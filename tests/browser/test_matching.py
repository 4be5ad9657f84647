"""Records that do not match, in a browser: shown, and taken away as a safe file."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import download, open_page, rerun, row_texts, upload, write
from tests.browser.serving import Server
from tests.pages.data.test_matching import ORIGINAL, SPOILT


def test_what_does_not_match_is_shown_and_downloads(page: Page, server: Server, tmp_path: Path) -> None:
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "original.csv", ORIGINAL)])
    upload(page, "upload_anonymized", [write(tmp_path, "spoilt.csv", SPOILT)])
    roles = b"quasi_identifiers: [zip]\nsensitive: [illness]\nidentifiers: [nr]\nkey: nr\n"
    upload(page, "upload_roles_0", [write(tmp_path, "roles.yaml", roles)])
    card = page.locator(".st-key-matching_spoilt-csv")
    expect(card).to_contain_text("not matched yet by the column nr")
    expect(card).to_contain_text("2 keys occur more than once, in 4 anonymized records")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    with rerun(page):
        card.get_by_text("Records that do not match").click()
    assert row_texts(page, "Records of spoilt.csv that do not match", 1)[:4] == [
        "original",
        "1",
        "repeated key",
        "n0",
    ]
    lines = download(page, "Download records (CSV, confidential)").decode().splitlines()
    assert lines[0] == '"table","record","finding","nr","id","visit","zip","illness"'
    assert '"anonymized",38,"not in the original","\'=1+1","9","9","10*","flu"' in lines
    assert "n0" not in server.logged()
