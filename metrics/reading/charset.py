"""Which encoding a text file is in, told by its bytes.

UTF-8 and UTF-16 prove themselves. Between Big5 and the Western single-byte encodings two simple models of text
decide: each pair that Big5 would read as one character is weighed by how likely Chinese or Western text holds it.
"""

from __future__ import annotations

import codecs
import math
import re
import unicodedata
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BIG5 = ("cp950", "big5hkscs")
_COMMON_NAME = {"cp950": "big5"}
"""What people call Big5 is Microsoft's code page 950: Python's stricter "big5" lacks characters such as U+6052."""
_NO_FILES = ("idna", "punycode", "unicode-escape", "raw-unicode-escape")
"""Codecs of Python that no file is stored in."""
_CONTROLS = re.compile("[\0-\x08\x0e-\x19\x1b-\x1f\x7f-\x84\x86-\x9f]")
_FOREIGN = bytes(range(0x80, 0x100))
_MOST_CONTROLS = 0.005
"""Share of control characters above which a file is not text."""


@dataclass(frozen=True)
class Charset:
    """A codec and whether the sample held a character that speaks for it (ASCII alone does not)."""

    encoding: str
    certain: bool


def codec_of(name: str) -> str | None:
    """The codec for an encoding by any of its names, or None if there is none for text."""
    try:
        "".encode(name)
        codec = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return None
    if codec in _NO_FILES:
        return None
    return "cp950" if codec == "big5" else codec


def with_byte_order(codec: str, sample: bytes) -> str:
    """The codec, or for UTF-16 and UTF-32 of no stated byte order the one that the file's mark says, else little."""
    if codec not in ("utf-16", "utf-32"):
        return codec
    big = sample.startswith(codecs.BOM_UTF16_BE if codec == "utf-16" else codecs.BOM_UTF32_BE)
    return f"{codec}-{'be' if big else 'le'}"


def common_name(codec: str) -> str:
    """What a reader calls the encoding."""
    return _COMMON_NAME.get(codec, codec)


def detect(sample: bytes, complete: bool) -> Charset | None:
    """The encoding of a file whose first bytes are `sample` (`complete`: all of them); None if it is not text."""
    for mark, encoding in _BOMS:
        if sample.startswith(mark):
            return Charset(encoding, True)
    if b"\0" in sample:
        return _utf16(sample)
    if sample.isascii():
        return None if _binary(sample.decode("ascii")) else Charset("utf-8", False)
    lines = _foreign_lines(sample, complete)
    encoding = encoding_of(lines)
    decoded = b"\n".join(lines).decode(encoding, errors="ignore")
    return None if _binary(decoded) or _binary(sample.decode("ascii", errors="ignore")) else Charset(encoding, True)


def encoding_of(lines: list[bytes]) -> str:
    """The encoding of lines with bytes above ASCII: UTF-8 if at least half of them are valid in it."""
    if 2 * sum(_decodes(line, "utf-8") for line in lines) >= len(lines):
        return "utf-8"
    return _legacy(lines)


def _legacy(lines: list[bytes]) -> str:
    """The encoding of lines that are not UTF-8: Big5, a Western one, or what charset-normalizer finds."""
    text = b"\n".join(lines)
    big5 = next((encoding for encoding in _BIG5 if _decodes(text, encoding)), None)
    if big5 is not None and _big5_over_western(lines) > 0:
        return big5 if _common_share(lines) > 0.8 else _normalizer(text) or big5
    western = "latin-1" if not any(0x80 <= byte < 0xA0 for byte in text) else "cp1252"
    if not _decodes(text, western):
        return _normalizer(text) or "latin-1"
    return western if _crowded_share(lines) < 0.7 else _normalizer(text) or western


