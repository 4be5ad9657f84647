"""Files whose reading the user decides: what is asked, what an answer changes, what is answered once."""

import pytest

from dashboard.file_reviews import Import
from dashboard.loading import Bytes, ReadOptions
from dashboard.workspace import LOADING, Slot, Workspace
from metrics.errors import InputError
from tests.dashboard.import_files import CLEAN, IRIS, IRIS_LIKE, NAMES, WESTERN
from tests.support.small_tables import columns_of


def imported(name: str, content: bytes) -> Import:
    return Import(Slot.ORIGINAL, name, Bytes.from_content(content))


def answer(chosen: Import, about: str, **changes: object) -> None:
    """Give the answer that sets these fields."""
    (question,) = [one for one, _ in chosen.review().questions if one.id == about]
    (index,) = [at for at, one in enumerate(question.answers) if changes.items() <= one.changes.items()]
    chosen.choose_answer(question, index)


def test_a_clean_file_raises_no_question() -> None:
    clean = imported("clean.csv", CLEAN)
    assert clean.review().questions == ()
    assert clean.form is None
    assert clean.read_table().table.names == ("name", "city", "age")


def test_the_proposed_answer_holds_until_another_is_chosen() -> None:
    iris = imported("iris.csv", IRIS)
    ((question, index),) = iris.review().questions
    assert (question.id, index) == ("header", 0)
    assert iris.read_table().table.names == NAMES
    answer(iris, "header", header_lines=1)
    review = iris.review()
    assert [chosen for _, chosen in review.questions] == [1]
    assert review.proposal is not None
    assert review.proposal.names[-1] == "Iris-setosa"
    assert iris.read_table().table.rows == 5


def test_a_setting_takes_the_place_of_an_answer_and_the_reverse() -> None:
    iris = imported("iris.csv", IRIS)
    answer(iris, "header", header_lines=1)
    iris.set("header_lines", 0)
    assert iris.answers == {}
    assert iris.read_table().table.names == NAMES
    iris.reset()
    iris.set("header_lines", 0)
    iris.set("missing", ("Iris-setosa",))
    assert iris.review().value("missing") == ("Iris-setosa",)
    assert columns_of(iris.read_table().table)["column 5"][:2] == [None, None]
    iris.reset()
    assert iris.untouched
    assert iris.review().value("missing") == ()


def test_a_choice_that_fails_keeps_what_was_chosen_and_says_why() -> None:
    western = imported("places.csv", WESTERN)
    western.set("missing", ("31",))
    western.set("encoding", "no such encoding")
    review = western.review()
    assert str(review.error).startswith("places.csv")
    assert review.proposal is not None, "the first lines still show"
    assert (review.value("encoding"), review.value("missing")) == ("no such encoding", ("31",))
    with pytest.raises(InputError, match=r"places\.csv"):
        western.read_table()
    western.set("encoding", "cp1252")
    assert columns_of(western.read_table().table)["age"] == [None, "45", "28", "52"]


def test_a_file_that_nothing_can_be_proposed_for_has_its_sentence() -> None:
    review = imported("empty.csv", b"").review()
    assert (review.questions, review.proposal) == ((), None)
    assert "empty" in str(review.error)
    assert review.value("delimiter") is None


def test_columns_can_be_renamed_and_left_out_on_import() -> None:
    clean = imported("clean.csv", CLEAN)
    clean.set("names", ("who", "where", "years"))
    clean.set("omitted_columns", (1,))
    assert clean.all_names(clean.review()) == ("who", "where", "years")
    assert clean.all_names(clean.review(), given=False) == ("name", "city", "age")
    loaded = clean.read_table()
    assert loaded.table.names == ("where", "years")
    assert loaded.plan.left_out == ("column 1",)


def waiting(state: Workspace) -> list[str]:
    return [one.name for one in state.tables.imports]


