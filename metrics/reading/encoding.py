"""The encoding of a text file: proved by UTF-8 or a byte-order mark, otherwise a question with what decodes it all."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, pairwise

from metrics.errors import InputError
from metrics.reading.proposal import Answer, Question

Chunks = Callable[[], Iterator[bytes]]
"""Starts a file from its beginning."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARKED = ("utf-16", "utf-32")
"""Encodings that a byte-order mark begins."""
_NO_FILES = ("punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape")
"""Encodings of names and of source text, which Python has besides those of files."""
_SINGLE = {
    "cp1252": "Windows-1252 (Western European)",
    "latin-1": "ISO 8859-1 (Western European)",
    "mac-roman": "Mac Roman (Western European)",
    "cp850": "DOS 850 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "iso8859-2": "ISO 8859-2 (Central European)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "koi8-r": "KOI8-R (Cyrillic)",
    "cp866": "DOS 866 (Cyrillic)",
}
"""Encodings of one byte per character, in the order in which they are proposed."""
_MULTIPLE = {
    "cp949": ("EUC-KR (Korean)", re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")),
    "gb18030": ("GB 18030 (Simplified Chinese)", re.compile(rb"[\xb0-\xd7\xa3][\xa1-\xfe]")),
    "euc-jp": ("EUC-JP (Japanese)", re.compile(rb"[\xa4\xa5\xb0-\xcf][\xa1-\xfe]")),
    "big5": ("Big5 (Traditional Chinese)", re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]")),
    "cp932": ("Shift-JIS (Japanese)", re.compile(rb"[\x82\x83\x88-\x97][\x40-\x7e\x80-\xfc]")),
}
"""Byte pairs of the characters in daily use, as each standard lays them out; narrower ranges first."""
_UTF_16 = {"utf-16-le": "UTF-16, little-endian", "utf-16-be": "UTF-16, big-endian"}
TITLES = {**_SINGLE, **{name: title for name, (title, _) in _MULTIPLE.items()}, **_UTF_16}
_ANY_PAIR = re.compile(rb"[\x80-\xff][\x40-\x7e\x80-\xff]")
_TURKISH = re.compile(rb"[\xf0\xfe]")
_COMPARED = 1 << 14
_MIN_SHARE, _MIN_ADJACENT = 0.85, 0.25
_SAMPLE, _LONGEST_LINE = 1 << 16, 1 << 20
_SHOWN_LINES, _SHOWN = 5, 100


@dataclass(frozen=True)
class Encoding:
    """The encoding proposed for a file, and the question where it is in doubt."""

    name: str
    question: Question | None = None
    notes: tuple[str, ...] = ()


def known_codec(name: str, file: str) -> str:
    """An encoding by Python's name of it, in lower case. Raises InputError where Python has none."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        codec = None
    if codec is None or not codec._is_text_encoding or codec.name in _NO_FILES:
        raise _unknown_encoding(file)
    if codec.name in _MARKED:
        return codec.name
    return "utf-8" if codec.name in ("utf-8-sig", "ascii") else name.lower().replace("_", "-")


def _unknown_encoding(file: str) -> InputError:
    return InputError("the encoding is not known", remedy="choose one such as utf-8, big5 or cp1252", file=file)


def propose_encoding(name: str, chunks: Chunks, head: bytes, whole: bool) -> Encoding:
    """The encoding of a file that begins with `head`; `whole` means to check all of it. Raises InputError."""
    marked_encoding = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)
    if marked_encoding is not None:
        return Encoding(marked_encoding)
    if b"\0" in head:
        return _utf_16(name, head)
    if _decodes("utf-8", chunks() if whole else [head], cut=not whole):
        return Encoding("utf-8")
    high_bytes, lines = _foreign(chunks())
    sample = b"\n".join(lines)[:_SAMPLE]
    text = sample.decode("utf-8", errors="replace")
    if text.count("\ufffd") < sum(not character.isascii() for character in text) / 2:
        # Mostly UTF-8: no other encoding decodes the rest.
        raise decoding_error(name, chunks, "utf-8")
    encodings = _ranked_encodings(chunks, sample, high_bytes)
    if not encodings:
        remedy = "save it as UTF-8"
        raise InputError("the file holds binary data or text in an unknown encoding", remedy=remedy, file=name)
    return _encoding_with_question(encodings, lines)


def _ranked_encodings(chunks: Chunks, sample: bytes, high_bytes: bytes) -> list[str]:
    """The encodings that decode the whole file: likely ones of several bytes, those of one byte, the others."""
    shares = {encoding: _share(pairs, sample) for encoding, (_, pairs) in _MULTIPLE.items()}
    multi_byte = [encoding for encoding, share in shares.items() if share and _decodes(encoding, chunks())]
    multi_byte.sort(key=lambda encoding: -round(shares[encoding], 2))
    single_byte = [encoding for encoding in _SINGLE if _has_letters(encoding, high_bytes)]
    single_byte.sort(key=partial(_misplaced_characters, sample))
    return sorted([*multi_byte, *single_byte], key=lambda encoding: shares.get(encoding, _MIN_SHARE) < _MIN_SHARE)


def _utf_16(name: str, head: bytes) -> Encoding:
    """The encoding of text with NUL bytes. Raises InputError where neither order of UTF-16 makes lines of it."""
    even_head = head[: len(head) // 2 * 2]
    texts = {encoding: even_head.decode(encoding, errors="replace") for encoding in _UTF_16}
    lines = {encoding: text for encoding, text in texts.items() if re.search("[\n\r]", text) and "\0" not in text}
    if not lines:
        raise InputError(
            "this is not a text table: the file holds NUL bytes",
            remedy="export the table as CSV in UTF-8, as Parquet or as .xlsx",
            file=name,
        )
    ranking = sorted(_UTF_16, key=lambda encoding: -sum(map(str.isascii, lines.get(encoding, ""))))
    return _encoding_with_question(ranking, [even_head[: 2 * _SHOWN]])


def _encoding_with_question(encodings: Sequence[str], lines: Sequence[bytes]) -> Encoding:
    """The first encoding, and a question with the lines that others read most differently, if one does."""
    readings: dict[tuple[str, ...], str] = {}
    for encoding in encodings:
        readings.setdefault(tuple(line.decode(encoding, errors="replace") for line in lines), encoding)
    if len(readings) == 1:
        return Encoding(encodings[0], None, (f"read as {TITLES[encodings[0]]}",))
    by_line = sorted(zip(*readings, strict=True), key=lambda texts: len(set(texts)), reverse=True)[:_SHOWN_LINES]
    answers = (
        Answer(TITLES[name], {"encoding": name}, f"--encoding {name}", tuple(map(_excerpt, texts)))
        for name, texts in zip(readings.values(), zip(*by_line, strict=True), strict=True)
    )
    return Encoding(encodings[0], Question("encoding", "Which encoding is the file in?", tuple(answers)))


def _excerpt(line: str) -> str:
    """The part of a line with its first character above ASCII."""
    index = next((index for index, character in enumerate(line) if not character.isascii()), 0)
    start = max(0, index - _SHOWN // 2)
    return line[start : start + _SHOWN].strip()


def _decodes(encoding: str, chunks: Iterable[bytes], *, cut: bool = True) -> bool:
    """Whether bytes are valid in an encoding; `cut`: the last character may be incomplete."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=not cut)
    except UnicodeDecodeError:
        return False
    return True


def _foreign(chunks: Iterator[bytes]) -> tuple[bytes, list[bytes]]:
    """The bytes above ASCII that occur in a file, and lines that contain one, up to a sample."""
    absent_bytes = bytes(range(128, 256))
    lines: list[bytes] = []
    sample_size, remainder = 0, b""
    for chunk in chain(chunks, [b"\n"]):
        absent_bytes = absent_bytes.translate(None, chunk)
        if sample_size < _SAMPLE:
            *complete_lines, remainder = (remainder + chunk).replace(b"\r", b"\n").split(b"\n")
            remainder = remainder[:_LONGEST_LINE]
            lines += [line[:_SAMPLE] for line in complete_lines if not line.isascii()][:_SAMPLE]
            sample_size = sum(map(len, lines))
    return bytes(range(128, 256)).translate(None, absent_bytes), lines


def _share(pattern: re.Pattern[bytes], sample: bytes) -> float:
    """The share of bytes above ASCII in pairs of daily use; 0 where they rarely follow each other."""
    common_pairs, all_pairs = pattern.findall(sample), _ANY_PAIR.findall(sample)
    adjacent = sum(pair[1] > 127 for pair in common_pairs)
    return len(common_pairs) / len(all_pairs) if all_pairs and adjacent >= _MIN_ADJACENT * len(all_pairs) else 0.0


def _misplaced_characters(sample: bytes, encoding: str) -> tuple[int, bool]:
    """How many characters of a text are not where its script has them, as a key to sort encodings of one byte by.

    Within a word, no small letter precedes a sign or a capital. Where Windows-1254 has other small letters than
    Windows-1252, Turkish is more likely than Icelandic.
    """
    text = sample[:_COMPARED].decode(encoding, errors="replace")
    turkish = bool(_TURKISH.search(sample)) == (encoding == "cp1254")
    return sum(_breaks_word(*pair) for pair in pairwise(text) if not "".join(pair).isascii()), not turkish


def _breaks_word(before: str, after: str) -> bool:
    """Whether a capital follows a lowercase letter, or a symbol above ASCII is next to a letter."""
    has_symbol = any(not character.isascii() and not character.isalpha() for character in (before, after))
    return (before.islower() and after.isupper()) or (has_symbol and (before.isalpha() or after.isalpha()))


def _has_letters(encoding: str, high_bytes: bytes) -> bool:
    """Whether an encoding of one byte per character has all these bytes, and none of them as a control character."""
    text = high_bytes.decode(encoding, errors="replace")
    return not any(0x7F < ord(character) < 0xA0 or character == "\ufffd" for character in text)


def decoding_error(name: str, chunks: Chunks, encoding: str) -> InputError:
    """The error for bytes that are not text in the encoding of a file."""
    codec = codecs.lookup(encoding).name
    if codec in _NO_FILES:
        return _unknown_encoding(name)
    remedy = "save the file as UTF-8, or choose the right encoding"
    if codec in _MARKED and not b"".join(islice(chunks(), 4)).startswith(
        tuple(mark for mark, of in _MARKS if of == codec)
    ):
        remedy = f"without a byte-order mark, choose {codec}-le or {codec}-be, or save the file as UTF-8"
    return InputError(
        f"the line contains bytes that are not text in {TITLES.get(encoding, encoding.upper())}",
        remedy=remedy,
        file=name,
        row=_undecodable_line(chunks, encoding),
    )


def _undecodable_line(chunks: Chunks, encoding: str) -> int | None:
    """The first line with NUL or bytes that the encoding does not have."""
    decoder = codecs.getincrementaldecoder(encoding)()
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    line = 1
    for chunk in chain(chunks(), [b""]):
        pending = decoder.getstate()[0]
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            text = (pending + chunk)[: error.start].decode(encoding, errors="ignore") + "\0"
        except UnicodeError:  # of a codec that does not say where
            return line
        before, nul, _ = text.partition("\0")
        line += newlines.decode(before, final=bool(nul)).count("\n")
        if nul:
            return line
    return None


def utf8(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Text as UTF-8, without byte-order marks; bytes said to be UTF-8 are not checked. Raises UnicodeDecodeError.

    NUL raises as well: no text contains it.
    """
    codec = codecs.lookup(encoding)
    if codec.name in _NO_FILES:
        raise UnicodeDecodeError(encoding, b"\0", 0, 1, "no encoding of files")
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
    started = False
    for chunk in chain(chunks, [b""]):
        if decoder:
            try:
                chunk = decoder.decode(chunk, final=not chunk).encode()
            except UnicodeDecodeError:
                raise
            except UnicodeError:  # the mark of UTF-16 is missing
                raise UnicodeDecodeError(encoding, chunk, 0, len(chunk), "no mark") from None
        while not started and chunk.startswith(codecs.BOM_UTF8):
            chunk = chunk[len(codecs.BOM_UTF8) :]
        started = started or bool(chunk)
        if b"\0" in chunk:
            raise UnicodeDecodeError("utf-8", b"\0", 0, 1, "NUL")
        if chunk:
            yield chunk


def text_start(name: str, chunks: Chunks, encoding: str, head: bytes, complete: bool) -> str:
    """The text of a file's first bytes, without byte-order marks. Raises InputError where it is not text."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head, final=complete)
    except UnicodeError:
        text = "\0"
    if "\0" in text:
        raise decoding_error(name, chunks, encoding)
    return text.lstrip("\ufeff")
