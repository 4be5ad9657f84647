"""Files and folders written whole or not at all, whatever ends the writer, and nothing left beside them."""

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

if sys.platform != "win32":  # where no open file can be removed, and so none needs a lock
    import fcntl

_OPEN_FILES = "/proc/self/fd"


def write_file(write: Callable[[IO[bytes]], object], path: str | Path, inputs: Sequence[str | Path] = ()) -> None:
    """Let `write` fill a file that takes the path's name once it is complete and on the disk.

    A crash at any time leaves the old file or the new one. Until it is complete the new one has no name, where the
    system knows such files, so that nothing is left of it; elsewhere a hidden one, which the next writer removes.

    Raises InputError where the path is one of the `inputs`, by whatever name, a folder, or cannot be written.
    """
    path = Path(path)
    refuse_inputs(path, inputs)
    _remove_leftovers(path)
    beside = _name_beside(path)
    try:
        file = _unnamed(path.parent) or _named(beside)
    except OSError:
        raise InputError(
            "the folder cannot be written to", remedy="check the path and its permissions", file=str(path)
        ) from None
    try:
        with _claimed(os.dup(file.fileno())):
            with file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
                _give_name(file, beside)
            beside.replace(path)
        _keep_name(path.parent)
    except OSError:
        raise InputError(
            "the file cannot be written", remedy="check free space and permissions", file=str(path)
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def write_folder(write: Callable[[Path], object], path: str | Path) -> None:
    """Let `write` fill a folder that takes the path's name once it is complete and on the disk.

    Raises InputError where the path exists, or cannot be written.
    """
    path = Path(path)
    if path.exists():
        raise InputError("it exists already", remedy="name a new folder", file=str(path))
    _remove_leftovers(path)
    beside = _name_beside(path)
    try:
        beside.mkdir()
        with _claimed(None if sys.platform == "win32" else os.open(beside, os.O_RDONLY)):
            write(beside)
            for part in beside.iterdir():
                with part.open("rb+") as written:
                    os.fsync(written.fileno())
            beside.rename(path)
        _keep_name(path.parent)
    except OSError:
        raise InputError(
            "the folder cannot be written", remedy="check the path, free space and permissions", file=str(path)
        ) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def refuse_inputs(path: Path, inputs: Sequence[str | Path]) -> None:
    """Raise InputError where an output is one of the inputs, also by a link or in other letters, or is a folder."""
    if path.is_dir():
        raise InputError("the output is a folder", remedy="name a file", file=str(path))
    if any(Path(source).exists() and path.exists() and path.samefile(source) for source in inputs):
        raise InputError("the output would overwrite an input", remedy="name another file", file=str(path))


def _name_beside(path: Path, mark: str | None = None) -> Path:
    """A hidden name for one writer of a path, however long the path's own is; with the mark `*` for any of them."""
    name = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.with_name(f".quasi-{name}-{mark or secrets.token_hex(8)}.unfinished")


def _remove_leftovers(path: Path) -> None:
    """Remove what killed writers of the path left beside it: what no living one claims, as far as rights go."""
    for left in path.parent.glob(_name_beside(path, "*").name):
        with suppress(OSError):
            folder = left.is_dir() and not left.is_symlink()
            remove: Callable[[Path], object] = shutil.rmtree if folder else os.unlink
            if sys.platform == "win32":
                remove(left)
                continue
            with _claimed(os.open(left, os.O_NOFOLLOW | (os.O_RDONLY if folder else os.O_WRONLY)), strictly=True):
                remove(left)


@contextmanager
def _claimed(descriptor: int | None, *, strictly: bool = False) -> Iterator[None]:
    """Hold what is open for this process alone, which the system ends with the process; then close it.

    Raises OSError, if strictly, where another process holds it, or the file system knows no locks.
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


def _unnamed(folder: Path) -> IO[bytes] | None:
    """A file without a name, which goes with its writer; None where there are none."""
    kind = getattr(os, "O_TMPFILE", None)
    if kind is None or not os.path.isdir(_OPEN_FILES):
        return None
    with suppress(OSError):
        return os.fdopen(os.open(folder, kind | os.O_WRONLY, 0o666), "wb")
    return None


def _named(beside: Path) -> IO[bytes]:
    while True:
        file = beside.open("xb")
        _lock(file.fileno(), strictly=False)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another writer took it for a leftover before it was locked


def _give_name(file: IO[bytes], beside: Path) -> None:
    """Name a complete file that has no name yet."""
    if beside.exists():
        return
    folder = os.open(_OPEN_FILES, os.O_RDONLY)
    try:
        # Only with a folder does Python follow the entry to the file that it stands for.
        os.link(str(file.fileno()), beside, src_dir_fd=folder)
    finally:
        os.close(folder)


def _keep_name(folder: Path) -> None:
    """Bring a rename to the disk, where the system can."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
