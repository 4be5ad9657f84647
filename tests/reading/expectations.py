"""What the tests of reading share: cells as lists, and errors that must be one harmless sentence."""

import traceback
from typing import Any

import pytest

from metrics.errors import InputError
from metrics.hierarchies.rows import read_rows
from metrics.reading import read_table
from metrics.tables.table import Table

SECRET = "".join(["Zq", "81", "secret"])
"""A cell's text that no message may hold; put together so that no line of source code holds it either."""


def columns(table: Table) -> dict[str, list[str | None]]:
    """The cells of every column, after checking what every Table promises."""
    for column in table.columns:
        assert column.codes.dtype.name == "int32"
        assert len(column.codes) == table.rows
        assert column.distinct == len(set(column.labels))
        assert column.counts().min() > 0
    return {column.name: [column.labels[code] for code in column.codes] for column in table.columns}


def refusal(source: Any, *, rows: bool = False, **choices: Any) -> InputError:
    """The InputError that reading raises: one sentence, without the secret in it or in what a log would show."""
    with pytest.raises(InputError) as caught:
        read_rows(source, **choices) if rows else read_table(source, **choices)
    error = caught.value
    sentence = str(error)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert not sentence.endswith("..")
    assert error.remedy
    assert SECRET not in sentence
    assert SECRET not in "".join(traceback.format_exception(error))
    return error
