"""Where a delimited file's table begins: the lines before its header, the header's lines, and how all divide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.above import (
    above_blank_line,
    refuse_commented_header,
    refuse_no_title,
    refuse_pairs,
    refuse_sentence,
)
from metrics.reading.below import is_part_of_header
from metrics.reading.dialect import DELIMITERS, Dialect, Division, divide, find_quote, sample
from metrics.reading.doubts import (
    header_again,
    refuse_aligned,
    refuse_backslashes,
    refuse_doubtful,
    refuse_first_of_transfer,
    refuse_other_rule,
    refuse_remains,
    refuse_rivals,
    refuse_row_names,
    refuse_short_rule,
    refuse_title,
    unclear_width,
)
from metrics.reading.headers import (
    are_numbers,
    contrast,
    figure_places,
    is_again,
    is_comment,
    is_rule,
    is_second_header,
    is_title,
    names_figures,
    stands_over_numbering,
    trimmed,
)
from metrics.reading.letters import COMMA_NUMBER
from metrics.reading.lexer import Record, sample_lines
from metrics.reading.limits import check_columns

_HINT = re.compile(r'"?sep=(.|[^\w\s"]{2,6})"?[ \t]*[\r\n]*', re.IGNORECASE)
_BODY = 60
"""Records that a header is compared with."""
_CELLS = 30_000
"""Cells that a header is compared with at most."""
_NO_NAMES = frozenset(["-", "--", "---", "..", "?", "nan", "null", "#n/a", "n/a", "\\n"])
"""What stands for a missing value, and names no column."""
_EVIDENT = 2
"""Contrast above which one column of figures is enough to tell a header."""
_NEAR = 8
"""Records below a header one of which may be the true one."""
_MOST_TITLES = 40
_FEW, _LONG = 4, 1 << 20
"""Records that tell a title from a header, and characters beyond which fewer must do."""


@dataclass(frozen=True)
class Choices:
    """What the caller overrides; None leaves it to detection."""

    delimiter: str | None = None
    """"" for a table of one column."""
    quote: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: Sequence[str] = ()
    escape: str | None = None
    skip_lines: int | None = None
    """Lines of the file before the header."""
    header_lines: int | None = None
    """Lines that together name the columns; 0 where none does."""
    footer_lines: int | None = None
    """Lines after the last record, blank ones not counted."""
    blank_lines: str | None = None
    """Empty lines of one column, lines of delimiters alone elsewhere: "cells" or "nothing"."""
    spaced: bool = False
    """Blanks may stand between delimiters and quotes; tried where a file does not divide without."""


@dataclass(frozen=True)
class Layout:
    """How a file divides, and its header.

    `start` counts the lines before the header or, where there is none, before the first record, and `rows` those of
    the header, blank ones between them included. `titles`: lines left out before the header that are not blank.
    """

    dialect: Dialect
    names: list[str]
    start: int
    rows: int
    titles: int
    header: Record
    records: list[Record]
    ruled: bool = False
    """Whether a rule under the header is left out, as one of its lines."""

    @property
    def width(self) -> int:
        """Fields of every record."""
        return len(self.names)


def layout(file: str, text: str, complete: bool, choices: Choices) -> Layout | None:
    """The layout of a text that begins with `text` (`complete`: all of it); None if no record or too few end within it.

    A first line `sep=;`, which spreadsheets understand, names the delimiter and is no record. Raises InputError where
    the lines allow more than one reading.
    """
    hint = _HINT.fullmatch(next(sample_lines(text), ""))
    skipped = (1 if hint else 0) if choices.skip_lines is None else choices.skip_lines
    body = text[hint.end() :] if hint else text
    quote = find_quote(body) if choices.quote is None else choices.quote
    dialect = Dialect(None, quote, choices.escape or "", choices.spaced)
    chosen = choices.delimiter if choices.delimiter is not None or not hint else hint[1]
    division = Division(chosen or None)
    if chosen is None:
        comments = _leading_comments(text, skipped) if choices.skip_lines is None else 0
        division = divide(text, complete, dialect, skipped + comments)
    refuse_rivals(file, division)
    dialect = replace(dialect, delimiter=division.delimiter)
    found = sample(text, complete, dialect, skipped)
    if not found or (not complete and len(found) < _FEW and len(text) < _LONG):
        return None
    rules = [] if choices.header_lines is not None else [record for record in found if is_rule(record.cells)]
    found = [record for record in found if record not in rules] or found
    if chosen is None and division.delimiter is None:
        refuse_doubtful(file, text, complete, dialect, skipped)
    width = division.width if chosen is None else _common_width(found)
    check_columns(file, max(width, len(found[0].cells)), found[0].line)
    if width == 1 and choices.skip_lines is None and choices.header_lines is None:
        refuse_title(file, found[0])
    told = choices.skip_lines is not None
    place = 0 if told or not found[0].closed else _header_place(file, found, width, chosen is None)
    if place and not told and choices.header_lines is not None and len(found) > place + 1:
        place -= _lines_of_groups(found, place, choices.header_lines)
    if place is None:
        return _one_column(found, replace(dialect, delimiter=None), text, complete, skipped)
    if place and chosen is None:
        refuse_aligned(file, text, skipped)
    if place and not told:
        refuse_no_title(file, text, dialect, skipped, found, place)
    if not told and choices.header_lines is None:
        refuse_first_of_transfer(file, found[place])
    if choices.quote is None and choices.header_lines != 0:
        refuse_commented_header(file, found[place])
    seen = _from(file, dialect, found, place, choices.header_lines)
    if not told and choices.header_lines is None:
        refuse_pairs(file, seen.header, found[place + 1 :])
        refuse_sentence(file, seen.header, found[place + 1 :])
    if choices.escape is None:
        refuse_backslashes(file, seen.header, seen.records)
    if choices.quote is None:
        refuse_remains(file, dialect, seen.header, seen.records)
    last = len(found) > place + 1 and found[place + 1].line
    below = [rule for rule in rules if seen.header.line < rule.line < last]
    if not below:
        return seen
    refuse_short_rule(file, seen.header, below[-1], dialect)
    refuse_other_rule(file, below[-1], len(named(seen.names)))
    return replace(seen, rows=below[-1].line - seen.header.line + 1, ruled=True)


def _leading_comments(text: str, skipped: int) -> int:
    """Comments before the first other line: how they divide tells nothing. None where all lines begin so."""
    # A sign alone in a cell is a name.
    lines = [
        line[:1] == "#" and line[1:2] not in DELIMITERS
        for line in islice(sample_lines(text), skipped, skipped + 2 * _MOST_TITLES)
    ]
    return lines.index(False) if False in lines and 2 * sum(lines) < len(lines) else 0


def _from(file: str, dialect: Dialect, found: list[Record], place: int, lines: int | None) -> Layout:
    """The layout whose header begins with the record at `place`."""
    first = found[place]
    rest = found[place + 1 :]
    if lines == 0:
        names = [f"column {number}" for number in range(1, len(first.cells) + 1)]
        return Layout(dialect, names, first.line - 1, 0, place, first, found[place:])
    width = len(first.cells)
    if lines is None:
        _check_header(file, _as_wide(first, rest), rest)
        names = list(first.cells)
        wide = {len(record.cells) for record in rest}
        if len(wide) == 1 and not first.blank and (beyond := wide.pop() - width) > 0:
            ends = [cell for record in rest for cell in trimmed(record.cells[width:])]
            if not any(ends):
                refuse_row_names(file, first, rest)
                names += [""] * beyond
        elif len(rest) and {len(record.cells) for record in rest} == {len(trimmed_end(names))}:
            names = trimmed_end(names)
        return Layout(dialect, names, first.line - 1, 1, place, first, found[place:])
    header = found[place : place + lines]
    if len(header) < lines:
        raise InputError(
            f"the header should have {lines:,} lines but the file has fewer", remedy="choose fewer", file=file
        )
    ragged = next((record for record in header if len(record.cells) != width), None)
    if ragged is not None:
        raise InputError(
            f"the header should have {lines} lines but they do not have equally many fields",
            remedy="choose how many lines come before the header and how many it has",
            file=file,
            row=ragged.line,
        )
    names = [
        " ".join(dict.fromkeys(filter(None, trimmed(parts)))) for parts in zip(*(r.cells for r in header), strict=True)
    ]
    rows = header[-1].line - first.line + 1
    return Layout(dialect, names, first.line - 1, rows, place, first, found[place:])


def named(names: list[str]) -> range:
    """The places of the columns without nameless ones at the end, nor one at the start where there is one at the end.

    All of them if none has a name.
    """
    kept = len(trimmed_end(names))
    if not kept:
        return range(len(names))
    return range(1 if kept < len(names) and not names[0].strip(BLANKS) else 0, kept)


def trimmed_end(names: list[str]) -> list[str]:
    """Names without the blank ones at their end."""
    kept = len(names)
    while kept and not names[kept - 1].strip(BLANKS):
        kept -= 1
    return names[:kept]


def _common_width(found: list[Record]) -> int:
    """The width that most records have, or the first's where most agree with it."""
    widths = [len(record.cells) for record in found]
    common = max(set(widths), key=lambda width: (widths.count(width), width))
    return widths[0] if 2 * widths.count(widths[0]) >= len(widths) or common == 1 else common


