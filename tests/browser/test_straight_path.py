"""How many clicks a user needs: to a better candidate, and to the report on it."""

from pathlib import Path

from playwright.sync_api import Page

import metrics
from benchmarks.browser import Data
from benchmarks.surface import to_better_table
from tests.browser.actions import open_page
from tests.support.sample import SAMPLE, beginning


def test_a_better_candidate_is_eight_clicks_away_and_its_report_ten(page: Page, tmp_path: Path) -> None:
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    tables = (beginning(name, tmp_path) for name in ("hospital.csv", "candidate_light.csv"))
    open_page(page, "/")
    data = Data(*tables, roles.quasi_identifiers, roles.sensitive)
    kept, report = to_better_table(page, data, sorted((SAMPLE / "hierarchies").glob("*.csv")))
    assert kept.clicks <= 8
    assert report.clicks <= 10
