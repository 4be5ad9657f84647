"""The folder of a small table and its roles, where a file has no folder of its own."""

from pathlib import Path

import pytest

from tests.cli.small_inputs import ROLES, TABLE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "roles.yaml").write_text(ROLES, encoding="utf-8")
    return tmp_path