def _header_place(file: str, found: list[Record], width: int, detected: bool) -> int | None:
    """Which record is the header; None where the file may rather be of one column. Raises InputError if in doubt."""
    if len(found) < 2:
        return 0
    place = above_blank_line(found, width)
    while place < min(len(found) - 1, _MOST_TITLES):
        here = found[place]
        below = [record.cells for record in found[place + 2 : place + 2 + _BODY]]
        if not _before_header(here, found[place + 1], width, below):
            break
        place += 1
    first = found[place]
    rest = [record.cells for record in found[place + 1 : place + 1 + _BODY] if len(record.cells) == width]
    if place and (len(first.cells) != width or (rest and not _evident(found, place, rest))):
        if detected and place == 1 and width == 2 and all(COMMA_NUMBER.fullmatch(",".join(r)) for r in rest):
            return None
        raise unclear_width(file, found[0], width)
    if not place and len(first.cells) != width and width > 1 and _differs(first, found[1:], width):
        if detected and len(first.cells) == 1 and all(COMMA_NUMBER.fullmatch(",".join(r)) for r in rest):
            return None
        raise unclear_width(file, first, width)
    return place


def _lines_of_groups(found: list[Record], place: int, lines: int) -> int:
    """How many lines above the names, the record at `place`, belong to a header of so many lines."""
    names, below = found[place : place + 2]
    if is_second_header(below.cells, names.cells, []) or is_title(below.cells):
        return 0
    count, next_line = 0, names.line
    for record in reversed(found[max(place - lines + 1, 0) : place]):
        if len(record.cells) != len(names.cells) or next_line - record.line > 1:
            break
        count, next_line = count + 1, record.line
    return count


