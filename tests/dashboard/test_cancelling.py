"""Work that nobody waits for any longer stops at its next share, and leaves nothing behind."""

from collections.abc import Iterator

import pytest

from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from metrics.scoring.catalog import BY_ID
from tests.dashboard.application import csv

LONG = BY_ID["minimal_sample_uniques"]


@pytest.fixture
def state() -> Workspace:
    """A table of several columns, so that the work has several shares."""
    names = [f"q{number}" for number in range(6)]
    made = Workspace()
    made.add(Slot.ANONYMIZED, "t.csv", csv(names, *([(row * k) % 7 for k in range(2, 8)] for row in range(60))))
    made.roles |= dict.fromkeys(names, Role.QUASI_IDENTIFIER)
    return made


def test_cancelled_work_stops_and_is_not_kept(state: Workspace) -> None:
    steps: Iterator[float] = state.compute("t.csv", LONG)
    shares = [next(steps)]
    steps.close()  # type: ignore[attr-defined]
    assert list(steps) == []
    assert shares[0] < 1
    assert state.card("t.csv")[LONG.id].result is None


def test_work_superseded_by_another_table_is_not_kept_for_it(state: Workspace) -> None:
    steps = state.compute("t.csv", LONG)
    next(steps)
    state.roles["q0"] = Role.INSENSITIVE
    for _ in steps:
        pass
    assert state.card("t.csv")[LONG.id].result is None
    assert state.aggregates("t.csv").roles.quasi_identifiers == ("q1", "q2", "q3", "q4", "q5")


def test_finished_work_is_kept(state: Workspace) -> None:
    for share in state.compute("t.csv", LONG):
        assert 0 <= share <= 1
    assert state.card("t.csv")[LONG.id].result is not None
