"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun in the right form: "1 class", "2,218 classes"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
