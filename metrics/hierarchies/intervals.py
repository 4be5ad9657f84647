"""The intervals that labels write: 20-29, [30, 40), 65+, under 5, 65 und älter, moins de 5 ans, 65岁以上."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from math import inf
from typing import NamedTuple

import numpy as np

from metrics.tables.values import parse_number

_DIGIT = re.compile(r"[0-9]")
_CODE = re.compile(r"[+-]?0\d", re.ASCII)


class _Side(NamedTuple):
    """The side of a number on which an interval lies, and whether it includes the number."""

    above: bool
    included: bool


_AT_LEAST, _ABOVE, _AT_MOST, _BELOW = _Side(True, True), _Side(True, False), _Side(False, True), _Side(False, False)

_BEFORE = {
    _AT_LEAST: """>= | => | ≥ | at least | from | ab | mindestens | au moins | à partir de | al menos | desde | almeno |
        a partire da | pelo menos | a partir de | minstens | vanaf | 至少 | 不低于""",
    _ABOVE: """> | over | above | more than | greater than | older than | über | mehr als | älter als | plus de |
        más de | mayor de | mayores de | più di | oltre | mais de | acima de | meer dan | ouder dan | boven |
        超过 | 大于""",
    _AT_MOST: """<= | =< | ≤ | at most | up to | no more than | höchstens | bis | bis zu | au plus | jusqu'à | hasta |
        como máximo | fino a | al massimo | até | no máximo | hoogstens | tot en met | t/m | 至多 | 最多 | 不超过""",
    _BELOW: """< | under | below | less than | fewer than | younger than | unter | weniger als | jünger als | moins de |
        menos de | menor de | menores de | meno di | sotto i | abaixo de | onder | minder dan | jonger dan |
        未满 | 小于 | 不满 | 不足""",
}
"""What stands before a single number, by the side that it means."""

_AFTER = {
    _AT_LEAST: """+ | \uff0b | plus | and over | and older | and above | and up | and more | or over | or older |
        or above | or more | und älter | und mehr | und darüber | und aelter | oder älter | oder mehr | oder aelter |
        et plus | ou plus | et au-delà | y más | o más | y mayores | e più | o più | e oltre | ed oltre |
        e mais | ou mais | en ouder | of ouder | en meer | of meer | 以上 | 及以上 | 或以上""",
    _AT_MOST: """and under | and younger | and below | and less | or under | or younger | or below | or less |
        or fewer | und jünger | und weniger | und darunter | oder jünger | oder weniger | et moins | ou moins |
        y menos | o menos | e meno | o meno | e menos | ou menos | en jonger | of jonger | en minder | of minder |
        以下 | 及以下 | 或以下""",
    _BELOW: "未満",
}
"""What stands after a single number, by the side that it means."""

_BETWEEN = {
    True: "- | \u2013 | — | ~ | \uff5e | .. | 至 | 到 | to | bis | à | até | t/m | tot en met",
    False: "-< | to < | to under | to less than | bis unter | tot",
}
"""What stands between two numbers, by whether the second one is included. In brackets also `,` and `;`."""

_LEADS = "from | von | de | da | van"
_UNITS = """years of age | years old | years | year | yrs | yr | jahren | jahre | jahr | ans | an | años | anni | anos |
    jaar"""
_UNITS_WITHOUT_BLANKS = "周岁 | 岁 | 歲 | 歳"
_INFINITY = "infinity | inf | ∞"
_INFINITE = re.compile(rf"[+-]?(?:{_INFINITY.replace(' ', '')})")


def _plain(text: str) -> str:
    """The text in small letters without accents, with single blanks."""
    text = " ".join(text.replace("\u2019", "'").casefold().split())
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


def _phrases(text: str) -> list[str]:
    """The phrases of a list, the longest first."""
    return sorted((_plain(phrase) for phrase in text.split("|")), key=lambda phrase: (-len(phrase), phrase))


def _any_of(phrases: str) -> str:
    return "|".join(map(re.escape, _phrases(phrases)))


def _separator(phrase: str) -> str:
    """The pattern of what stands between numbers; blanks around words, so that the code 5a9 is no interval."""
    before, after = (" " if sign.isascii() and sign.isalpha() else " ?" for sign in (phrase[0], phrase[-1]))
    return f"{before}{re.escape(phrase)}{after}"


_SIDE_BEFORE = {phrase: side for side, phrases in _BEFORE.items() for phrase in _phrases(phrases)}
_SIDE_AFTER = {phrase: side for side, phrases in _AFTER.items() for phrase in _phrases(phrases)}
_END_INCLUDED = {phrase: included for included, phrases in _BETWEEN.items() for phrase in _phrases(phrases)}
_SEPARATORS = "|".join(map(_separator, _phrases("|".join(_BETWEEN.values()))))
_UNIT = re.compile(rf"(?<=[0-9]) ?(?:(?:{_any_of(_UNITS)})(?![^\W\d_])|(?:{_any_of(_UNITS_WITHOUT_BLANKS)}))")
_IN_ROUND_BRACKETS = re.compile(r"\([0-9]{1,3}(?:,[0-9]{3})+\)")
"""Bookkeepers write a negative number so: it is no interval."""


class _Grammar:
    """The patterns of intervals of numbers with one decimal mark."""

    def __init__(self, decimal: str) -> None:
        number = rf"[+-]?[0-9]+(?:{re.escape(decimal)}[0-9]+)?"
        end = rf"{number}|[+-]?(?:{_any_of(_INFINITY)})|"
        self.number = re.compile(number)
        self.between = re.compile(
            rf"(?:(?:{_any_of(_LEADS)}) )?(?P<low>{number})(?P<separator>{_SEPARATORS})(?P<high>{number})"
        )
        self.bracketed = re.compile(
            rf"(?P<open>[\[\](]) ?(?P<low>{end})(?P<separator>{_SEPARATORS}| ?[,;] ?)(?P<high>{end}) ?"
            r"(?P<close>[\[\])])"
        )


_GRAMMARS = {decimal: _Grammar(decimal) for decimal in ".,"}


def is_code(label: str) -> bool:
    """Whether a label begins with a zero that no number has: 00123."""
    return _CODE.match(label) is not None


@dataclass(frozen=True)
class Interval:
    """Numbers from `low` to `high`; an end that is excluded says so."""

    low: float
    high: float
    low_included: bool = True
    high_included: bool = True
    until: float = field(default=-inf, compare=False)
    """Numbers above `high` and below this belong to it, unless another interval begins at `high`: 29.5 to 20-29."""
    digits: int = field(default=0, compare=False)
    """How many digits each end has, where they are whole: codes, such as 00123, have as many; else 0."""

    def integers(self, smallest: int, largest: int) -> int:
        """How many whole numbers of smallest..largest it contains."""
        low = np.ceil(self.low) if self.low_included else np.floor(self.low) + 1
        high = np.floor(self.high) if self.high_included else np.ceil(self.high) - 1
        return max(int(min(high, largest) - max(low, smallest)) + 1, 0)

    def first(self, smallest: int) -> int:
        """The first whole number that it contains and that is not below smallest."""
        low = np.ceil(self.low) if self.low_included else np.floor(self.low) + 1
        return int(max(low, smallest))

    def contains(self, number: float) -> bool:
        """Whether it contains a number."""
        above = number >= self.low if self.low_included else number > self.low
        below = number <= self.high if self.high_included else number < self.high
        return above and below

    def holds(self, number: float) -> bool:
        """Whether a number belongs to it: one that it contains, or that lies between it and the next interval."""
        return self.contains(number) or self.high < number < self.until

    def includes(self, other: Interval) -> bool:
        """Whether all numbers of another interval belong to it."""
        low = (other.low, not other.low_included) >= (self.low, not self.low_included)
        high = (other.high, other.high_included) <= (self.high, self.high_included)
        return low and (high or other.high < self.until or (other.high == self.until and not other.high_included))


def parse_interval(text: str, decimal: str = ".") -> Interval | None:
    """The interval that a label represents.

    None where the label is no interval; a number, such as 1,5 or 1,234, is none. Without brackets both ends are
    included, unless words say otherwise; `)` and `[` at the end, `(` and `]` at the front exclude theirs. `text`: a
    label such as `1970 - 1979`, `[30-40)`, `[20,30[`, `(0, 5]`, `[90, inf)`, `<=40`, `65+`, `65 years and over` or
    `under 5`; also in German, French, Spanish, Italian, Portuguese, Dutch and Chinese.
    """
    if _DIGIT.search(text) is None or parse_number(text, decimal) is not None:
        return None
    text, grammar = _plain(text), _GRAMMARS[decimal]
    if text[0] in "[](":
        match = grammar.bracketed.fullmatch(text)
        return None if match is None or _IN_ROUND_BRACKETS.fullmatch(text) else _in_brackets(match, decimal)
    text = _UNIT.sub("", text)
    match = grammar.between.fullmatch(text)
    if match is not None:
        return _interval(match["low"], match["high"], (True, _END_INCLUDED[match["separator"].strip()]), decimal)
    return _one_sided(text, grammar, decimal)


def joined_intervals(first: str, last: str, decimal: str = ".") -> str | None:
    """The interval from the beginning of one to the end of another, written as they are; None for other labels.

    `[20-30)` and `[50-60)` give `[20-60)`.
    """
    if parse_interval(first, decimal) is None or parse_interval(last, decimal) is None:
        return None
    grammar, texts = _GRAMMARS[decimal], (first.strip(), last.strip())
    first_match, last_match = (grammar.bracketed.fullmatch(text) or grammar.between.fullmatch(text) for text in texts)
    if first_match is None or last_match is None:
        return None
    return f"{texts[0][: first_match.start('high')]}{texts[1][last_match.start('high') :]}"


def _in_brackets(match: re.Match[str], decimal: str) -> Interval | None:
    low, high, separator = match["low"], match["high"], match["separator"].strip()
    included = match["open"] == "[", match["close"] == "]"
    if separator in ",;":  # Where nothing stands, there is no end.
        low = low or ("" if included[0] else "-inf")
        high = high or ("" if included[1] else "inf")
    return _interval(low, high, (included[0], included[1] and _END_INCLUDED.get(separator, True)), decimal)


def _one_sided(text: str, grammar: _Grammar, decimal: str) -> Interval | None:
    match = grammar.number.search(text)
    if match is None:
        return None
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    side = _SIDE_AFTER.get(after) if not before else None if after else _SIDE_BEFORE.get(before)
    if side is None:
        return None
    ends = (match[0], "inf") if side.above else ("-inf", match[0])
    return _interval(*ends, (side.included, side.included), decimal)


def _interval(low: str, high: str, included: tuple[bool, bool], decimal: str) -> Interval | None:
    """The interval between two ends; None where one is no number, or the second is below the first."""
    ends = _end(low, decimal), _end(high, decimal)
    if ends[0] is None or ends[1] is None or ends[0] > ends[1] or inf in (ends[0], -ends[1]):
        return None
    low_included, high_included = included[0] and ends[0] > -inf, included[1] and ends[1] < inf
    digits = {len(end.lstrip("+-")) for end in (low, high) if end.lstrip("+-").isdecimal()}
    return Interval(
        ends[0],
        ends[1],
        low_included,
        high_included,
        _next(high, decimal) if high_included and (low_included or ends[0] == -inf) else -inf,
        digits.pop() if len(digits) == 1 else 0,
    )


def _end(text: str, decimal: str) -> float | None:
    if _INFINITE.fullmatch(text):
        return -inf if text.startswith("-") else inf
    return parse_number(text, decimal)


def _next(text: str, decimal: str) -> float:
    """The next number with as many decimals: 30 for 29, 2.6 for 2.5."""
    number = Decimal(text.replace(decimal, "."))
    return float(number + Decimal(1).scaleb(int(number.as_tuple().exponent)))
