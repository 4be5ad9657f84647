"""What the C library keeps of memory that was freed. Standard library alone: it runs before everything else."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def keep_none() -> None:
    """Let glibc return what is freed: one arena for all threads, and what is larger than a few pages in its own place.

    Each thread that comes before has an arena of its own for good, in which what stays keeps the pages around it.
    """
    set_option = _of_glibc("mallopt")
    if set_option is not None:
        set_option(_M_ARENA_MAX, 1)
        set_option(_M_MMAP_THRESHOLD, 128 * 1024)


def return_it() -> None:
    """Give back the pages that hold nothing any more."""
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Callable[..., int] | None:
    """Other systems' libraries return memory by themselves."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
