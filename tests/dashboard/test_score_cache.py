"""The session's cache: what is asked again comes back, and nothing stale ever does."""

import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import Any
from weakref import WeakSet

import pytest

from dashboard.score_cache import ScoreCache
from dashboard.workspace import Slot, Workspace
from metrics import Parameters, Roles, Scorecard
from metrics.aggregates import Aggregates
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.interruption import checkpoint, interruptible
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import score_aggregates
from tests.dashboard.application import csv
from tests.support.small_tables import table

PATIENCE_S = 30
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
RECORDS = {"q": ["a"] * 300 + ["b"] * 300, "s": ["x", "y"] * 300}


def changed() -> dict[str, list[str]]:
    """The same records but one, which stands alone."""
    return {**RECORDS, "q": [*RECORDS["q"][:-1], "c"]}


def test_the_same_question_gets_the_same_object() -> None:
    cache, candidate = ScoreCache(), table(RECORDS)
    aggregates = cache.aggregates(candidate, ROLES, None, {})
    assert cache.aggregates(candidate, Roles(quasi_identifiers=["q"], sensitive=["s"]), None, {}) is aggregates
    card = cache.card(aggregates, Parameters())
    assert cache.card(aggregates, Parameters()) is card


def test_one_changed_record_changes_the_answer() -> None:
    cache = ScoreCache()
    smallest = []
    for cells in (RECORDS, changed(), RECORDS):
        card = cache.card(cache.aggregates(table(cells), ROLES, None, {}), Parameters())
        smallest.append(card["k_anonymity"].value)
    assert smallest == [300, 1, 300]


def test_the_cache_keeps_results_apart_that_differ_in_any_one_input() -> None:
    cache, candidate, original = ScoreCache(), table(RECORDS), table(RECORDS)
    hierarchy = Hierarchy([["x", "*"], ["y", "*"]])
    asked = [
        (candidate, ROLES, None, {}),
        (candidate, Roles(quasi_identifiers=["s"], sensitive=["q"]), None, {}),
        (candidate, Roles(quasi_identifiers=["q", "s"]), None, {}),
        (candidate, ROLES, original, {}),
    ]
    found = [cache.aggregates(*inputs) for inputs in asked]
    assert len({id(aggregates) for aggregates in found}) == len(asked)
    with_hierarchy = cache.aggregates(candidate, ROLES, None, {"s": hierarchy})
    assert with_hierarchy not in found
    assert with_hierarchy.hierarchies == {"s": hierarchy}
    assert cache.aggregates(candidate, ROLES, None, {"s": Hierarchy([["x", "*"], ["y", "*"]])}) is not with_hierarchy


def test_new_parameters_give_new_scores_from_the_same_counts() -> None:
    cache = ScoreCache()
    aggregates = cache.aggregates(table(RECORDS), ROLES, None, {})
    first = cache.card(aggregates, Parameters())
    other = Parameters().with_settings({"profitability.publisher_benefit": 1})
    second = cache.card(aggregates, other)
    assert second.aggregates is first.aggregates
    assert second["profitability"].details != first["profitability"].details
    assert cache.card(aggregates, other) is second


def test_the_cache_is_bounded_and_never_confuses_tables_that_came_and_went() -> None:
    cache, kept = ScoreCache(), WeakSet[Aggregates]()
    for number in range(1, 20):
        made = table({"q": ["a"] * number, "s": ["x"] * number})
        aggregates = cache.aggregates(made, ROLES, None, {})
        assert cache.card(aggregates, Parameters())["k_anonymity"].value == number
        kept.add(aggregates)
        del made, aggregates  # frees what the cache has let go of: an address may come again
    gc.collect()
    assert len(kept) <= 4


def test_the_cache_drops_the_least_recently_used_table_first() -> None:
    cache = ScoreCache()
    tables = [table({"q": ["a"] * (number + 1), "s": ["x"] * (number + 1)}) for number in range(5)]
    found = [cache.aggregates(each, ROLES, None, {}) for each in tables[:4]]
    assert cache.aggregates(tables[0], ROLES, None, {}) is found[0]
    cache.aggregates(tables[4], ROLES, None, {})
    assert cache.aggregates(tables[0], ROLES, None, {}) is found[0]
    assert cache.aggregates(tables[1], ROLES, None, {}) is not found[1]


LONG = BY_ID["minimal_sample_uniques"]


class Cancelled(BaseException):
    """Raised where somebody cancels the work."""


@pytest.fixture
def state() -> Workspace:
    """A table of several columns, so that the work has several shares."""
    names = [f"q{number}" for number in range(6)]
    made = Workspace()
    made.tables.add(Slot.ANONYMIZED, "t.csv", csv(names, *([(row * k) % 7 for k in range(2, 8)] for row in range(60))))
    made.roles |= dict.fromkeys(names, Role.QUASI_IDENTIFIER)
    return made


def test_cancelled_work_stops_and_is_not_kept(state: Workspace) -> None:
    shares: list[float] = []

    def cancel(share: float) -> None:
        shares.append(share)
        raise Cancelled

    with pytest.raises(Cancelled):
        state.compute("t.csv", LONG, cancel)
    assert len(shares) == 1
    assert shares[0] < 1
    assert state.card("t.csv")[LONG.id].result is None


def test_work_superseded_by_another_table_is_not_kept_for_it(state: Workspace) -> None:
    state.compute("t.csv", LONG, lambda share: state.roles.update({"q0": Role.INSENSITIVE}))
    assert state.card("t.csv")[LONG.id].result is None
    assert state.aggregates("t.csv").roles.quasi_identifiers == ("q1", "q2", "q3", "q4", "q5")


def test_finished_work_is_kept(state: Workspace) -> None:
    state.compute("t.csv", LONG)
    assert state.card("t.csv")[LONG.id].result is not None


