"""`python -m maintenance.screenshots`: take the documentation's pictures of the dashboard, with the sample."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from playwright.sync_api import Browser

from benchmarks.browser import chromium
from dashboard.environment import ROOT
from tests.browser.actions import load_sample, open_page, prepare, settled
from tests.browser.serving import Server, start_server

PICTURES: Final[Mapping[str, str | None]] = MappingProxyType(
    {
        "dashboard.png": None,
        "repair.png": "repair",
        "compare.png": "compare",
        "attacks.png": "attacks",
        "analyses.png": "analyses",
    }
)
"""The pictures in docs/, and the pages that they show; None: the page that opens after the sample is loaded."""


def take(browser: Browser, server: Server, folder: Path) -> None:
    """Write every picture to a folder."""
    with browser.new_context(
        base_url=server.url, viewport={"width": 1360, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        prepare(context)
        page = context.new_page()
        open_page(page, "/")
        load_sample(page)
        for name, path in PICTURES.items():
            if path is not None:
                open_page(page, path)
            settled(page)
            page.mouse.move(0, 0)
            page.screenshot(path=folder / name)


def main() -> None:
    """Start the dashboard and take the pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        start_server(ROOT / "dashboard" / "app.py", Path(folder, "log.txt")) as server,
        chromium() as browser,
    ):
        take(browser, server, ROOT / "docs")


if __name__ == "__main__":
    main()
