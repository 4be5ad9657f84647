"""Sources of bytes: a path, bytes in memory, or an open file, each readable from its start as often as needed."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.limits import TEXT as MEMORY_OF_TEXT
from metrics.reading.limits import check_memory, limited_parts
from metrics.tables.read_plan import EXCEL, PARQUET, SAS, SPSS, STATA, TEXT
from metrics.tables.regular_file import open_regular

UNNAMED = "table"
"""Name in messages of a table that came without a file name."""
CHUNK = 1 << 20

GZIP, OLE2, PORTABLE = b"\x1f\x8b", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"SPSSPORT"
_KINDS: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    (PARQUET, (b"PAR1", b"PARE")),
    (EXCEL, (b"PK\x03\x04", b"PK\x05\x06", OLE2)),
    (SPSS, (b"$FL2", b"$FL3")),
    (SAS, (b"HEADER RECORD*******LIB", bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00")),
    (STATA, (b"<stata_dta>", *(bytes([release, order, 1]) for release in range(102, 116) for order in (1, 2)))),
)
"""Kinds of files by their first bytes."""


Content: TypeAlias = bytes | mmap.mmap


@dataclass(frozen=True)
class InputSource:
    """A file to be read: `name` for messages, `start` to open its raw bytes at their beginning."""

    name: str
    start: Callable[[], IO[bytes]]
    in_memory: bool = True
    """Whether its table will be kept in memory, and is refused where that is too small."""

    @contextmanager
    def raw(self) -> Iterator[IO[bytes]]:
        """The bytes as stored. Raises InputError if the file cannot be opened."""
        try:
            stream = self.start()
        except OSError as error:
            problem = f"the file cannot be opened ({(error.strerror or 'no access').lower()})"
            remedy = "check its path and your permission to read it"
            raise InputError(problem, remedy=remedy, file=self.name) from None
        with stream:
            yield stream

    def chunks(self, compression: str | None, size: int = CHUNK) -> Iterator[bytes]:
        """The bytes of a text file, unpacked if `compression` is "gzip". Raises InputError where they are too many."""
        with self.raw() as stream:
            packed_size = stream_size(stream)
            if compression is None:
                check_memory(self.name, MEMORY_OF_TEXT * packed_size if self.in_memory else 0)
                yield from iter(partial(stream.read, size), b"")
                return
            try:
                with gzip.open(stream, "rb") as content:
                    parts = iter(partial(content.read, size), b"")
                    yield from limited_parts(self.name, packed_size, parts, self.in_memory)
            except (EOFError, gzip.BadGzipFile, zlib.error):
                problem = "the gzip file is damaged or incomplete"
                raise InputError(problem, remedy="compress it again", file=self.name) from None

    def content(self) -> Content:
        """All bytes as stored, mapped where they are a file, so that none is copied. Raises InputError."""
        with self.raw() as stream:
            check_memory(self.name, MEMORY_OF_TEXT * stream_size(stream) if self.in_memory else 0)
            try:
                return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            except (OSError, ValueError):  # It is not a file, or is empty.
                return stream.read()

    def head(self, compression: str | None, size: int) -> bytes:
        """The first bytes of a text file."""
        return next(self.chunks(compression, size), b"")

    def kind(self) -> tuple[str, str | None]:
        """The kind of reading plan that a file takes, by its first bytes whatever its name is, and its compression."""
        with self.raw() as stream:
            head = stream.read(4096)
        if head.startswith(GZIP):
            return TEXT, "gzip"
        if head[:600].replace(b"\r", b"").replace(b"\n", b"").startswith(PORTABLE, 456):
            return SPSS, None
        binary = any(byte < 9 or 13 < byte < 32 or byte > 126 for byte in head)
        for kind, beginnings in _KINDS:
            if head.startswith(beginnings) and (binary or kind != PARQUET):
                return kind, None
        return TEXT, None


class ContentStream(io.RawIOBase):
    """A part of the content of a file, for a reader that takes it block by block.

    What has been read of a mapped file no longer counts as memory of the process. Raises QuoteFound where a block
    contains `quote`.
    """

    def __init__(self, content: Content, start: int, end: int, quote: bytes = b"") -> None:
        self._content, self._position, self._end, self._quote = content, start, end, quote
        self.size = end - start

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes, so many at most."""
        end = self._end if size < 0 else min(self._position + size, self._end)
        block = self._content[self._position : end]
        if block and isinstance(self._content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            page = self._position // mmap.PAGESIZE * mmap.PAGESIZE
            self._content.madvise(mmap.MADV_DONTNEED, page, end - page)
        self._position = end
        if self._quote and self._quote in block:
            raise QuoteFound
        return block


class QuoteFound(Exception):
    """The content of a file contains the quote character."""


def stream_size(stream: IO[bytes]) -> int:
    """Bytes from the position of a stream to its end; 0 if it is not seekable."""
    if not stream.seekable():
        return 0
    position = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(position)
    return end - position


def input_source(source: Any, name: str | None) -> InputSource:
    """The source of a path, a bytes-like object or a binary file object.

    The source, which can be read from its start as often as needed. `source`: where the bytes are; the position of a
    file object does not change. `name`: what messages call it; by default the file's name. Raises TypeError for
    anything else.
    """
    if isinstance(source, InputSource):
        return source
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if "://" in str(source):
            problem = "an address is given where a file is read"
            remedy = "name a file; of databases, commands read tables at postgresql:// and sqlite:// only"
            raise InputError(problem, remedy=remedy)
        return InputSource(name or path.name, lambda: open_regular(path))
    if isinstance(source, bytes | bytearray | memoryview):
        return InputSource(name or UNNAMED, lambda: _buffer_reader(source))
    if isinstance(source, io.TextIOBase):
        raise TypeError("a table cannot be read from a file opened as text; open it in binary mode")
    if not hasattr(source, "read"):
        raise TypeError(f"a table cannot be read from {type(source).__name__}")
    source_name = getattr(source, "name", None)
    display_name = name or (Path(source_name).name if isinstance(source_name, str) else UNNAMED)
    position = source.tell() if source.seekable() else None
    content: bytes = source.read()
    if position is not None:
        source.seek(position)
    return InputSource(display_name, lambda: _buffer_reader(content))


def streamed_source(path: Path) -> InputSource:
    """A file whose table will not be kept in memory, because an engine reads it."""
    return replace(input_source(path, None), in_memory=False)


def _buffer_reader(content: bytes | bytearray | memoryview) -> IO[bytes]:
    # Arrow's reader refers to the bytes in place; io.BytesIO would copy a memoryview or bytearray.
    return cast(IO[bytes], pa.BufferReader(pa.py_buffer(content)))
