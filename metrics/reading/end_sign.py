"""The sign of the end of a file (Ctrl-Z) that programs since DOS put behind the last line: it is no text."""

from __future__ import annotations

import io
import re
from typing import IO, Any

_MOST = 64
"""Bytes at the end of a file that are looked at."""
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_END = re.compile(rb"\x1a[\x1a\r\n]*\Z")
_NUL_AT_END = re.compile(rb"\0(?=\r?\n)")
_END_OF_UTF16 = re.compile(rb"(?:\x1a\0(?:[\x1a\r\n]\0)*|\0\x1a(?:\0[\x1a\r\n])*)\Z")


def has_end_sign(stream: IO[bytes]) -> bool:
    """Whether a stream that can seek ends with the sign; it is left where it stood."""
    start = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(max(start, end - _MOST))
    tail = stream.read(_MOST)
    stream.seek(start)
    return len(_before(tail, b"")) < len(tail)


class BeforeEndSign(io.RawIOBase):
    """A stream without the sign at its end: the last bytes are held back until it is known whether more follow."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._held = self._head = b""
        self._over = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        # As many bytes as asked for: readers of blocks take fewer for the end of a line.
        while not self._over and (size < 0 or len(self._held) < size + _MOST):
            chunk = self._stream.read(size)
            self._head = self._head or chunk[:2]
            self._held += chunk
            self._over = not chunk
        if self._over:
            self._held = _before(self._held, self._head)
        size = len(self._held) if size < 0 else size
        out, self._held = self._held[:size], self._held[size:]
        return out

    def readinto(self, buffer: Any) -> int:
        part = self.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def _before(tail: bytes, head: bytes) -> bytes:
    single = b"\0" not in _NUL_AT_END.sub(b"", tail) and head not in _MARKS
    sign = _END if single else _END_OF_UTF16
    return sign.sub(b"", tail)
