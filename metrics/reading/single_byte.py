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

_WESTERN = ("cp1252", "latin-1", "iso8859-15", "mac-roman", "cp850", "cp437")
_CENTRAL = ("cp1250", "iso8859-2", "cp852")
_TURKISH = ("cp1254", "iso8859-9")
_BALTIC = ("cp1257",)
_CYRILLIC = ("cp1251", "koi8-r", "koi8-u", "cp866", "cp1125", "iso8859-5", "mac-cyrillic")
_GREEK = ("cp1253", "iso8859-7")
_HEBREW = ("cp1255", "iso8859-8")
_ARABIC = ("cp1256", "iso8859-6")
_THAI = ("cp874",)
_LANGUAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("éèàêçâîôûëïùœæÿüöäáíóñß", _WESTERN),
    ("äöüßé", _WESTERN),
    ("áéíóñúü", _WESTERN),
    ("ãçáéíóõâêúàôü", _WESTERN),
    ("àèéìòùíóî", _WESTERN),
    ("æøåéöäü", _WESTERN),
    ("äöåéü", _WESTERN),
    ("áðéíóúýþæö", _WESTERN),
    ("ëéïöüèç", _WESTERN),
    ("àçèéíïòóúü", _WESTERN),
    ("áéíóúàèìòùâêîôûãõñäëïöüæøåçßœ", _WESTERN),
    ("áčďéěíňóřšťúůýž", _CENTRAL),
    ("áäčďéíĺľňóôŕšťúýž", _CENTRAL),
    ("ąćęłńóśźż", _CENTRAL),
    ("áéíóöőúüű", _CENTRAL),
    ("ăâîşţșțé", _CENTRAL),
    ("čćđšž", _CENTRAL),
    ("äöüßé", _CENTRAL),
    ("áéčíšžóýěřłąęůúöüőűćńśźżňâăîşţťďľôäđș", _CENTRAL),
    ("çğıöşüİâî", _TURKISH),
    ("āčēģīķļņšūž", _BALTIC),
    ("ąčęėįšųūž", _BALTIC),
    ("äõöüšž", _BALTIC),
    ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", _CYRILLIC),
    ("оаинтервсклмдупіязьбгйчцхжшюїєщґф", _CYRILLIC),
    ("аиоентсрвлкдпмзяубъгчжцшхщюйфь", _CYRILLIC),
    ("аоиенртсјквупдмлгзбчшћжцхњђљфџ", _CYRILLIC),
    ("αοιετνσηυρπκμλςθωόίάέδγήχφύβξώζψϊϋΐΰ", _GREEK),
    ("יוהלאמרבשתנכדחקפעגצסטזםןךףץ", _HEBREW),
    ("اليمونرتبةعدسفهكقأحجشصىخإذزطضغآثءظئؤپچژگ", _ARABIC),
    ("านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธภญฐณศษถฝฉฟฎฏฆฬฌฮฤฦฒฑฃฅ", _THAI),
)
"""Letters beyond ASCII of a language, the commonest first, and the encodings for it."""
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
    "cp1254": -2.5,
    "iso8859-9": -4.0,
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
_NO_LETTER_OF_IT = -6.0
_OTHER_CASE = -6.0
_BESIDE_DIGIT = -1.5
_NO_CHARACTER = -12.0
_ODD_SIGN = -8.0
_COMMON_SIGN = -3.5
_OPENING, _CLOSING = "“‘„‚«‹¿¡", "”’»›"
_AFTER_FIGURES = "°€£¥§±µ½¼¾×…—–©•"
_AFTER_LETTERS = "²³ºª®™·"
_FINAL_HEBREW = "םןךףץ"
_THAI_MARKS = frozenset("ัิีึืฺุู็่้๊๋์ํ๎ำๅ")
_THAI_LEADS = frozenset("เแโใไ")


@dataclass(frozen=True)
class _Language:
    """An alphabet: the log chance of each of its letters, and of any other letter; whether it is Latin."""

    chances: dict[str, float]
    other: float
    latin: bool

    def chance(self, letter: str) -> float:
        """Log chance of a letter of either case."""
        return self.chances.get(letter, self.chances.get(letter.lower(), self.other))


@dataclass(frozen=True)
class Reading:
    """What the foreign words of a text are in an encoding, and how likely: log odds, comparable for the same bytes."""

    encoding: str
    text: str
    odds: float


def foreign_words(content: bytes) -> bytes:
    """The runs of bytes above ASCII with what stands beside each, a line for each, every one once."""
    runs = {content[max(run.start() - 1, 0) : run.end() + 1].strip(b"\r\n") for run in _RUN.finditer(content)}
    return b"".join(run + b"\n" for run in sorted(runs))


