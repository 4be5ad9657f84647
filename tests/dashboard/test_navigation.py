"""The pages of the menu, whatever table is loaded."""

import pytest

from tests.dashboard.application import SCRIPTS, csv, loaded, opened


@pytest.mark.parametrize("page", SCRIPTS)
def test_a_page_keeps_its_title_where_every_record_is_suppressed(page: str) -> None:
    people = [(20 + i % 5, "mf"[i % 2], ("flu", "cold")[i % 3 == 0]) for i in range(60)]
    roles = {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"}
    suppressed = csv(tuple(roles), *(("*", "*", ill) for _, _, ill in people))
    assert opened(loaded(csv(tuple(roles), *people), suppressed, **roles), page).title