def _before_header(record: Record, after: Record, width: int, body: list[list[str]]) -> bool:
    """Whether a record is a title or comment rather than the header."""
    if width < 2:
        return is_comment(record.cells) and len(record.cells) == 1 and not is_comment(after.cells)
    cells = trimmed(record.cells)
    if cells[0] == "#" and len(cells) == width and all(cells):
        return False
    if is_comment(cells) and (len(cells) != width or contrast(after.cells, body) > 0 or is_comment(after.cells)):
        # Records whose first cells begin with such a sign are no comments.
        return len(cells) != width or not body or 2 * sum(map(is_comment, body)) < len(body)
    if is_title(cells):
        return True
    # A line of groups above the names: it leaves cells blank or repeats them, as no header may.
    names = trimmed(after.cells)
    doubtful = len(cells) == width and len(set(trimmed_end(cells))) < len(trimmed_end(cells))
    # Names that stand twice, not side by side, are no groups.
    groups = [cell for cell, _ in groupby(cells)]
    doubtful = doubtful and (not all(cells) or len(set(groups)) == len(groups))
    return doubtful and len(names) == width and all(names) and len(set(names)) == width and contrast(names, body) > 0.5


def _evident(found: list[Record], place: int, rest: list[list[str]]) -> bool:
    """Whether the record at `place` is evidently a header below lines that are none."""
    names = trimmed_end(trimmed(found[place].cells))
    if not all(names) or len(set(names)) < len(names) or are_numbers(names):
        return False
    score = contrast(names, rest)
    before = found[:place]
    apart = found[place].line - before[-1].line > 1 or all(is_comment(record.cells) for record in before)
    # Lines that do not divide, above others that do, are no header of theirs.
    undivided = len(names) > 2 and all(len(record.cells) == 1 for record in before)
    return score >= 1 or ((apart or undivided) and score >= 0)