def _foreign_lines(sample: bytes, complete: bool) -> list[bytes]:
    # LF is no part of a character in UTF-8, Big5 and single-byte encodings: cutting there cuts no character.
    lines = sample.split(b"\n")
    whole = lines if complete else lines[:-1]
    foreign = list(dict.fromkeys(line for line in whole if not line.isascii()))
    if not foreign:
        # The sample cuts its only foreign line, but no character that an ASCII byte follows or ends.
        foreign = [lines[-1].rstrip(_FOREIGN) or lines[-1]]
    return foreign


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _binary(text: str) -> bool:
    return len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text)


def _utf16(sample: bytes) -> Charset | None:
    """UTF-16 without a mark: the byte order that gives assigned characters and more plain ASCII."""
    best: tuple[int, str] = (0, "")
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
        strange = sum(
            1
            for character in text
            if unicodedata.category(character) in ("Cn", "Co", "Cs") or _CONTROLS.match(character)
        )
        plain = sum(1 for character in text if character in "\r\n\t" or " " <= character <= "~")
        if strange <= _MOST_CONTROLS * len(text) and plain > best[0]:
            best = (plain, encoding)
    return Charset(best[1], True) if best[1] else None


def _normalizer(content: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(content).best()
    if best is None or best.encoding.startswith(("ascii", "utf")) or not _decodes(content, best.encoding):
        return None
    return codecs.lookup(best.encoding).name


def _crowded_share(lines: list[bytes]) -> float:
    """Share of the bytes above ASCII that stand beside another: small in Western words, large in other scripts."""
    high = crowded = 0
    for line in lines:
        for i, byte in enumerate(line):
            if byte >= 0x80:
                high += 1
                crowded += line[i - 1 : i] > b"\x7f" or line[i + 1 : i + 2] > b"\x7f"
    return crowded / max(high, 1)


def _common_share(lines: list[bytes]) -> float:
    """Share of the characters, read as Big5, that are punctuation or of its 5,401 common ones."""
    pairs = [line[i] for line in lines for i in _pairs(line)]
    return sum(lead <= 0xC6 for lead in pairs) / max(len(pairs), 1)


def _pairs(line: bytes) -> list[int]:
    """Where the double-byte characters of a Big5 line begin."""
    places, i = [], 0
    while i < len(line) - 1:
        if line[i] >= 0x80:
            places.append(i)
            i += 1
        i += 1
    return places


def _big5_over_western(lines: list[bytes]) -> float:
    """Log odds that lines which decode as Big5 are Chinese rather than Western, each context counted once."""
    contexts = {(line[i - 1 : i], line[i : i + 2], line[i + 2 : i + 3]) for line in lines for i in _pairs(line)}
    return math.fsum(
        math.log(_chinese(pair)) - math.log(_western_pair(pair)) + sum(_neighbour(side) for side in (before, after))
        for before, pair, after in contexts
    )


def _chinese(pair: bytes) -> float:
    lead = pair[0]
    share, leads = (0.03, 3) if lead < 0xA4 else (0.95, 35) if lead <= 0xC6 else (0.02, 50)
    return share / leads / 157


def _western_pair(pair: bytes) -> float:
    if pair in _UNITS:
        return 0.02
    trail = pair[1]
    if trail >= 0x80:
        return _western(pair[0]) * 0.03 * _western(trail)
    return _western(pair[0]) * (0.03 if pair[1:].isalpha() else 0.002)


def _western(byte: int) -> float:
    if byte >= 0xC0 and byte not in (0xD7, 0xF7):
        return 0.02 if byte >= 0xDF else 0.005
    if byte < 0xA0 or byte in _SYMBOLS:
        return 0.004
    return 0.0001


def _neighbour(side: bytes) -> float:
    """Log odds of a pair's neighbour: Western letters stand among letters, Chinese ones rarely do."""
    return math.log(0.03 / 0.7) if side.isalpha() else math.log(0.97 / 0.3)


_SYMBOLS = frozenset("\xa0¡¢£¥§©ª«®°±²³\xb4µ·º»¼½¾¿".encode("latin-1"))
_UNITS = frozenset(
    f"{sign}{unit}".encode("latin-1") for sign, units in (("°", "CFKNSEWR"), ("µ", "gmlsLMVAUSWk")) for unit in units
)
