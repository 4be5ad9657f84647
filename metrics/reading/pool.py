"""Memory that reading a large file needs for a while, given back to the system as soon as it is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa


@contextmanager
def returned_memory() -> Iterator[Callable[[], None]]:
    """Let pyarrow take memory where it can be given back, which a call of what comes with this does.

    Its usual pools keep, in each of its threads, what blocks of the file took. These come from the default pool
    whichever is passed, and `release_unused` speaks to the default pool whosever it is (pyarrow 26): so the default is
    changed. Should two readings at once leave it changed, later memory comes from another allocator, no more.
    """
    usual, returning = pa.default_memory_pool(), pa.system_memory_pool()
    pa.set_memory_pool(returning)
    try:
        yield returning.release_unused
    finally:
        pa.set_memory_pool(usual)
