"""What distinct values mean: numbers, and the order a reader expects them in."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def parse_number(text: str | None, decimal: str = ".") -> float | None:
    """The finite number that a cell's text stands for, or None.

    `decimal` is "." or ","; with a comma, "1.234,5" has no reading as a number, for grouping signs are not guessed.
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
    """The numbers of all labels, or None unless there is at least one label and every one is a finite number."""
    numbers = np.empty(len(labels))
    for i, label in enumerate(labels):
        number = parse_number(label, decimal)
        if number is None:
            return None
        numbers[i] = number
    return numbers if len(labels) else None


def canonical_order(
    labels: Sequence[str | None], numbers: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.int64]:
    """Indices that sort the labels by number, else by text with the missing label first; independent of their order."""
    if numbers is None:
        keys = [(label is not None, label or "") for label in labels]
        return np.array(sorted(range(len(labels)), key=keys.__getitem__), dtype=np.int64)
    texts = [label or "" for label in labels]
    return np.array(sorted(range(len(labels)), key=lambda i: (numbers[i], texts[i])), dtype=np.int64)
