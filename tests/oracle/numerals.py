"""Texts that are numbers: parameters, numeric attributes, integer intervals."""

import re
from decimal import Decimal
from fractions import Fraction

from tests.oracle.classes import Cell

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
# A leading zero makes a code ("00123"), not a number to count with.
_INTEGER = r"-?(?:0|[1-9][0-9]*)"
_SINGLE = re.compile(_INTEGER)
_PLAIN_INTERVAL = re.compile(rf"({_INTEGER})\s*-\s*({_INTEGER})")
_BRACKET_INTERVAL = re.compile(rf"([\[(\]])\s*({_INTEGER})\s*[-,]\s*({_INTEGER})\s*([\])\[])")


def exact(parameter: str | int | float | Decimal) -> Fraction:
    """The fraction that the decimal text of a parameter means: 0.1 is 1/10, not the nearest double."""
    return Fraction(str(parameter))


def number(cell: Cell) -> Fraction | None:
    """The number that a cell writes, or None if it writes none."""
    if cell is None or not _NUMBER.fullmatch(cell):
        return None
    return Fraction(cell)


def integer_interval(cell: Cell) -> tuple[int, int] | None:
    """The (smallest, largest) integer that a cell covers, or None if it is no integer or integer interval.

    `1977`; `1970 - 1979` and `1970-1979` hold both ends; a parenthesis or a bracket turned outwards leaves
    its end out: `[30-40)`, `[30-40[` and `[30, 40)` cover 30 to 39.
    """
    if cell is None:
        return None
    if _SINGLE.fullmatch(cell):
        return int(cell), int(cell)
    plain = _PLAIN_INTERVAL.fullmatch(cell)
    if plain:
        low, high = int(plain[1]), int(plain[2])
    else:
        bracketed = _BRACKET_INTERVAL.fullmatch(cell)
        if not bracketed:
            return None
        low = int(bracketed[2]) + (0 if bracketed[1] == "[" else 1)
        high = int(bracketed[3]) - (0 if bracketed[4] == "]" else 1)
    return (low, high) if low <= high else None


def plain_number(cell: Cell) -> Fraction | None:
    """The number of a cell, unless it is a code such as 00123."""
    digits = (cell or "").lstrip("+-")
    return None if digits[:1] == "0" and digits[1:2].isdigit() else number(cell)
