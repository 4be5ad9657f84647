"""Records that are none: headers once more, as in files put behind one another, totals, and delimiters alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.doubts import header_again, other_table
from metrics.reading.headers import are_figures, is_again, is_missing
from metrics.reading.letters import ARROW_LETTER, LETTER, WORD
from metrics.reading.lexer import Record
from metrics.reading.totals import is_sum_of_others
from metrics.table import Column, Integers

_SAMPLE = 60
_FEW = 0.1
"""Share of words above which a column is not one of figures."""
_ENOUGH = 3
"""Cells from which on no comment is likely to have as many."""
_FEW_EMPTY = 0.3
"""Share of empty cells up to which one tells of a total; totals between records are some."""
_WORD_ALONE = r"^\P{Nd}*\p{L}\P{Nd}*$"
_COMMENT = re.compile(r"(#+|//+|--+|%+|;+)\s.*[^\W\d_]", re.DOTALL)
_BEGINS_AS_COMMENT = r"^(#|//|--|%|;)"
_SUBTOTALS = ("subtotal", "sub-total", "sub total", "zwischensumme", "sous-total", "小計", "小计")
_TOTALS = (
    *_SUBTOTALS,
    "total",
    "grand total",
    "sum",
    "summe",
    "gesamt",
    "gesamtsumme",
    "insgesamt",
    "somme",
    "suma",
    "totale",
    "totaal",
    "razem",
    "celkem",
    "итого",
    "average",
    "mean",
    "mittelwert",
    "moyenne",
    "合計",
    "合计",
    "總計",
    "总计",
)


def refuse_header_again(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record holds the names of the columns, in any order and case."""
    record = _header_again(columns, body.found.dialect.quote)
    if record is not None:
        raise header_again(body.name, body.line_of(record))


def _header_again(columns: Sequence[Column], quote: str) -> int | None:
    """The first record that holds the names of the columns.

    In another order or case they are values of the columns, not names, where they also stand in other records.
    """
    names = [column.name.strip(BLANKS) for column in columns]
    # Behind a byte-order mark a quote is text.
    forms = text_array([quoted for name in names for form in _cases(name) for quoted in (form, quote + form + quote)])
    lowered = pc.utf8_lower(forms)
    records = np.empty(0, dtype=np.int64)
    times: list[int] = []
    for column in sorted(columns, key=lambda column: column.distinct):
        known = flags_of(pc.is_in(pc.utf8_lower(column.values), value_set=lowered))
        if not known.any():
            return None
        here = known[column.codes]
        records = records[here[records]] if times else np.flatnonzero(here)
        if not len(records):
            return None
        times.append(int(here.sum()))
    same = records
    for column, name in zip(columns, names, strict=True):
        code = max(pc.index(column.values, text).as_py() for text in text_array([name, quote + name + quote]))
        same = same[column.codes[same] == code]
    if len(same):
        return int(same[0])
    if len(records) > _SAMPLE or set(times) != {len(records)}:
        return None
    cells = ([column.values[int(column.codes[record])].as_py() for column in columns] for record in records)
    return int(records[0]) if all(is_again(texts, names) for texts in cells) else None


def _cases(name: str) -> tuple[str, ...]:
    """A name as it is, and with what capitals leave of ß or stand for it."""
    return (name, name.replace("ß", "ss"), name.lower().replace("ss", "ß"))


