"""One session's state: whatever goes wrong, what was there stays."""

import gc
import math
import random
import weakref
from typing import Any

import pytest

from dashboard.workspace import Slot, Workspace
from metrics import make_candidate
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.policy import Policy
from metrics.recipes.recipe import recipe_of_levels
from metrics.tables.matching_rule import MatchingRule
from tests.dashboard.application import (
    choose,
    class_count,
    csv,
    metric,
    opened,
    press,
    sound,
    state_of,
)
from tests.support.small_tables import columns_of

ORIGINAL = csv(["zip", "disease"], ["12345", "flu"], ["12346", "cold"])
CANDIDATE = csv(["zip", "disease"], ["1234*", "flu"], ["1234*", "cold"])
BROKEN = b"zip,disease\n12345,flu\n12346,cold\n12347\n"


def loaded() -> Workspace:
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    state.roles = {"zip": Role.QUASI_IDENTIFIER, "disease": Role.SENSITIVE}
    return state


def test_an_empty_workspace_has_nothing_to_score() -> None:
    state = Workspace()
    assert not state.ready
    assert (list(state.tables.loaded()), state.columns) == ([], {})
    assert state.chosen_roles().quasi_identifiers == ()


def test_a_card_with_the_attack_that_a_policy_limits_is_kept() -> None:
    state = loaded()
    state.policy.choose(Policy("Ours", {"singling_out_attack": 0.5}))
    card = state.card("candidate.csv")
    assert card["singling_out_attack"].value is not None
    assert state.card("candidate.csv") is card
    assert state.with_singling_out(card) is card


@pytest.mark.parametrize("slot", list(Slot))
def test_a_failed_upload_leaves_the_loaded_table_in_place(slot: Slot) -> None:
    state = loaded()
    before = list(state.tables.loaded())
    card = state.card("candidate.csv")
    state.tables.try_add(slot, "original.csv", BROKEN)
    assert list(state.tables.loaded()) == before
    assert state.card("candidate.csv") is card
    (refused,) = state.tables.imports
    assert (refused.slot, refused.name, refused.file.unpacked()) == (slot, "original.csv", BROKEN)


def test_the_last_upload_of_a_file_replaces_the_one_before() -> None:
    state = Workspace()
    state.tables.try_add(Slot.ORIGINAL, "t.csv", b"")
    state.tables.try_add(Slot.ORIGINAL, "t.csv", BROKEN)
    assert [refused.file.unpacked() for refused in state.tables.imports] == [BROKEN]


def read_again(state: Workspace, slot: Slot, label: str, **settings: Any) -> None:
    state.tables.change(slot, label)
    for name, value in settings.items():
        state.tables.imports[-1].set(name, value)
    state.tables.confirm(state.tables.imports[-1])


def test_reading_again_fails_without_loss() -> None:
    state = loaded()
    before = list(state.tables.loaded())
    for slot, label in ((Slot.ORIGINAL, "original.csv"), (Slot.ANONYMIZED, "candidate.csv")):
        read_again(state, slot, label, encoding="no such encoding")
        assert label in str(state.tables.imports[-1].failure)
    assert list(state.tables.loaded()) == before


def test_reading_again_replaces_the_table_in_its_place() -> None:
    state = loaded()
    state.tables.add(Slot.ANONYMIZED, "second.csv", csv(["zip", "disease"], ["*", "flu"], ["*", "cold"]))
    read_again(state, Slot.ANONYMIZED, "candidate.csv", missing=("1234*",))
    assert list(state.tables.versions) == ["candidate.csv", "second.csv"]
    assert columns_of(state.tables.versions["candidate.csv"].table)["zip"] == [None, None]


def test_one_changed_record_changes_the_scores() -> None:
    state = loaded()
    before = state.card("candidate.csv")["k_anonymity"].value
    state.tables.add(Slot.ANONYMIZED, "again.csv", CANDIDATE.replace(b"1234*", b"12345", 1))
    assert (before, state.card("again.csv")["k_anonymity"].value) == (2, 1)
    assert state.card("candidate.csv")["k_anonymity"].value == 2


def test_equal_names_get_numbers_and_equal_bytes_are_kept_once() -> None:
    state = loaded()
    state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    assert list(state.tables.versions) == ["candidate.csv"]
    for zip_code in ("123**", "12***"):
        state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE.replace(b"1234*", zip_code.encode()))
    assert list(state.tables.versions) == ["candidate.csv", "candidate.csv (2)", "candidate.csv (3)"]


def test_roles_are_suggested_for_new_columns_only() -> None:
    state = loaded()
    state.roles["zip"] = Role.IDENTIFIER
    state.tables.add(Slot.ORIGINAL, "other.csv", csv(["zip", "disease", "age"], ["1", "flu", "30"], ["2", "flu", "31"]))
    assert state.roles["zip"] is Role.IDENTIFIER
    assert state.roles["age"] is Role.QUASI_IDENTIFIER


