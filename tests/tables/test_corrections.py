"""Tables in which values are read as others, and columns by other names, as settings say."""

import pytest

from metrics import InputError
from metrics.reading import read_table
from metrics.tables.corrections import corrected


def test_values_are_read_as_others_and_columns_by_other_names() -> None:
    read = read_table(b"q,n\nrome,1\nRome,2\nx,3\n", header_lines=1, footer_lines=0)
    table = corrected(read, (), [("q", "rome", "Rome")])
    assert table["q"].labels == ["Rome", "x"]
    assert table["q"].counts().tolist() == [2, 1]
    again = read_table(b"Q,n\nrome,1\n", renamed=[("Q", "q")], same_values=[("q", "rome", "Rome")])
    assert again.head(1) == [["Rome", "1"]]
    with pytest.raises(InputError, match="no such column"):
        corrected(table, [("z", "q")])
    with pytest.raises(InputError, match="would have this name"):
        corrected(table, [("n", "q")])
