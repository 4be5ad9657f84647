"""Two sessions in one process, with more candidates than a cache holds: each sees its own, and lets go of it."""

import gc
import random
import weakref

from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from tests.dashboard.application import choose, class_count, csv, metric, opened, sound, state_of

CANDIDATES = 7
"""More than the caches of scores hold."""


def table(mark: str, seed: int) -> bytes:
    chosen = random.Random(seed)
    rows = [[f"{mark}{chosen.randrange(2 + seed % 5)}", f"{mark}{chosen.randrange(4)}"] for _ in range(40 + seed)]
    return csv(["place", "illness"], *rows)


def session(mark: str, first_seed: int) -> Workspace:
    """A session with several candidates, whose names and cells have a mark."""
    state = Workspace()
    for number in range(CANDIDATES):
        state.add(Slot.ANONYMIZED, f"{mark}{number}.csv", table(mark, first_seed + number))
    state.roles |= {"place": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
    return state


def figures(state: Workspace, number: int) -> tuple[str, int]:
    card = state.card(state.labels[number])
    return str(card["k_anonymity"].value), card.aggregates.classes.count


def test_sessions_in_turn_see_what_each_sees_alone() -> None:
    marks = {"Kolophonium": 0, "Schellack": 100}
    alone = {
        mark: [figures(session(mark, seed), number) for number in range(CANDIDATES)] for mark, seed in marks.items()
    }
    assert alone["Kolophonium"] != alone["Schellack"]
    states = {mark: session(mark, seed) for mark, seed in marks.items()}
    for number in (*range(CANDIDATES), *reversed(range(CANDIDATES))):
        for mark, state in states.items():
            assert figures(state, number) == alone[mark][number]
    apps = {mark: opened(state, "scorecard") for mark, state in states.items()}
    for number in (0, CANDIDATES - 1, 0):
        for mark, app in apps.items():
            choose(app, "candidate", f"{mark}{number}.csv")
            assert (metric(app, "k-anonymity"), class_count(app)) == alone[mark][number]
            (other,) = set(marks) - {mark}
            shown = [str(getattr(element, "proto", "")) for element in (*app.main, *app.sidebar)]
            assert any(mark in text for text in shown)
            assert not any(other in text for text in shown)


def test_parameters_and_limits_of_one_session_do_not_affect_another() -> None:
    one, other = (opened(session(mark, 0), "profitability") for mark in ("Kolophonium", "Schellack"))
    choose(one, "publisher_benefit", 777.0)
    assert sound(other.run()).get_by_key("publisher_benefit").value != 777
    assert state_of(one).parameters != state_of(other).parameters
    assert state_of(one).own_policies is not state_of(other).own_policies


def test_a_workspace_that_is_dropped_frees_its_tables_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        state = Workspace()
        state.add(Slot.ANONYMIZED, "t.csv", table("x", 1))
        state.roles |= {"place": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
        card = state.card("t.csv")
        held = [weakref.ref(thing) for thing in (state.candidates["t.csv"], state.candidates["t.csv"].table, card)]
        del card
        state.clear()
        assert [thing() for thing in held] == [None, None, None]
        assert vars(state).keys() == vars(Workspace()).keys()
    finally:
        gc.enable()
