"""Which encoding a text file is in, told by its bytes.

UTF-8 and UTF-16 prove themselves; of older encodings `legacy` tells which is likely.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from metrics.reading.east_asian import COMMON
from metrics.reading.legacy import DoubtfulEncoding, check_utf8, common_name, decodes, legacy_encoding, widened
from metrics.reading.single_byte import SINGLE_BYTE

__all__ = [
    "Charset",
    "codec_of",
    "common_name",
    "detect",
    "encoding_of",
    "holds_no_text",
    "holds_pairs",
    "holds_text",
    "with_byte_order",
]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NO_FILES = ("idna", "punycode", "unicode-escape", "raw-unicode-escape")
"""Codecs of Python that no file is stored in."""
_HZ = re.compile(rb"~\{(?:[!-}][!-~])+~\}")
_UTF7 = re.compile(rb"\+(?=[A-Za-z0-9+/]*[A-Z])(?=[A-Za-z0-9+/]*[a-z0-9])[A-Za-z0-9+/]{3,}(?:-|(?![A-Za-z0-9+/]))")
_RUNS = 20
_QUOTES = "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
_FOREIGN = bytes(range(0x80, 0x100))
_BY_CHANCE = 8
_CONTROLS = re.compile("[\x03-\x08\x0e-\x19\x1b\x7f-\x84\x86-\x9f]")
"""Control characters that no file of text holds; some programs divide cells by others."""
_HALVES = b"\t\n\r" + bytes(range(0x20, 0x7F))
_PAIRS = re.compile("[" + "".join(re.escape(chr(lead << 8 | trail)) for lead in _HALVES for trail in _HALVES) + "]{3,}")
"""Signs of UTF-16 either half of which may be a sign of ASCII."""
_ENDS = b"\r\n"
_NUL_AT_END = re.compile(rb"\0(?=\r?\n)|\0\Z")
_LAST_OF_OTHERS = "\u1fff"
"""From the next on a sign is none of the scripts of India."""
_HARDLY_BY_CHANCE = 5
_MOST_NUL = 0.05
"""Share of NUL bytes above which a file is not text."""
_MOST_CONTROLS = 0.005
"""Share of control characters above which a file is not text."""


@dataclass(frozen=True)
class Charset:
    """A codec and whether the sample held a character that speaks for it (ASCII alone does not)."""

    encoding: str
    certain: bool

    @property
    def likely(self) -> bool:
        """Whether the encoding is an older one, of which a text proves none."""
        return not self.encoding.startswith("utf")


def codec_of(name: str) -> str | None:
    """The codec for an encoding by any of its names, or None if there is none for text."""
    try:
        "".encode(name)
        codec = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return None
    if codec in _NO_FILES:
        return None
    return widened(codec)


def with_byte_order(codec: str, sample: bytes) -> str:
    """The codec, or for UTF-16 and UTF-32 of no stated byte order the one that the file's mark says, else little."""
    if codec not in ("utf-16", "utf-32"):
        return codec
    big = sample.startswith(codecs.BOM_UTF16_BE if codec == "utf-16" else codecs.BOM_UTF32_BE)
    return f"{codec}-{'be' if big else 'le'}"


def detect(sample: bytes, complete: bool) -> Charset | None:
    """The encoding of a file whose first bytes are `sample` (`complete`: all of them); None if it is not text."""
    for mark, encoding in _BOMS:
        if sample.startswith(mark):
            return Charset(encoding, True)
    if b"\0" in sample:
        # Where NULs end the lines alone, they are no halves of characters: a few foreign bytes are UTF-8 by chance.
        foreign = len(sample) - len(sample.translate(None, _FOREIGN))
        ended = holds_text(_NUL_AT_END.sub(b"", sample)) and (not foreign or foreign > _BY_CHANCE)
        found = None if ended else _utf16(sample)
        if found is not None and b"\0" not in (rest := _NUL_AT_END.sub(b"", sample)):
            # Line ends are the only signs of ASCII if it is UTF-16.
            raise DoubtfulEncoding(found.encoding, encoding_of(_foreign_lines(rest, complete)))
        # Those behind the last line fill up a block.
        within = sample.rstrip(b"\0")
        some = within.count(b"\0") <= max(_MOST_NUL * len(within), len(_NUL_AT_END.findall(sample)))
        return found if found is not None or not some else detect(sample.replace(b"\0", b""), complete)
    if sample.isascii():
        _refuse_seven_bits(sample)
        return None if _binary(sample.decode("ascii")) else Charset("utf-8", False)
    lines = _foreign_lines(sample, complete)
    encoding = encoding_of(lines)
    decoded = b"\n".join(lines).decode(encoding, errors="ignore")
    return None if _binary(decoded) or _binary(sample.decode("ascii", errors="ignore")) else Charset(encoding, True)