def refuse_other_header(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record has words over every column of figures, none of which stands elsewhere."""
    records, figures = np.empty(0, dtype=np.int64), 0
    for column in sorted(columns, key=lambda column: column.distinct):
        pattern = _word_over(column)
        if pattern is None:
            continue
        words = flags_of(pc.match_substring_regex(column.values, pattern))
        if not words.any():
            return
        records = records[words[column.codes[records]]] if figures else np.flatnonzero(words[column.codes])
        figures += 1
    for record in records[:_SAMPLE].tolist():
        labels = [column.values[int(column.codes[record])].as_py() for column in columns]
        if len(set(labels)) < len(labels) or not all(labels) or any(is_missing(label) for label in labels):
            continue
        if any((column.codes == column.codes[record]).sum() > 1 for column in columns):
            continue
        line = body.line_of(record)
        named = any(label == column.name.strip(BLANKS) for label, column in zip(labels, columns, strict=True))
        if figures > 1 or named or body.blank_before(line):
            raise other_table(body.name, line)


def refuse_totals_between(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where totals stand among records that begin with figures or codes, or lack others' texts."""
    first = columns[0]
    records = _records_with(first, _TOTALS)
    if len(records) and _word_over(first) is None:
        texts = [column for column in columns[1:] if _word_over(column) is None and _is_filled(column)]
        for column in texts:
            records = records[column.codes[records] == code_of_nothing(column)]
        if not texts:
            records = _records_with(first, _SUBTOTALS)
            sums = [record for record in records[:_SAMPLE].tolist() if is_sum_of_others(columns, record)]
            records = records if len(columns) > 1 and (len(records) > 1 or sums) else records[:0]
    if len(records):
        raise InputError(
            "the record may be a total of others",
            remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
            file=body.name,
            row=body.line_of(int(records[0])),
        )


def refuse_comments_between(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a few records begin as comments do: with a sign and words, or a sign among figures."""
    first = columns[0]
    matches = pc.match_substring_regex(first.values, _BEGINS_AS_COMMENT)
    begins = flags_of(matches)
    plain = [label for label in first.values.filter(pc.invert(matches))[:_SAMPLE].to_pylist() if label]
    if not plain or not 0 < begins.sum() <= max(1, _FEW * first.distinct):
        return
    figures = are_figures(plain)
    for code in np.flatnonzero(begins):
        text = first.values[int(code)].as_py()
        begins[code] = _COMMENT.match(text) or (figures and not is_missing(text))
    suspects = set(np.flatnonzero(begins[first.codes]).tolist())
    if not suspects:
        return
    with body.kept() as every:
        lines = (line for number, (line, record) in enumerate(every) if number in suspects and _may_be_comment(record))
        line = next(lines, None)
    if line is not None:
        raise InputError(
            "the record may be a comment",
            remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
            file=body.name,
            row=line,
        )


def _may_be_comment(record: Record) -> bool:
    """Whether a record has no quotes around its first cell, and few cells or blanks behind delimiters, as text does."""
    return 0 not in record.quoted and (
        len(record.cells) < _ENOUGH or any(cell.startswith(" ") for cell in record.cells[1:])
    )


def of_delimiters_alone(columns: Sequence[Column], body: Body) -> Integers:
    """The records, counted from 0, whose lines hold delimiters and blanks alone."""
    records: Integers = np.empty(0, dtype=np.int64)
    for number, column in enumerate(sorted(columns, key=lambda column: -column.distinct)):
        here = column.codes == code_of_nothing(column)
        records = records[here[records]] if number else np.flatnonzero(here)
        if not len(records):
            return records
    empty = set(records.tolist())
    with body.records() as every:
        below = (record for _, record in every if not record.blank)
        return np.array([n for n, record in enumerate(below) if n in empty and record.plain], dtype=np.int64)


def refuse_delimiters_alone(body: Body, record: int) -> None:
    """Raise InputError for the first such record."""
    raise InputError(
        "the line holds delimiters alone, which may be a record without any value, or nothing",
        remedy="remove the line, or choose what empty lines are",
        file=body.name,
        row=body.line_of(record),
    )


def _records_with(column: Column, words: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The records with one of these words, however it is capitalized."""
    forms = [
        form(word) + end for word in words for form in (str, str.upper, str.title, str.capitalize) for end in ("", ":")
    ]
    found = flags_of(pc.is_in(column.values, value_set=text_array(list(dict.fromkeys(forms)))))
    return np.flatnonzero(found[column.codes]) if found.any() else np.empty(0, dtype=np.int64)


def code_of_nothing(column: Column) -> int:
    """The code of empty cells; -1 where there are none."""
    return int(pc.index(column.values, text_array([""])[0]).as_py())


def _is_filled(column: Column) -> bool:
    """Whether few cells of a column are empty."""
    return bool((column.codes == code_of_nothing(column)).sum() <= _FEW_EMPTY * len(column.codes))


def _word_over(column: Column) -> str | None:
    """The pattern of words that are no values of a column of figures; None for a column of text."""
    labels = [label for label in column.values[:_SAMPLE].to_pylist() if label]
    # Names such as "q1" among numbers, or words alone among dates and codes.
    for pattern, words in ((ARROW_LETTER, LETTER.search), (_WORD_ALONE, WORD.fullmatch)):
        plain = [label for label in labels if not words(label)]
        if len(labels) - len(plain) <= max(1, _FEW * len(labels)) and are_figures(plain):
            return pattern
    return None


def flags_of(found: pa.BooleanArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Flags as numpy has them, null as false; pyarrow's own way there imports pandas."""
    flags = np.zeros(len(found), dtype=bool)
    chosen = pc.indices_nonzero(found)
    if len(chosen):
        flags[np.frombuffer(chosen.buffers()[1], dtype=np.uint64, count=len(chosen), offset=8 * chosen.offset)] = True
    return flags