def test_files_of_one_form_are_answered_once() -> None:
    state = Workspace()
    state.tables.try_add(Slot.ORIGINAL, "iris.csv", IRIS)
    state.tables.try_add(Slot.ANONYMIZED, "released.csv", IRIS_LIKE)
    state.tables.try_add(Slot.ANONYMIZED, "places.csv", WESTERN)
    assert waiting(state) == ["iris.csv", "released.csv", "places.csv"]
    first = state.tables.imports[0]
    assert [one.name for one in state.tables.similar_imports(first)] == ["released.csv"]
    answer(first, "header", header_lines=1)
    state.tables.confirm(first)
    assert waiting(state) == ["places.csv"]
    assert state.tables.original is not None
    assert state.tables.original.table.rows == state.tables.versions["released.csv"].table.rows == 5
    (message,) = state.tables.messages[LOADING]
    assert message.startswith("released.csv has the same form as iris.csv")
    # One that comes later is read so too.
    state.tables.try_add(Slot.ANONYMIZED, "later.csv", IRIS_LIKE.replace(b"5.0", b"5.5"))
    assert state.tables.versions["later.csv"].table.rows == 5
    assert state.tables.messages[LOADING][1].startswith("later.csv has the same form as iris.csv")


def test_a_file_for_which_something_was_chosen_is_left_alone() -> None:
    state = Workspace()
    state.tables.try_add(Slot.ORIGINAL, "iris.csv", IRIS)
    state.tables.try_add(Slot.ANONYMIZED, "released.csv", IRIS_LIKE)
    answer(state.tables.imports[1], "header", header_lines=1)
    state.tables.confirm(state.tables.imports[0])
    assert waiting(state) == ["released.csv"]


def test_a_loaded_table_is_read_in_another_way_in_its_place() -> None:
    state = Workspace()
    state.tables.try_add(Slot.ANONYMIZED, "iris.csv", IRIS)
    answer(state.tables.imports[0], "header", header_lines=1)
    state.tables.imports[0].set("missing", ("6.4",))
    state.tables.confirm(state.tables.imports[0])
    state.tables.add(Slot.ANONYMIZED, "clean.csv", CLEAN)
    before = state.tables.versions["iris.csv"]
    state.tables.change(Slot.ANONYMIZED, "iris.csv")
    (again,) = state.tables.imports
    assert [index for _, index in again.review().questions] == [1]
    assert again.settings == {"missing": ("6.4",)}
    again.set("encoding", "no such encoding")
    state.tables.confirm(again)
    assert again.failure is not None
    assert state.tables.versions["iris.csv"] is before
    again.set("encoding", "utf-8")
    answer(again, "header", header_lines=0)
    state.tables.confirm(again)
    assert state.tables.imports == []
    assert list(state.tables.versions) == ["iris.csv", "clean.csv"]
    assert state.tables.versions["iris.csv"].table.names == NAMES


def test_changing_how_a_table_is_read_ends_if_it_is_removed_or_replaced() -> None:
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, "clean.csv", CLEAN)
    for end in (
        lambda: state.remove(Slot.ORIGINAL, "clean.csv"),
        lambda: state.tables.add(Slot.ORIGINAL, "clean.csv", CLEAN.replace(b"52", b"53")),
    ):
        state.tables.add(Slot.ORIGINAL, "clean.csv", CLEAN)
        state.tables.change(Slot.ORIGINAL, "clean.csv")
        assert len(state.tables.imports) == 1
        end()
        assert state.tables.imports == []


def test_names_and_values_that_settings_replace_outlast_another_reading() -> None:
    state = Workspace()
    options = ReadOptions(renamed=(("city", "place"),), same_values=(("place", "Paris", "PARIS"),))
    state.tables.add(Slot.ANONYMIZED, "clean.csv", CLEAN, options)
    state.tables.change(Slot.ANONYMIZED, "clean.csv")
    state.tables.imports[0].set("missing", ("52",))
    state.tables.confirm(state.tables.imports[0])
    assert columns_of(state.tables.versions["clean.csv"].table) == {
        "name": ["Anna", "Marie"],
        "place": ["Berlin", "PARIS"],
        "age": [None, "31"],
    }


def test_no_refusal_holds_on_to_the_bytes_of_its_file() -> None:
    error = imported("empty.csv", b"").review().error
    assert error is not None
    assert error.__traceback__ is error.__context__ is None