def cached(parameters: Parameters | None = None) -> tuple[ScoreCache, Scorecard]:
    cache = ScoreCache()
    records = table({"q": list("aabbc"), "r": list("11234"), "s": list("xyxyz")})
    aggregates = cache.aggregates(records, Roles(quasi_identifiers=["q", "r"], sensitive=["s"]), None, {})
    return cache, cache.card(aggregates, parameters or Parameters())


def test_results_are_kept_until_a_parameter_of_their_metric_changes() -> None:
    cache, card = cached()
    spec = BY_ID["minimal_sample_uniques"]
    shares: list[float] = []
    cache.compute(card.aggregates, spec, Parameters(), shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    done = cache.card(card.aggregates, Parameters())
    assert done[spec.id].value is not None
    other = Parameters().with_settings({"p29.t_max": 0.4})
    assert cache.card(card.aggregates, other)[spec.id].value == done[spec.id].value
    own = Parameters().with_settings({"minimal_sample_uniques.max_columns": 1})
    assert cache.card(card.aggregates, own)[spec.id].result is None


def test_the_cache_keeps_the_reason_why_a_metric_is_unavailable() -> None:
    cache = ScoreCache()
    aggregates = cache.aggregates(table({"q": ["*"], "s": ["x"]}), Roles(["q"], ["s"]), None, {})
    spec = BY_ID["quasi_identifier_ranking"]
    shares: list[float] = []
    cache.compute(aggregates, spec, Parameters(), shares.append)
    assert shares == []
    assert cache.card(aggregates, Parameters())[spec.id].unavailable == "every record is suppressed or empty"


def test_only_what_a_parameter_touches_is_computed_anew() -> None:
    cache, card = cached()
    other = Parameters().with_settings({"p29.t_max": 0.4})
    again = cache.card(card.aggregates, other)
    assert [one.metric.id for one in again if one.result is not card[one.metric.id].result] == ["p29"]
    fresh, _ = cached(other)
    expected = fresh.card(card.aggregates, other)
    assert {one.metric.id: one.to_dict() for one in again} == {one.metric.id: one.to_dict() for one in expected}


@pytest.mark.parametrize(("records", "kept"), [(1, 8), (3_000_000, 4)])
def test_all_loaded_candidates_are_kept_but_of_huge_ones_only_a_few(records: int, kept: int) -> None:
    cache = ScoreCache()
    tables = [replace(table({"q": ["a"]}), rows=records) for _ in range(8)]
    first = [cache.aggregates(one, Roles(["q"]), None, {}, loaded=8) for one in tables]
    again = [cache.aggregates(one, Roles(["q"]), None, {}, loaded=8) for one in reversed(tables[-kept:])]
    assert again == first[: -kept - 1 : -1]
    assert (cache.aggregates(tables[0], Roles(["q"]), None, {}, loaded=8) is first[0]) is (kept == 8)


def test_what_identifies_people_is_judged_by_the_roles_as_they_are() -> None:
    cache, candidate = ScoreCache(), table({**RECORDS, "name": [f"p{number}@example.org" for number in range(600)]})
    policy = Policy("Ours", {"k_anonymity": 2})

    def status(**more: list[str]) -> Status:
        roles = Roles(quasi_identifiers=["q"], sensitive=["s"], **more)  # type: ignore[arg-type]
        return policy.check(cache.card(cache.aggregates(candidate, roles, None, {}), Parameters())).status

    assert status() is Status.FAILS
    assert status(not_identifying=["name"]) is Status.MEETS
    assert status(identifiers=["name"]) is Status.FAILS


class Slow:
    """Scores like the library, but waits at a checkpoint until it may go on; counts what it computes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_go_on, self.ended = Event(), Event(), Event()
        self.times = 0
        monkeypatch.setattr("dashboard.score_cache.score_aggregates", self)

    def __call__(self, *arguments: Any, **named: Any) -> Scorecard:
        self.times += 1
        self.begun.set()
        try:
            while not self.may_go_on.wait(0.001):
                checkpoint()
            return score_aggregates(*arguments, **named)
        finally:
            self.ended.set()


def workspace() -> Workspace:
    state = Workspace()
    state.tables.add(Slot.ANONYMIZED, "t.csv", csv(("q", "s"), *zip(RECORDS["q"], RECORDS["s"], strict=True)))
    state.roles |= {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    return state


def test_pages_that_need_a_card_at_the_same_time_compute_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, state = Slow(monkeypatch), workspace()
    with ThreadPoolExecutor(10) as pages:
        cards = [pages.submit(state.card, "t.csv") for _ in range(10)]
        assert slow.begun.wait(PATIENCE_S)
        slow.may_go_on.set()
        assert len({id(card.result(PATIENCE_S)) for card in cards}) == 1
    assert state.card("t.csv") is cards[0].result()
    assert slow.times == 1


def test_forgetting_ends_what_is_computed_for_this_session_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(BaseException):
        """Ends the page that the click on *Forget my data* was on."""

    left = Event()

    def check() -> None:
        if left.is_set():
            raise Left

    def page() -> None:
        with suppress(Left), interruptible(check):
            forgetting.card("t.csv")

    forgetting, other = workspace(), workspace()
    slow, not_wanted = Slow(monkeypatch), forgetting.score_cache.work
    with ThreadPoolExecutor(2) as pages, not_wanted.wanted():  # the run of the page ends a moment later
        pages.submit(page)
        assert slow.begun.wait(PATIENCE_S)
        left.set()
        forgetting.clear()
        assert slow.ended.wait(PATIENCE_S)
        assert not_wanted.start is None
        card = pages.submit(other.card, "t.csv")
        slow.may_go_on.set()
        assert card.result(PATIENCE_S)["k_anonymity"].value == 300
