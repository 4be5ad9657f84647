"""How every test runs: generated examples are the same on every machine, however slow it is."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dashboard.environment import ROOT
from tests.support.reference_data import REFERENCE_DATA
from tests.support.seed_tables import write_seed_tables

# Plotly loads jsonschema where notebooks show figures, and that would spend seconds on a grammar of addresses.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

# Without bytecode on disk every process of a run compiles the same modules, and each worker rewrites all assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Two workers share two cores: further threads of theirs would wait for each other, and busily.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

# Tests allocate much and leave few cycles: a tenth of their time went into looking for garbage.
gc.set_threshold(50_000, 20, 100)

_TESTS = Path(__file__).parent
_BROWSER = _TESTS / "browser"
_FIRST = (
    _BROWSER / "test_accessibility.py",
    _BROWSER / "test_isolation.py",
    _BROWSER,
    _TESTS / "engines" / "test_spark.py",
)
"""What takes longest, in this order: no worker then ends alone with it, and the browser's files share a server."""

# The default run draws the same few examples every time, and a job of the workflow the same many, with
# `--hypothesis-profile=thorough`; `search` looks for new ones, and what it finds becomes an `@example` of its test.
_ALWAYS = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)
settings.register_profile("default run", _ALWAYS, derandomize=True, max_examples=6)
settings.register_profile("thorough", _ALWAYS, derandomize=True, max_examples=100)
settings.register_profile("search", _ALWAYS, derandomize=False, max_examples=2000, print_blob=True)
settings.load_profile("default run")


@pytest.fixture(scope="session")
def seed_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small tables of the seeds' pages."""
    return write_seed_tables(tmp_path_factory.mktemp("seeds"))


@pytest.fixture
def sample_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the sample in it, in which blocks and commands of the documentation run."""
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pytest_configure(config: pytest.Config) -> None:
    """Name a path that is not there; of several processes pytest says only that no tests ran."""
    for argument in config.args:
        path = argument.partition("::")[0]
        if not (config.invocation_params.dir / path).exists():
            raise pytest.UsageError(f"There is no file or folder of tests {path}: check the path, as in tests/privacy.")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no test that needs Chromium where all of them are left out."""
    return True if collection_path == _BROWSER and config.option.markexpr == "not browser" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what is left out where there are no reference tables."""
    if not REFERENCE_DATA.is_dir():
        terminalreporter.write_line(f"Left out: tests marked `reference`; their tables are not in {REFERENCE_DATA}.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs Chromium, so that `-m "not browser"` leaves it out; collect reference tests where data are.

    Slow tests run only where `-m` names them. Order the files by `_FIRST`.
    """
    for item in items:
        if _BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
    left_out = set() if "slow" in config.option.markexpr else {"slow"}
    if not REFERENCE_DATA.is_dir():
        left_out.add("reference")
    config.hook.pytest_deselected(
        items=[item for item in items if left_out & {mark.name for mark in item.iter_markers()}]
    )
    items[:] = [item for item in items if not left_out & {mark.name for mark in item.iter_markers()}]
    items.sort(
        key=lambda item: next((at for at, path in enumerate(_FIRST) if item.path.is_relative_to(path)), len(_FIRST))
    )
