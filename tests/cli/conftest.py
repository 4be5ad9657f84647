"""The folder of a small table and its roles, where a file has no folder of its own; defects are raised."""

from pathlib import Path
from typing import NoReturn

import pytest

from metrics.cli import program
from tests.cli.small_inputs import ROLES, TABLE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "roles.yaml").write_text(ROLES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def reports_failures() -> None:
    """For tests of what a failure prints."""


@pytest.fixture(autouse=True)
def _raises_failures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect fails a test with its traceback, of which a command prints only the type."""

    def fail(error: Exception) -> NoReturn:
        raise error

    if "reports_failures" not in request.fixturenames:
        monkeypatch.setattr(program, "_report_failure", fail)
