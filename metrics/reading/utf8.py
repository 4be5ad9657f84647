"""A text file as the UTF-8 stream that pyarrow reads, watched as it passes."""

from __future__ import annotations

import codecs
from typing import IO

_KEPT = 1 << 16
_AS_THEY_ARE = ("utf-8", "utf-8-sig", "ascii")


class Utf8Stream:
    """Hands out bytes as UTF-8 and notes, while they are in the processor's cache, what decides how to parse them.

    `quoted`: the quote character has passed. `nul`: a NUL has. `tail`: the last bytes, some 64 KB.
    """

    def __init__(self, raw: IO[bytes], encoding: str, quote: str) -> None:
        self._raw = raw
        self._quote = quote.encode()
        self._decoder = None if encoding in _AS_THEY_ARE else codecs.getincrementaldecoder(encoding)()
        self.quoted = False
        self.nul = False
        self.tail = b""
        self.closed = False

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none only at the end. Raises UnicodeDecodeError."""
        chunk = self._raw.read(size) if self._decoder is None else self._decoded(self._decoder, size)
        if not self.quoted and self._quote and self._quote in chunk:
            self.quoted = True
        if not self.nul and b"\0" in chunk:
            self.nul = True
        self.tail = chunk[-_KEPT:] if len(chunk) >= _KEPT else (self.tail + chunk)[-_KEPT:]
        return chunk

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
