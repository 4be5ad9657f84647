"""What is read from a start."""

from pathlib import Path

import pytest

from benchmarks.start import import_seconds, pip_seconds

LOG = """\
2026-02-03T23:59:58,250 Using pip 26.0
2026-02-03T23:59:58,300   Link requires a different Python
no time here
2026-02-04T00:00:31,750 Removed build tracker
"""


def test_time_of_pip_is_from_its_first_entry_to_its_last() -> None:
    assert pip_seconds(LOG) == pytest.approx(33.5)


def test_importing_the_library_of_a_checkout_takes_time(tmp_path: Path) -> None:
    (tmp_path / "metrics.py").touch()
    assert import_seconds(tmp_path) > 0
