"""Uploaded bytes to a Table; every failure becomes one plain sentence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property

from metrics.errors import InputError
from metrics.reading import read_table
from metrics.settings import ReadOptions
from metrics.table import Table

__all__ = ["LoadedTable", "ReadOptions", "load_table"]


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A table with the bytes it came from, so that it can be read again in another way."""

    name: str
    content: bytes
    options: ReadOptions
    table: Table

    @cached_property
    def sha256(self) -> str:
        """Of the bytes, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def digest(self) -> str:
        """Tells tables apart: sha256 of the bytes, with how they were read."""
        return f"{self.sha256} {self.options}"


def load_table(name: str, content: bytes, options: ReadOptions) -> LoadedTable:
    """Read a table from bytes. Raises InputError, and nothing else that a file can cause."""
    try:
        chosen = {option.name: getattr(options, option.name) for option in fields(ReadOptions)}
        table = read_table(content, name=name, **chosen)
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
    return LoadedTable(name, content, options, table)
