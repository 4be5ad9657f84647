"""Writes files and folders completely or not at all, even if the process is killed, and leaves nothing behind."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from metrics.errors import InputError

if sys.platform != "win32":  # Windows does not remove open files, so they need no lock
    import fcntl

_OPEN_FILES = "/proc/self/fd"


def write_file(write: Callable[[IO[bytes]], object], path: str | Path, inputs: Sequence[str | Path] = ()) -> None:
    """Write a file completely or not at all.

    A crash leaves either the old file or the new one. Until it is complete, the new file has no name, or a hidden one
    if the system does not support files without a name; the next writer removes what a crash left.

    Raises InputError if the path is one of the inputs, under whatever name, is a folder, or cannot be written.
    """
    path = Path(path)
    refuse_inputs(path, inputs)
    _remove_leftovers(path)
    temporary = _temporary_path(path)
    try:
        file = _open_unnamed(path.parent) or _open_named(temporary)
    except OSError:
        raise InputError(
            "the folder cannot be written to", remedy="check the path and its permissions", file=str(path)
        ) from None
    try:
        with _locked_file(os.dup(file.fileno())):
            with file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
                _link(file, temporary)
            temporary.replace(path)
        _sync_folder(path.parent)
    except OSError:
        raise InputError(
            "the file cannot be written", remedy="check free space and permissions", file=str(path)
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_folder(write: Callable[[Path], object], path: str | Path) -> None:
    """Write a new folder completely or not at all; `write` receives the folder to fill.

    Raises InputError if the path exists or cannot be written.
    """
    path = Path(path)
    if path.exists():
        raise InputError("the folder exists already", remedy="name a new folder", file=str(path))
    _remove_leftovers(path)
    temporary = _temporary_path(path)
    try:
        temporary.mkdir()
        with _locked_file(None if sys.platform == "win32" else os.open(temporary, os.O_RDONLY)):
            write(temporary)
            for file in temporary.iterdir():
                with file.open("rb+") as stream:
                    os.fsync(stream.fileno())
            temporary.rename(path)
        _sync_folder(path.parent)
    except OSError:
        raise InputError(
            "the folder cannot be written", remedy="check the path, free space and permissions", file=str(path)
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def refuse_inputs(path: Path, inputs: Sequence[str | Path]) -> None:
    """Raise InputError if an output is a folder or one of the inputs, including links and other spellings."""
    if path.is_dir():
        raise InputError("the output is a folder", remedy="name a file", file=str(path))
    if any(Path(source).exists() and path.exists() and path.samefile(source) for source in inputs):
        raise InputError("the output would overwrite an input", remedy="name another file", file=str(path))


def _temporary_path(path: Path, mark: str | None = None) -> Path:
    """A hidden path beside the output, unique to one writer; with the mark `*`, a pattern for those of all writers."""
    name = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.with_name(f".quasi-{name}-{mark or secrets.token_hex(8)}.unfinished")


def _remove_leftovers(path: Path) -> None:
    """Remove what killed writers left beside the path, unless a running writer holds it or permissions forbid it."""
    for leftover in path.parent.glob(_temporary_path(path, "*").name):
        with suppress(OSError):
            is_folder = leftover.is_dir() and not leftover.is_symlink()
            remove: Callable[[Path], object] = shutil.rmtree if is_folder else os.unlink
            if sys.platform == "win32":
                remove(leftover)
                continue
            with _locked_file(
                os.open(leftover, os.O_NOFOLLOW | (os.O_RDONLY if is_folder else os.O_WRONLY)), strictly=True
            ):
                remove(leftover)


@contextmanager
def _locked_file(descriptor: int | None, *, strictly: bool = False) -> Iterator[None]:
    """Lock an open file for this process, and close it at the end; the lock ends with the process.

    Raises OSError, if strictly, if another process holds the lock, or the file system does not support locks.
    """
    if descriptor is None:
        yield
        return
    try:
        _lock(descriptor, strictly)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, strictly: bool) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if strictly:
                raise


def _open_unnamed(folder: Path) -> IO[bytes] | None:
    """Open a file without a name, which vanishes with its writer; None if the system does not support it."""
    unnamed_flag = getattr(os, "O_TMPFILE", None)
    if unnamed_flag is None or not os.path.isdir(_OPEN_FILES):
        return None
    with suppress(OSError):
        return os.fdopen(os.open(folder, unnamed_flag | os.O_WRONLY, 0o666), "wb")
    return None


def _open_named(temporary: Path) -> IO[bytes]:
    while True:
        file = temporary.open("xb")
        _lock(file.fileno(), strictly=False)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another writer removed it as a leftover before it was locked


def _link(file: IO[bytes], temporary: Path) -> None:
    """Give a complete file its name, if it has none yet."""
    if temporary.exists():
        return
    folder = os.open(_OPEN_FILES, os.O_RDONLY)
    try:
        # Python follows the entry to the file only if a folder is given.
        os.link(str(file.fileno()), temporary, src_dir_fd=folder)
    finally:
        os.close(folder)


def _sync_folder(folder: Path) -> None:
    """Flush a rename to the disk, if the system supports it."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
