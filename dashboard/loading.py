"""Uploaded bytes to a proposal or a Table; every failure becomes one plain sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import pyarrow as pa

from dashboard.serving.reading_process import READING
from metrics.errors import InputError
from metrics.policy.settings import ReadOptions
from metrics.reading import propose, read_table
from metrics.reading.proposal import Proposal
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Table

_CODEC = "zstd"
_MAX_DOCUMENT_BYTES = 4 * 2**20
"""Largest file of roles, settings or a recipe: what is read of it is held as Python's objects, many times its size."""

T = TypeVar("T")

__all__ = ["Bytes", "LoadedTable", "ReadOptions", "load_table", "parse_document", "propose_table"]


@dataclass(frozen=True, eq=False)
class Bytes:
    """A file as it came, held compressed: tables shrink to a tenth, and are rarely read twice."""

    sha256: str
    """SHA-256 of the file, in hexadecimal."""
    size: int
    packed: bytes

    @staticmethod
    def from_content(content: bytes) -> Bytes:
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
    """The plan, and the names and values that are replaced afterwards."""
    table: Table

    @property
    def sha256(self) -> str:
        """SHA-256 of the file, in hexadecimal."""
        return self.file.sha256

    @property
    def digest(self) -> str:
        """Tells tables apart: sha256 of the file, with how it was read."""
        return f"{self.sha256} {self.options}"

    @property
    def plan(self) -> ReadPlan:
        """How the file was read."""
        return self.table.source.plan

    def read_again(self, options: ReadOptions) -> LoadedTable:
        """Read the same file in another way. Raises InputError."""
        return load_table(self.name, self.file, options, self.table.source.notes if options.plan == self.plan else ())


def load_table(name: str, file: Bytes, options: ReadOptions, notes: tuple[str, ...] = ()) -> LoadedTable:
    """Read a table, without a plan as it is proposed; `notes` are those of the proposal behind a plan.

    Raises InputError, where a question is open too, and nothing else that a file can cause.
    """
    arguments = {option.name: getattr(options, option.name) for option in fields(ReadOptions)}
    table = _call_in_reading_process(read_table, name, file, **arguments)
    if options.plan is not None:
        table = replace(table, source=replace(table.source, notes=notes))
    read_options = ReadOptions(plan=table.source.plan, same_values=options.same_values, renamed=options.renamed)
    return LoadedTable(name, file, read_options, table)


def load_own_table(name: str, content: bytes) -> LoadedTable:
    """Read a file that comes with this program, which needs no process of its own."""
    table = read_table(content, name=name)
    return LoadedTable(name, Bytes.from_content(content), ReadOptions(plan=table.source.plan), table)


def propose_table(name: str, file: Bytes, choices: Mapping[str, Any]) -> Proposal:
    """The proposal for a file under some chosen fields of the plan. Raises InputError, and nothing else."""
    return _call_in_reading_process(propose, name, file, **choices)


def parse_document(parse: Callable[..., T], name: str, content: bytes) -> T:
    """What a file of roles, settings or a recipe says, parsed in a process of its own. Raises InputError, no other."""
    if len(content) > _MAX_DOCUMENT_BYTES:
        raise InputError(
            f"the file has {len(content) / 1e6:,.0f} MB, more than the {_MAX_DOCUMENT_BYTES / 1e6:,.0f} MB that roles, "
            "settings or a recipe may have",
            remedy="choose another file, or use it on the command line",
            file=name,
        )
    return READING.call(parse, content, name=name)


def _call_in_reading_process(function: Callable[..., T], name: str, file: Bytes, **options: Any) -> T:
    """Call a function of `metrics.reading` with a file's bytes, in a process of its own, and return its result."""
    return READING.call(function, file.unpacked(), name=name, **options)
