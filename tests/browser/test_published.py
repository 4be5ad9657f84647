"""Published figures of diabetes, as a user reads them: uploaded, scored, repaired and taken away in a browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import metrics
from dashboard.components.release_file import RELEASE_FILE
from tests.browser.actions import (
    download,
    metric_value,
    open_page,
    show_view,
    table_named,
    upload,
)
from tests.support.reference_data import reference

QUASI, SENSITIVE = "quasi-identifier", "sensitive"
AFTER_DELETION = 0.8057811497937597
DIABETES = {
    **dict.fromkeys(("race", "gender", "age"), QUASI),
    **dict.fromkeys(("diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"), SENSITIVE),
}


@pytest.mark.reference
def test_diabetes_before_and_after_deletion(page: Page, tmp_path: Path) -> None:
    roles = {
        "quasi_identifiers": [name for name, role in DIABETES.items() if role == QUASI],
        "sensitive": [name for name, role in DIABETES.items() if role == SENSITIVE],
    }
    (tmp_path / "roles.yaml").write_text(json.dumps(roles), encoding="utf-8")
    open_page(page, "/")
    upload(page, "upload_anonymized", [reference("diabetes", "diabetes_before_deletion.csv.gz")])
    upload(page, "upload_roles_0", [tmp_path / "roles.yaml"])
    open_page(page, "/p29")
    assert metric_value(page, "P_29") == "0"
    grid = table_named(page, "Failing classes with their reasons").locator("[role=grid]")
    expect(grid).to_have_attribute("aria-rowcount", "36")
    lines = download(page, "Failing classes as CSV (confidential)").decode("utf-8").splitlines()
    assert len(lines) == 36
    assert all(column in lines[0] for column in ("race", "gender", "age", "size", "reasons"))
    assert sum("k = 1" in line for line in lines) == 4
    assert sum("l = 0" in line for line in lines) == 26
    assert sum("> 0.5" in line for line in lines) == 31
    show_view(page, "p29", "Repair options")
    assert metric_value(page, "P_29 after deleting") == "0.8058"
    expect(page.get_by_text("2,334 records deleted, 99,429 left")).to_be_visible()
    assert float(metric_value(page, "P_29 after merging")) > 0.8
    with page.expect_download() as caught:
        page.locator(".st-key-repaired_delete").get_by_role("button", name=RELEASE_FILE).click()
    assert caught.value.suggested_filename == "diabetes_before_deletion_delete_sorted.csv"
    table = metrics.read_table(caught.value.path().read_bytes(), name="repaired.csv")
    assert table.rows == 99_429
    found = metrics.score(table, metrics.Roles(**roles))["p29"].value
    assert found == pytest.approx(AFTER_DELETION, abs=1e-12)
