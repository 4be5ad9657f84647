"""Meaning of distinct values: numbers, and the order a reader expects them in."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.interruption import watched

_DIGITS = re.compile(r"(\d+)", re.ASCII)
# An exponent of more than three digits is beyond a double's, and written out exactly would take up all memory.
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?0*\d{1,3})?", re.ASCII)
_SORTED_AT_ONCE = 10_000
"""About as many keys."""


def parse_number(text: str | None, decimal: str = ".") -> float | None:
    """The finite number that a cell's text represents.

    None where the text is not a finite number.
    """
    if text is None:
        return None
    if decimal == ",":
        if "." in text:
            return None
        text = text.replace(",", ".", 1)
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def parse_numbers(labels: Sequence[str | None], decimal: str = ".") -> npt.NDArray[np.float64] | None:
    """The numbers of all labels.

    One number per label; None unless there is at least one label and every one is a finite number.
    """
    numbers = np.empty(len(labels))
    for i, label in enumerate(watched(labels)):
        number = parse_number(label, decimal)
        if number is None:
            return None
        numbers[i] = number
    return numbers if len(labels) else None


def exact_fraction(number: float) -> Fraction:
    """The decimal number the user wrote: 0.3 / 0.1 is 3, which binary floats would miss."""
    return Fraction(repr(float(number)))


def canonical_order(labels: Sequence[str | None], numbers: npt.NDArray[np.float64] | None) -> npt.NDArray[np.int64]:
    """Indices that sort the labels as a reader expects, whatever order they come in.

    By number where all are numbers; else by text, numbers within it by size (`5-9` before `10-14`), the missing label
    first.
    """
    keys: list[Any] = (
        [(label is not None, _natural(label or ""), label or "") for label in watched(labels)]
        if numbers is None
        else [(number, label or "") for number, label in watched(zip(numbers, labels, strict=True))]
    )
    # One part after the other, as a sort lets no other thread run.
    bounds = sorted(keys[::_SORTED_AT_ONCE])
    parts: list[list[int]] = [[] for _ in range(len(bounds) + 1)]
    for position, key in enumerate(watched(keys)):
        parts[bisect_right(bounds, key)].append(position)
    positions = [position for part in parts for position in sorted(part, key=keys.__getitem__)]
    return np.array(positions, dtype=np.int64)


def _natural(text: str) -> list[Any]:
    """Text and digits in turn, digits by length and then value: as numbers, of any length."""
    parts: list[Any] = _DIGITS.split(text)
    parts[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return parts
