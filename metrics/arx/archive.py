"""The archive of a project: entries are read one by one into memory, never unpacked to disk."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from metrics.errors import InputError
from metrics.reading.limits import TEXT, check_memory
from metrics.reading.source import InputSource, stream_size

REMEDY = "correct it in ARX and save the project again"
_MAX_ENTRIES = 50_000
_MAX_GROWTH, _SMALL = 40, 1 << 27
"""Largest ratio of what is unpacked to the archive, 6 to 12 in ARX's examples, and bytes for which any is accepted."""
_MAX_XML_BYTES, _MAX_DEPTH = 8 << 20, 32
_ROWS = 64
"""Bytes of memory for a byte of a hierarchy, cell by cell."""
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, OSError, ValueError)
"""What `zipfile` raises of damaged, encrypted and strangely compressed entries."""


class Archive:
    """The entries of a project's file by name; open it with `opened`."""

    def __init__(self, file: zipfile.ZipFile, name: str) -> None:
        self.file, self.name = file, name
        self._entries = {entry.filename: entry for entry in file.infolist()}
        unsafe = any(
            entry.startswith("/") or "\\" in entry or ":" in entry or ".." in entry.split("/")
            for entry in self._entries
        )
        if len(file.infolist()) > len(self._entries) or unsafe:
            raise self.error("an entry has a name that ARX does not write")

    def error(self, problem: str) -> InputError:
        """An error that names the project."""
        return InputError(problem, remedy=REMEDY, file=self.name)

    def __contains__(self, entry: str) -> bool:
        return entry in self._entries

    def read(self, entry: str, max_bytes: int | None = None, memory: int = TEXT) -> bytes:
        """The content of an entry, a byte of which takes `memory` later on.

        Raises InputError if it is absent, damaged or too large.
        """
        if entry not in self._entries:
            raise self.error(f"the project has no {entry}")
        size = self._entries[entry].file_size
        if max_bytes is not None and size > max_bytes:
            raise self.error(f"{entry} is larger than {max_bytes >> 20} MB")
        check_memory(self.name, memory * size)
        try:
            with self.file.open(entry) as stream:
                return stream.read(size)  # without a size, zipfile unpacks all that there is, whatever is declared
        except _UNREADABLE:
            raise self.error(f"{entry} is damaged or encrypted") from None

    def xml(self, entry: str) -> Element:
        """The root of an XML entry; what declares entities is refused. Raises InputError."""
        content, builder, path = self.read(entry, _MAX_XML_BYTES), TreeBuilder(), []

        def start(name: str, attributes: dict[str, str]) -> None:
            path.append(builder.start(name, attributes))
            if len(path) > _MAX_DEPTH:
                raise self.error(f"{entry} is nested more than {_MAX_DEPTH} deep")

        def end(name: str) -> None:
            path.pop()
            builder.end(name)

        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = builder.data
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        try:
            parser.Parse(content, True)
            return builder.close()
        except InputError:
            raise
        except (expat.ExpatError, ValueError, LookupError):
            raise self.error(f"{entry} is not valid XML") from None

    def _refuse_document_type(self, *_declaration: object) -> None:
        raise self.error("an XML file of the project declares a document type, which ARX does not write")

    def rows(self, entry: str, delimiter: str) -> list[list[str]]:
        """The trimmed cells of a CSV entry without header. Raises InputError."""
        try:
            lines = io.StringIO(self.read(entry, memory=_ROWS).decode("utf-8-sig"), newline="")
            return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter) if row]
        except (csv.Error, UnicodeDecodeError, TypeError):
            raise self.error(f"{entry} is not UTF-8 text of cells") from None


@contextmanager
def opened(source: InputSource) -> Iterator[Archive]:
    """The archive of a file. Raises InputError if it is none, or too large."""
    with source.raw() as stream:
        size = stream_size(stream)
        try:
            file = zipfile.ZipFile(stream)
        except (*_UNREADABLE, struct.error, OverflowError):
            problem = "the file is not an ARX project: it is not a ZIP archive"
            raise InputError(problem, remedy="choose the .deid file that ARX saved", file=source.name) from None
        with file:
            entries = file.infolist()
            unpacked = sum(entry.file_size for entry in entries)
            if len(entries) > _MAX_ENTRIES or unpacked > max(_SMALL, _MAX_GROWTH * size):
                problem = f"the project unpacks to more than {_MAX_GROWTH} times its size, or has too many entries"
                remedy = "export its tables and hierarchies from ARX as CSV, and load these"
                raise InputError(problem, remedy=remedy, file=source.name)
            yield Archive(file, source.name)
