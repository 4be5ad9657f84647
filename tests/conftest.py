"""How every test runs: generated examples are the same on every machine, however slow it is."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.reference_data import REFERENCE_DATA

_BROWSER = Path(__file__).with_name("browser")

# The default run draws the same examples every time. `--hypothesis-profile=search` looks for new ones; what it finds
# becomes an `@example` of its test.
_ALWAYS = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)
settings.register_profile("default run", _ALWAYS, derandomize=True, max_examples=25)
settings.register_profile("search", _ALWAYS, derandomize=False, max_examples=2000, print_blob=True)
settings.load_profile("default run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs Chromium, so that `-m "not browser"` leaves it out; collect reference tests where data are."""
    for item in items:
        if _BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
    if not REFERENCE_DATA.is_dir():
        without = [item for item in items if item.get_closest_marker("reference") is not None]
        items[:] = [item for item in items if item.get_closest_marker("reference") is None]
        config.hook.pytest_deselected(items=without)
