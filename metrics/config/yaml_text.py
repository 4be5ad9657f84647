"""Reads YAML as plain text: every scalar stays as written, and anchors and types are refused.

`01` and `no` are valid column names; anchors would let a small file expand to gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metrics.errors import InputError

_MAX_LENGTH = 1 << 20
"""Characters."""
_MAX_DEPTH = 10
_FORM = "write, for example, quasi_identifiers: [age, sex] on one line and sensitive: [diagnosis] on the next"
_ONE_LIST = "write all of its content in one place"
_INVALID = "the file is not valid YAML"
_NOTHING = ("", "~", "null", "Null", "NULL")


def is_null(value: object) -> bool:
    """Whether a value is absent, or written as null."""
    return value is None or (isinstance(value, str) and value in _NOTHING)


def read_yaml(
    text: str | bytes | bytearray,
    name: str,
    *,
    kind: str = "roles file",
    remedy: str = _FORM,
    max_length: int = _MAX_LENGTH,
    nulls: bool = False,
) -> Any:
    """The dictionaries, lists and texts of a YAML file.

    `nulls`: whether a null without quotes is None instead of its text. Raises InputError if it is not valid, holds
    anchors or types, or names the same key twice.
    """
    import yaml

    if not isinstance(text, str):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError("the file is not UTF-8 text", remedy=remedy, file=name) from None
    # The parser in C, where PyYAML was built with it.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    if len(text) > max_length:
        raise InputError(f"the file is too long for a {kind}", remedy=remedy, file=name)
    try:
        # From the events alone: to compose the same document from nodes takes four times as long.
        return _Events(yaml.parse(text, Loader=loader), name, remedy, nulls).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = None if mark is None else mark.line + 1
        raise InputError(_INVALID, remedy=remedy, file=name, row=row) from None


class _Events:
    """The events of a YAML file, which become the values that they describe."""

    def __init__(self, events: Iterator[Any], name: str, remedy: str, nulls: bool) -> None:
        self._events, self._name, self._remedy, self._nulls = events, name, remedy, nulls
        self._depth = 0

    def document(self) -> Any:
        """The only document of the file, None if there is none. Raises InputError."""
        value, n_documents = None, 0
        while _kind(event := self._next()) != "StreamEndEvent":
            if _kind(event) == "DocumentStartEvent":
                n_documents += 1
                if n_documents > 1:
                    raise self._refusal(_INVALID, event)
                value = self._value(self._next())
        return value

    def _next(self) -> Any:
        """The next event, if it is none of those that are refused."""
        event = next(self._events)
        if _kind(event) == "AliasEvent":
            raise self._refusal("YAML anchors and aliases are not supported", event)
        if getattr(event, "tag", None) is not None:
            raise self._refusal("YAML tags are not supported", event)
        return event

    def _value(self, event: Any) -> Any:
        """The value that begins with an event."""
        if _kind(event) == "ScalarEvent":
            return None if self._nulls and not event.style and event.value in _NOTHING else str(event.value)
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._refusal("the YAML is nested too deeply", event)
        value = self._list() if _kind(event) == "SequenceStartEvent" else self._mapping()
        self._depth -= 1
        return value

    def _list(self) -> list[Any]:
        items = []
        while _kind(event := self._next()) != "SequenceEndEvent":
            items.append(self._value(event))
        return items

    def _mapping(self) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        while _kind(key := self._next()) != "MappingEndEvent":
            if _kind(key) != "ScalarEvent":
                raise self._refusal("a key is a list or mapping", key)
            if key.value in mapping:
                raise self._refusal("a key appears twice", key, _ONE_LIST)
            mapping[str(key.value)] = self._value(self._next())
        return mapping

    def _refusal(self, problem: str, event: Any, remedy: str | None = None) -> InputError:
        row = None if event.start_mark is None else event.start_mark.line + 1
        return InputError(problem, remedy=remedy or self._remedy, file=self._name, row=row)


def _kind(event: Any) -> str:
    """The name of an event's type: the library is imported only where a file is read."""
    return type(event).__name__
