"""What a file may need: refused before memory is spent, with the estimate."""

from __future__ import annotations

import io
import zlib
from typing import IO, Any

from metrics.errors import InputError
from metrics.reading.free_memory import available_memory

_TEXT, _PACKED_TEXT, _WORKBOOK, _CODES = 3, 3, 4, 12
"""Bytes of memory for a byte of text, of a workbook's unpacked parts, and for a cell of a columnar file."""
_MOST_UNPACKED = 400
"""Times its packed size that a table grows to at most; real ones stay below 100."""
_MOST_COLUMNS = 20_000
"""Columns up to which a table is read in seconds; each takes memory of its own, however few its records are."""
_GZIP_WORD = 4
_MOST_PACKING = 1040
"""Times its size that a gzip file can grow to."""
_WITH_HEADER = 31
"""What tells zlib to expect gzip's header."""
_SMALL, _SMALL_WORKBOOK = 1 << 27, 1 << 24
"""Bytes below which growth does no harm, of text and of the parts of a workbook."""
_GZIP = b"\x1f\x8b\x08"
_CHUNK = 1 << 20


def check_text(name: str, stream: IO[bytes]) -> None:
    """Raise InputError where a text file needs more memory than there is."""
    if stream.seekable():
        _check(name, _TEXT * _size(stream))


def check_packed(name: str, stream: IO[bytes]) -> None:
    """Raise InputError where a gzip file, by the size that stands at its end, needs more memory than there is.

    That is the size of its last part, modulo 4 GB: the whole is no smaller, and `Bounded` meets the rest. Where a table
    cannot have grown from so few bytes, the file is damaged or a bomb, as unpacking it will tell.
    """
    packed = packed_size(stream)
    if not stream.seekable() or packed < _GZIP_WORD:
        return
    here = stream.tell()
    stream.seek(-_GZIP_WORD, io.SEEK_END)
    unpacked = int.from_bytes(stream.read(_GZIP_WORD), "little")
    stream.seek(here)
    if unpacked <= _MOST_UNPACKED * packed:
        _check(name, _PACKED_TEXT * unpacked)


def check_columns(name: str, columns: int, row: int | None = None) -> None:
    """Raise InputError where a table has more columns than can be read in reasonable time."""
    if columns > _MOST_COLUMNS:
        raise InputError(
            f"the table has {columns:,} columns, more than the {_MOST_COLUMNS:,} that can be read",
            remedy="load fewer columns, or turn it so that its columns are records",
            file=name,
            row=row,
        )


def check_cells(name: str, rows: int, columns: int, stored: int) -> None:
    """Raise InputError where a columnar file of `stored` bytes, unpacked, needs more memory than there is."""
    _check(name, _CODES * rows * columns + stored)


def check_workbook(name: str, parts: list[Any]) -> None:
    """Raise InputError where the parts of a zip archive, as its directory states them, grow beyond all measure."""
    total = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts)
    if total > _SMALL_WORKBOOK and total > _MOST_UNPACKED * max(packed, 1):
        raise _bomb(name)
    _check(name, _WORKBOOK * total)


def refuse_bomb(name: str, stream: IO[bytes]) -> None:
    """Raise InputError where a gzip file grows as no table does, which unpacking it tells before anything is read.

    Only what may be one is unpacked: a file whose last four bytes say so, or one of several parts.
    """
    packed = packed_size(stream)
    if not stream.seekable() or packed < _GZIP_WORD:
        return
    here, most = stream.tell(), max(_SMALL, _MOST_UNPACKED * packed)
    stream.seek(-_GZIP_WORD, io.SEEK_END)
    grown = int.from_bytes(stream.read(_GZIP_WORD), "little") > most
    stream.seek(here)
    if (grown or _has_parts(stream)) and packed * _MOST_PACKING > most:
        stream.seek(here)
        _refuse_growth(name, stream, most)
    stream.seek(here)


def _has_parts(stream: IO[bytes]) -> bool:
    """Whether the sign that begins gzip's parts stands behind the beginning of a stream."""
    stream.read(len(_GZIP))
    tail = b""
    while chunk := stream.read(_CHUNK):
        if _GZIP in tail + chunk:
            return True
        tail = chunk[-len(_GZIP) :]
    return False


def _refuse_growth(name: str, stream: IO[bytes], most: int) -> None:
    passed, unpacking = 0, zlib.decompressobj(_WITH_HEADER)
    while chunk := stream.read(_CHUNK):
        while chunk:
            try:
                part = unpacking.decompress(chunk, _CHUNK)
            except zlib.error:
                # Reading it tells that it is damaged.
                return
            passed += len(part)
            if passed > most:
                raise _bomb(name)
            chunk = unpacking.unconsumed_tail or unpacking.unused_data
            if unpacking.eof:
                unpacking = zlib.decompressobj(_WITH_HEADER)


class Bounded(io.RawIOBase):
    """An unpacked stream that refuses to grow beyond a multiple of the packed one, or beyond the memory there is."""

    def __init__(self, unpacked: IO[bytes], packed: int, name: str) -> None:
        self._unpacked, self._name = unpacked, name
        self._most = max(_SMALL, _MOST_UNPACKED * packed)
        memory = available_memory()
        self._fits = None if memory is None else memory // _PACKED_TEXT
        self._passed = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        parts = []
        while size != 0:
            part = self._unpacked.read(size if 0 <= size < _SMALL else 1 << 20)
            if not part:
                break
            self._passed += len(part)
            if self._passed > self._most:
                raise _bomb(self._name)
            if self._fits is not None and self._passed > self._fits:
                raise _too_large(self._name, _PACKED_TEXT * self._passed, self._fits * _PACKED_TEXT, "more than ")
            if size > 0:
                return part
            parts.append(part)
        return b"".join(parts)

    def readinto(self, buffer: Any) -> int:
        part = self.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def packed_size(stream: IO[bytes]) -> int:
    """Bytes from where a stream stands to its end; that many at least where it cannot tell."""
    return _size(stream) if stream.seekable() else _SMALL


def _size(stream: IO[bytes]) -> int:
    here = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(here)
    return end - here


def _check(name: str, needed: int) -> None:
    if needed <= _SMALL:
        return
    memory = available_memory()
    if memory is not None and needed > memory:
        raise _too_large(name, needed, memory)


def _too_large(name: str, needed: int, memory: int, about: str = "about ") -> InputError:
    return InputError(
        f"reading it needs {about}{_megabytes(needed)} of memory, and {_megabytes(memory)} are free",
        remedy="load fewer columns or records, use a machine with more memory, or score it with an engine",
        file=name,
    )


def _bomb(name: str) -> InputError:
    return InputError(
        f"the file unpacks to more than {_MOST_UNPACKED} times its size, as no table does",
        remedy="unpack it yourself if you trust it, and load what is in it",
        file=name,
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
