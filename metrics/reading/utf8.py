"""A text file as the UTF-8 stream that pyarrow reads, watched as it passes."""

from __future__ import annotations

import codecs
from typing import IO

import numpy as np

from metrics.reading.dialect import Dialect

_KEPT = 1 << 16
_START = b"\n"
_AS_THEY_ARE = ("utf-8", "utf-8-sig", "ascii")


class Utf8Stream:
    """Hands out bytes as UTF-8 and notes, while they are in the processor's cache, what decides how to parse them.

    NUL characters and byte-order marks before the first line are left out. `quoted`: the quote character has passed,
    below the header. `nul`: a NUL has. `loose`: a quote has where none opens or closes a cell or is doubled, if every
    second one closes. `tail`: the last bytes, some 64 KB.
    """

    def __init__(
        self, raw: IO[bytes], encoding: str, dialect: Dialect, limit: int | None = None, header: int = 0
    ) -> None:
        """`limit`: bytes to hand out, None for all of them. `header`: how many of them come before the records."""
        self._raw = raw
        self._quote = dialect.quote.encode()
        self._left, self._header = limit, header
        self._decoder = None if encoding in _AS_THEY_ARE else codecs.getincrementaldecoder(encoding)()
        self._within = np.ones(256, dtype=bool)
        """Bytes that cannot stand before a quote that opens a cell, nor behind one that closes it or is doubled."""
        self._within[list((dialect.separator + dialect.quote + "\r\n").encode())] = False
        self._before = _START
        self._quotes = 0
        self._started = False
        self.quoted = self.nul = self.loose = False
        self.tail = b""
        self.closed = False

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none only at the end. Raises UnicodeDecodeError."""
        while True:
            chunk = self._raw.read(size) if self._decoder is None else self._decoded(self._decoder, size)
            if not chunk:
                break
            if b"\0" in chunk:
                self.nul = True
                chunk = chunk.replace(b"\0", b"")
            if not self._started:
                while chunk.startswith(codecs.BOM_UTF8):
                    chunk = chunk.removeprefix(codecs.BOM_UTF8)
                self._started = bool(chunk)
            if chunk:
                break
        if self._left is not None:
            chunk = chunk[: self._left]
            self._left -= len(chunk)
        self._watch(chunk)
        self.tail = chunk[-_KEPT:] if len(chunk) >= _KEPT else (self.tail + chunk)[-_KEPT:]
        return chunk

    def _watch(self, chunk: bytes) -> None:
        if not self._quote or not chunk:
            return
        inside = self._quote in chunk
        if inside:
            self.quoted = self.quoted or chunk.find(self._quote, self._header) >= 0
        if not self.loose and (inside or self._quote in self._before):
            # What stands at the seam of two chunks is seen with the second.
            self.loose = self._holds_loose(self._before + chunk)
        self._header = max(self._header - len(chunk), 0)
        self._before = chunk[-2:] if len(chunk) > 1 else (self._before + chunk)[-2:]

    def _holds_loose(self, seen: bytes) -> bool:
        signs = np.frombuffer(seen, dtype=np.uint8)
        quotes = np.flatnonzero(signs[1:-1] == self._quote[0])
        opening, closing = quotes[self._quotes % 2 :: 2], quotes[1 - self._quotes % 2 :: 2]
        self._quotes += len(quotes)
        return bool(self._within[signs[opening]].any() or self._within[signs[closing + 2]].any())

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
