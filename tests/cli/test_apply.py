"""`python -m metrics apply`: what it refuses."""

from pathlib import Path

import pytest

from tests.cli.applying import applied
from tests.support.sample import SAMPLE


def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = applied(capsys, SAMPLE / "roles.yaml", SAMPLE / "hospital.csv", tmp_path / "out.csv")
    assert done.status == 2
    assert done.err.startswith('roles.yaml: there is no key "quasi_identifiers"')
