"""Records that are none: headers once more, as in files put behind one another, and totals between the records."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.headers import are_figures, is_missing
from metrics.table import Column

_SAMPLE = 60
_FEW = 0.1
"""Share of words above which a column is not one of figures."""
_WITH_LETTERS = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"\D*[^\W\d_]\D*")
_WORD = r"\p{L}"
_WORD_ALONE = r"^\P{Nd}*\p{L}\P{Nd}*$"
_TOTALS = (
    "total",
    "subtotal",
    "sub-total",
    "sub total",
    "grand total",
    "sum",
    "summe",
    "zwischensumme",
    "gesamt",
    "somme",
    "sous-total",
    "suma",
    "totale",
    "average",
    "mean",
    "合計",
    "小計",
    "總計",
    "总计",
    "小计",
)


def refuse_header_again(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record repeats the header."""
    same: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None
    for column in columns:
        name, quote = column.name.strip(BLANKS), body.found.dialect.quote
        # Behind a byte-order mark a quote is text.
        code = max(pc.index(column.values, text).as_py() for text in text_array([name, quote + name + quote]))
        if code < 0:
            return
        here = column.codes == code
        same = here if same is None else same & here
        if not same.any():
            return
    assert same is not None
    raise InputError(
        "the record repeats the header",
        remedy="remove the line, or choose 1 header line if it is a record",
        file=body.name,
        row=body.line_of(int(same.argmax())),
    )


def refuse_other_header(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a record has words over every column of figures, none of which stands elsewhere."""
    records, figures = np.empty(0, dtype=np.int64), 0
    for column in sorted(columns, key=lambda column: column.distinct):
        pattern = _word_over(column)
        if pattern is None:
            continue
        words = _flags(pc.match_substring_regex(column.values, pattern))
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
            raise InputError(
                "the record may be the header of another table",
                remedy="keep one table in the file, or choose 1 header line if it is a record",
                file=body.name,
                row=line,
            )


def refuse_totals_between(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where totals stand among records that begin with numbers, dates or codes."""
    first = columns[0]
    if _word_over(first) is None:
        return
    totals = _flags(pc.is_in(first.values, value_set=_words_of_totals()))
    if totals.any():
        raise InputError(
            "the record may be a total of others",
            remedy="remove such lines, or choose how many lines follow the last record, 0 if all are records",
            file=body.name,
            row=body.line_of(int(totals[first.codes].argmax())),
        )


def _words_of_totals() -> pa.Array:
    forms = [
        form(word) + end
        for word in _TOTALS
        for form in (str, str.upper, str.title, str.capitalize)
        for end in ("", ":")
    ]
    return text_array(list(dict.fromkeys(forms)))


def _word_over(column: Column) -> str | None:
    """The pattern of words that are no values of a column of figures; None for a column of text."""
    labels = [label for label in column.values[:_SAMPLE].to_pylist() if label]
    # Names such as "q1" among numbers, or words alone among dates and codes.
    for pattern, words in ((_WORD, _WITH_LETTERS.search), (_WORD_ALONE, _WORDS.fullmatch)):
        plain = [label for label in labels if not words(label)]
        if len(labels) - len(plain) <= max(1, _FEW * len(labels)) and are_figures(plain):
            return pattern
    return None


def _flags(found: pa.BooleanArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Flags as numpy has them, null as false; pyarrow's own way there imports pandas."""
    flags = np.zeros(len(found), dtype=bool)
    chosen = pc.indices_nonzero(found)
    if len(chosen):
        flags[np.frombuffer(chosen.buffers()[1], dtype=np.uint64, count=len(chosen), offset=8 * chosen.offset)] = True
    return flags
