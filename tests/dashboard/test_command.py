"""The `quasi` command prints its help, and refuses what it cannot open in one line."""

import sys
from collections.abc import Callable

import pytest

from dashboard.command import main
from metrics.version import VERSION


@pytest.fixture
def run_quasi(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """The exit status and the output of the `quasi` command within this process."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quasi", *arguments])
        try:
            status = main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        return status, *capsys.readouterr()

    return run


def test_the_command_prints_its_help_and_version(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    status, text, _ = run_quasi("--help")
    assert (status, text.startswith("usage: quasi ")) == (0, True)
    assert "score" in text
    assert "opens the dashboard" in text
    assert run_quasi("--version") == (0, f"Quasi {VERSION}\n", "")


def test_quasi_opens_a_project_only_where_it_is(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    status, _, error = run_quasi("nowhere.deid")
    assert (status, error.count("\n")) == (2, 1)
    assert "nowhere.deid is not there" in error


def test_quasi_refuses_a_folder_that_is_not_there(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    status, _, error = run_quasi("--tables-folder", "nowhere")
    assert (status, error.count("\n")) == (2, 1)
    assert "nowhere" in error
