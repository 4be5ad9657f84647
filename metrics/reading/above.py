"""Lines above the header that are left out: only what is evidently a title or a comment, and no names or records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.dialect import DELIMITERS, DOUBTFUL_DELIMITERS, RARE_DELIMITERS, Dialect, candidates
from metrics.reading.headers import contrast, is_comment
from metrics.reading.letters import DIGIT, LETTER
from metrics.reading.lexer import Record, sample_lines

_COMMENTED_QUOTE = re.compile(r"""\W{1,3}\s*(["']).*\1""", re.DOTALL)
_SIGNED_WORD = re.compile(r"[^\w\s]{1,3}[^\W\d_]\S*")
"""A word right behind a sign of comments, which may be a name."""
_METADATA = re.compile(r"(##|//|--|%%|!|#[^;,\t|]*[:=])")
_PAIR = re.compile(r"[^\W\d_][\w .()-]{0,40}: .*\S.*")
_COUNTED = re.compile(r"(\D*[^\W\d_]\D*)(\d+)")
_KEYS = frozenset(
    [
        "author",
        "created",
        "created by",
        "data source",
        "date",
        "device",
        "exported",
        "filter",
        "generated",
        "interval",
        "last updated",
        "last updated date",
        "operator",
        "owner",
        "period",
        "printed",
        "project",
        "records",
        "report",
        "rows",
        "serial",
        "source",
        "start",
        "station",
        "title",
        "user",
        "version",
        "autor",
        "benutzer",
        "datum",
        "erstellt",
        "quelle",
        "stand",
        "titel",
        "zeitraum",
    ]
)
"""What programs tell of a file above its table."""
_DATE = re.compile(r"\d{1,4}([-./]\d{1,2}){2,3}.*|(19|20)\d\d", re.DOTALL)
_DATED = re.compile(r"\d{1,4}([-./]\d{1,2}){2}|([^\W\d_]{3,} )?(19|20)\d\d")
_BODY = 60
_MOST = 0.8
_FEW_COLUMNS = 2
_ENOUGH = 3
"""Cells that a title is not likely to divide into, and records that tell a header from one."""


def above_blank_line(found: Sequence[Record], width: int) -> int:
    """How many records stand above the first blank line, if each is a title, a sentence, or a key and its value.

    0 if one may be a record, or if the table has too few columns to tell.
    """
    last = next((place for place, (one, after) in enumerate(pairwise(found)) if after.line - one.line > 1), None)
    if last is None or width < _ENOUGH or len(found[last + 1].cells) != width:
        return 0
    return last + 1 if all(_tells_of_file(record, width) for record in found[: last + 1]) else 0


def _tells_of_file(record: Record, width: int) -> bool:
    cells = [cell.strip(BLANKS) for cell in record.cells]
    filled = sum(map(bool, cells))
    if "\n" in "".join(record.cells) or not record.closed or filled >= width:
        return False
    key = cells[0].endswith(":") or cells[0].lower() in _KEYS
    sentence = len(cells) < width and all(cell[:1] == " " for cell in record.cells[1:])
    return filled <= 1 or sentence or (key and filled <= _FEW_COLUMNS and not any(cells[_FEW_COLUMNS:]))


def refuse_no_title(file: str, text: str, dialect: Dialect, skipped: int, found: Sequence[Record], place: int) -> None:
    """Raise InputError where one of the records before `place`, the header, may be the header or a record itself."""
    lines = list(islice(sample_lines(text), found[place].line - 1))
    below = [record for record in found[place + 1 :] if len(record.cells) == len(found[place].cells)][:_BODY]
    shown = list(islice(sample_lines(text), found[place].line - 1, found[place].line + _BODY))
    signs = [*dict.fromkeys([*candidates(text, skipped), *RARE_DELIMITERS])]
    width = len(found[place].cells)
    for number, record in enumerate(found[:place]):
        line = "".join(lines[record.line - 1 : found[number + 1].line - 1]).strip(BLANKS)
        if (
            not record.closed
            or record.loose
            or (dialect.quote == '"' and line.count('"') % 2 and record.plain)
            or is_commented_quote(record)
            or (width == 1 and _SIGNED_WORD.fullmatch(line))
            or (number > 0 and len(record.cells) == len(found[number - 1].cells) == 1 and _is_figure(line))
            or any(_divides(sign, cell, width, dialect) for cell, sign in _parts(record, line, signs, dialect))
            or (_within(dialect.separator).search(line) and _is_commented_header(record, found[place], below))
            or any(_is_as_often(sign, line, shown) for sign in DOUBTFUL_DELIMITERS if sign not in dialect.separator)
            or any(_stands_below_too(sign, line, shown, dialect) for sign in signs)
        ):
            raise InputError(
                "the line may be the header or a record rather than a title",
                remedy="choose how many lines come before the header, or the delimiter",
                file=file,
                row=record.line,
            )


def refuse_pairs(file: str, first: Record, rest: Sequence[Record]) -> None:
    """Raise InputError where a header of one or two columns rather is a key and a value, as what follows it is."""
    if not rest or len(first.cells) > _FEW_COLUMNS:
        return
    key, after = first.cells[0].strip(BLANKS), rest[0].cells[0].strip(BLANKS)
    if len(first.cells) == 1:
        pairs = bool(_PAIR.fullmatch(key)) and not all(_PAIR.fullmatch(record.cells[0]) for record in rest[1:])
    else:
        known, apart = key.lower().rstrip(":") in _KEYS, rest[0].line - first.line > 1
        pairs = (
            (key.endswith(":") and after.endswith(":"))
            or {key.lower().rstrip(":"), after.lower().rstrip(":")} <= _KEYS
            or (known and (apart or _DATED.fullmatch(first.cells[1].strip(BLANKS)) is not None))
            or _follows(_COUNTED.fullmatch(key), _COUNTED.fullmatch(after))
        )
    if pairs:
        raise InputError(
            "the line may tell of the file rather than name the columns",
            remedy="choose how many lines come before the header, 0 if this is it",
            file=file,
            row=first.line,
        )


def refuse_sentence(file: str, first: Record, rest: Sequence[Record]) -> None:
    """Raise InputError where a header apart from its records has blanks behind delimiters, as only a sentence has."""
    if len(first.cells) == 1 or not rest or rest[0].line - first.line < _FEW_COLUMNS or first.quoted:
        return
    if all(cell[:1] == " " for cell in first.cells[1:]) and not any(
        cell[:1] == " " for record in rest for cell in record.cells[1:]
    ):
        raise InputError(
            "the line may be a title rather than name the columns",
            remedy="choose how many lines come before the header, 0 if this is it",
            file=file,
            row=first.line,
        )


def _follows(before: re.Match[str] | None, after: re.Match[str] | None) -> bool:
    """Whether two words are one with numbers in a row."""
    return bool(before and after and before[1] == after[1] and int(after[2]) - int(before[2]) == 1)


def refuse_commented_header(file: str, header: Record) -> None:
    """Raise InputError where the first name has quotes behind a sign of comments: that is no part of it."""
    if is_commented_quote(header):
        raise InputError(
            "the first name stands in quotes behind a sign of comments",
            remedy="remove the sign, or choose no quote character if it is a part of the name",
            file=file,
            row=header.line,
        )


def is_commented_quote(record: Record) -> bool:
    """Whether a record begins with a sign of comments and a cell in quotes."""
    first = record.cells[0].strip(BLANKS)
    return 0 not in record.quoted and is_comment([first]) and _COMMENTED_QUOTE.fullmatch(first) is not None


def _parts(record: Record, line: str, signs: Sequence[str], dialect: Dialect) -> Iterator[tuple[str, str]]:
    """What may divide into names, and by which sign: a line by others than its own, what is within quotes by any."""
    if _METADATA.match(line):
        return
    whole = len(record.cells) == 1 and 0 in record.quoted
    for sign in signs:
        if whole:
            yield record.cells[0], sign
        elif sign not in dialect.separator and dialect.separator not in sign:
            yield line, sign


def _is_figure(line: str) -> bool:
    """Whether a line is a value of a column rather than a date or words."""
    return bool(DIGIT.search(line)) and not LETTER.search(line) and not _DATE.match(line)


def _divides(sign: str, line: str, width: int, dialect: Dialect) -> bool:
    """Whether a sign divides a line into as many cells as the records have, not as in a sentence."""
    if sign not in line:
        return False
    cells = [cell.strip(BLANKS) for cell in next(Dialect(sign, dialect.quote).records([line])).cells]
    while cells and not cells[-1]:
        cells.pop()
    if not all(cells):
        return False
    is_text = _within(sign).search(line) is None
    if len(cells) == width:
        return width > _FEW_COLUMNS or not is_text
    near = sign in DELIMITERS and abs(len(cells) - width) == 1
    return near and len(cells) >= _ENOUGH and not is_text


def _within(sign: str) -> re.Pattern[str]:
    """A sign that neither has a blank behind it nor stands between figures, as one in a sentence does."""
    return re.compile(rf"{re.escape(sign)}(?! )(?<!\d{re.escape(sign)}(?=\d))")


def _is_commented_header(record: Record, header: Record, below: Sequence[Record]) -> bool:
    """Whether a comment has a cell for each column, and what follows it is not evidently the header."""
    cells = [cell.strip(BLANKS) for cell in record.cells]
    if len(cells) != len(header.cells) or len(cells) < _FEW_COLUMNS or not all(cells) or not is_comment(cells):
        return False
    return len(below) < _ENOUGH or contrast(header.cells, [other.cells for other in below]) < 1


def _stands_below_too(sign: str, line: str, shown: Sequence[str], dialect: Dialect) -> bool:
    """Whether another sign divides a line, not as in a sentence, and half of those below hold it."""
    if sign in dialect.separator or dialect.separator in sign or not _within(sign).search(line):
        return False
    filled = [other for other in shown if other.strip()]
    cells = next(Dialect(sign, dialect.quote).records([line])).cells
    return sum(bool(cell.strip()) for cell in cells) > 1 and 2 * sum(sign in other for other in filled) >= len(filled)


def _is_as_often(sign: str, line: str, shown: Sequence[str]) -> bool:
    """Whether most lines below hold a sign exactly as often as a line does, where it is no sentence or time."""
    times = line.count(sign)
    if sign == " " or len(_within(sign).findall(line)) < _FEW_COLUMNS:
        return False
    filled = [other for other in shown if other.strip()]
    return sum(other.count(sign) == times for other in filled) >= _MOST * len(filled)
