"""A bad file in a browser: one sentence, nothing lost, and no cell of any table in the server's log."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import metric_value, open_page, rerun, upload, write
from tests.browser.serving import TRACEBACK, Server
from tests.pages.data.test_uploads import BAD, CANDIDATE, CELL, ORIGINAL


def test_a_bad_file_gets_one_sentence_and_loses_nothing(page: Page, server: Server, tmp_path: Path) -> None:
    """One of the kinds that the tests of the dashboard go through."""
    before = len(server.logged())
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "original.csv", ORIGINAL)])
    upload(page, "upload_anonymized", [write(tmp_path, "candidate.csv", CANDIDATE)])
    roles = b"quasi_identifiers: [zip, age]\nsensitive: [disease]\nidentifiers: [id]\n"
    upload(page, "upload_roles_0", [write(tmp_path, "pair.yaml", roles)])
    alerts = page.get_by_test_id("stAlert")
    name, content, parts = BAD["ragged"]
    upload(page, "upload_anonymized", [write(tmp_path, name, content)])
    expect(alerts).to_have_count(1)
    sentence = alerts.inner_text().replace("\u2060", "")
    assert all(part in sentence for part in (name, *parts))
    assert CELL not in sentence
    expect(page.locator(".st-key-slot_original [class*=st-key-file_]")).to_contain_text("original.csv")
    expect(page.locator(".st-key-slot_anonymized [class*=st-key-file_]")).to_contain_text("candidate.csv")
    with rerun(page):
        page.get_by_role("button", name="Do not load it").click()
    expect(alerts).to_have_count(0)
    open_page(page, "/scorecard")
    assert metric_value(page, "k-anonymity") == "2"
    logged = server.logged(before)
    assert CELL not in logged
    assert TRACEBACK not in logged


def test_the_start_opens_the_dialog_for_files(page: Page) -> None:
    open_page(page, "/")
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Check my table").click()
    assert dialog.value.is_multiple()  # that of the anonymized tables
