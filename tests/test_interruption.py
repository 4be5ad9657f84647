"""Long work ends at a checkpoint once nobody wants it, whatever it computes."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from metrics import Parameters, Roles
from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import candidate_by, method_named
from metrics.candidates.repair import ABOVE_ZERO
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.interruption import checkpoint, interruptible, report, reporting, watched
from metrics.scoring.metric_score import score_metric
from metrics.scoring.scorecard import BY_ID, score_aggregates
from metrics.tables.table import Table
from tests.support.small_tables import table

ROLES = Roles(quasi_identifiers=["a", "b"], sensitive=["s"])


class Unwanted(BaseException):
    """Raised by the check of these tests."""


class Check:
    """Counts checkpoints, and ends the work at one of them."""

    def __init__(self, end_at: int | None = None) -> None:
        self.count, self._end_at = 0, end_at

    def __call__(self) -> None:
        self.count += 1
        if self.count == self._end_at:
            raise Unwanted


def numbers(seed: int, rows: int) -> Table:
    """Two columns of numbers that are all but different, of which one follows the seed, and a sensitive one."""
    a, b = (np.random.default_rng(of).normal(50, 15, rows).round(4).astype(str) for of in (0, seed))
    return table({"a": a.tolist(), "b": b.tolist(), "s": (["x", "y", "z"] * rows)[:rows]})


def aggregates(rows: int) -> TableAggregates:
    return TableAggregates(numbers(1, rows), ROLES, numbers(2, rows), {})


def test_without_a_check_work_goes_on() -> None:
    checkpoint()
    assert list(watched(range(3_000))) == list(range(3_000))


def test_work_ends_where_the_check_raises_and_only_there() -> None:
    check = Check(end_at=3)
    seen: list[int] = []
    with pytest.raises(Unwanted), interruptible(check):
        seen.extend(watched(range(10_000)))
    checkpoint()
    assert check.count == 3


def test_work_reports_to_whoever_follows_it_and_ends_where_the_check_raises() -> None:
    shares: list[float] = []
    with reporting(shares.append):
        report(0.5)
        with pytest.raises(Unwanted), interruptible(Check(end_at=1)):
            report(0.7)
    report(1.0)
    assert shares == [0.5]


def test_a_card_that_was_interrupted_anywhere_is_later_the_same() -> None:
    every = Check()
    with interruptible(every):
        expected = score_aggregates(aggregates(300), Parameters()).to_dict()
    assert every.count > 100
    interrupted = aggregates(300)
    for end_at in range(1, every.count, every.count // 25):
        with suppress(Unwanted), interruptible(Check(end_at)):
            score_aggregates(interrupted, Parameters())
    assert score_aggregates(interrupted, Parameters()).to_dict() == expected


@pytest.mark.parametrize(
    ("work", "least"),
    [
        (lambda: candidate_by(method_named("mdav", {"k": 5}), numbers(1, 1_500), ROLES, {}, seed=1), 1_500 / 5),
        (lambda: candidate_by(method_named("mondrian", {"k": 5}), numbers(1, 1_500), ROLES, {}, seed=1), 8),
        (lambda: candidate_by(method_named("rank-swapping", {}), numbers(1, 1_500), ROLES, {}, seed=1), 2 * 3),
        (lambda: repair_to(aggregates(300), {"p29": ABOVE_ZERO}, Method.FAILING), 2),
        (lambda: repair_to(aggregates(300), {"p29": ABOVE_ZERO}, Method.MERGE), 300 / 2),
        (lambda: score_metric(BY_ID["record_linkage_attack"], aggregates(1_500), Parameters()), 25),
        (lambda: score_metric(BY_ID["two_source_linkage_attack"], aggregates(1_500), Parameters()), 25),
    ],
    ids=["MDAV", "Mondrian", "rank swapping", "deleting", "merging", "record linkage", "linkability"],
)
def test_long_work_comes_to_checkpoints_between_and_within_its_steps(work: Callable[[], object], least: float) -> None:
    check = Check()
    with interruptible(check):
        work()
    assert check.count >= least
    with pytest.raises(Unwanted), interruptible(Check(check.count)):
        work()
