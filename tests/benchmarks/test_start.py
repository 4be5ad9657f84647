"""What is read from a start."""

import pytest

from benchmarks.start import import_seconds, pip_seconds
from dashboard.environment import ROOT

LOG = """\
2026-02-03T23:59:58,250 Using pip 26.0
2026-02-03T23:59:58,300   Link requires a different Python
no time here
2026-02-04T00:00:31,750 Removed build tracker
"""


def test_time_of_pip_is_from_its_first_entry_to_its_last() -> None:
    assert pip_seconds(LOG) == pytest.approx(33.5)


def test_importing_takes_time() -> None:
    assert import_seconds(ROOT) > 0
