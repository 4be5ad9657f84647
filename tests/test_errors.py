"""Errors are one sentence with the place, the problem and the remedy, and survive the way to another process."""

import copy
import pickle

from metrics.errors import InputError, Unavailable


def test_an_input_error_is_one_sentence_that_names_the_place_and_the_remedy() -> None:
    error = InputError("the cell is empty", remedy="fill it", file="a.xlsx", sheet="May", row=7, column="age")
    assert str(error) == 'a.xlsx, sheet "May", line 7, column "age": the cell is empty; fill it.'
    assert isinstance(error, ValueError)


def test_places_that_are_unknown_are_left_out() -> None:
    assert str(InputError("the table is empty", remedy="fill it")) == "the table is empty; fill it."
    assert str(InputError("it is empty", remedy="fill it", column="age")) == 'column "age": it is empty; fill it.'


def test_line_ends_in_names_do_not_break_the_sentence() -> None:
    error = InputError("it is\nempty", remedy="fill\r\n it", file="a\tb.csv", column="first\n\nname")
    assert str(error) == 'a b.csv, column "first name": it is empty; fill it.'
    assert error.column == "first\n\nname"


def test_an_input_error_keeps_its_parts_in_a_pickle_and_in_a_copy() -> None:
    error = InputError("the cell is empty", remedy="fill it", file="a.xlsx", sheet="May", row=7, column="age")
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(same) is InputError
        assert str(same) == str(error)
        assert vars(same) == vars(error)


def test_an_unavailable_metric_says_why() -> None:
    assert str(pickle.loads(pickle.dumps(Unavailable("there is no original")))) == "there is no original"
