"""What parts the records of a file: a blank line above names of another table, and rows that head groups."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.doubts import other_table
from metrics.reading.headers import is_missing
from metrics.reading.letters import DIGIT, DIGITS, FIRST_WORD, LETTERS, WORD, form
from metrics.reading.strangers import code_of_nothing
from metrics.table import Column

_CHUNK = 1 << 20
_LINE_ENDS = (10, 13)
_NUMBERED = re.compile(r"(\D*[^\W\d_]\D*)(\d+)\D*")
_SENTENCE = 4
"""Words from which on a name is rather a title."""
_TWO = 2
_WIDE = 3
_FEW_EMPTY = 0.1
_SAMPLE = 60
_EARLY = 1 << 16


def refuse_parted(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where the only blank line between records stands above what may be names of columns."""
    if len(columns) < _TWO or not _are_strange(columns) or not _has_blank_line(body):
        return
    line = _below_the_gap(body)
    if line is None:
        return
    with body.kept() as every:
        record = next((number for number, (at, _) in enumerate(every) if at == line), None)
    if record is None or record + 1 >= len(columns[0].codes):
        return
    if record == 0 and not _is_title([column.name for column in columns]):
        return
    if _may_be_names(columns, record) and not _goes_on(columns, record):
        raise other_table(body.name, line)