def test_removing_drops_the_roles_that_no_table_needs() -> None:
    state = loaded()
    state.remove(Slot.ORIGINAL, "original.csv")
    assert state.tables.original is None
    assert set(state.roles) == {"zip", "disease"}
    state.remove(Slot.ANONYMIZED, "candidate.csv")
    assert state.roles == {}
    assert not state.ready


def test_proposals_for_columns_that_a_second_reading_does_not_find_are_not_counted() -> None:
    state = Workspace()
    state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    read_again(state, Slot.ANONYMIZED, "candidate.csv", omitted_columns=(1,))
    assert state.unconfirmed_roles == {"disease"}
    read_again(state, Slot.ANONYMIZED, "candidate.csv", omitted_columns=())
    assert state.unconfirmed_roles == {"zip", "disease"}


def test_a_key_column_that_no_table_has_any_longer_is_dropped() -> None:
    state = loaded()
    state.matching.choose_for_all(MatchingRule(("zip",)))
    read_again(state, Slot.ORIGINAL, "original.csv", omitted_columns=(1,))
    assert state.chosen_roles().key == "zip"
    read_again(state, Slot.ANONYMIZED, "candidate.csv", omitted_columns=(1,))
    assert state.chosen_roles().key is None


def test_roles_of_absent_columns_do_not_make_a_workspace_ready() -> None:
    state = loaded()
    assert state.ready
    state.tables.add(Slot.ORIGINAL, "other.csv", csv(["a"], ["1"]))
    state.tables.versions = {}
    state.tables.add(Slot.ANONYMIZED, "other.csv", csv(["a"], ["2"]))
    state.roles["a"] = Role.INSENSITIVE
    assert state.roles["zip"] is Role.QUASI_IDENTIFIER
    assert not state.ready


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
        state.tables.add(Slot.ANONYMIZED, f"{mark}{number}.csv", table(mark, first_seed + number))
    state.roles |= {"place": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
    return state


def figures(state: Workspace, number: int) -> tuple[str, int]:
    card = state.card(state.tables.labels[number])
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
    apps = {mark: opened(state, "verdict") for mark, state in states.items()}
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
    press(choose(one, "publisher_benefit", 777.0), "use_everywhere")
    assert sound(other.run()).get_by_key("publisher_benefit").value != 777
    assert state_of(one).policy.parameters != state_of(other).policy.parameters
    assert state_of(one).policy.own is not state_of(other).policy.own


def test_a_workspace_that_is_dropped_frees_its_tables_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        state = Workspace()
        state.tables.add(Slot.ANONYMIZED, "t.csv", table("x", 1))
        state.roles |= {"place": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
        card = state.card("t.csv")
        held = [
            weakref.ref(thing) for thing in (state.tables.versions["t.csv"], state.tables.versions["t.csv"].table, card)
        ]
        del card
        state.clear()
        assert [thing() for thing in held] == [None, None, None]
        assert vars(state).keys() == vars(Workspace()).keys()
    finally:
        gc.enable()


def test_many_candidates_are_scored_once() -> None:
    state = Workspace()
    for place in range(9):
        rows = [[str(row % (place + 2)), "xy"[row % 2]] for row in range(30)]
        state.tables.add(Slot.ANONYMIZED, f"c{place}.csv", csv(("q", "s"), *rows))
    state.roles = {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    first, sentences = state.cards()
    assert (len(first), sentences) == (9, [])
    again, _ = state.cards()
    assert all(again[label] is card for label, card in first.items())


def test_a_table_that_was_generalized_here_is_read_by_its_levels() -> None:
    state = Workspace()
    rows = [[str(20 + row % 10), "xy"[row % 2]] for row in range(60)]
    state.tables.add(Slot.ORIGINAL, "original.csv", csv(("age", "s"), *rows))
    state.roles = {"age": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    # The label 25 means one age, or all of them.
    state.hierarchies["age"] = Hierarchy([[str(age), "25"] for age in range(20, 30)])
    inputs = state.search_inputs()
    recipe = recipe_of_levels(inputs.original, inputs.roles, inputs.hierarchies, {"age": 0})
    made = state.keep("made", recipe.apply(inputs.original).table, MatchingRule(), recipe)
    state.tables.add(Slot.ANONYMIZED, "uploaded.csv", csv(("age", "s"), *rows))
    linkage = {label: state.card(label)["record_linkage_attack"].value for label in (made, "uploaded.csv")}
    assert linkage == {made: pytest.approx(1 / 6), "uploaded.csv": pytest.approx(0.9 / 12 + 0.1 / 6)}


def test_a_version_made_at_random_knows_its_probabilities() -> None:
    state = Workspace()
    rows = [[str(20 + row % 10), "xy"[row % 2]] for row in range(60)]
    state.tables.add(Slot.ORIGINAL, "original.csv", csv(("age", "s"), *rows))
    state.roles = {"age": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    inputs = state.search_inputs()
    made = make_candidate(inputs.original, "pram", inputs.roles, seed=1, columns=("s",))
    label = state.keep("made", made, MatchingRule())
    assert state.card(label)["local_dp"].value == pytest.approx(math.log(1 + 0.8 / (0.2 * 0.5)))
