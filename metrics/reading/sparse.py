"""Records that may be none by what they hold: one text where others have many cells, or signs that draw a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from metrics.encoding import arrow_of
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.footers import may_be_note
from metrics.reading.headers import contrast, is_missing, is_rule
from metrics.reading.letters import ARROW_LETTER, DIGIT, form
from metrics.reading.strangers import code_of_nothing, flags_of
from metrics.table import Column, Integers

_CHANCE = 0.1
"""Records to be expected, up to which it is by no chance that one lacks the cells it lacks."""
_UNSEEN = 0.5
"""Records that may lack a cell where none is seen to."""
_FEW = 0.1
"""Share of records up to which they are some among others."""
_MANY = 20
"""Records from which on it is no chance what all are like."""
_MOST = 200
"""Suspects looked at."""
_SAMPLE = 1000
_COMPARED = 60
_ENOUGH = 3
"""Columns from which on a cell alone is telling, and signs in a row from which on they draw a line."""
_BLANK = re.compile(r"[\s:]")
_SIGNS = r"^[^\p{L}\p{N}\s]*$"
_LEFT_OUT = frozenset("\u2026\u22ee\u22ef")
_ALIGNMENT = re.compile(r":?-+:?")
_FEATURES: tuple[Callable[[str], object], ...] = (
    re.compile(r"\s").search,
    re.compile(r"[^\W\d_]\s*[:\uff1a]").search,
    re.compile(r"\d").search,
    re.compile(r"[^\W\d_]").search,
    re.compile(r"\S\s+\S+\s+\S").search,
    re.compile(r"\W").match,
    re.compile(r"[^\w)\]%]$").search,
    lambda text: text[:1].islower(),
)
"""Blanks, names before colons, digits, letters, three words, signs at either end, a small letter first."""


def refuse_sparse(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record has one cell or two, unlike those of other records, which have more."""
    if len(columns) > 1 and (suspects := [first for first in _suspects(columns) if first is not None]):
        raise InputError(
            "the record has so few cells that it may be a note or a total",
            remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
            file=body.name,
            row=body.line_of(min(suspects)),
        )


def _suspects(columns: Sequence[Column]) -> Iterator[int | None]:
    """The first record that is in doubt of those that have cells at the same places, or None."""
    empty = [code_of_nothing(column) for column in columns]
    missing = [
        int((column.codes == code).sum()) if code >= 0 else 0 for column, code in zip(columns, empty, strict=True)
    ]
    most = 1 if len(columns) < _ENOUGH else 2
    fullest = np.argsort(missing)[: most + 1].tolist()
    # A record with that few cells lacks one of the fullest columns' at least.
    lacking = [columns[place].codes == empty[place] for place in fullest if missing[place]]
    if not lacking:
        return
    records = np.flatnonzero(np.logical_or.reduce(lacking))
    filled = np.zeros(len(records), dtype=np.int64)
    first, last = np.full(len(records), -1), np.full(len(records), -1)
    for place, (column, code) in enumerate(zip(columns, empty, strict=True)):
        here = column.codes[records] != code
        filled += here
        first[here & (first < 0)] = place
        last[here] = place
    few = (filled > 0) & (filled <= most)
    records, first, last = records[few], first[few], last[few]
    patterns = first * len(columns) + last
    for pattern in np.unique(patterns).tolist():
        places = sorted(set(divmod(pattern, len(columns))))
        members = records[patterns == pattern]
        apart = records[(patterns == pattern) | (first == last)]
        rest = len(columns[0].codes) - len(apart)
        if not rest:
            continue
        lacked = [place for place in range(len(columns)) if place not in places]
        times = [missing[place] - int((columns[place].codes[apart] == empty[place]).sum()) for place in lacked]
        expected, at_most = (rest * np.prod([(n + more) / (rest + more) for n in times]) for more in (0, _UNSEEN))
        found = _Lack(bool(expected <= _CHANCE), bool(at_most <= _CHANCE), rest, len(lacked))
        if len(places) == 1:
            yield _alone(columns, places[0], members, found)
        else:
            yield _of_two([columns[place] for place in places], members, apart, found)


class _Lack(NamedTuple):
    """What `cells` that a record lacks are to others, `rest` of them: whether they seldom lack all, or surely never."""

    seldom: bool
    never: bool
    rest: int
    cells: int


def _of_two(columns: Sequence[Column], members: Integers, apart: Integers, lack: _Lack) -> int | None:
    """The first of some records whose two cells are both unlike those of others, as a note or by what they lack."""
    known = [_Known(column, apart) for column in columns]
    few = len(members) <= max(1, _FEW * lack.rest)
    for record in members[:_MOST].tolist():
        texts = [column.values[int(column.codes[record])].as_py() for column in columns]
        noted = any(map(may_be_note, texts)) and not known[0].noted
        words = [others.has_word(text) for text, others in zip(texts, known, strict=True)]
        if noted and all(words):
            return int(record)
        if not (lack.seldom and few and (lack.never or noted)):
            continue
        told = noted or (words[0] and _BLANK.search(texts[0]) is not None)
        wanting = told and lack.never and lack.cells >= _ENOUGH and (words[0] or not known[0].figures)
        if wanting or all(others.is_unlike(text) for text, others in zip(texts, known, strict=True)):
            return int(record)
    return None


