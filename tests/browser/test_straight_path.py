"""How many clicks a user needs with adult: to a better candidate, and to the report on it."""

import pytest
from playwright.sync_api import Page

from benchmarks.browser import Data
from benchmarks.surface import hierarchies, to_better_table
from tests.browser.actions import open_page
from tests.published.test_search_of_adult import QUASI_IDENTIFIERS
from tests.support.reference_data import reference

pytestmark = pytest.mark.reference


@pytest.fixture
def adult() -> Data:
    folder = reference("petworks", "adult")
    return Data(folder / "adult.csv", folder / "adult_anonymized.csv", QUASI_IDENTIFIERS, ("workclass",))


def test_a_better_candidate_is_eight_clicks_away_and_its_report_ten(page: Page, adult: Data) -> None:
    open_page(page, "/")
    kept, report = to_better_table(page, adult, hierarchies(adult))
    assert kept.clicks <= 8
    assert report.clicks <= 10
