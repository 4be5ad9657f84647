"""Memory that was freed and that the C library keeps. Standard library alone: it runs before everything else."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

_M_ARENA_MAX = -8


def limit_malloc_arenas() -> None:
    """Let glibc serve all threads from one arena.

    A thread that comes before this has an arena of its own for good, in which what stays keeps the pages around it.
    """
    limit = _of_glibc("mallopt")
    if limit is not None:
        limit(_M_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Give back the pages that hold nothing any more."""
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Callable[..., int] | None:
    """Find a function of glibc by its name; None elsewhere, where libraries return memory by themselves."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
