"""Letters, figures and words: the patterns that several looks at cells share."""

from __future__ import annotations

import re
from typing import Final

LETTER: Final = re.compile(r"[^\W\d_]")
LETTERS: Final = re.compile(r"[^\W\d_]+")
DIGIT: Final = re.compile(r"\d")
DIGITS: Final = re.compile(r"\d+")
WORD: Final = re.compile(r"\D*[^\W\d_]\D*")
"""A text with letters and without digits."""
YEAR: Final = re.compile(r"(19|20)\d\d", re.ASCII)
FIRST_WORD: Final = re.compile(r"\W*([^\W\d_]+)")
COMMA_NUMBER: Final = re.compile(r"[+-]?\d+,\d+", re.ASCII)
ARROW_LETTER: Final = r"\p{L}"
"""A letter in the patterns of pyarrow."""


def form(text: str) -> str:
    """A text with one sign for letters in a row, and one for digits."""
    return DIGITS.sub("9", LETTERS.sub("a", text))
