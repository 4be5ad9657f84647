"""The memory that the machine, its control groups and the limits of the process leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource


def available_memory(processes: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes that can be used without swapping: the least that the machine, its control groups and limits leave.

    None where the system does not report it.
    """
    limits = [*_of_machine(processes), *_of_groups(processes, groups), *_of_process(processes)]
    if not limits:
        with suppress(OSError, ValueError, AttributeError):
            limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(limits)) if limits else None


def _of_machine(processes: Path) -> Iterator[int]:
    with suppress(OSError, ValueError, IndexError):
        for line in (processes / "meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024


def _of_groups(processes: Path, groups: Path) -> Iterator[int]:
    """Yield the bytes that control groups (version 2) around the process leave; a container sees its own as root."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (processes / "self" / "cgroup").read_text(encoding="utf-8").splitlines()
    own_group = next((groups / line.removeprefix("0::/") for line in lines if line.startswith("0::/")), groups)
    for group in (own_group, *own_group.parents):
        # An absent file, or the word "max", means no limit.
        with suppress(OSError, ValueError):
            limit, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
            counts = dict(row.split() for row in (group / "memory.stat").read_text().splitlines())
            # The system drops cached files when memory is needed.
            yield limit - used + int(counts.get("inactive_file", 0))
        if group == groups:
            return


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
