"""The documentation's pictures of the dashboard can be taken anew, and are all that it shows."""

import re
from pathlib import Path

from playwright.sync_api import Browser

from dashboard.environment import ROOT
from maintenance.screenshots import PICTURES, take
from tests.browser.serving import Server


def test_every_picture_can_be_taken(browser: Browser, server: Server, tmp_path: Path) -> None:
    take(browser, server, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(PICTURES)
    assert all(path.stat().st_size > 20_000 for path in tmp_path.iterdir())


def test_the_documentation_shows_the_pictures_that_are_taken() -> None:
    shown = {
        name
        for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        for name in re.findall(r"!\[[^]]*\]\((?:docs/)?(\w+\.png)\)", path.read_text(encoding="utf-8"))
    }
    assert shown == {*PICTURES, "benchmarks.png"}
