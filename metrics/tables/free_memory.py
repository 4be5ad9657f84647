"""The memory that the machine, its control groups and the limits of the process leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

_VERSIONS = (
    ("", "", ("memory.max", "memory.current"), "inactive_file"),
    ("memory", "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes"), "total_inactive_file"),
)
"""Of control groups, the newer first: folder, controller, files with the limit and the use, and the count of caches."""

_LEAST = 1 << 27
"""Bytes that a process may always take."""
_THREADS, _STACK = 2 * (os.cpu_count() or 1), 1 << 23
"""Threads that a library may start, and the bytes of each one's stack, which count although few are used."""


def available_memory(processes: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes that can be used without swapping: the least that the machine, its control groups and limits leave.

    None where the system does not report it.
    """
    limits = [*_of_machine(processes), *_of_groups(processes, groups), *_of_process(processes)]
    if not limits:
        with suppress(OSError, ValueError, AttributeError):
            limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(limits)) if limits else None


def limit_memory(halvings: int) -> None:
    """Refuse this process, on Linux, more memory than what is free now, halved so many times, beside what it has.

    Of processes that start at the same time, each with one halving more, all fit into what was free.
    """
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        memory = available_memory()
        with suppress(OSError, ValueError, IndexError):
            pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
            if memory is not None:
                more = max(memory >> halvings, _LEAST) + _THREADS * _STACK
                limit = int(pages[5]) * resource.getpagesize() + more
                resource.setrlimit(resource.RLIMIT_DATA, (limit if hard < 0 else min(limit, hard), hard))


def _of_machine(processes: Path) -> Iterator[int]:
    with suppress(OSError, ValueError, IndexError):
        for line in (processes / "meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024


def _of_groups(processes: Path, groups: Path) -> Iterator[int]:
    """Yield the bytes that the control groups around the process leave; a container sees its own as root."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (processes / "self" / "cgroup").read_text(encoding="utf-8").splitlines()
    parts = [line.split(":", 2) for line in lines if line.count(":") > 1]
    for root, controller, files, cached in _VERSIONS:
        mount = groups / root
        paths = (path for _, names, path in parts if controller in names.split(","))
        own_group = mount / next(paths, "/").removeprefix("/")
        for group in (own_group, *own_group.parents):
            # An absent file, or the word "max", means no limit.
            with suppress(OSError, ValueError):
                limit, used = (int((group / name).read_text()) for name in files)
                counts = dict(row.split() for row in (group / "memory.stat").read_text().splitlines())
                # The system drops cached files when memory is needed.
                yield limit - used + int(counts.get(cached, 0))
            if group == mount:
                break


def _of_process(processes: Path) -> Iterator[int]:
    """Yield the bytes that `ulimit -v` and `ulimit -d` leave."""
    if sys.platform == "win32":
        return
    with suppress(OSError, ValueError, IndexError):
        pages = (processes / "self" / "statm").read_text(encoding="ascii").split()
        for limit, used in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            largest = resource.getrlimit(limit)[0]
            if largest != resource.RLIM_INFINITY:
                yield largest - int(used) * resource.getpagesize()