def _differs(first: Record, rest: list[Record], width: int) -> bool:
    """Whether a header has another width than its records for another reason than delimiters at the end of lines."""
    if any(len(record.cells) != width for record in rest):
        return True
    if len(first.cells) > width:
        return len(trimmed_end(first.cells)) != width
    return any(any(trimmed(record.cells[len(first.cells) :])) for record in rest)


def _as_wide(header: Record, rest: list[Record]) -> Record:
    """A header without the delimiters at its end that no record has."""
    cells = trimmed_end(list(header.cells))
    alike = {len(record.cells) for record in rest} == {len(cells)}
    return replace(header, cells=cells) if alike and len(cells) < len(header.cells) else header


def _check_header(file: str, first: Record, rest: list[Record]) -> None:
    """Raise InputError where the header may be a record, or a record below it the header or a part of it."""
    width = len(first.cells)
    depth = max(min(_BODY, _CELLS // width), _NEAR)
    # Delimiters at the ends of the records may be missing from the header.
    cells = [below.cells[:width] if not any(trimmed(below.cells[width:])) else below.cells for below in rest]
    again = [is_again(here, first.cells) for here in cells]
    others = [here for here, repeated in zip(cells, again, strict=True) if not repeated and len(here) == width]
    # Where the first line is like the others, both may be records.
    if any(again) and contrast(first.cells, others[:depth]) > 0:
        raise header_again(file, rest[again.index(True)].line)
    for place, record in enumerate(rest[:_NEAR]):
        here, body = cells[place], [below for below in cells[place + 1 : place + 1 + depth] if len(below) == width]
        if len(here) != width:
            break
        if place == 0:
            doubtful = width == 1 and len(body) > 1 and contrast(here, body) > 0
            doubtful = doubtful or is_second_header(here, first.cells, body) or stands_over_numbering(here, body)
            doubtful = doubtful or is_part_of_header(here, first.cells, body)
            problem, remedy = "may be a part of it rather than a record", "how many lines the header has, 1 or 2"
        else:
            apart = record.line - rest[place - 1].line > 1
            doubtful = names_figures(here, body) and (
                apart or len(figure_places(body)) > 1 or contrast(here, body) >= _EVIDENT
            )
            problem, remedy = "may be the header", "how many lines come before the header, 0 if the first is the header"
        if doubtful:
            raise InputError(
                f"the line {'' if place else 'below the header '}{problem}",
                remedy=f"choose {remedy}",
                file=file,
                row=record.line,
            )
    body = [below for below in cells[:depth] if len(below) == width]
    names_nothing = not _NO_NAMES.isdisjoint(map(str.lower, trimmed(first.cells)))
    if first.closed and rest and (names_nothing or are_numbers(first.cells) or contrast(first.cells, body) < 0):
        raise InputError(
            "the header is like the records below it, as if it were one",
            remedy="choose how many lines the header has, 1 if this is it and 0 if there is none",
            file=file,
            row=first.line,
        )


def _one_column(found: list[Record], dialect: Dialect, text: str, complete: bool, skipped: int) -> Layout:
    again = sample(text, complete, dialect, skipped)
    return Layout(dialect, list(again[0].cells), again[0].line - 1, 1, 0, again[0], again)
