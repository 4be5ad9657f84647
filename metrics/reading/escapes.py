"""Whether backslashes, quotes and blanks are signs of a file's dialect or text: told by all of its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.dialect import EDGE
from metrics.reading.doubts import called
from metrics.reading.faults import Opener
from metrics.reading.layout import Choices
from metrics.reading.lexer import MEANT, text_lines
from metrics.table import Column

_SAMPLE = 60
_ESCAPED = re.compile(r"\\(.|\Z)", re.DOTALL)
_APOSTROPHES = r"^'([^']|'')*''([^']|'')*'$"
_ESCAPED_APOSTROPHES = r"^'([^'\\]|\\.)*\\'([^'\\]|\\.)*'$"
_WITH_APOSTROPHE = r"^'[^']+'[^']+'$"
_BESIDE = f"(?:{EDGE}| )"
_WITHIN_APOSTROPHES = re.compile(rf"(?:^|{EDGE})'", re.MULTILINE)


def marked_line(body: Body, cells: pa.ChunkedArray) -> int | None:
    """The line of the first record with a quote behind a byte-order mark, where it opens no cell; None without any."""
    begin = "\ufeff" + body.found.dialect.quote
    if len(begin) == 1 or not any(pc.any(pc.starts_with(one.dictionary, begin)).as_py() for one in cells.chunks):
        return None
    with body.records() as every:
        return next((line for line, record in every if record.cells[0].startswith(begin)), None)


def refuse_marked(file: str, line: int | None) -> None:
    """Raise InputError where a record begins with a byte-order mark and a quote."""
    if line is not None:
        raise InputError(
            "the record begins with a byte-order mark, as where files are put behind one another",
            remedy="remove the mark, which editors may not show",
            file=file,
            row=line,
        )


@dataclass(frozen=True)
class Doubt:
    """The error for a file that may be read in two ways, and whether both readings hold."""

    error: InputError
    settled: bool


@dataclass(frozen=True)
class Escapes:
    """What backslashes stand before: signs that need one, other backslashes, or other text."""

    signs: int = 0
    doubled: int = 0
    letters: int = 0
    """Those that stand for control characters in a dump of a database."""
    others: int = 0
    quotes: bool = False
    """Whether quotes within cells are doubled, and so need no escape."""

    @property
    def consistent(self) -> bool:
        """Whether each backslash may be an escape."""
        return bool(self.signs or self.doubled) and not self.letters and not self.others

    @property
    def dumped(self) -> bool:
        """Whether each backslash may be an escape, and some of them make a letter a control character."""
        return bool(self.letters) and not self.others

    @property
    def only(self) -> bool:
        """Whether each backslash may be an escape, and nothing else makes a quote text."""
        return self.consistent and not self.quotes


def find_escapes(opened: Opener, encoding: str, quote: str) -> Escapes:
    """What backslashes stand before in a whole file."""
    signs = doubled = letters = others = 0
    quotes = False
    pair = re.escape(2 * quote)
    # Empty cells are two quotes as well.
    within = re.compile(rf"(?<!{_BESIDE})(?<!^){pair}|{pair}(?!{_BESIDE}|[\r\n]|$)")
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        for line in lines:
            if pair and not quotes and 2 * quote in line:
                quotes = within.search(_ESCAPED.sub("", line)) is not None
            if "\\" not in line:
                continue
            for after in _ESCAPED.findall(line):
                if after == "\\":
                    doubled += 1
                elif after in (quote, "\r", "\n") or (after and not after.isalnum() and after not in " ._-"):
                    signs += 1
                elif after in MEANT:
                    letters += after != "N"
                else:
                    others += 1
    return Escapes(signs, doubled, letters, others, quotes)


def within_apostrophes(opened: Opener, encoding: str) -> bool:
    """Whether an apostrophe begins a cell somewhere."""
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        return any(_WITHIN_APOSTROPHES.search(line) for line in lines)


def beside_blanks(opened: Opener, encoding: str, quote: str) -> bool:
    """Whether a quote stands behind a delimiter and a blank, or before them, somewhere."""
    sign = re.escape(quote)
    spaced = re.compile(rf"(?:^|{EDGE}) +{sign}|{sign} +(?:{EDGE}|[\r\n]|$)")
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        return any(spaced.search(line) for line in lines)


def find_doubt(body: Body, columns: Sequence[Column], choices: Choices) -> Doubt | None:
    """Whether a reading without fault, which gave these columns, is not the only one."""
    quote = body.found.dialect.quote
    held = pa.chunked_array([text_array([column.name for column in columns]), *(one.values for one in columns)])
    if (
        choices.escape is None
        and _may_be_escapes(body, held)
        and body.fault(replace(body.found.dialect, escape="\\")) is None
    ):
        error = InputError(
            "each backslash in the file may be text, or make the sign after it text",
            remedy="choose whether the backslash is an escape sign",
            file=body.name,
            row=body.line_with("\\"),
        )
        # A file all of whose quotes have a backslash before them, and whose backslashes have signs behind: escapes.
        return Doubt(error, not _every_quote_escaped(body, quote))
    if choices.quote is not None or quote == "'":
        return None
    if body.found.dialect.escape:
        sign, within = "\\'", _WITH_APOSTROPHE
    else:
        sign, within = ("''", _APOSTROPHES) if _holds(held, "''") else ("\\'", _ESCAPED_APOSTROPHES)
    if not _any(held, within) or body.line_with(sign) is None:
        return None
    error = InputError(
        "cells between apostrophes hold doubled or escaped ones, as if they were quoted so",
        remedy="choose the quote character",
        file=body.name,
        row=body.line_with(sign),
    )
    # Where double quotes open cells too, either may be the quote; else the other reading is tried.
    return Doubt(error, body.line_with(quote) is not None)


def refuse_other_quotes(body: Body, columns: Sequence[Column], chosen: str | None) -> None:
    """Raise InputError where all names, or all cells, stand between quotes of the other kind.

    Where the quote is `chosen`, by the user or for want of another reading, cells may hold the other one.
    """
    if not body.found.dialect.quote:
        return
    header, other = body.found.header.line, "'" if body.found.dialect.quote == '"' else '"'
    cells = [label for column in columns for label in column.values[:_SAMPLE].to_pylist() if label and chosen is None]
    for what, texts, line in (("names", [column.name for column in columns], header), ("cells", cells, header + 1)):
        texts = [text.strip(BLANKS) for text in texts]
        if texts and all(len(text) > 1 and text[0] == text[-1] == other for text in texts):
            raise InputError(
                f"all {what} stand between signs {called(other)} that are no quotes in this reading",
                remedy="remove them, or choose the quote character",
                file=body.name,
                row=line,
            )


def refuse_quotes_of_two_kinds(body: Body, columns: Sequence[Column]) -> None:
    """Raise InputError where cells have several lines between quotes of one kind, and others quotes of the other."""
    quote = body.found.dialect.quote
    other = "'" if quote == '"' else '"'
    held = pa.chunked_array([column.values for column in columns])
    if quote and _any(held, r"[\r\n]") and _any(held, f"^{other}.+{other}$"):
        raise InputError(
            "cells of several lines stand between quotes of one kind, and others between quotes of the other",
            remedy="choose the quote character",
            file=body.name,
            row=body.found.header.line,
        )


def _any(held: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(held, pattern)).as_py())


def _may_be_escapes(body: Body, held: pa.ChunkedArray) -> bool:
    """Whether the backslashes in cells may be no text; a look at the different cells spares most files the whole."""
    dialect = body.found.dialect
    signs = ["\\\\", *(["\\" + dialect.quote] if dialect.quote else [])]
    # What divides by tabs may be a database's dump, which writes a tab within a cell as a letter, and never says so.
    letters = [f"\\{letter}" for letter in MEANT if letter != "N"] if dialect.delimiter == "\t" else []
    # At the end of a line it would make the line end text.
    ends = pc.any(pc.ends_with(held, "\\")).as_py()
    if not ends and not any(_holds(held, sign) for sign in (*signs, *letters)):
        return False
    escapes = find_escapes(body.opened, body.encoding, dialect.quote)
    return escapes.consistent or (bool(letters) and escapes.dumped)


def _every_quote_escaped(body: Body, quote: str) -> bool:
    sign = re.escape(quote)
    bare, escaped = re.compile(rf"(?<!\\){sign}"), re.compile(rf"\\{sign}")
    some = False
    with body.lines() as lines:
        for line in lines:
            if quote and bare.search(line):
                return False
            some = some or bool(escaped.search(line))
    return some and bool(quote)


def _holds(values: pa.ChunkedArray, text: str) -> bool:
    return bool(pc.any(pc.match_substring(values, text)).as_py())
