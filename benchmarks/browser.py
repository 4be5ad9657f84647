"""Drives the dashboard in Chromium as a user does: start, upload tables, tag columns."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.tables import QUASI_IDENTIFIERS, SENSITIVE, Files
from dashboard.environment import ROOT
from tests.browser.actions import open_page, prepare, tag, upload
from tests.browser.conftest import CHROMIUM_ARGUMENTS
from tests.browser.serving import Server, start_server


@dataclass(frozen=True)
class Data:
    """A pair of tables and the roles of their columns."""

    original: Path
    anonymized: Path
    quasi_identifiers: Sequence[str]
    sensitive: Sequence[str]


def made_data(files: Files) -> Data:
    """Tables of `tables.py` and the roles of their columns."""
    return Data(files.original, files.anonymized, QUASI_IDENTIFIERS, SENSITIVE)


def usual_data() -> tuple[str, Data, Data]:
    """A name, the data with all their quasi-identifiers, and with the one that leaves P_29 above 0."""
    adult = Path(os.environ.get("REFERENCE_DATA") or ROOT.parent / "shared" / "reference") / "petworks" / "adult"
    if adult.is_dir():
        files = (adult / "adult.csv", adult / "adult_anonymized.csv")
        everything = (
            "age",
            "education",
            "marital-status",
            "native-country",
            "occupation",
            "race",
            "salary-class",
            "sex",
        )
        return "adult", Data(*files, everything, ("workclass",)), Data(*files, ("sex",), ("workclass",))
    sample = ROOT / "sample_data"
    files = (sample / "hospital.csv", sample / "candidate_strict.csv")
    columns = ("sex", "age", "zip_code", "marital_status", "occupation", "admission")
    return "sample", Data(*files, columns, ("diagnosis",)), Data(*files, ("sex",), ("diagnosis",))


@contextmanager
def chromium() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def dashboard(browser: Browser, folder: Path) -> Iterator[Page]:
    """The data page of a separate server."""
    with (
        start_server(ROOT / "dashboard" / "app.py", folder / "log.txt") as server,
        visit(browser, server) as page,
    ):
        yield page


@contextmanager
def visit(browser: Browser, server: Server) -> Iterator[Page]:
    """The data page of a server, in a separate session."""
    with browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 1000}) as context:
        prepare(context)
        page = context.new_page()
        open_page(page, "/")
        yield page


def load(page: Page, data: Data) -> None:
    """Upload tables and tag every column by its buttons."""
    upload(page, "upload_original", [data.original])
    # As a user would, see the first table's columns before choosing the next file.
    expect(page.locator('[class*="st-key-role_"] [aria-checked="true"]').last).to_be_visible()
    upload(page, "upload_anonymized", [data.anonymized])
    tags = page.locator('[class*="st-key-role_"]')
    columns = [
        next(name for name in classes.split() if name.startswith("st-key-role_")).removeprefix("st-key-role_")
        for classes in tags.evaluate_all("(tags) => tags.map((tag) => tag.className)")
    ]
    roles = {column: "quasi-identifier" for column in data.quasi_identifiers}
    roles |= {column: "sensitive" for column in data.sensitive}
    tag(page, {column: roles.get(column, "insensitive") for column in columns})
