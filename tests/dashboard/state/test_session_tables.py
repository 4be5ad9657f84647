"""Tables of a session are kept whole, under labels of their own, and stay where a new one cannot be read."""

from dashboard.file_reviews import Slot
from dashboard.state.session_tables import LOADING, SessionTables
from tests.dashboard.application import csv
from tests.dashboard.import_files import CLEAN, IRIS, IRIS_LIKE, NAMES

TABLE = csv(["zip", "illness"], ["12345", "flu"], ["12346", "cold"])
OTHER = csv(["zip", "illness"], ["1234*", "flu"], ["1234*", "cold"])


def labels(state: SessionTables) -> list[tuple[Slot, str]]:
    return [(slot, label) for slot, label, _ in state.loaded()]


def test_tables_are_told_with_the_original_first_and_those_for_reference_last() -> None:
    state = SessionTables()
    assert state.empty
    for slot, name in ((Slot.HOLDOUT, "h"), (Slot.ANONYMIZED, "a"), (Slot.POPULATION, "p"), (Slot.ORIGINAL, "o")):
        state.add(slot, name, TABLE)
    assert labels(state) == [(Slot.ORIGINAL, "o"), (Slot.ANONYMIZED, "a"), (Slot.POPULATION, "p"), (Slot.HOLDOUT, "h")]
    assert state.labels == ["a"]
    for slot, label in labels(state):
        state.remove(slot, label)
    assert state.empty


def test_candidates_of_the_same_name_are_numbered_and_the_same_content_is_kept_once() -> None:
    state = SessionTables()
    state.try_add(Slot.ANONYMIZED, "a.csv", TABLE)
    state.try_add(Slot.ANONYMIZED, "a.csv", OTHER)
    state.try_add(Slot.ANONYMIZED, "b.csv", TABLE)
    assert state.labels == ["a.csv", "a.csv (2)"]
    (message,) = state.messages[LOADING]
    assert "b.csv" in message


def test_the_original_stands_in_as_a_candidate_until_there_is_another() -> None:
    state = SessionTables()
    state.add_original()
    assert state.labels == []
    state.add(Slot.ORIGINAL, "o.csv", TABLE)
    for _ in range(2):
        state.add_original()
        assert len(state.labels) == 1
    assert state.versions[state.labels[0]] is state.original
    state.add(Slot.ANONYMIZED, "a.csv", OTHER)
    assert state.labels == ["a.csv"]


def test_files_with_a_question_wait_and_those_of_the_same_form_follow_the_answer() -> None:
    state = SessionTables()
    state.try_add(Slot.ORIGINAL, "clean.csv", CLEAN)
    state.try_add(Slot.ANONYMIZED, "first.csv", IRIS)
    state.try_add(Slot.ANONYMIZED, "second.csv", IRIS_LIKE)
    assert [one.name for one in state.imports] == ["first.csv", "second.csv"]
    assert [one.name for one in state.similar_imports(state.imports[0])] == ["second.csv"]
    state.confirm(state.imports[0])
    assert state.imports == []
    assert [loaded.table.names for loaded in state.versions.values()] == [NAMES, NAMES]
    state.try_add(Slot.ANONYMIZED, "third.csv", IRIS.replace(b"5.1", b"5.2"))
    assert state.labels == ["first.csv", "second.csv", "third.csv"]


def test_a_later_upload_of_the_same_name_takes_the_place_of_one_that_waits() -> None:
    state = SessionTables()
    for content in (b"", b"zip,illness\n1\n"):
        state.try_add(Slot.ORIGINAL, "o.csv", content)
        assert [one.file.unpacked() for one in state.imports] == [content]
    state.try_add(Slot.ORIGINAL, "o.csv", TABLE)
    assert state.imports == []
    assert labels(state) == [(Slot.ORIGINAL, "o.csv")]


def test_changes_to_the_reading_of_a_table_that_is_gone_are_dropped() -> None:
    state = SessionTables()
    state.add(Slot.ORIGINAL, "o.csv", TABLE)
    state.add(Slot.ANONYMIZED, "a.csv", OTHER)
    state.change(Slot.ORIGINAL, "o.csv")
    state.change(Slot.ANONYMIZED, "a.csv")
    state.remove(Slot.ANONYMIZED, "a.csv")
    assert [(one.slot, one.label) for one in state.imports] == [(Slot.ORIGINAL, "o.csv")]
