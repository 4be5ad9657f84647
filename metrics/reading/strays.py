"""Records that come from elsewhere: the turn of a page, and in one column messages and remains of other formats."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.headers import are_figures, is_missing
from metrics.reading.letters import DIGIT, form
from metrics.reading.strangers import code_of_nothing, flags_of
from metrics.table import Column, Integers

_PAGE = r"(?i)^\W*(page|seite|pagina|página|str\.|стр\.|第)\s?\d+(\s?(of|von|de|/)\s?\d+)?\W*$|^-\s\d+\s-$"
_TURN = rf"{_PAGE}|^\W*(continued|cont\.|cont'd|fortsetzung|suite)\W*$"
"""In one column the words may be a value."""
_MESSAGE = r"^\P{Nd}*\p{L}{2,}[\p{P}\p{L}]*[\s:]\s*\S|^<[!/\p{L}]"
_REMAINS = r"^\s*([\[\]{}()\\]{1,2}[,;]?|\^[A-Z]|</?\w+>)\s*$"
_MOST = 200
_SAMPLE = 60
_FEWEST = 2
_FEW = 0.1
"""Share of records up to which they are some among others."""


def refuse_strays(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record is the number of a page, or one of one column no cell but a line of a program."""
    record = _turn_of_page(columns)
    if record is None and len(columns) == 1:
        record = _line_of_program(columns[0])
    if record is not None:
        raise InputError(
            "the record may be the turn of a page or a line of a program",
            remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
            file=body.name,
            row=body.line_of(record),
        )


def _turn_of_page(columns: Sequence[Column]) -> int | None:
    """The first record that stands nowhere else in any of its cells, one of which alone turns a page."""
    records = _strange_records(columns)
    if not 0 < len(records) <= _MOST:
        return None
    turn = _TURN if len(columns) > 1 else _PAGE
    for record in records.tolist():
        for column in columns:
            text = column.values[int(column.codes[record])].as_py() or ""
            if not re.match(turn, text) or pc.sum(pc.match_substring_regex(column.values, turn)).as_py() > 1:
                continue
            if not any(_has_form_of_others(other, record) for other in columns if other is not column):
                return int(record)
    return None


def _has_form_of_others(column: Column, record: int) -> bool:
    """Whether a text with figures is written as others of its column are."""
    text = column.values[int(column.codes[record])].as_py() or ""
    others = (other for other in column.values[:_SAMPLE].to_pylist() if other and other != text)
    return bool(DIGIT.search(text)) and form(text) in map(form, others)


def _strange_records(columns: Sequence[Column]) -> Integers:
    """The records none of whose cells, but for empty ones, stands in another."""
    records: Integers = np.empty(0, dtype=np.int64)
    for number, column in enumerate(sorted(columns, key=lambda column: column.distinct)):
        strange = column.counts() == 1
        nothing = code_of_nothing(column)
        if nothing >= 0:
            strange[nothing] = True
        here = strange[column.codes]
        records = records[here[records]] if number else np.flatnonzero(here)
        if not len(records):
            break
    return records


def _line_of_program(column: Column) -> int | None:
    """The first record that is no cell of one column: remains of a format, or words that stand once among figures."""
    remains = pc.match_substring_regex(column.values, _REMAINS)
    words = pc.match_substring_regex(column.values, _MESSAGE)
    plain = column.values.filter(pc.invert(pc.or_(remains, words)))[:_SAMPLE].to_pylist()
    known = [text for text in plain if text and not is_missing(text)]
    if len(known) < _FEWEST:
        return None
    found = flags_of(remains)
    if are_figures(known):
        found |= flags_of(words)
    few = found.sum() <= max(1, _FEW * column.distinct)
    codes = np.flatnonzero(found & (column.counts() == 1)).tolist() if few else []
    return min((int((column.codes == code).argmax()) for code in codes), default=None)
