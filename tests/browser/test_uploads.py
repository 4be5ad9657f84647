"""Bad files in a browser: one sentence each, nothing lost, and no cell of any table in the server's log."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import expand, metric_value, open_page, rerun, upload, write
from tests.browser.serving import TRACEBACK, Server
from tests.dashboard.components.test_uploads import BAD, BAD_HIERARCHIES, CANDIDATE, CELL, NATIVE, ORIGINAL


def test_bad_files_get_one_sentence_each_and_lose_nothing(page: Page, server: Server, tmp_path: Path) -> None:
    """One of a kind; the tests of the dashboard go through all."""
    before = len(server.logged())
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "original.csv", ORIGINAL)])
    upload(page, "upload_anonymized", [write(tmp_path, "candidate.csv", CANDIDATE)])
    roles = b"quasi_identifiers: [zip, age]\nsensitive: [disease]\nidentifiers: [id]\n"
    upload(page, "upload_roles_0", [write(tmp_path, "pair.yaml", roles)])
    alerts = page.get_by_test_id("stAlert")
    for case in ("ragged", "password"):
        name, content, parts = BAD[case]
        upload(page, "upload_anonymized", [write(tmp_path, name, content)])
        expect(alerts).to_have_count(1)
        sentence = alerts.inner_text().replace("\u2060", "")
        assert name in sentence, case
        assert all(part in sentence for part in parts), case
        assert CELL not in sentence
        expect(page.get_by_text("original.csv · original")).to_be_visible()
        expect(page.get_by_text("candidate.csv · anonymized")).to_be_visible()
        with rerun(page):
            page.get_by_role("button", name="Do not load it").click()
        expect(alerts).to_have_count(0)
    expand(page, "Generalization hierarchies")
    name, content, parts = next(iter(BAD_HIERARCHIES.values()))
    upload(page, "upload_hierarchies", [write(tmp_path, name, content)])
    expect(alerts).to_have_count(1)
    for part in parts:
        expect(alerts).to_contain_text(part)
    missing = b"12345;1234*;*\n12346;1234*;*\n12351;1235*;*\n"
    upload(page, "upload_hierarchies", [write(tmp_path, "zip.csv", missing)])
    expect(alerts.first).to_contain_text('original.csv, line 5, column "zip": the hierarchy zip.csv lacks a value')
    assert "12352" not in alerts.first.inner_text()
    page.get_by_text("Roles from a file, survey weights").click()
    upload(page, "upload_roles_0", [write(tmp_path, "roles.yaml", b"quasi_identifiers: [absent]\n")])
    expect(alerts.filter(has_text="roles.yaml")).to_be_visible()
    expect(page.locator(".st-key-role_zip [aria-checked=true]")).to_have_text("quasi-identifier")
    upload(page, "upload_roles_0", [write(tmp_path, "roles.yaml", NATIVE)])
    expect(alerts.filter(has_text="roles.yaml")).to_have_count(0)
    expect(page.locator(".st-key-role_age [aria-checked=true]")).to_have_text("sensitive")
    expect(page.get_by_text("Roles set from roles.yaml: ")).to_be_visible()
    open_page(page, "/scorecard")
    assert metric_value(page, "k-anonymity") == "2"
    logged = server.logged(before)
    assert CELL not in logged
    assert TRACEBACK not in logged