def readings(content: bytes, western: str) -> list[Reading]:
    """What foreign words may be in each encoding that has all of their bytes, the likeliest first.

    `western`: "latin-1" or "cp1252", whichever Western text is called.
    """
    found = []
    for encoding, odds in _ODDS.items():
        if encoding in ("latin-1", "cp1252") and encoding != western:
            continue
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        chance = _chance_of(set(_contexts(text)), _languages(encoding))
        found.append(Reading(encoding, text, odds + chance))
    return sorted(found, key=lambda reading: -reading.odds)


def _contexts(text: str) -> Iterator[tuple[str, str, str]]:
    """Each character beyond ASCII, with the one before it and the one after."""
    for place, sign in enumerate(text):
        if sign > "\x7f":
            yield text[place - 1 : place] if place else "", sign, text[place + 1 : place + 2]


@cache
def _languages(encoding: str) -> tuple[_Language, ...]:
    return tuple(_language(letters) for letters, encodings in _LANGUAGES if encoding in encodings)


@cache
def _language(letters: str) -> _Language:
    latin = unicodedata.name(letters[0]).startswith("LATIN")
    weights = [1 / (place + 6) for place in range(len(letters))]
    total = sum(weights)
    chances = {letter: math.log(weight / total) for letter, weight in zip(letters, weights, strict=True)}
    return _Language(chances, min(chances.values()) + _NO_LETTER_OF_IT, latin)


def _chance_of(contexts: set[tuple[str, str, str]], languages: tuple[_Language, ...]) -> float:
    """Log chance of characters in their contexts, in the likeliest of languages, all of one script."""
    script = languages[0]
    total, letters = 0.0, []
    for before, sign, after in contexts:
        if sign in _THAI_MARKS:
            total += -3.0 if before in script.chances or before in _THAI_MARKS else _ODD_SIGN
        elif not sign.isalpha() or sign in "ºªµƒ":
            total += _sign_chance(before, sign, after) + _after_sign(before, sign)
        else:
            letters.append(sign)
            total += _case_chance(before, sign, after) + _beside_chance(before, sign, after, script)
    return total + max(sum(map(language.chance, letters)) for language in languages)


def _case_chance(before: str, sign: str, after: str) -> float:
    if sign.isupper():
        if before.islower():
            return _OTHER_CASE
        return -4.0 if before.isupper() and after.islower() else -1.0
    if sign.islower() and before.isupper() and after.isupper():
        return -4.0
    return 0.0


def _beside_chance(before: str, sign: str, after: str, language: _Language) -> float:
    beside = [side for side in (before, after) if side.isalpha()]
    if language.latin:
        # Letters with marks stand among letters without, and not beside figures.
        figures = _BESIDE_DIGIT if before.isdigit() or after.isdigit() else 0.0
        rare = -4.0 if _out_of_place(before, sign.lower(), after) else 0.0
        return -1.5 * sum(side > "\x7f" for side in beside) + figures + rare
    if sign in _FINAL_HEBREW and "\u05d0" <= after <= "\u05ea":
        return _NO_LETTER_OF_IT
    if sign in _THAI_LEADS and after not in language.chances:
        return _NO_LETTER_OF_IT
    return -4.0 * sum(side <= "\x7f" for side in beside)


def _out_of_place(before: str, letter: str, after: str) -> bool:
    """Whether a letter stands where the languages that have it hardly put it."""
    if letter == "þ":
        return before.isalpha()
    if letter == "ð":
        return not before.isalpha()
    if letter in "ìùò":
        return after.isalpha()
    return letter == "õ" and after.isalpha() and after.lower() != "e"


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
        return -2.0
    if sign == "\xa0":
        return -4.5 if within and after.islower() else -2.5
    if sign in "–—" and within:
        return -4.5 if after.isupper() else -6.0
    if sign in _OPENING:
        return _ODD_SIGN if before.isalpha() or not after.isalnum() else _COMMON_SIGN
    if sign in _CLOSING:
        return _ODD_SIGN if after.isalpha() else _COMMON_SIGN if before else -5.0
    if sign in _AFTER_FIGURES:
        return _ODD_SIGN if before.isalpha() or (sign in "±©£¥" and after.isalpha()) else _COMMON_SIGN
    if sign in _AFTER_LETTERS:
        return _ODD_SIGN if within else _COMMON_SIGN
    if sign == "№":
        return _COMMON_SIGN
    return -7.0 if category != "So" else -9.0
