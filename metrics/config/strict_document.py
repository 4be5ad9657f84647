"""Reads parsed files strictly: an unknown key or a value of another type is refused by the path of its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from metrics.errors import InputError
from metrics.formatting import visible

_MAX_KEY_LENGTH = 60


@dataclass(frozen=True)
class StrictDocument:
    """One file: each method takes a value and the path of its key, and raises InputError naming that key."""

    whole: ClassVar[str]
    """Name of the content in messages."""

    file: str

    def refuse(self, path: str, problem: str, remedy: str) -> NoReturn:
        """Raise InputError for the key at this path."""
        raise InputError(f"{quoted_key(path)} {problem}", remedy=remedy, file=self.file)

    def mapping(self, value: Any, path: str, known: Sequence[str] | None) -> dict[str, Any]:
        """An object with these keys only; `known` is None if any key is allowed. A path of "" is the whole file."""
        if not isinstance(value, dict):
            self.refuse(path or self.whole, "is not an object", 'write {"key": value}')
        if known is not None:
            expected = set(known)
            unknown = next((key for key in value if key not in expected), None)
            if unknown is not None:
                location = f" in {quoted_key(path)}" if path else ""
                raise InputError(
                    f"there is no key {quoted_key(unknown)}{location}", remedy=f"use {', '.join(known)}", file=self.file
                )
        return value

    def list_of(self, value: Any, path: str) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            self.refuse(path, "is not a list", "write [value, value]")
        return value

    def text(self, value: Any, path: str) -> str:
        """A text."""
        if not isinstance(value, str) or not _is_text(value):
            self.refuse(path, "is not text", "write it in quotes")
        return value

    def optional_text(self, value: Any, path: str) -> str | None:
        """A text, or None."""
        return None if value is None else self.text(value, path)

    def texts(self, value: Any, path: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self.text(item, path) for item in self.list_of(value, path))


def quoted_key(key: str) -> str:
    """A key for a message, cut where it is long."""
    text = visible(key)
    return f'"{text if len(text) <= _MAX_KEY_LENGTH else text[:_MAX_KEY_LENGTH] + "…"}"'


def _is_text(value: str) -> bool:
    """Whether it can be encoded: JSON escapes can produce unpaired surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
