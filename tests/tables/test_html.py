"""Tables as HTML: cells as text, and short tables as a whole."""

import math

import pytest

from metrics.tables.html import cell_text, html_table
from tests.support.html_tables import texts


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, "(missing)"), ("", "(empty)"), (math.inf, "∞"), (math.nan, "—"), (True, "yes"), (0.25, "0.2500"), (7, "7")],
)
def test_missing_infinite_and_rounded_cells_are_shown_as_text(cell: str | float | None, text: str) -> None:
    assert cell_text(cell) == text


def test_short_tables_are_drawn_whole() -> None:
    assert len(texts(html_table("all", ("n",), [(i,) for i in range(99)]))) == 101
