"""What a file's first lines leave in doubt, told with what to choose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.dialect import GAP, Dialect, Division, doubtful_delimiter, is_aligned, sample, unquoted
from metrics.reading.headers import trimmed
from metrics.reading.letters import LETTER
from metrics.reading.lexer import Record
from metrics.reading.odd_signs import is_column_of_signs, odd_delimiter, stands_beside, wrapping_sign

_TITLE_WORDS = 3
_TYPOGRAPHIC = re.compile(r"[“„”«»].*[“”«»]", re.DOTALL)
_OTHER_QUOTES = re.compile(r"[“„”«»].*[“”«»]|'.*'", re.DOTALL)
_OPENS = re.compile(r"""(?:^|\s)["'][^\s"'][^"']*$""")
_CLOSES = re.compile(r"""[^"']*[^\s"']["'](\s|$)""")
_OPENS_TYPOGRAPHIC = re.compile(r"(?:^|[^\w\s])\s*[“„«][^“”»]*$")
_CLOSES_TYPOGRAPHIC = re.compile(r"[^“„«]*[”“»](?!\w)")
_SAMPLE = 60
_FEWEST = 2
_MOST = 0.8
_LINE_OF_DASHES = re.compile(r"[-=]+")
_NO_VALUE = "---"
_TRANSFER = ("hdr", "header")
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


def header_again(file: str, line: int) -> InputError:
    """The error where a record holds the names of the columns."""
    return InputError(
        "the record repeats the header",
        remedy="remove the line, or give the columns other names in the header if it is a record",
        file=file,
        row=line,
    )


def other_table(file: str, line: int) -> InputError:
    """The error where names of columns seem to stand within the table."""
    return InputError(
        "the record may be the header of another table",
        remedy="keep one table in the file, or choose 1 header line if it is a record",
        file=file,
        row=line,
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


def refuse_first_of_transfer(file: str, first: Record) -> None:
    """Raise InputError where the header tells of a transfer, its date or number, as first lines for machines do."""
    mark, *rest = trimmed(first.cells)
    if mark.lower() in _TRANSFER and any(cell.isdecimal() for cell in rest):
        raise InputError(
            "the line may tell of a transfer rather than name the columns",
            remedy="choose how many lines come before the header, 0 if this is it",
            file=file,
            row=first.line,
        )


def refuse_row_names(file: str, first: Record, rest: Sequence[Record]) -> None:
    """Raise InputError where records with an empty cell more than the header may have it before the first column."""
    bare = all(max(record.quoted, default=-1) < len(first.cells) for record in rest)
    names = [record.cells[0].strip(BLANKS) for record in rest]
    numbered = names in ([str(number) for number in range(begin, begin + len(names))] for begin in (0, 1))
    # Where all cells have quotes, those of the first column tell nothing.
    some = any(place not in record.quoted for record in rest for place, cell in enumerate(record.cells) if cell)
    quoted = some and len(set(names)) == len(names) and all(0 in record.quoted for record in rest)
    if not bare or numbered or quoted:
        raise InputError(
            "the records have a cell more than the header, which may be a row name at their beginning",
            remedy="name every column in the header, or remove the delimiters at the ends of the records",
            file=file,
            row=first.line,
        )


def refuse_aligned(file: str, text: str, skipped: int) -> None:
    """Raise InputError where blanks align the cells of lines that no delimiter divides, or not the first."""
    if is_aligned(text, skipped):
        raise _aligned(file, skipped + 1)


def refuse_gaps(file: str, header: Record, records: Sequence[Record]) -> None:
    """Raise InputError where blanks stand side by side within cells of nearly all records, as if aligning others."""
    bare = [trimmed(unquoted(record)) for record in records[:_SAMPLE]]
    gaps = sum(any(map(GAP.search, cells)) for cells in bare)
    if gaps > _MOST * len(bare):
        raise _aligned(file, header.line)


def _aligned(file: str, line: int) -> InputError:
    return InputError(
        "the cells are aligned by blanks rather than divided by a sign",
        remedy="export the table as CSV, or choose the delimiter, none if the table has one column",
        file=file,
        row=line,
    )


def refuse_doubtful(file: str, text: str, complete: bool, dialect: Dialect, skipped: int) -> None:
    """Raise InputError where lines taken for one column may hold several cells."""
    refuse_aligned(file, text, skipped)
    plain = replace(dialect, escape="")
    sign = doubtful_delimiter(text, complete, plain, skipped) or odd_delimiter(sample(text, complete, plain, skipped))
    if sign is None:
        return
    raise InputError(
        f"most lines hold equally many of the sign {called(sign)}, which may divide it into cells or be text",
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
        f"both the sign {called(one)} and the sign {called(other)} divide all or nearly all lines evenly",
        remedy="choose the delimiter",
        file=file,
        row=1,
    )


def called(sign: str) -> str:
    """What a sentence calls a sign: a word or its number in Unicode for what is hard to see, else in quotes."""
    if sign.isprintable() or sign == "\t":
        return {" ": "blank", ",": "comma", "\t": "tab"}.get(sign, f'"{sign}"')
    return " ".join(f"U+{ord(one):04X}" for one in sign)


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
    same = any(len(signs) == 1 and _SIGN.fullmatch("".join(signs)) for signs in (ends, starts))
    if same or stands_beside(lines) or is_column_of_signs(lines):
        raise InputError(
            "the same sign stands beside every delimiter, as if both were one",
            remedy="choose the delimiter, or no quote character if it is right",
            file=file,
            row=header.line,
        )
    if (sign := wrapping_sign([unquoted(record) for record in records[:_SAMPLE]])) is not None:
        raise InputError(
            f"the sign {called(sign)} stands at both ends of the cells, as quotes do",
            remedy="choose the quote character, none if the sign is text",
            file=file,
            row=header.line,
        )
    cut = bool(dialect.quote) and sum(map(_cuts_quotes, lines)) > _MOST * len(lines)
    if cut or any(map(_cuts_typographic, [header, *records[:_SAMPLE]])):
        raise InputError(
            f"the sign {called(dialect.separator)} stands within quotes, as if another one divided the line",
            remedy="choose the delimiter, or no quote character if the quotes are text",
            file=file,
            row=header.line,
        )
    cells = (cell.strip(BLANKS) for record in [header, *records[:_SAMPLE]] for cell in record.cells)
    signs = _TYPOGRAPHIC if dialect.quote == "'" else _OTHER_QUOTES
    # Figures need no quotes.
    quoted = [whole for cell in cells if (whole := signs.fullmatch(cell) is not None) or LETTER.search(cell)]
    if sum(quoted) > _MOST * len(quoted):
        raise InputError(
            "the cells stand between typographic quotes or apostrophes",
            remedy='replace them by straight quotes ("), or choose the quote character, none if they are text',
            file=file,
            row=header.line,
        )


def refuse_backslashes(file: str, header: Record, records: list[Record]) -> None:
    """Raise InputError where a backslash stands before the first delimiter of every line."""
    lines = [record.cells for record in [header, *records[:_SAMPLE]] if len(record.cells) > 1]
    if len(lines) > _FEWEST and all(cells[0].endswith("\\") for cells in lines):
        raise InputError(
            "a backslash stands before a delimiter in every line, as if it made that text",
            remedy="choose whether the backslash is an escape sign",
            file=file,
            row=header.line,
        )


def refuse_other_rule(file: str, rule: Record, width: int) -> None:
    """Raise InputError where a rule whose parts stand for columns has more or fewer of them than the header."""
    parts = _LINE_OF_DASHES.findall(rule.cells[0])
    if len(rule.cells) == 1 and "+" in rule.cells[0] and len(parts) != width:
        raise InputError(
            f"the rule under the header parts {len(parts)} columns, but the header has {width}",
            remedy="quote the delimiters within cells, or remove the rule",
            file=file,
            row=rule.line,
        )


def refuse_short_rule(file: str, header: Record, rule: Record, dialect: Dialect) -> None:
    """Raise InputError where three dashes stand in every cell of a line under longer names, which may be no values.

    Between bars they are a rule, as in Markdown.
    """
    short = all(cell == _NO_VALUE for cell in trimmed(rule.cells)) and max(map(len, header.cells)) > len(_NO_VALUE)
    if len(rule.cells) > 1 and "|" not in dialect.separator and short:
        raise InputError(
            "the line may be a rule under the header, or a record without any value",
            remedy="remove it, or choose 1 header line if it is a record",
            file=file,
            row=rule.line,
        )


def _cuts_quotes(cells: Sequence[str]) -> bool:
    """Whether a quote opens behind a blank in one cell and closes in a later one."""
    opened = next((place for place, cell in enumerate(cells) if _OPENS.search(cell)), len(cells))
    return any(map(_CLOSES.match, cells[opened + 1 :]))


def _cuts_typographic(record: Record) -> bool:
    """Whether a typographic quote opens in one cell and closes in a later one, neither between quotes."""
    cells = ["" if place in record.quoted else cell for place, cell in enumerate(record.cells)]
    opened = next((place for place, cell in enumerate(cells) if _OPENS_TYPOGRAPHIC.search(cell)), len(cells))
    return any(map(_CLOSES_TYPOGRAPHIC.match, cells[opened + 1 :]))
