"""The report of a small table and its technical appendix, as elements."""

import pytest

from metrics import Hierarchy
from metrics.report import report_html, technical_html
from metrics.scoring.scorecard import Scorecard
from tests.report.reading import Element, read
from tests.report.small_tables import AFTER, AGES, BEFORE, DIGESTS, TWO, scored


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return scored(AFTER, BEFORE, hierarchies={"age": Hierarchy(AGES, name="ages.csv")})


@pytest.fixture(scope="module")
def elements(card: Scorecard) -> list[Element]:
    return read(report_html(card, policy=TWO, sha256=DIGESTS, date="on a Monday"))


@pytest.fixture(scope="module")
def technical(card: Scorecard) -> list[Element]:
    return read(technical_html(card, policy=TWO, sha256=DIGESTS, date="on a Monday"))
