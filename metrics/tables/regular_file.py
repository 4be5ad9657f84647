"""Opening regular files only: a FIFO would keep its reader waiting, and a device has no end."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from metrics.errors import InputError

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""Without `O_NONBLOCK`, opening a FIFO waits until somebody writes to it."""


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a regular file for reading bytes.

    The kind is checked on the open file: what the path names cannot be exchanged between the check and the reading.

    Raises OSError where the file cannot be opened, or is a directory, FIFO, socket or device.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_document(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a small file, such as one of roles or settings. Raises InputError if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read()
    except OSError:
        raise InputError("the file cannot be read", remedy="check the path", file=str(Path(path))) from None
