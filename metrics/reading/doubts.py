"""What a file's first lines leave in doubt, told with what to choose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.dialect import Dialect, Division, doubtful_delimiter, is_aligned
from metrics.reading.lexer import Record

_TITLE_WORDS = 3
_TYPOGRAPHIC = re.compile(r"[“„”«»].*[“”«»]", re.DOTALL)
_OTHER_QUOTES = re.compile(r"[“„”«»].*[“”«»]|'.*'", re.DOTALL)
_OPENS = re.compile(r"""\s["'][^\s"'][^"']*$""")
_CLOSES = re.compile(r"""[^"']*[^\s"']["'](\s|$)""")
_SAMPLE = 60
_MOST = 0.8
_SIGN = re.compile(r"[^\w\s\"'\u2018-\u201e«»\\.()\[\]{}<>*?-]")


def unclear_width(file: str, first: Record, width: int) -> InputError:
    """The error where the first line is not as wide as those below."""
    found = len(first.cells)
    return InputError(
        f"the line has {found} field{'s' * (found != 1)}, most lines below it {width}",
        remedy="choose how many lines come before the header, or the delimiter and quote character that the file uses",
        file=file,
        row=first.line,
    )


def refuse_title(file: str, first: Record) -> None:
    """Raise InputError where the header of one column is as long as a title."""
    if len(first.cells[0].split()) >= _TITLE_WORDS and first.closed:
        raise InputError(
            "the line may be a title rather than the header of one column",
            remedy="choose how many lines come before the header, 0 if this is it",
            file=file,
            row=first.line,
        )


def refuse_doubtful(file: str, text: str, complete: bool, dialect: Dialect, skipped: int) -> None:
    """Raise InputError where lines taken for one column may hold several cells."""
    if is_aligned(text, skipped):
        raise InputError(
            "the cells are aligned by blanks rather than divided by a sign",
            remedy="export the table as CSV, or choose that there is no delimiter if it has one column",
            file=file,
            row=skipped + 1,
        )
    sign = doubtful_delimiter(text, complete, replace(dialect, escape=""), skipped)
    if sign is None:
        return
    raise InputError(
        f"most lines hold equally many of the sign {_called(sign)}, which may divide it into cells or be text",
        remedy="choose the delimiter, or that there is none",
        file=file,
        row=1,
    )


def refuse_rivals(file: str, division: Division) -> None:
    """Raise InputError where another delimiter divides the file as well."""
    if division.rival is None:
        return
    one, other = division.delimiter or "", division.rival
    raise InputError(
        f"both the sign {_called(one)} and the sign {_called(other)} divide all lines evenly",
        remedy="choose the delimiter",
        file=file,
        row=1,
    )


def _called(sign: str) -> str:
    return {" ": "blank", ",": "comma", "\t": "tab"}.get(sign, f'"{sign}"')


def refuse_remains(file: str, dialect: Dialect, header: Record, records: list[Record]) -> None:
    """Raise InputError where signs that divide or quote are left in the cells."""
    part = dialect.separator.strip()
    if part and part != dialect.separator and header.cells[-1].strip(BLANKS).endswith(part):
        raise InputError(
            "the lines end with a part of the delimiter",
            remedy="remove it there, or choose another delimiter",
            file=file,
            row=header.line,
        )
    lines = [record.cells for record in [header, *records[:_SAMPLE]]]
    ends, starts = (
        {cell[-1:] for line in lines for cell in line[:-1]},
        {cell[:1] for line in lines for cell in line[1:]},
    )
    if any(len(signs) == 1 and _SIGN.fullmatch("".join(signs)) for signs in (ends, starts)):
        raise InputError(
            "the same sign stands beside every delimiter, as if both were one",
            remedy="choose the delimiter, or no quote character if it is right",
            file=file,
            row=header.line,
        )
    if dialect.quote and sum(map(_cuts_quotes, lines)) > _MOST * len(lines):
        raise InputError(
            f"the sign {_called(dialect.separator)} stands within quotes, as if another one divided the line",
            remedy="choose the delimiter, or no quote character if the quotes are text",
            file=file,
            row=header.line,
        )
    cells = (cell.strip(BLANKS) for record in [header, *records[:_SAMPLE]] for cell in record.cells)
    signs = _TYPOGRAPHIC if dialect.quote == "'" else _OTHER_QUOTES
    quoted = [signs.fullmatch(cell) is not None for cell in cells if cell]
    if sum(quoted) > _MOST * len(quoted):
        raise InputError(
            "the cells stand between typographic quotes or apostrophes",
            remedy='replace them by straight quotes ("), or choose the quote character, none if they are text',
            file=file,
            row=header.line,
        )


def _cuts_quotes(cells: Sequence[str]) -> bool:
    """Whether a quote opens behind a blank in one cell and closes in a later one."""
    opened = next((place for place, cell in enumerate(cells) if _OPENS.search(cell)), len(cells))
    return any(map(_CLOSES.match, cells[opened + 1 :]))
