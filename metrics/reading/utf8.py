"""A text file as the UTF-8 stream that pyarrow reads, watched as it passes."""

from __future__ import annotations

import codecs
import re
from typing import IO

from metrics.reading.dialect import Dialect

_KEPT = 1 << 16
_AS_THEY_ARE = ("utf-8", "utf-8-sig", "ascii")


class Utf8Stream:
    """Hands out bytes as UTF-8 and notes, while they are in the processor's cache, what decides how to parse them.

    NUL characters are left out. `quoted`: the quote character has passed. `nul`: a NUL has. `loose`: a quote has that
    neither opens nor closes a cell nor is doubled. `tail`: the last bytes, some 64 KB. `limit`: bytes to hand out.
    """

    def __init__(self, raw: IO[bytes], encoding: str, dialect: Dialect, limit: int | None = None) -> None:
        self._raw = raw
        self._quote = dialect.quote.encode()
        self._left = limit
        self._decoder = None if encoding in _AS_THEY_ARE else codecs.getincrementaldecoder(encoding)()
        sign, edge = re.escape(self._quote), re.escape((dialect.separator + dialect.quote + "\r\n").encode())
        self._loose = re.compile(b"[^" + edge + b"]" + sign + b"[^" + edge + b"]")
        self._before = b""
        self.quoted = self.nul = self.loose = False
        self.tail = b""
        self.closed = False

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none only at the end. Raises UnicodeDecodeError."""
        while True:
            chunk = self._raw.read(size) if self._decoder is None else self._decoded(self._decoder, size)
            if b"\0" not in chunk:
                break
            self.nul = True
            chunk = chunk.replace(b"\0", b"")
            if chunk:
                break
        if self._left is not None:
            chunk = chunk[: self._left]
            self._left -= len(chunk)
        self._watch(chunk)
        self.tail = chunk[-_KEPT:] if len(chunk) >= _KEPT else (self.tail + chunk)[-_KEPT:]
        return chunk

    def _watch(self, chunk: bytes) -> None:
        if self._quote and self._quote in chunk:
            self.quoted = True
            if not self.loose:
                # What stands at the seam of two chunks is seen with the second.
                seen = (self._before or b"\n") + (chunk if self._before else chunk.removeprefix(codecs.BOM_UTF8))
                self.loose = self._loose.search(seen) is not None
        self._before = chunk[-2:] or self._before

    def _decoded(self, decoder: codecs.IncrementalDecoder, size: int) -> bytes:
        # No byte of a known encoding makes more than three of UTF-8.
        while True:
            raw = self._raw.read(max(size // 3, 1))
            chunk = decoder.decode(raw, final=not raw).encode()
            if chunk or not raw:
                return chunk

    def readable(self) -> bool:
        """Always true; pyarrow asks."""
        return True

    def close(self) -> None:
        """Marks the stream closed; the file beneath is its owner's to close."""
        self.closed = True
