"""Columns that hold several kinds of values: another table below without a blank line, or rows that are columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.dialect import DELIMITERS
from metrics.reading.doubts import other_table
from metrics.reading.headers import is_missing, is_number
from metrics.reading.letters import DIGIT, LETTER, form
from metrics.table import Column

_ENDS = 3
"""Records at either end that tell what a column holds there."""
_SAMPLE = 60
_TWO = 2
_VALUES = 3
_NEARLY_ALL = 0.75


def refuse_other_kinds(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where two columns or more hold another kind from the same record on, or rows are columns."""
    record = _where_kinds_change(columns)
    if record is not None:
        raise other_table(body.name, body.line_of(record))
    if _stand_alone(columns):
        raise InputError(
            "all columns but the first are empty below a line that may be a title",
            remedy="choose how many lines come before the header, 0 if this is it",
            file=body.name,
            row=body.found.header.line,
        )
    if _are_turned(columns):
        raise InputError(
            "each row holds values of one kind and each column of many, as if rows were columns",
            remedy="exchange rows and columns, or choose 1 header line if they are records",
            file=body.name,
            row=body.found.header.line,
        )


def _stand_alone(columns: Sequence[Column]) -> bool:
    """Whether all columns but the first are empty, and no name of theirs has letters or the first holds whole lines."""
    if len(columns) < _TWO or any(one.distinct > 1 or one.values[0].as_py() for one in columns[1:]):
        return False
    cells = [text for text in columns[0].values[:_SAMPLE].to_pylist() if text]
    lines = any(all(text.count(sign) >= len(columns) - 1 for text in cells) for sign in DELIMITERS)
    return (lines and bool(cells)) or not any(LETTER.search(one.name) for one in columns[1:])


def _where_kinds_change(columns: Sequence[Column]) -> int | None:
    """The record from which on two columns or more, all that show a kind, hold another than before."""
    records = len(columns[0].codes)
    if records < 2 * _ENDS + 1 or len(columns) < _TWO:
        return None
    changing = []
    for column in columns:
        first, last = (_kinds(column, range(begin, begin + _ENDS)) for begin in (0, records - _ENDS))
        if len(first) == len(last) == 1 and first != last and _are_known(column, (*range(_ENDS), *range(-_ENDS, 0))):
            changing.append((column, first, last))
    if len(changing) < max(_TWO, (len(columns) + 1) // _TWO):
        return None
    column, first, _ = changing[0]
    below, above = records - _ENDS, 0
    while below - above > 1:
        middle = (above + below) // 2
        if _kinds(column, range(middle, middle + 1)) <= first:
            above = middle
        else:
            below = middle
    for names in (0, 1):
        start = below + names
        rest = np.unique(np.linspace(start, records - 1, _SAMPLE).astype(int)).tolist()
        before = np.unique(np.linspace(0, below - 1, _SAMPLE).astype(int)).tolist()
        if all(_kinds(one, before) == kinds and _kinds(one, rest) == others for one, kinds, others in changing):
            return below
    return None


def _kinds(column: Column, records: Sequence[int]) -> set[str]:
    """What kinds of values some records hold; those without a value tell nothing."""
    texts = (column.values[int(column.codes[record])].as_py() or "" for record in records)
    return {_kind(text) for text in texts if not is_missing(text)}


def _are_known(column: Column, records: Sequence[int]) -> bool:
    """Whether some records all have a value."""
    return not any(is_missing(column.values[int(column.codes[record])].as_py() or "") for record in records)


def _kind(text: str) -> str:
    if is_number(text):
        return "number"
    if DIGIT.search(text):
        return "code" if LETTER.search(text) else "signs"
    return "text"


def _are_turned(columns: Sequence[Column]) -> bool:
    """Whether the values of each row, the header's among them, have one form, and nearly every row its own."""
    records = len(columns[0].codes)
    if len(columns) <= _VALUES or not _VALUES <= records <= _SAMPLE:
        return False
    names = [column.name for column in columns[1:]]
    if not all(map(DIGIT.search, names)):
        return False
    rows = [names]
    for record in range(records):
        texts = [column.values[int(column.codes[record])].as_py() or "" for column in columns[1:]]
        rows.append([text.replace("-", "") for text in texts if not is_missing(text)])
    forms = [Counter(form(text) for text in row).most_common(1)[0] for row in rows if len(row) > 1]
    alike = sum(times == len(row) for (_, times), row in zip(forms, (row for row in rows if len(row) > 1), strict=True))
    own = len({one for one, _ in forms})
    return len(forms) > _VALUES and alike >= _NEARLY_ALL * len(forms) and own >= _NEARLY_ALL * len(forms)
