"""Where bytes come from: a path, bytes in memory, or an open file, each readable from its start as often as needed."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.end_sign import BeforeEndSign, has_end_sign
from metrics.reading.limits import Bounded, check_packed, check_text, packed_size, refuse_bomb

UNNAMED = "table"
"""What messages call a table that came without a file name."""

_GZIP = b"\x1f\x8b"
_PACKED = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PARQUET = (b"PAR1", b"PARE")


@dataclass(frozen=True)
class Origin:
    """A file to be read: `name` for messages, `start` to open its raw bytes at their beginning."""

    name: str
    start: Callable[[], IO[bytes]]

    @contextmanager
    def raw(self) -> Iterator[IO[bytes]]:
        """The bytes as stored. Raises InputError if the file cannot be opened."""
        reason = None
        try:
            stream = self.start()
        except OSError as error:
            reason = (error.strerror or "no access").lower()
        if reason is not None:
            raise InputError(
                f"the file cannot be opened ({reason})",
                remedy="check its path and your rights to it",
                file=self.name,
            )
        with stream:
            yield stream

    @contextmanager
    def text_bytes(self, compression: str | None) -> Iterator[IO[bytes]]:
        """The bytes of a text file up to its end sign, unpacked on the way if `compression` is "gzip"."""
        with self.raw() as stream:
            if compression is None:
                check_text(self.name, stream)
                ended = stream.seekable() and has_end_sign(stream)
                yield cast(IO[bytes], BeforeEndSign(stream)) if ended else stream
                return
            check_packed(self.name, stream)
            try:
                packed = packed_size(stream)
                with gzip.open(stream, "rb") as unpacked:
                    bounded = cast(IO[bytes], Bounded(cast(IO[bytes], unpacked), packed, self.name))
                    yield cast(IO[bytes], BeforeEndSign(bounded))
            except (EOFError, gzip.BadGzipFile, zlib.error):
                raise InputError(
                    "the gzip file is damaged or incomplete", remedy="compress it again", file=self.name
                ) from None

    def refuse_bomb(self) -> None:
        """Raise InputError where a gzip file grows beyond all measure."""
        with self.raw() as stream:
            refuse_bomb(self.name, stream)

    def kind(self) -> str:
        """ "parquet", "zip", "ole2", "gzip" or "text", told by the first bytes whatever the name ends in."""
        with self.raw() as stream:
            head = read_up_to(stream, 4096)
        if head.startswith(_PARQUET) and any(byte < 9 or 13 < byte < 32 for byte in head):
            return "parquet"
        if head.startswith(_ZIP):
            return "zip"
        if head.startswith(_OLE2):
            return "ole2"
        if head.startswith(_GZIP):
            return "gzip"
        for magic, packer in _PACKED.items():
            if head.startswith(magic) and any(byte > 126 or byte < 9 for byte in head):
                raise InputError(
                    f"the file is packed with {packer}",
                    remedy="unpack it, or compress it with gzip",
                    file=self.name,
                )
        return "text"


def read_up_to(stream: IO[bytes], size: int) -> bytes:
    """The next `size` bytes; fewer only at the end of the stream."""
    parts: list[bytes] = []
    missing = size
    while missing > 0:
        part = stream.read(missing)
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def origin(source: Any, name: str | None) -> Origin:
    """The origin of a path, a bytes-like object or a binary file object (read from where it stands, not closed).

    Raises TypeError for anything else.
    """
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        return Origin(name or path.name, lambda: path.open("rb"))
    if isinstance(source, bytes | bytearray | memoryview):
        return Origin(name or UNNAMED, lambda: _buffer_reader(source))
    if hasattr(source, "read"):
        own = getattr(source, "name", None)
        named = name or (Path(own).name if isinstance(own, str) else UNNAMED)
        return _file_origin(source, named)
    raise TypeError(f"a table cannot be read from {type(source).__name__}")


def _file_origin(source: Any, name: str) -> Origin:
    if isinstance(source, io.BytesIO):
        # CPython hands out its own bytes here without a copy; a view from getbuffer() would lock the caller's file.
        held = memoryview(source.getvalue())[source.tell() :]
        return Origin(name, lambda: _buffer_reader(held))
    if isinstance(source, io.TextIOBase):
        raise TypeError("a table cannot be read from a file opened as text; open it in binary mode")
    if not source.seekable():
        content: bytes = source.read()
        return Origin(name, lambda: _buffer_reader(content))
    position: int = source.tell()

    def start() -> IO[bytes]:
        source.seek(position)
        return cast(IO[bytes], io.BufferedReader(_Borrowed(source, position)))

    return Origin(name, start)


def _buffer_reader(content: bytes | bytearray | memoryview) -> IO[bytes]:
    # Arrow's reader looks into the bytes where they lie; io.BytesIO would copy a memoryview or bytearray.
    return cast(IO[bytes], pa.BufferReader(pa.py_buffer(content)))


class _Borrowed(io.RawIOBase):
    """Someone else's file: closing this leaves it open. Positions count from where it stood."""

    def __init__(self, file: Any, position: int) -> None:
        self._file, self._position = file, position

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._file.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        target = offset + self._position if whence == io.SEEK_SET else offset
        return int(self._file.seek(target, whence)) - self._position

    def tell(self) -> int:
        return int(self._file.tell()) - self._position
