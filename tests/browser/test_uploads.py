"""Bad files in a browser: one sentence each, nothing lost, and no cell of any table in the server's log."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import expand, load_sample, metric_value, open_page, rerun, upload
from tests.browser.serving import TRACEBACK, Server
from tests.dashboard.application import csv
from tests.dashboard.test_uploads import BAD, BAD_HIERARCHIES, CANDIDATE, CELL, NATIVE, ORIGINAL


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture
def loaded(page: Page, tmp_path: Path) -> Page:
    """A small pair of tables, tagged by a file."""
    open_page(page, "/")
    upload(page, "upload_original", [write(tmp_path, "original.csv", ORIGINAL)])
    upload(page, "upload_anonymized", [write(tmp_path, "candidate.csv", CANDIDATE)])
    roles = b"quasi_identifiers: [zip, age]\nsensitive: [disease]\nidentifiers: [id]\n"
    upload(page, "upload_roles_0", [write(tmp_path, "pair.yaml", roles)])
    return page


def test_bad_tables_get_one_sentence_each(loaded: Page, server: Server, tmp_path: Path) -> None:
    before = len(server.logged())
    alerts = loaded.get_by_test_id("stAlert")
    # The others fail in the same way; the tests of the dashboard go through all.
    for case in ("ragged", "open quote", "password", "broken gzip"):
        name, content, parts = BAD[case]
        slot = "original" if len(case) % 2 else "anonymized"
        upload(loaded, f"upload_{slot}", [write(tmp_path, name, content)])
        expect(alerts).to_have_count(1)
        sentence = alerts.inner_text().replace("\u2060", "")
        assert name in sentence, case
        assert all(part in sentence for part in parts), case
        assert CELL not in sentence
        expect(loaded.get_by_text("original.csv · original")).to_be_visible()
        expect(loaded.get_by_text("candidate.csv · anonymized")).to_be_visible()
        with rerun(loaded):
            loaded.get_by_role("button", name="Do not load it").click()
        expect(alerts).to_have_count(0)
    open_page(loaded, "/scorecard")
    assert metric_value(loaded, "k-anonymity") == "2"
    told = server.logged(before)
    assert CELL not in told
    assert TRACEBACK not in told


def test_bad_hierarchies_and_roles_get_one_sentence_each(loaded: Page, server: Server, tmp_path: Path) -> None:
    alerts = loaded.get_by_test_id("stAlert")
    expand(loaded, "Generalization hierarchies")
    for name, content, parts in BAD_HIERARCHIES.values():
        upload(loaded, "upload_hierarchies", [write(tmp_path, name, content)])
        expect(alerts).to_have_count(1)
        for part in parts:
            expect(alerts).to_contain_text(part)
    missing = b"12345;1234*;*\n12346;1234*;*\n12351;1235*;*\n"
    upload(loaded, "upload_hierarchies", [write(tmp_path, "zip.csv", missing)])
    expect(alerts.first).to_contain_text('original.csv, line 5, column "zip": the hierarchy zip.csv lacks a value')
    assert "12352" not in alerts.first.inner_text()
    loaded.get_by_text("Roles from a file, survey weights").click()
    upload(loaded, "upload_roles_0", [write(tmp_path, "roles.yaml", b"quasi_identifiers: [absent]\n")])
    expect(alerts.filter(has_text="roles.yaml")).to_be_visible()
    expect(loaded.locator(".st-key-role_zip [aria-checked=true]")).to_have_text("quasi-identifier")
    upload(loaded, "upload_roles_0", [write(tmp_path, "roles.yaml", NATIVE)])
    expect(alerts.filter(has_text="roles.yaml")).to_have_count(0)
    expect(loaded.locator(".st-key-role_age [aria-checked=true]")).to_have_text("sensitive")
    assert CELL not in server.logged()


def test_tables_that_do_not_fit_are_reported(loaded: Page, tmp_path: Path) -> None:
    alerts = loaded.get_by_test_id("stAlert")
    expect(alerts).to_have_count(0)
    shorter = CANDIDATE.rsplit(b"\n", 3)[0] + b"\n"
    upload(loaded, "upload_anonymized", [write(tmp_path, "short.csv", shorter)])
    expect(alerts).to_have_count(1)
    expect(alerts).to_contain_text("short.csv")
    upload(loaded, "upload_anonymized", [write(tmp_path, "other.csv", csv(["id", "zip", "extra"], *([1, 2, 3],) * 4))])
    expect(alerts.filter(has_text="extra")).to_have_count(1)


def test_everything_is_forgotten(page: Page, server: Server) -> None:
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/")
    with rerun(page):
        page.locator(".st-key-forget_data button:visible").click()
    expect(page.locator(".st-key-candidate")).to_have_count(0)
    expect(page.get_by_text("hospital.csv")).to_have_count(0)
    load_sample(page)
    open_page(page, "/")
    with rerun(page):
        page.locator(".st-key-remove_anonymized_candidate_light-csv button").click()
    expect(page.get_by_text("candidate_light.csv · anonymized")).to_have_count(0)
    expect(page.locator(".st-key-candidate input")).to_have_value("candidate_balanced.csv")
