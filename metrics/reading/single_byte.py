"""Encodings of one byte per character, told by what text of some language would hold where.

Every foreign character of a text is weighed in its context, each context counted once: letters of a language's
alphabet, capitals at the start of words, marks beside the words that they mark. An encoding is as likely as its best
language.
"""

# The letters of other scripts are the subject here.
# ruff: noqa: RUF001

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from metrics.reading.latin import likely_languages, odds_by_language

_GROUPS = {
    "western": ("cp1252", "latin-1", "iso8859-15", "mac-roman", "cp850", "cp437"),
    "central": ("cp1250", "iso8859-2", "cp852"),
    "turkish": ("cp1254", "iso8859-9"),
    "baltic": ("cp1257",),
}
"""The encodings for languages in Latin letters."""
_CYRILLIC = ("cp1251", "koi8-r", "koi8-u", "cp866", "cp1125", "iso8859-5", "mac-cyrillic")
_GREEK = ("cp1253", "iso8859-7")
_HEBREW = ("cp1255", "iso8859-8")
_ARABIC = ("cp1256", "iso8859-6")
_THAI = ("cp874",)
_SCRIPTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", _CYRILLIC),
    ("оаинтервсклмдупіязьбгйчцхжшюїєщґф", _CYRILLIC),
    ("аиоентсрвлкдпмзяубъгчжцшхщюйфь", _CYRILLIC),
    ("аоиенртсјквупдмлгзбчшћжцхњђљфџ", _CYRILLIC),
    ("αοιετνσηυρπκμλςθωόίάέδγήχφύβξώζψϊϋΐΰ", _GREEK),
    ("יוהלאמרבשתנכדחקפעגצסטזםןךףץ", _HEBREW),
    ("اليمونرتبةعدسفهكقأحجشصىخإذزطضغآثءظئؤپچژگ", _ARABIC),
    ("านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธภญฐณศษถฝฉฟฎฏฆฬฌฮฤฦฒฑ", _THAI),
)
"""Letters of a language that is not written in Latin ones, the commonest first, and the encodings for it."""
_ODDS = {
    "cp1252": 0.0,
    "latin-1": 0.0,
    "iso8859-15": -2.5,
    "mac-roman": -3.0,
    "cp850": -3.0,
    "cp437": -3.5,
    "cp1250": -1.5,
    "iso8859-2": -2.5,
    "cp852": -4.0,
    "cp1254": -2.0,
    "iso8859-9": -3.5,
    "cp1257": -3.0,
    "cp1251": -0.5,
    "koi8-r": -1.5,
    "koi8-u": -3.0,
    "cp866": -2.0,
    "cp1125": -4.0,
    "iso8859-5": -2.5,
    "mac-cyrillic": -6.0,
    "cp1253": -1.0,
    "iso8859-7": -1.5,
    "cp1255": -1.0,
    "iso8859-8": -2.0,
    "cp1256": -1.5,
    "iso8859-6": -2.5,
    "cp874": -1.5,
}
"""Log odds of an encoding before looking at the text."""
SINGLE_BYTE = frozenset(_ODDS) - frozenset(_THAI)
"""Encodings whose text looks like UTF-8 by no chance."""
_RUN = re.compile(rb"[\x80-\xff]+")
_NO_LETTER_OF_IT, _SELDOM = -6.0, -3.0
_STEEP = -1.7
"""How fast letters of an alphabet get rarer."""
_OTHER_CASE = -6.0
_BESIDE_LATIN, _BESIDE_DIGIT = -4.0, -1.5
_NO_CHARACTER = -12.0
_ODD_SIGN = -10.0
_COMMON_SIGN, _BESIDE_FIGURE = -3.5, -2.0
_OPENING, _CLOSING = "“‘„‚«‹¿¡", "”’»›"
_AFTER_FIGURES = "°€£¥§±µ½¼¾×…—–©•"
_AFTER_LETTERS = "²³ºª®™·"
_OF_UNITS = "gmlsLMVAUSWkKF"
_MOST_WORDS = 1000
_OF_RIVAL, _TELLING, _SOME = -2.0, 1.0, 0.15
"""Log odds of a word in another encoding than the rest, by how much two must be likelier, and for how many words."""
_BOTH_RARE = -5.6
"""Log odds below which two encodings hardly meet in a file."""
_NO_LETTERS = bytes(byte for byte in range(0x80) if not chr(byte).isalpha())
_FINAL_SIGMA = "ς"
_FINAL_HEBREW = "םןךףץ"
_THAI_CONSONANTS = frozenset("กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ")
_WITHOUT_VOWEL = -1.0
_THAI_VOWELS, _THAI_TONES = "ัิีึืฺุู็", "่้๊๋์ํ"
_THAI_MARKED = (
    dict.fromkeys(_THAI_VOWELS, _THAI_CONSONANTS)
    | dict.fromkeys(_THAI_TONES, _THAI_CONSONANTS.union(_THAI_VOWELS))
    | dict.fromkeys("าำ", _THAI_CONSONANTS.union(_THAI_TONES))
    | dict.fromkeys("ะ", _THAI_CONSONANTS.union(_THAI_TONES, "าัิ"))
)
"""What stands before the marks of Thai letters."""
_THAI_MARKS = frozenset(_THAI_MARKED)
_THAI_LEADS = frozenset("เแโใไ")


