"""Signs that divide or quote cells in few files: told by standing alike in the header and the records."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from metrics.reading.headers import is_missing, is_number, trimmed
from metrics.reading.lexer import Record

_RUN = re.compile(r"""<\w+>|[^\w\s"'\u2500-\u257f]+|_{2,}""")
"""Lines that programs draw around tables are refused as such."""
_OPENING = {"[": "]", "{": "}", "<": ">"}
_CLOSING = {"]": "[", "}": "{", ">": "<"}
_BESIDE = frozenset("[]{}<>*?")
_OF_TEXT = ("M", "Cf", "Sc", "Pi", "Pf")
"""Unicode's categories of accents, invisible signs, currencies and typographic quotes."""
_OF_FIGURES = "°′″±×–—…"
"""Signs that stand once in a name and its cells, as in `37 °C` and `18–30`."""
_NEARLY_ALL = 0.8
_FEWEST = 4


def odd_delimiter(records: Sequence[Record]) -> str | None:
    """Several signs, or one beyond ASCII, that the header and nearly all records of one column hold equally often.

    Single signs of ASCII are text in most files, but for apostrophes in a row. What stands between quotes is text.
    """
    lines = [record.cells[0] for record in records if not record.quoted and len(record.cells) == 1]
    if len(lines) < 2 or records[0].quoted:
        return None
    header, *rest = lines
    for sign in dict.fromkeys(["'", *(run for line in lines[:2] for run in map(_without_text, _RUN.findall(line)))]):
        times = header.count(sign) if sign else 0
        # Names and figures have an apostrophe, but hardly several.
        single = sign.isascii() and (sign != "'" or times == 1)
        if not times or (len(sign) == 1 and (single or (times == 1 and sign in _OF_FIGURES))):
            continue
        # One more may end the records.
        if sum(line.count(sign) in (times, times + 1) for line in rest) >= _NEARLY_ALL * len(rest):
            return sign
    return None


def _without_text(run: str) -> str:
    return "".join(sign for sign in run if not unicodedata.category(sign).startswith(_OF_TEXT))


def is_column_of_signs(lines: Sequence[Sequence[str]]) -> bool:
    """Whether a column's name and all its cells are the same signs, as delimiters between other ones are."""
    if len(lines[0]) < 2:
        return False
    columns = zip(*(trimmed(line) for line in lines if len(line) == len(lines[0])), strict=True)
    only = (column[0] for column in columns if len(set(column)) == 1)
    return any(not is_missing(signs) and not any(map(str.isalnum, signs)) for signs in only)


def stands_beside(lines: Sequence[Sequence[str]]) -> bool:
    """Whether a bracket that no other one belongs to, or a star or question mark, stands beside every delimiter."""
    before = [cell for line in lines for cell in line[:-1]]
    behind = [cell for line in lines for cell in line[1:]]
    ends, starts = {cell[-1:] for cell in before}, {cell[:1] for cell in behind}
    if len(ends) == 1 and (sign := next(iter(ends))) in _BESIDE:
        return sign not in _CLOSING or any(_CLOSING[sign] not in cell for cell in before)
    if len(starts) == 1 and (sign := next(iter(starts))) in _BESIDE:
        return sign not in _OPENING or any(_OPENING[sign] not in cell for cell in behind)
    return False


def wrapping_sign(lines: Sequence[Sequence[str]]) -> str | None:
    """The sign, no straight quote, digit or letter of ASCII, at both ends of all names and nearly all cells but empty
    ones and numbers.
    """
    names = [name for name in trimmed(lines[0]) if name]
    cells = [cell for line in lines[1:] for cell in trimmed(line) if cell]
    sign = names[0][0] if names else ""
    if not sign or sign in "\"'" or (sign.isascii() and sign.isalpha()) or sign.isdecimal():
        return None
    wrapped = [cell for cell in cells if _stands_around(sign, cell)]
    # Lines that are no records may stand below.
    bare = len(wrapped) + sum(map(is_number, cells)) >= _NEARLY_ALL * len(cells)
    enough = len(wrapped) + len(names) >= _FEWEST or not sign.isalpha()
    return sign if wrapped and enough and bare and all(_stands_around(sign, name) for name in names) else None


def _stands_around(sign: str, cell: str) -> bool:
    return len(cell) > 1 and cell[0] == sign == cell[-1]
