"""One session's state: whatever goes wrong, what was there stays."""

from typing import Any

import pytest

from dashboard.workspace import Slot, Workspace
from metrics.config.matching_rule import MatchingRule
from metrics.config.roles import Role
from tests.dashboard.application import csv
from tests.support.small_tables import columns_of

ORIGINAL = csv(["zip", "disease"], ["12345", "flu"], ["12346", "cold"])
CANDIDATE = csv(["zip", "disease"], ["1234*", "flu"], ["1234*", "cold"])
BROKEN = b"zip,disease\n12345,flu\n12346,cold\n12347\n"


def loaded() -> Workspace:
    state = Workspace()
    state.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    state.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    state.roles = {"zip": Role.QUASI_IDENTIFIER, "disease": Role.SENSITIVE}
    return state


def test_an_empty_workspace_has_nothing_to_score() -> None:
    state = Workspace()
    assert not state.ready
    assert (list(state.tables()), state.columns) == ([], {})
    assert state.chosen_roles().quasi_identifiers == ()


@pytest.mark.parametrize("slot", list(Slot))
def test_a_failed_upload_leaves_the_loaded_table_in_place(slot: Slot) -> None:
    state = loaded()
    before = list(state.tables())
    card = state.card("candidate.csv")
    state.try_add(slot, "original.csv", BROKEN)
    assert list(state.tables()) == before
    assert state.card("candidate.csv") is card
    (refused,) = state.imports
    assert (refused.slot, refused.name, refused.file.unpacked()) == (slot, "original.csv", BROKEN)


def test_the_last_upload_of_a_file_replaces_the_one_before() -> None:
    state = Workspace()
    state.try_add(Slot.ORIGINAL, "t.csv", b"")
    state.try_add(Slot.ORIGINAL, "t.csv", BROKEN)
    assert [refused.file.unpacked() for refused in state.imports] == [BROKEN]


def read_again(state: Workspace, slot: Slot, label: str, **settings: Any) -> None:
    state.change(slot, label)
    for name, value in settings.items():
        state.imports[-1].set(name, value)
    state.confirm(state.imports[-1])


def test_reading_again_fails_without_loss() -> None:
    state = loaded()
    before = list(state.tables())
    for slot, label in ((Slot.ORIGINAL, "original.csv"), (Slot.ANONYMIZED, "candidate.csv")):
        read_again(state, slot, label, encoding="no such encoding")
        assert label in str(state.imports[-1].failure)
    assert list(state.tables()) == before


def test_reading_again_replaces_the_table_in_its_place() -> None:
    state = loaded()
    state.add(Slot.ANONYMIZED, "second.csv", csv(["zip", "disease"], ["*", "flu"], ["*", "cold"]))
    read_again(state, Slot.ANONYMIZED, "candidate.csv", missing=("1234*",))
    assert list(state.candidates) == ["candidate.csv", "second.csv"]
    assert columns_of(state.candidates["candidate.csv"].table)["zip"] == [None, None]


def test_one_changed_record_changes_the_scores() -> None:
    state = loaded()
    before = state.card("candidate.csv")["k_anonymity"].value
    state.add(Slot.ANONYMIZED, "again.csv", CANDIDATE.replace(b"1234*", b"12345", 1))
    assert (before, state.card("again.csv")["k_anonymity"].value) == (2, 1)
    assert state.card("candidate.csv")["k_anonymity"].value == 2


def test_equal_names_get_numbers_and_equal_bytes_are_kept_once() -> None:
    state = loaded()
    state.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    assert list(state.candidates) == ["candidate.csv"]
    for zip_code in ("123**", "12***"):
        state.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE.replace(b"1234*", zip_code.encode()))
    assert list(state.candidates) == ["candidate.csv", "candidate.csv (2)", "candidate.csv (3)"]


def test_roles_are_suggested_for_new_columns_only() -> None:
    state = loaded()
    state.roles["zip"] = Role.IDENTIFIER
    state.add(Slot.ORIGINAL, "other.csv", csv(["zip", "disease", "age"], ["1", "flu", "30"], ["2", "flu", "31"]))
    assert state.roles["zip"] is Role.IDENTIFIER
    assert state.roles["age"] is Role.QUASI_IDENTIFIER


def test_removing_drops_the_roles_that_no_table_needs() -> None:
    state = loaded()
    state.remove(Slot.ORIGINAL, "original.csv")
    assert state.original is None
    assert set(state.roles) == {"zip", "disease"}
    state.remove(Slot.ANONYMIZED, "candidate.csv")
    assert state.roles == {}
    assert not state.ready


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
    state.add(Slot.ORIGINAL, "other.csv", csv(["a"], ["1"]))
    state.candidates = {}
    state.add(Slot.ANONYMIZED, "other.csv", csv(["a"], ["2"]))
    state.roles["a"] = Role.INSENSITIVE
    assert state.roles["zip"] is Role.QUASI_IDENTIFIER
    assert not state.ready