@dataclass(frozen=True)
class _Script:
    """An alphabet: the log chance of each of its letters, and of any other letter."""

    chances: dict[str, float]
    other: float

    def odds(self, before: str, letter: str, after: str) -> float:
        """Log odds of a letter of either case between two signs."""
        chance = self.chances.get(letter, self.chances.get(letter.lower(), self.other))
        if letter in _FINAL_HEBREW and "\u05d0" <= after <= "\u05ea":
            return chance + _NO_LETTER_OF_IT
        if letter == _FINAL_SIGMA and "\u03ac" <= after <= "\u03ce":
            return chance + _NO_LETTER_OF_IT
        if before in _THAI_CONSONANTS and letter in _THAI_CONSONANTS and after in _THAI_CONSONANTS:
            return chance + _WITHOUT_VOWEL
        if letter in _THAI_LEADS and after not in self.chances:
            return chance + _NO_LETTER_OF_IT
        return chance + sum(
            _BESIDE_DIGIT if side.isdigit() else _BESIDE_LATIN for side in (before, after) if _plain(side)
        )


def _plain(side: str) -> bool:
    return side.isalnum() and side <= "\x7f"


@dataclass(frozen=True)
class Reading:
    """An encoding of a text, and how likely it is: log odds, comparable for the same bytes."""

    encoding: str
    odds: float


def foreign_words(content: bytes) -> bytes:
    """The runs of bytes above ASCII with what stands beside each, a line for each, every one once."""
    runs = {content[max(run.start() - 1, 0) : run.end() + 1].strip(b"\r\n") for run in _RUN.finditer(content)}
    return b"".join(run + b"\n" for run in sorted(runs))


def readings(content: bytes) -> list[Reading]:
    """What foreign words may be in each encoding that has all of their bytes, the likeliest first."""
    western = "latin-1" if not any(0x80 <= byte < 0xA0 for byte in content) else "cp1252"
    found = []
    for encoding, odds in _ODDS.items():
        if encoding in ("latin-1", "cp1252") and encoding != western:
            continue
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        found.append(Reading(encoding, odds + _chance_of(set(_contexts(text)), encoding)))
    return sorted(found, key=lambda reading: -reading.odds)


def _contexts(text: str) -> Iterator[tuple[str, str, str]]:
    """Each character beyond ASCII, with the one before it and the one after."""
    for place, sign in enumerate(text):
        if sign > "\x7f":
            yield text[place - 1 : place] if place else "", sign, text[place + 1 : place + 2]


