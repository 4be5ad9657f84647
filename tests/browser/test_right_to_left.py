"""Right-to-left values stand where they belong, and reverse nothing beside them: by the places of the letters."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.actions import open_page, row_texts, settled, tag, upload, write
from tests.dashboard.application import csv

MALE, FEMALE, FLU, COLD = "ذكر", "أنثى", "إنفلونزا 12", "ربو"
TABLE = csv(
    ("sex", "age", "zip", "illness"),
    *[(MALE, "40-49", "20*", FLU)] * 3,
    (MALE, "40-49", "20*", COLD),
    *[(FEMALE, "50-59", "21*", COLD)] * 2,
)
ROLES = {"sex": "quasi-identifier", "age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
# The left edge of each letter, in the order in which they are stored.
_LEFT_EDGES = """(element, part) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const start = walker.currentNode.textContent.indexOf(part);
        if (start < 0) continue;
        const range = document.createRange();
        return [...part].map((_, index) => {
            range.setStart(walker.currentNode, start + index);
            range.setEnd(walker.currentNode, start + index + 1);
            return range.getBoundingClientRect().left;
        });
    }
    return [];
}"""


@pytest.fixture
def loaded(page: Page, tmp_path: Path) -> Page:
    """The dashboard with a table of Arabic values, on the data page."""
    open_page(page, "/")
    upload(page, "upload_anonymized", [write(tmp_path, "table.csv", TABLE)])
    tag(page, ROLES)
    return page


def edges(element: Locator, part: str) -> list[float]:
    """The left edges of a part's letters."""
    found: list[float] = element.evaluate(_LEFT_EDGES, part)
    assert len(found) == len(part), f"{part} is not shown"
    return found


def in_order(element: Locator, *parts: str) -> bool:
    """Whether the parts stand from left to right, and the letters of each that is no Arabic word too."""
    places = [edges(element, part) for part in parts]
    inner = [place == sorted(place) for part, place in zip(parts, places, strict=True) if part.isascii()]
    return all(inner) and [min(place) for place in places] == sorted(min(place) for place in places)


def test_a_class_in_a_table_is_not_turned_around(loaded: Page) -> None:
    open_page(loaded, "/classes")
    cells = row_texts(loaded, "Equivalence classes with size, diversity and distance", 1)
    assert f"\u200e\u2068{FEMALE}\u2069 · 50-59 · 21*" in cells


def test_a_sentence_keeps_the_order_of_names_and_values(loaded: Page) -> None:
    open_page(loaded, "/t-closeness")
    settled(loaded)
    line = loaded.get_by_test_id("stMarkdown").filter(has_text=re.compile(f"sex = .*{FEMALE}")).first
    assert in_order(line, "sex", FEMALE, "age", "50-59", "zip", "21*")
