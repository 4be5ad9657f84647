"""Words and numbers as readers see them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

MISSING: Final = "(missing)"
EMPTY: Final = "(empty)"

_JOINERS = "\u200c\u200d"
"""Format characters that ordinary words of some scripts need."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun in the right form: "1 class", "2,218 classes"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: "k", "k and l", "k, l and t"; `last` is the word before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def shown(value: float | bool | None) -> str:
    """A figure rounded for reading."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.4f}" if 0.001 <= abs(value) < 1000 else f"{value:,.4g}"


def in_bytes(number: float) -> str:
    """An amount of memory for reading: "840 bytes", "12 MB", "1.5 GB"."""
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= 0.9995 * size:
            scaled = number / size
            return f"{scaled:.1f} {unit}" if scaled < 9.95 and round(scaled, 1) % 1 else f"{scaled:,.0f} {unit}"
    return f"{number:,.0f} bytes"


def on_terminal(text: str) -> str:
    """Lines whose every character can be seen: names from tables must not steer a terminal."""
    return "\n".join(visible(line) if line else line for line in text.split("\n"))


def visible(text: str | None) -> str:
    """Text whose every character can be seen: characters that steer (control, direction) appear as ⟨U+202E⟩."""
    if text is None:
        return MISSING
    if not text:
        return EMPTY
    if text.isprintable():
        # Nearly all texts are, and a figure has thousands.
        return text
    return "".join(
        f"⟨U+{ord(character):04X}⟩"
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS
        else character
        for character in text
    )