def are_mixed(content: bytes, chosen: str) -> bool:
    """Whether enough of the foreign words that another encoding for the languages of the chosen one reads otherwise
    are far likelier in it.
    """
    # What stands beside a word makes no other word of it.
    words = list({word.strip(_NO_LETTERS): word for word in content.splitlines()}.values())
    words = words[:: len(words) // _MOST_WORDS + 1]
    own = list(zip(*(_by_language(word, chosen) for word in words), strict=True))
    alone = max(map(sum, own), default=0.0)
    for rival in _rivals(chosen):
        if _ODDS[chosen] + _ODDS[rival] < _BOTH_RARE:
            continue
        least = alone + _TELLING - _ODDS[rival] / 4
        others = zip(*(_by_language(word, rival) for word in words), strict=True)
        differing = sum(word.decode(chosen) != word.decode(rival, "replace") for word in words)
        for language, other in zip(own, others, strict=True):
            gains = [gain for odds, rest in zip(language, other, strict=True) if (gain := rest + _OF_RIVAL - odds) > 0]
            if len(gains) >= max(1, _SOME * differing) and sum(language) + sum(gains) > least:
                return True
    return False


def _rivals(encoding: str) -> list[str]:
    """The other encodings for the languages of one."""
    groups = (*_GROUPS.values(), *(encodings for _, encodings in _SCRIPTS))
    return [other for other in next(group for group in groups if encoding in group) if other != encoding]


def _by_language(word: bytes, encoding: str) -> list[float]:
    """Log odds of a word in every language of an encoding."""
    try:
        common, letters = _odds_and_letters(set(_contexts(word.decode(encoding))))
    except UnicodeDecodeError:
        common, letters = -math.inf, []
    return [common + odds for odds in _letters_by_language(encoding, letters)]


def _letters_by_language(encoding: str, letters: list[tuple[str, str, str]]) -> list[float]:
    """Log odds of letters, each with what stands before and after it, in every language of an encoding."""
    group = _group(encoding)
    if group is not None:
        return odds_by_language(group, letters)
    scripts = [_script(alphabet) for alphabet, encodings in _SCRIPTS if encoding in encodings]
    return [sum(script.odds(*letter) for letter in letters) for script in scripts]


def _group(encoding: str) -> str | None:
    return next((group for group, encodings in _GROUPS.items() if encoding in encodings), None)


@cache
def _script(letters: str) -> _Script:
    weights = [(place + 6) ** _STEEP for place in range(len(letters))]
    total = sum(weights)
    chances = {letter: math.log(weight / total) for letter, weight in zip(letters, weights, strict=True)}
    return _Script(chances, min(chances.values()) + _NO_LETTER_OF_IT)


def _chance_of(contexts: set[tuple[str, str, str]], encoding: str) -> float:
    """Log chance of characters in their contexts, in the likeliest language of an encoding."""
    common, letters = _odds_and_letters(contexts)
    odds = _letters_by_language(encoding, letters)
    group = _group(encoding)
    likely = likely_languages(group) if group is not None else [0.0] * len(odds)
    return common + max(map(sum, zip(likely, odds, strict=True)))


def _odds_and_letters(contexts: set[tuple[str, str, str]]) -> tuple[float, list[tuple[str, str, str]]]:
    """Log odds of characters in their contexts in whatever language, and the contexts of letters of languages."""
    total, letters = 0.0, []
    for before, sign, after in contexts:
        if sign in _THAI_MARKS:
            total += -3.0 if before in _THAI_MARKED[sign] else _ODD_SIGN
        elif not sign.isalpha() or sign in "ºªµƒ":
            total += _sign_chance(before, sign, after) + _after_sign(before, sign)
        else:
            letters.append((before, sign, after))
            total += _case_chance(before, sign, after)
            if sign == "á" and ("a" in (before, after) or (before in tuple("eiou") and not after.isalpha())):
                # Rare but for ß of another encoding, as in Straße and Weiß.
                total += _SELDOM
    return total, letters


def _case_chance(before: str, sign: str, after: str) -> float:
    if sign.isupper():
        if before.islower():
            return _OTHER_CASE
        return -4.0 if before.isupper() and after.islower() else -0.3 if before.isupper() else -1.0
    if sign.islower() and after.isupper():
        return -4.0
    return 0.0


def _after_sign(before: str, sign: str) -> float:
    """Signs beyond ASCII stand in a row only as quotes, dashes and blanks do."""
    alone = before <= "\x7f" or before.isalpha() or "\xa0" in (before, sign)
    return 0.0 if alone else -3.5


def _sign_chance(before: str, sign: str, after: str) -> float:
    within = before.isalpha() and after.isalpha()
    category = unicodedata.category(sign)
    if category in ("Cc", "Cn", "Co", "Cs"):
        return _NO_CHARACTER
    if sign == "’" and within:
        elided = before.lower() in "dlnsjtmcqu" and after.lower() in "aeiouhyàâéèêîôœ"
        return -2.0 if elided or after == "s" or before + after == "nt" else -5.5
    if sign == "\xa0":
        if before.isdigit() and after.isdigit():
            return -1.5
        if before.isalpha() and not after.isalnum():
            return -5.0 if after == " " else -3.5
        return -2.5 if not within else -5.5 if after.islower() else -4.0
    if sign in "–—" and within:
        return -4.5 if after.isupper() else -6.0
    if sign in "¿‚" and after.islower():
        return -6.0
    if sign == "¡" and before == " " and after in "CF":
        # A degree in another encoding.
        return _COMMON_SIGN + _SELDOM
    if sign in _OPENING:
        return _ODD_SIGN if before.isalpha() or not after.isalnum() else _COMMON_SIGN
    if sign in _CLOSING:
        if sign == "’" and before.isalpha() and before != "s" and not after.isalpha():
            return -5.0
        return _ODD_SIGN if after.isalpha() else _COMMON_SIGN if before else -5.0
    if sign in "¼½¾" and after.isalpha() and after > "\x7f":
        return _ODD_SIGN
    if sign == "…" and after.islower() and before != " " and not before.isalnum():
        return -6.0
    if sign == "µ" and after.isalpha() and after not in _OF_UNITS:
        return _ODD_SIGN
    if sign in _AFTER_FIGURES and (before.isdigit() or (after.isdigit() and not before.isalpha())):
        return _BESIDE_FIGURE
    if sign in _AFTER_FIGURES:
        return _ODD_SIGN if before.isalpha() or (sign in "±©£¥€¤×" and after.isalpha()) else _COMMON_SIGN
    if sign in _AFTER_LETTERS:
        return _ODD_SIGN if within or (after.isalpha() and not before.isalnum()) else _COMMON_SIGN
    if sign == "№":
        return _ODD_SIGN if within else _COMMON_SIGN
    return -7.0 if category != "So" and not within else -9.0
