"""Encodings before Unicode, told by how likely text of their scripts holds the bytes.

Each pair that a double-byte encoding reads as one character is weighed against what Western text would be, and so are
the words of each single-byte encoding. Where the odds are low the file is refused rather than guessed.
"""

from __future__ import annotations

import codecs
import math
import re
from collections import Counter

from metrics.errors import InputError
from metrics.reading.east_asian import are_of_several, as_western, over_western
from metrics.reading.single_byte import SINGLE_BYTE, Reading, are_mixed, foreign_words, readings

_SURE = 2.5
"""Log odds below which the second best reading is not ruled out."""
_MOST_NAMED = 2
_ENOUGH, _NEARLY_ALL = 6, 0.8
_RARE_SURE = 3.5
"""The same where the best is not what most such files are in."""
_FAR_SURE = 6.0
"""The same between encodings of which one letter apart makes the other a name."""
_CENTRAL = ("cp1250", "iso8859-2")
_HUNGARIAN_MARKS = frozenset("ûõÛÕ")
"""What is read for Hungarian letters with two strokes above."""
_USUALLY = ("latin-1", "cp1252", "cp950", "gb18030")
_ASCII = bytes(range(0x80))
_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]"
)
"""A character of UTF-8 beyond ASCII, or a byte that is none."""
_NO_WORD = re.compile(
    r"\b[\u0430-\u045f][\u0400-\u042f]{3,}\b"
    r"|(?<=[^\W\d_])[\u00f7\u2500-\u25ff\u2030\u201a\u201c-\u201e\u2020-\u2022\u00a1\u00bf]+(?=[^\W\d_])|(?<=[^\W\d_])[\u201a\u201e](?!\w)"
    r"|(?<=[a-z\u00df-\u00f6\u00f8-\u00ff])[\u00c0-\u00d6\u00d8-\u00de](?=[a-z\u00df-\u00f6\u00f8-\u00ff])"
    r"|[\ufb01\ufb02](?=[a-z])|(?<![\w ])[\u2013\u2014](?=[a-z])|[\u2202\u220f\u221e\u222b\u2248\u25ca](?=[a-z]{2})"
    r"|[\x80-\x84\x86-\x9f]|(?<=[^\W\d_])[\u00b1\u00b6](?=[^\W\d_])|(?<=[^\W\d_])\u00b6"
)
_NO_DEGREE = re.compile(r"(?<=\d)\s?\u00a1")
"""Small letters before capitals in Cyrillic words, a Western capital within small letters, signs within words that
stand elsewhere alone; and a sign behind figures that opens a sentence."""
_MIXED, _STRAY = -3.0, -6.0
"""Log odds of UTF-8 with other bytes in it, and of such a byte."""
_USUAL = (
    (0x9F, -12.0),
    (0xBF, -5.0),
    (0x17F, -4.0),
    (0x217, -12.0),
    (0x21B, -4.5),
    (0x36F, -12.0),
    (0x45F, -4.5),
    (0x5CF, -12.0),
    (0x6D3, -5.0),
    (0xDFF, -12.0),
    (0xE5B, -5.0),
    (0x1FFF, -12.0),
    (0x27BF, -6.0),
    (0x2FFF, -12.0),
    (0x30FF, -6.0),
    (0x4DFF, -17.0),
    (0x9FFF, -8.5),
    (0xABFF, -17.0),
    (0xD7A3, -8.5),
    (0x1EFFF, -12.0),
    (0x1FAFF, -7.0),
)
"""The last characters of blocks, and log odds of each character in them."""
_UNUSUAL = -12.0
_FIRST_OF_EAST_ASIA, _BESIDE_LATIN = 0x3000, -3.0
_FEW = 4
"""Bytes that may be UTF-8 by chance."""
_COMMON_NAME = {"cp950": "big5", "cp932": "shift_jis", "cp949": "euc-kr"}
"""What people call by these names is Microsoft's code page: Python's stricter codecs lack characters of it."""


def common_name(codec: str) -> str:
    """What a reader calls the encoding."""
    return _COMMON_NAME.get(codec, codec)


def widened(codec: str) -> str:
    """The code page that people mean by a stricter codec."""
    return next((wider for wider, common in _COMMON_NAME.items() if codecs.lookup(common).name == codec), codec)


class DoubtfulEncoding(InputError):
    """Two encodings are about as likely."""

    def __init__(self, *names: str) -> None:
        self.names = names
        likely = " or ".join(common_name(name) for name in names)
        super().__init__(f"the file may be in the encoding {likely}", remedy="choose the encoding")


