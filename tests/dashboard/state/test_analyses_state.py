"""What a session keeps of analyses: the saved ones, else those proposed, each run once."""

from dashboard.state.analyses_state import analyses_of, analyses_score
from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.config.analyses import Mean
from tests.support.small_tables import table

CELLS = {"sex": list("ffmm"), "stay": ["1", "2", "3", "5"]}
AGGREGATES = TableAggregates(table(CELLS), Roles(["sex"], ["stay"]), table(CELLS))
SAVED = {"stay": Mean("stay", ["sex"])}


def test_saved_analyses_are_run_once_and_anew_when_others_are_saved() -> None:
    first = analyses_score(AGGREGATES, SAVED)
    assert first.value == 1
    assert analyses_score(AGGREGATES, dict(SAVED)) is first
    assert analyses_score(AGGREGATES, {"all": Mean("stay")}) is not first


def test_without_saved_ones_those_proposed_for_the_columns_are_run() -> None:
    proposed = analyses_of(AGGREGATES, {})
    assert proposed is analyses_of(AGGREGATES, {})
    assert analyses_of(AGGREGATES, SAVED) == SAVED
