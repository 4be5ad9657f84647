"""`apply` with one recipe, as on the command line."""

from pathlib import Path

import pytest

from tests.support.command_line import Run, call


def applied(capsys: pytest.CaptureFixture[str], recipe: Path, table: Path, out: Path, *more: object) -> Run:
    return call(capsys, "apply", "--recipe", recipe, "--input", table, "--out", out, *more)