class MixedEncodings(DoubtfulEncoding):
    """Words are none in the likeliest encoding, or far likelier in another."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.problem = (
            f"some words are hardly any in the likeliest encoding, {common_name(name)}, as if two encodings were mixed"
        )
        self.remedy = "save all lines in UTF-8, or choose the encoding"


def check_utf8(lines: list[bytes]) -> None:
    """Raise DoubtfulEncoding where lines are UTF-8 of a few rare characters, but likely text in another encoding."""
    text = b"\n".join(lines)
    foreign = text.translate(None, _ASCII)
    if len(foreign) > _FEW or all(_block_odds(ord(sign)) > _UNUSUAL for sign in foreign.decode("utf-8", "replace")):
        return
    odds = _utf8_odds(text) - _MIXED
    best = _readings(lines)[0]
    if best.odds - odds > _RARE_SURE:
        raise DoubtfulEncoding("utf-8", best.encoding)


def legacy_encoding(lines: list[bytes]) -> str:
    """The encoding of lines that are not UTF-8, and "utf-8" where only some of the bytes are not.

    Raises DoubtfulEncoding.
    """
    text = b"\n".join(lines)
    found = sorted([*_readings(lines), Reading("utf-8", _utf8_odds(text))], key=lambda reading: -reading.odds)
    best = found[0]
    if best.encoding == "utf-8":
        return best.encoding
    if best.encoding in SINGLE_BYTE:
        _check_undivided(lines, best.encoding)
    if best.encoding not in SINGLE_BYTE and not any(
        sign.isalpha() for sign in text.decode(best.encoding, "replace") if sign > "\x7f"
    ):
        # Signs of East Asia alone, such as a full stop behind figures, may be two signs of the West.
        raise DoubtfulEncoding(best.encoding, *(other.encoding for other in found[1:2]))
    undivided = _undivided(lines)
    chosen = undivided.decode(best.encoding, "replace")
    rivals = [
        other.encoding
        for other in found[1:]
        if best.odds - other.odds < _sure(best.encoding, other.encoding, chosen)
        and undivided.decode(other.encoding, "replace") != chosen
    ]
    if rivals:
        raise DoubtfulEncoding(best.encoding, *rivals[:_MOST_NAMED])
    if _are_mixed(lines, undivided, best.encoding):
        raise MixedEncodings(best.encoding)
    return best.encoding


def _sure(best: str, other: str, chosen: str) -> float:
    """Log odds by which the best encoding must be likelier than another one, for a text so read."""
    if other in _CENTRAL and (best == "cp1257" or not _HUNGARIAN_MARKS.isdisjoint(chosen)):
        return _FAR_SURE
    return _SURE if best in _USUALLY else _RARE_SURE


def _are_mixed(lines: list[bytes], undivided: bytes, chosen: str) -> bool:
    """Whether some words are hardly any in the chosen encoding; `undivided`: lines without what may divide them."""
    if chosen not in SINGLE_BYTE:
        return are_of_several(lines, chosen)
    return (
        _NO_WORD.search(undivided.decode(chosen, "replace")) is not None
        or _NO_DEGREE.search(b"\n".join(lines).decode(chosen)) is not None
        or are_mixed(foreign_words(undivided), chosen)
    )


def _readings(lines: list[bytes]) -> list[Reading]:
    """What lines may be other than UTF-8, the likeliest first."""
    words = foreign_words(_undivided(lines))
    western = as_western(words)
    east_asian = [Reading(encoding, odds + western) for encoding, odds in over_western(lines)]
    return sorted([*readings(words), *east_asian], key=lambda reading: -reading.odds)


def _utf8_odds(text: bytes) -> float:
    """Log odds of UTF-8 with bytes that are not, comparable with those of readings of the same text."""
    words = foreign_words(text)
    contexts: set[tuple[bytes, bytes, bytes]] = set()
    for found in _CHARACTER.finditer(words):
        contexts.add((words[found.start() - 1 : found.start()], found[0], words[found.end() : found.end() + 1]))
    if not any(len(character) > 1 for _, character, _ in contexts):
        return -math.inf
    return _MIXED + sum(_character_odds(*context) for context in contexts)


def _character_odds(before: bytes, character: bytes, after: bytes) -> float:
    if len(character) == 1:
        return _STRAY
    code = ord(character.decode())
    beside = sum(_BESIDE_LATIN for side in (before, after) if side.isalpha()) if code >= _FIRST_OF_EAST_ASIA else 0.0
    return beside + _block_odds(code)


def _block_odds(code: int) -> float:
    return next((odds for last, odds in _USUAL if code <= last), _UNUSUAL)


def _check_undivided(lines: list[bytes], chosen: str) -> None:
    """Raise DoubtfulEncoding where what may be delimiters would tell another encoding if it were letters."""
    text = b"\n".join(lines)
    whole = foreign_words(text)
    if whole == foreign_words(_undivided(lines)):
        return
    other = readings(whole)[0].encoding
    if text.decode(other) != text.decode(chosen):
        raise DoubtfulEncoding(chosen, other)


def _undivided(lines: list[bytes]) -> bytes:
    """Lines without the foreign bytes that nearly all have as many of, as they have of delimiters."""
    always = set(lines[0]).intersection(*map(set, lines)) if len(lines) >= _ENOUGH else set()
    for byte in always:
        times = Counter(line.count(byte) for line in lines).most_common(1)[0][1]
        if byte >= 0x80 and times >= _NEARLY_ALL * len(lines):
            lines = [line.replace(bytes([byte]), b",") for line in lines]
    return b"\n".join(lines)


def decodes(content: bytes, encoding: str) -> bool:
    """Whether bytes are text of an encoding."""
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
