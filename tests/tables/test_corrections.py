"""Tables in which values are read as the values they match, and columns by other names."""

import pytest

from metrics import InputError
from metrics.reading import read_table
from metrics.tables.corrections import corrected
from tests.matching.spellings import one


def test_matched_values_are_read_as_the_value_they_match() -> None:
    table = corrected(one("rome", "Rome", "x"), (), [("q", "rome", "Rome")])
    assert table["q"].labels == ["Rome", "x"]
    assert table["q"].counts().tolist() == [2, 1]
    again = read_table(b"Q,n\nrome,1\n", renamed=[("Q", "q")], same_values=[("q", "rome", "Rome")])
    assert again.head(1) == [["Rome", "1"]]
    with pytest.raises(InputError, match="no such column"):
        corrected(table, [("z", "q")])
    with pytest.raises(InputError, match="would have this name"):
        corrected(table, [("n", "q")])
