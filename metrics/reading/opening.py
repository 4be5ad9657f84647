"""The beginning of a delimited file: its encoding, and as much of it as holds the whole header."""

from __future__ import annotations

import base64
import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.charset import Charset, codec_of, detect, holds_no_text, holds_pairs, holds_text, with_byte_order
from metrics.reading.faults import Opener
from metrics.reading.layout import Choices, Layout, layout
from metrics.reading.legacy import DoubtfulEncoding
from metrics.reading.lexer import text_lines
from metrics.reading.origin import read_up_to

_SAMPLE = 1 << 16
_LONGEST_DELIMITER = 10
_BEGIN = 1000
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_LINE_OF_BASE64 = 16
_OTHER_KINDS = (
    (re.compile(r"<(!doctype html|html|head|body|table)\b"), "a web page (HTML)"),
    (re.compile(r"<(\?xml|\w+:?\w*( \w+=\"[^\"]*\")*>)"), "XML"),
    (re.compile(r"%pdf-\d"), "a PDF document"),
    (re.compile(r"\{\\rtf\d"), "a text document (RTF)"),
    (re.compile(r"\[\s*\{|\[\s*\[\s*\"|\{\s*\"[^\"]*\"\s*:"), "JSON"),
    (re.compile(r"(insert into|create table)\s+[\w.\"`\[\]]+\s*(\(|values)"), "SQL statements"),
    (re.compile(r"(%[^\n]*\n\s*)*@relation\s"), "a table of Weka (ARFF)"),
    (re.compile(r".{1,100}[0-7]{7}.{0,200}ustar", re.DOTALL), "an archive (tar)"),
    (re.compile(r"version https://git-lfs\."), "a pointer of Git LFS instead of the table"),
)


@dataclass(frozen=True)
class Opening:
    """The beginning of a file: its text without NUL, whether that is all of it, and its encoding."""

    text: str
    complete: bool
    charset: Charset


def open_file(name: str, opened: Opener, choices: Choices, encoding: str | None) -> tuple[Opening, Layout]:
    """The beginning of a file, and the layout seen there. Raises InputError."""
    _check_dialect(name, choices.delimiter, choices.quote)
    size = _SAMPLE
    while True:
        with opened() as stream:
            head = read_up_to(stream, size)
        if choices.delimiter is None:
            # Before its encoding: a page or PDF may hold bytes of several.
            _refuse_other_kinds(name, head[:_BEGIN].decode("latin-1"))
        opening = decode(name, head, len(head) < size, encoding)
        if choices.delimiter is None:
            _refuse_other_kinds(name, opening.text)
        found = layout(name, opening.text, opening.complete, choices)
        if found is not None:
            break
        if opening.complete and choices.skip_lines and opening.text.strip():
            raise InputError(
                f"no line is left after the {choices.skip_lines:,} that are left out before the header",
                remedy="choose fewer",
                file=name,
            )
        if opening.complete:
            raise refuse_empty(name)
        size *= 4
    if not found.header.closed:
        raise InputError(
            f"a quote ({found.dialect.quote}) opens in the header and is never closed",
            remedy="close it, or choose another quote character or none",
            file=name,
            row=found.header.line,
        )
    _check_dialect(name, found.dialect.delimiter, found.dialect.quote)
    return opening, found


def decode(name: str, head: bytes, complete: bool, encoding: str | None) -> Opening:
    """The text of a file's first bytes, its encoding detected unless given. Raises InputError."""
    if complete and not head:
        raise refuse_empty(name)
    if encoding is None:
        with telling_doubt(name, partial(io.BytesIO, head)):
            charset = detect(head, complete)
    else:
        charset = Charset(with_byte_order(encoding, head), True)
        if head.startswith(codecs.BOM_UTF8) and not charset.encoding.startswith("utf-8"):
            raise InputError(
                "the file begins with the mark of UTF-8, which other encodings do not have",
                remedy="remove the mark, or choose utf-8",
                file=name,
                row=1,
            )
    if charset is None:
        raise InputError(
            "the file holds binary data, not text",
            remedy="export the table as CSV, Parquet or .xlsx",
            file=name,
        )
    decoder = codecs.getincrementaldecoder(charset.encoding)(errors="replace")
    text = decoder.decode(head, final=complete)
    unsure = encoding is None and charset.encoding.startswith("utf-16") and "\ufffd" not in text
    if unsure and (holds_no_text(text) or holds_pairs(text)):
        raise InputError(
            "the file holds signs that no text has, as if bytes were lost or added",
            remedy="save it again as UTF-8",
            file=name,
        )
    return Opening(text.replace("\0", ""), complete, charset)


def _refuse_other_kinds(file: str, text: str) -> None:
    """Raise InputError where the text begins as no table does."""
    begin = text[:_BEGIN].lstrip("\ufeff" + BLANKS).lower()
    kind = next((kind for sign, kind in _OTHER_KINDS if sign.match(begin)), None)
    if kind is None and _is_base64(text[:_BEGIN]):
        kind = "text in base64, as in mails"
    if kind is not None:
        raise InputError(
            f"the file holds {kind}, whatever its name ends in",
            remedy="export the table as CSV, Parquet or .xlsx, or choose the delimiter if it is delimited text",
            file=file,
        )


def _is_base64(begin: str) -> bool:
    """Whether the first lines are text written in base64: long ones of its signs, which stand for several lines."""
    lines = begin.split()
    if not lines or len(lines[0]) < _LINE_OF_BASE64 or not _BASE64.fullmatch("".join(lines)):
        return False
    signs = "".join(lines).rstrip("=")
    text = base64.b64decode(signs[: len(signs) // 4 * 4])
    return b"\n" in text and holds_text(text)


@contextmanager
def telling_doubt(name: str, opened: Opener) -> Iterator[None]:
    """Let a doubtful encoding name the file and its first line with bytes above ASCII."""
    try:
        yield
    except DoubtfulEncoding as doubt:
        refused = InputError(doubt.problem, remedy=doubt.remedy, file=name, row=_first_foreign_line(opened))
    else:
        return
    raise refused


def _first_foreign_line(opened: Opener) -> int | None:
    with opened() as stream, text_lines(stream, "latin-1") as lines:
        return next((number for number, line in enumerate(lines, 1) if not line.isascii()), None)


def known_codec(name: str, file: str) -> str:
    """The codec of an encoding's name. Raises InputError if there is none."""
    codec = codec_of(name)
    if codec is None:
        raise InputError(
            "the encoding chosen is not known", remedy="choose one such as utf-8, big5 or cp1252", file=file
        )
    return codec


def refuse_empty(file: str) -> InputError:
    """The error for a file without a header."""
    return InputError("the file is empty", remedy="export the table again with its header and records", file=file)


def _check_dialect(file: str, delimiter: str | None, quote: str | None) -> None:
    if delimiter and (len(delimiter) > _LONGEST_DELIMITER or any(sign in "\r\n\0" for sign in delimiter)):
        raise InputError(
            f"the delimiter must be one to {_LONGEST_DELIMITER} signs other than line ends",
            remedy="choose another delimiter",
            file=file,
        )
    if quote and not (len(quote) == 1 and quote.isascii() and quote not in "\r\n\0"):
        raise InputError(
            "the quote character must be one ASCII character", remedy="choose another quote character", file=file
        )
    if delimiter and quote and quote in delimiter:
        raise InputError("delimiter and quote character are the same", remedy="choose another for either", file=file)
