"""Peers find the same on the same table; what is too slow is run once or stopped."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import pandas_peers
from benchmarks.peer_runs import RUNS, summary
from benchmarks.peers import LONG_S, require_alike, take_turns
from benchmarks.processes import Figures
from benchmarks.tables import QUASI_IDENTIFIERS, RELEASED, write_tables

TIMES = {"seconds", "read", "score"}


@pytest.fixture
def small() -> pd.DataFrame:
    """Two classes of two: the values of one are alike, those of the other differ."""
    same = dict.fromkeys(QUASI_IDENTIFIERS, "same")
    rows = [("Male", "Sales"), ("Male", "Sales"), ("Female", "Sales"), ("Female", "Tech-support")]
    return pd.DataFrame([{**same, "sex": sex, "occupation": work, "salary-class": "one"} for sex, work in rows])


@pytest.mark.parametrize(
    "classes",
    [lambda frame: pandas_peers.grouped(frame.astype("category")), pandas_peers.looped],
    ids=["group-bys", "loop"],
)
def test_the_class_figures_of_other_programs_equal_those_by_hand(
    small: pd.DataFrame, classes: Callable[..., dict[str, object]]
) -> None:
    assert summary(classes(small)) == {
        "k": 2,
        "l": 1,
        "t": 0.25,
        "classes": 2,
        "mean size": 2,
        "mean occupation.distinct": 1.5,
        "mean occupation.normalized_entropy": 0.5,
        "mean occupation.t": 0.25,
        "mean salary-class.distinct": 1,
        "mean salary-class.normalized_entropy": 0,
        "mean salary-class.t": 0,
    }


def test_peers_find_what_quasi_finds(tmp_path: Path) -> None:
    path = write_tables(tmp_path, RELEASED, rows=1_000, kinds=("csv",)).anonymized
    found = {peer: run(path) for peer, run in RUNS.items()}
    assert found["quasi"]["classes"] > 100
    for peer, figures in found.items():
        assert figures.keys() == found["quasi"].keys() > TIMES
        require_alike(peer, figures, found["quasi"])


def test_a_figure_of_another_program_that_differs_is_an_error() -> None:
    figures = {"k": 2.0, "t": 0.25, "seconds": 1.0}
    require_alike("peer", figures | {"seconds": 9.0}, figures)
    with pytest.raises(AssertionError, match=r"peer finds t = 0\.26, Quasi 0\.25"):
        require_alike("peer", figures | {"t": 0.26}, figures)


def test_slow_peers_take_one_turn_and_slower_ones_are_stopped() -> None:
    turns = []

    def takes(peer: str, seconds: float) -> Callable[[str], Figures]:
        def run(path: str) -> Figures:
            turns.append(peer)
            if peer == "pycanon":
                raise subprocess.TimeoutExpired(path, seconds)
            return {"k": 2.0, "seconds": seconds}

        return run

    runs = {
        "quasi": takes("quasi", 1),
        "notebook": takes("notebook", LONG_S + 1),
        "pandas": takes("pandas", 2),
        "pycanon": takes("pycanon", 3),
    }
    found = take_turns(runs, "table.csv", 3)
    assert {peer: len(measured) for peer, measured in found.items()} == {
        "quasi": 3,
        "notebook": 1,
        "pandas": 3,
        "pycanon": 0,
    }
    assert turns == ["quasi", "notebook", "pandas", "pycanon", "quasi", "pandas", "quasi", "pandas"]