def refuse_numbered_names(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record's cells are one word with the numbers of the columns, as no other's are."""
    if len(columns) < _TWO:
        return
    place, fewest = min(enumerate(columns), key=lambda numbered: numbered[1].distinct)
    for first in (0, 1):
        matches = pc.match_substring_regex(fewest.values, rf"^\P{{Nd}}*\p{{L}}\P{{Nd}}*{first + place}$")
        for text in fewest.values.filter(matches)[:_SAMPLE].to_pylist():
            word = text.removesuffix(str(first + place))
            codes = [
                int(pc.index(column.values, text_array([f"{word}{first + number}"])[0]).as_py())
                for number, column in enumerate(columns)
            ]
            if min(codes) < 0 or any(pc.sum(pc.starts_with(column.values, word)).as_py() > 1 for column in columns):
                continue
            records = np.flatnonzero(columns[0].codes == codes[0])
            if all(list(column.codes[records]) == [code] for column, code in zip(columns, codes, strict=True)):
                raise other_table(body.name, body.line_of(int(records[0])))


def refuse_records_of_two_lines(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where every second record is written otherwise than the ones between, in all columns."""
    several = False
    for column in columns:
        texts = _texts(column, 1, _SAMPLE)
        odd, even = ({_writing(text) for text in texts[begin::2] if not is_missing(text)} for begin in (0, 1))
        if len(texts) < 2 * _WIDE or not odd or not even or odd & even:
            return
        several = several or 2 * len(odd | even) <= len(texts)
    if several and len(columns) >= _TWO:
        raise InputError(
            "every second record is unlike the ones between, as if each had two lines",
            remedy="put each record on one line, or choose 1 header line if they are records",
            file=body.name,
            row=body.line_of(0),
        )


def refuse_group_rows(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where several records have the first cell alone, and head groups of the others by it."""
    alone = np.ones(len(columns[0].codes), dtype=bool)
    empty = 0
    for column in sorted(columns[1:], key=lambda column: column.distinct):
        nothing = code_of_nothing(column)
        if nothing < 0:
            return
        here = column.codes == nothing
        empty += int(here.sum())
        alone &= here
    heads = np.flatnonzero(alone)
    others = len(alone) - len(heads)
    if len(columns) < _TWO or len(heads) < _TWO or len(heads) > others or alone[-1] or (alone[1:] & alone[:-1]).any():
        return
    first = columns[0]
    labels = [_texts(first, head, head + 1)[0] for head in heads[:_SAMPLE].tolist()]
    if not all(labels) or np.isin(first.codes[~alone], first.codes[heads]).any():
        return
    forms = {form(_texts(first, record, record + 1)[0]) for record in np.flatnonzero(~alone)[:_SAMPLE].tolist()}
    if all(DIGIT.search(label) and form(label) in forms for label in labels):
        # Numbers and codes like those of other records name records.
        return
    words = {match[1] if (match := FIRST_WORD.match(label)) else label for label in labels}
    below = np.flatnonzero(~alone)[:_SAMPLE].tolist()
    like = any(_begins_with(_texts(first, record, record + 1)[0], words) for record in below)
    others_empty = empty - len(heads) * (len(columns) - 1)
    few = len(columns) >= _WIDE and alone[0] and others_empty <= _FEW_EMPTY * others * (len(columns) - 1)
    if few or (len(words) == 1 and not like):
        raise InputError(
            "the record has its first cell alone, and may head the records below it",
            remedy="give every record its group in a column, or choose 1 header line if it is a record",
            file=body.name,
            row=body.line_of(int(heads[0])),
        )


def _begins_with(text: str, words: set[str]) -> bool:
    match = FIRST_WORD.match(text)
    return match is not None and match[1] in words


def _has_blank_line(body: Body) -> bool:
    """Whether two line ends follow each other anywhere; bytes tell it fast."""
    width = len("\n".encode(body.encoding)) - len("".encode(body.encoding))
    last = {sign: -_CHUNK for sign in _LINE_ENDS}
    read = 0
    with body.opened() as stream:
        while chunk := stream.read(_CHUNK):
            signs = np.frombuffer(chunk, dtype=np.uint8)
            for sign in _LINE_ENDS:
                ends = np.flatnonzero(signs == sign) + read
                if len(ends):
                    between = np.diff(ends, prepend=last[sign])
                    # The other sign may stand in between.
                    if (between <= 2 * width).any():
                        return True
                    last[sign] = int(ends[-1])
            read += len(chunk)
    return False


def _are_strange(columns: Sequence[Column]) -> bool:
    """Whether any record has cells that no other has, but for empty ones at its end."""
    records = np.empty(0, dtype=np.int64)
    places = sorted(range(len(columns)), key=lambda place: columns[place].distinct)
    for number, place in enumerate(places):
        column = columns[place]
        if not number and _all_again(column):
            return False
        strange = column.counts() == 1
        if place >= _TWO and (nothing := code_of_nothing(column)) >= 0:
            strange[nothing] = True
        if not strange.any():
            return False
        here = strange[column.codes]
        records = records[here[records]] if number else np.flatnonzero(here)
        if not len(records):
            return False
    return True


def _all_again(column: Column) -> bool:
    """Whether each value is seen twice early on, which spares looking at every record."""
    first = column.codes[:_EARLY]
    return bool((np.bincount(first, minlength=column.distinct) > 1).all())


def _below_the_gap(body: Body) -> int | None:
    """The line below the only blank ones between the lines that are read; None if there are others."""
    found, below, blank = body.found, None, False
    with body.lines() as lines:
        for number, line in enumerate(lines, 1):
            if body.last is not None and number > body.last:
                break
            if number < found.start + found.rows:
                continue
            if line.isspace():
                blank = True
            elif blank:
                if below is not None:
                    return None
                below, blank = number, False
    return below


def _is_title(names: Sequence[str]) -> bool:
    """Whether a blank behind a delimiter or a sentence in a cell makes names look like a title."""
    return any(name[:1] in BLANKS for name in names[1:] if name) or any(
        len(name.split()) >= _SENTENCE for name in names
    )


def _goes_on(columns: Sequence[Column], record: int) -> bool:
    """Whether a record and those below it are written as those above it are."""
    for column in columns:
        above = {_writing(text) for text in _texts(column, max(0, record - _SAMPLE), record)}
        below = [_writing(text) in above for text in _texts(column, record + 1, record + 1 + _SAMPLE)]
        if _writing(_texts(column, record, record + 1)[0]) not in above or 2 * sum(below) < len(below):
            return False
    return True


def _texts(column: Column, begin: int, end: int) -> list[str]:
    return [str(column.values[int(code)].as_py()) for code in column.codes[begin:end]]


def _writing(text: str) -> str:
    """A text with one sign for each run of digits and for each word of capitals, of small letters or of both."""
    return LETTERS.sub(
        lambda word: "a" if word[0].islower() else "A" if word[0].isupper() else "Aa", DIGITS.sub("9", text)
    )


def _may_be_names(columns: Sequence[Column], record: int) -> bool:
    """Whether a record's cells are words or numbered, differ, and stand nowhere else; the last may be empty."""
    texts = [_texts(column, record, record + 1)[0] for column in columns]
    while texts and not texts[-1]:
        texts.pop()
    if len(texts) < _TWO or len(set(texts)) < len(texts) or not all(texts) or any(map(is_missing, texts)):
        return False
    if any((column.codes == column.codes[record]).sum() > 1 for column, _ in zip(columns, texts, strict=False)):
        return False
    if all(map(WORD.fullmatch, texts)):
        return True
    signs = [_NUMBERED.fullmatch(text) for text in texts]
    return len({match and match[1] for match in signs}) == 1 and signs[0] is not None