def _alone(columns: Sequence[Column], place: int, members: Integers, lack: _Lack) -> int | None:
    """The first of some records with a cell at one place alone that is in doubt."""
    column, wide = columns[place], len(columns) >= _ENOUGH
    times = np.bincount(column.codes[members], minlength=column.distinct)
    # What stands in a whole record too is a value.
    own = members[times[column.codes[members]] == column.counts()[column.codes[members]]]
    known = _Known(column, members)
    if not lack.seldom and known.figures:
        worded = flags_of(pc.match_substring_regex(column.values, ARROW_LETTER))
        own = own[worded[column.codes[own]]]
    few = len(members) <= max(1, _FEW * lack.rest)
    noted = known.noted or (place > 0 and not lack.seldom)
    strange = []
    for record in own[:_MOST].tolist():
        text = column.values[int(column.codes[record])].as_py()
        word = known.has_word(text)
        if (may_be_note(text) and not noted) or (word and _BLANK.search(text)):
            return int(record)
        if not lack.seldom:
            continue
        never = lack.never if wide else _is_key(columns[0])
        last = record == len(column.codes) - 1
        if few and lack.never and not known.texts:
            # It has the only cell of its column, and none of the others'.
            return int(record)
        if last and few and (never if place else lack.never and lack.cells > 1 and not known.has_form(text)):
            return int(record)
        # In a column whose texts come again, what stands once beside nothing is no value of it.
        if few and lack.never and lack.cells >= _ENOUGH and 2 * (column.distinct - len(own)) <= lack.rest:
            return int(record)
        telling = (wide and lack.never) or lack.rest >= _MANY
        if word or (telling and known.is_unlike(text)):
            strange.append(int(record))
    return strange[0] if strange and 2 * len(strange) >= len(own[:_MOST]) else None


def _is_key(column: Column) -> bool:
    """Whether each of some records has a text of its own."""
    return column.distinct == len(column.codes) > 2 * _ENOUGH - 1


def _others(column: Column, members: Integers) -> list[str]:
    """Some texts of a column that stand in other records than these."""
    times = column.counts() - np.bincount(column.codes[members], minlength=column.distinct)
    return [text for text in column.values.take(arrow_of(np.flatnonzero(times)[:_SAMPLE])).to_pylist() if text]


class _Known:
    """What stands in a column beside some records: `figures` alone, or texts that may be `noted` as notes are."""

    def __init__(self, column: Column, members: Integers) -> None:
        texts = _others(column, members)
        self.texts = [text for text in texts if not is_missing(text)]
        self._compared = [[text] for text in texts[:_COMPARED]]
        self._forms = {form(text) for text in texts[:_COMPARED]}
        self.figures = len(texts) > 1 and contrast(["x"], self._compared) >= 1
        self.noted = any(map(may_be_note, texts))

    def has_form(self, text: str) -> bool:
        """Whether a text with digits is written as others are."""
        return DIGIT.search(text) is not None and form(text) in self._forms

    def has_word(self, text: str) -> bool:
        """Whether a text that means a value has letters where others are numbers, dates or codes."""
        if not self.figures or is_missing(text) or contrast([text], self._compared) < 1:
            return False
        return form(text) not in self._forms

    def is_unlike(self, text: str) -> bool:
        """Whether a text has what none of the others has, or lacks what all have."""
        if not self.texts or is_missing(text):
            return False
        if self.has_word(text):
            return True
        return any(all(bool(has(other)) != bool(has(text)) for other in self.texts) for has in _FEATURES)


def refuse_signs(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where every cell of a record draws a line, or says that lines are left out."""
    records: Integers = np.empty(0, dtype=np.int64)
    for number, column in enumerate(sorted(columns, key=lambda column: column.distinct)):
        codes = column.codes[records] if number else column.codes
        held = np.unique(codes) if number and len(codes) < column.distinct else np.arange(column.distinct)
        matches = pc.match_substring_regex(column.values.take(arrow_of(held)), _SIGNS)
        signs = np.zeros(column.distinct, dtype=bool)
        signs[held] = flags_of(matches)
        records = records[signs[codes]] if number else np.flatnonzero(signs[codes])
        if not len(records):
            return
    for record in records[:_MOST].tolist():
        cells = [(column, text) for column in columns if (text := column.values[int(column.codes[record])].as_py())]
        if len(cells) > 1 and _draw([text for _, text in cells]) and _stands_apart(cells, records):
            raise InputError(
                "the record holds signs alone, as rules and lines left out do",
                remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
                file=body.name,
                row=body.line_of(record),
            )


def _draw(texts: Sequence[str]) -> bool:
    """Whether cells draw a line: of one sign, three in a row at least once; or tell how columns are aligned."""
    if all(map(_ALIGNMENT.fullmatch, texts)) and any(":" in text for text in texts):
        return True
    signs = set("".join(texts))
    return is_rule(texts) or signs <= _LEFT_OUT or (len(signs) == 1 and max(map(len, texts)) >= _ENOUGH)


def _stands_apart(cells: Sequence[tuple[Column, str]], records: Integers) -> bool:
    """Whether none of these cells is a value, as it would be in a record with others."""
    return not any(text in _others(column, records) for column, text in cells)
