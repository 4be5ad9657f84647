"""Uploaded bytes to a Table; every failure becomes one plain sentence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading import read_table
from metrics.settings import ReadOptions
from metrics.table import Table

_CODEC = "zstd"

__all__ = ["LoadedTable", "ReadOptions", "load_table"]


@dataclass(frozen=True, eq=False)
class Bytes:
    """A file as it came, held compressed: tables shrink to a tenth, and are rarely read twice."""

    sha256: str
    """Of the file, in hexadecimal."""
    size: int
    packed: bytes

    @staticmethod
    def of(content: bytes) -> Bytes:
        """The bytes of a file."""
        packed: bytes = pa.compress(content, codec=_CODEC, asbytes=True)
        return Bytes(hashlib.sha256(content).hexdigest(), len(content), packed)

    def unpacked(self) -> bytes:
        """The file as it came."""
        content: bytes = pa.decompress(self.packed, decompressed_size=self.size, codec=_CODEC, asbytes=True)
        return content


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A table with the file it came from, so that it can be read again in another way."""

    name: str
    file: Bytes
    options: ReadOptions
    table: Table

    @property
    def sha256(self) -> str:
        """Of the file, in hexadecimal."""
        return self.file.sha256

    @property
    def digest(self) -> str:
        """Tells tables apart: sha256 of the file, with how it was read."""
        return f"{self.sha256} {self.options}"

    def read_again(self, options: ReadOptions) -> LoadedTable:
        """The same file read in another way. Raises InputError."""
        return replace(self, options=options, table=_read(self.name, self.file.unpacked(), options))


def load_table(name: str, content: bytes, options: ReadOptions) -> LoadedTable:
    """Read a table from bytes. Raises InputError, and nothing else that a file can cause."""
    table = _read(name, content, options)
    return LoadedTable(name, Bytes.of(content), options, table)


def _read(name: str, content: bytes, options: ReadOptions) -> Table:
    try:
        chosen = {option.name: getattr(options, option.name) for option in fields(ReadOptions)}
        return read_table(content, name=name, **chosen)
    except InputError:
        raise
    except MemoryError:
        raise InputError(
            "the table does not fit into memory", remedy="load fewer columns or records", file=name
        ) from None
    except Exception as error:  # its text could hold cells: only the kind is told
        raise InputError(
            f"it cannot be read ({type(error).__name__})", remedy="save it as CSV and try again", file=name
        ) from None
