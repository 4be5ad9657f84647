"""Reads the data in a stream of serialized Java objects; no class is loaded and nothing of it is executed.

The format is that of the Java Object Serialization Specification, version 2. An object becomes a dictionary of its
fields, an array of numbers a NumPy array, and what a class writes by itself a list under `WRITTEN`.
"""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

WRITTEN: Final = "(written)"
MEMORY: Final = 24
"""Bytes of memory that a byte of a stream may take as objects."""
_MAGIC = b"\xac\xed\x00\x05"
_FIRST_HANDLE = 0x7E0000
_NULL, _REFERENCE, _CLASS, _OBJECT, _STRING, _ARRAY = 0x70, 0x71, 0x72, 0x73, 0x74, 0x75
_BLOCK, _END, _LONG_BLOCK, _LONG_STRING, _ENUM = 0x77, 0x78, 0x7A, 0x7C, 0x7E
_NUMBERS = {"B": "b", "C": "u2", "D": "f8", "F": "f4", "I": "i4", "J": "i8", "S": "i2", "Z": "?"}
_MAX_SUPERCLASSES = 64
_OWN_DATA = 0x01
"""Flag of a class that writes more than its fields."""


class UnreadableObjectsError(Exception):
    """A stream is damaged, or holds other objects than those expected."""


UNEXPECTED = (struct.error, IndexError, KeyError, TypeError, AttributeError, ValueError, RecursionError, OverflowError)
"""What a damaged stream, or an object without the expected fields, causes."""


def read_objects(content: bytes, count: int) -> list[Any]:
    """The first objects of a stream. Raises UnreadableObjectsError."""
    reader = _Reader(content)
    try:
        if reader.take(len(_MAGIC)) != _MAGIC:
            raise UnreadableObjectsError
        return [reader.next_object() for _ in range(count)]
    except UNEXPECTED:
        raise UnreadableObjectsError from None


class _Reader:
    """A position in the stream, and the objects that later ones may refer to."""

    def __init__(self, content: bytes) -> None:
        self.content, self.position = content, 0
        self.known: list[Any] = []

    def number(self, form: str) -> Any:
        [value] = struct.unpack_from(f">{form}", self.content, self.position)
        self.position += struct.calcsize(f">{form}")
        return value

    def take(self, length: int) -> bytes:
        if not 0 <= length <= len(self.content) - self.position:
            raise UnreadableObjectsError
        self.position += length
        return self.content[self.position - length : self.position]

    def text(self, length_form: str = "H") -> str:
        """A text; Java writes characters beyond 16 bits as two surrogates, and zero as two bytes."""
        encoded = self.take(self.number(length_form)).replace(b"\xc0\x80", b"\0")
        return encoded.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")

    def keep(self, value: Any) -> Any:
        self.known.append(value)
        return value

    def next_object(self) -> Any:
        kind = self.number("B")
        if kind == _NULL:
            return None
        if kind == _REFERENCE:
            return self.known[self.number("I") - _FIRST_HANDLE]
        if kind in (_STRING, _LONG_STRING):
            return self.keep(self.text("H" if kind == _STRING else "Q"))
        if kind == _OBJECT:
            return self.fields(self.class_description())
        if kind == _ARRAY:
            return self.array(self.class_description()["name"][1])
        if kind == _ENUM:
            self.class_description()
            place = len(self.known)
            self.keep(None)
            self.known[place] = self.next_object()
            return self.known[place]
        raise UnreadableObjectsError

    def class_description(self) -> Any:
        kind = self.number("B")
        if kind == _NULL:
            return None
        if kind == _REFERENCE:
            return self.known[self.number("I") - _FIRST_HANDLE]
        if kind != _CLASS:
            raise UnreadableObjectsError
        described: dict[str, Any] = {"name": self.text()}
        self.take(8)  # its version
        self.keep(described)
        described["flags"] = self.number("B")
        described["fields"] = [self.field() for _ in range(self.number("H"))]
        if self.number("B") != _END:
            raise UnreadableObjectsError
        described["superclass"] = self.class_description()
        return described

    def field(self) -> tuple[str, str]:
        kind, name = chr(self.number("B")), self.text()
        if kind in "L[":
            self.next_object()  # its class, by name
        return kind, name

    def fields(self, described: Any) -> dict[str, Any]:
        values: dict[str, Any] = self.keep({})
        lineage: list[Any] = []
        while described is not None and len(lineage) < _MAX_SUPERCLASSES:
            lineage.append(described)
            described = described["superclass"]
        for one in reversed(lineage):
            for kind, name in one["fields"]:
                values[name] = self.next_object() if kind in "L[" else self.array_of(kind, 1)[0].item()
            if one["flags"] & _OWN_DATA:
                values[WRITTEN] = self.written()
        values[""] = lineage[0]["name"]
        return values

    def written(self) -> list[Any]:
        """What a class wrote by itself: objects, between blocks of bytes that are passed over."""
        found = []
        while (kind := self.content[self.position]) != _END:
            if kind in (_BLOCK, _LONG_BLOCK):
                self.position += 1
                self.take(self.number("B" if kind == _BLOCK else "i"))
            else:
                found.append(self.next_object())
        self.position += 1
        return found

    def array(self, kind: str) -> Any:
        if kind not in "L[":
            place = len(self.known)
            self.keep(None)
            self.known[place] = self.array_of(kind, self.number("i"))
            return self.known[place]
        items: list[Any] = self.keep([])
        for _ in range(self.number("i")):
            items.append(self.next_object())
        return items

    def array_of(self, kind: str, length: int) -> Any:
        dtype = np.dtype(_NUMBERS[kind]).newbyteorder(">")
        return np.frombuffer(self.take(length * dtype.itemsize), dtype)