def _refuse_seven_bits(sample: bytes) -> None:
    """Raise DoubtfulEncoding where ASCII may stand for other signs, as in HZ between `~{` and `~}` and in UTF-7."""
    for encoding, runs in (("hz", _HZ.findall(sample)), ("utf-7", _UTF7.findall(sample))):
        found = runs[:_RUNS]
        words = [run.decode(encoding) for run in found if decodes(run, encoding)]
        meant = sum(word.strip(_QUOTES).isalpha() and not word.isascii() for word in words)
        # One run in hundreds of letters and digits is a word by chance.
        if meant > len(found) / 2 and (meant > 1 or found[0].endswith((b"-", b"}"))):
            raise DoubtfulEncoding(encoding, "utf-8")


def holds_text(content: bytes) -> bool:
    """Whether bytes are printable ASCII, or UTF-8 that may be cut at its end, without control characters."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(content)
    return "\ufffd" not in text and not any(sign < " " and sign not in "\t\r\n" for sign in text)


def holds_no_text(text: str) -> bool:
    """Whether characters are in it that stand for none, or steer devices: bytes out of step decode to such."""
    return any(
        unicodedata.category(sign) in ("Cn", "Co", "Cs") or sign < "\x09"
        for sign in set(text)
        if sign > "\x7f" or sign < "\x09"
    )


def holds_pairs(text: str) -> bool:
    """Whether a line of ASCII was read as UTF-16, two signs as one: rare characters alone, and a line end in halves."""
    ended, total = False, 0
    for found in _PAIRS.finditer(text):
        ending = [sign for sign in found[0] if ord(sign) & 0xFF in _ENDS]
        others = [sign for sign in found[0] if ord(sign) & 0xFF not in _ENDS]
        first = any(ord(sign) >> 8 in _ENDS for sign in others)
        # Characters such as 上 end in the byte of a line end by themselves, but none of East Asia begins with it.
        least = 2 if first or found.end() == len(text) else _HARDLY_BY_CHANCE
        rare = sum(sign > _LAST_OF_OTHERS for sign in others)
        if any(sign in COMMON or _is_kana(sign) for sign in others):
            continue
        if (first or ending) and rare >= least:
            return True
        # Letters between the pairs make several runs of them.
        ended, total = ended or bool(first or ending), total + rare
    return ended and total >= 2 * _HARDLY_BY_CHANCE


def _is_kana(sign: str) -> bool:
    return "\u3040" <= sign <= "\u30ff"


def encoding_of(lines: list[bytes]) -> str:
    """The encoding of lines with bytes above ASCII: UTF-8 if at least half of them are valid in it.

    One is enough where the others are of single bytes, in which hardly any text is valid UTF-8 by chance: then lines of
    two encodings are mixed. Raises DoubtfulEncoding if several are equally likely.
    """
    valid = sum(decodes(line, "utf-8") for line in lines)
    if valid == len(lines):
        check_utf8(lines)
    if 2 * valid >= len(lines):
        return "utf-8"
    try:
        found = legacy_encoding(lines)
    except DoubtfulEncoding as doubt:
        if valid and SINGLE_BYTE.issuperset({*doubt.names} - {"utf-8"}):
            return "utf-8"
        raise
    # A line of many characters is UTF-8 by no chance.
    some = any(
        len(line.decode()) - len(line.translate(None, _FOREIGN)) >= _HARDLY_BY_CHANCE
        for line in lines
        if decodes(line, "utf-8")
    )
    return "utf-8" if valid and (some or found in SINGLE_BYTE) else found


def _foreign_lines(sample: bytes, complete: bool) -> list[bytes]:
    # Line ends are no part of a character in UTF-8, Big5 and single-byte encodings: cutting there cuts no character.
    lines = sample.replace(b"\r", b"\n").split(b"\n")
    whole = lines if complete else lines[:-1]
    foreign = list(dict.fromkeys(line for line in whole if not line.isascii()))
    if not foreign:
        # The sample cuts its only foreign line, but no character that an ASCII byte follows or ends.
        foreign = [lines[-1].rstrip(_FOREIGN) or lines[-1]]
    return foreign


def _binary(text: str) -> bool:
    return len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text)


def _utf16(sample: bytes) -> Charset | None:
    """UTF-16 without a mark: the byte order whose line ends and signs of ASCII have their NUL where it puts them."""
    best: tuple[int, str] = (0, "")
    ends = sum(sample.count(end) for end in (b"\n", b"\r"))
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
        strange = sum(
            1
            for character in text
            if unicodedata.category(character) in ("Cn", "Co", "Cs") or _CONTROLS.match(character) or character == "\0"
        )
        plain = sum(1 for character in text if character in "\r\n\t" or " " <= character <= "~")
        whole = 2 * (text.count("\n") + text.count("\r")) >= ends
        if strange <= _MOST_CONTROLS * len(text) and whole and plain > best[0]:
            best = (plain, encoding)
    return Charset(best[1], True) if best[1] else None
