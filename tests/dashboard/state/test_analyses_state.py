"""What a session keeps of analyses: the saved ones, else those proposed, each run once."""

from dashboard.state.analyses_state import AnalysesState
from metrics import Parameters, Roles
from metrics.aggregates import TableAggregates
from metrics.config.analyses import Mean
from tests.support.small_tables import table

CELLS = {"sex": list("ffmm"), "stay": ["1", "2", "3", "5"]}
AGGREGATES = TableAggregates(table(CELLS), Roles(["sex"], ["stay"]), table(CELLS))
SAVED = {"stay": Mean("stay", ["sex"])}


def test_saved_analyses_are_run_once_and_anew_when_others_are_saved() -> None:
    state = AnalysesState()
    first = state.score(AGGREGATES, Parameters(), SAVED)
    assert first.value == 1
    assert state.score(AGGREGATES, Parameters(), SAVED) is first
    other = {"all": Mean("stay")}
    assert state.score(AGGREGATES, Parameters(), other) is not first


def test_without_saved_ones_those_proposed_for_the_columns_are_run() -> None:
    state = AnalysesState()
    proposed = state.of(AGGREGATES, {})
    assert proposed is state.of(AGGREGATES, {})
    assert state.of(AGGREGATES, SAVED) == SAVED
