"""How much memory this process can still take: what the machine, its control groups and its own limits leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource


def available_memory(processes: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes that can be used without swapping; None where no system tells."""
    known = [*_of_machine(processes), *_of_groups(processes, groups), *_of_process(processes)]
    if not known:
        with suppress(OSError, ValueError, AttributeError):
            known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(known)) if known else None


def _of_machine(processes: Path) -> Iterator[int]:
    with suppress(OSError, ValueError, IndexError):
        for line in (processes / "meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024


def _of_groups(processes: Path, groups: Path) -> Iterator[int]:
    """What each control group around the process leaves, of both versions; a container sees its own as the first."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (processes / "self" / "cgroup").read_text(encoding="utf-8").splitlines()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            root, most, used, cached = groups, "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            root, most, used = groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            cached = "total_inactive_file"
        else:
            continue
        own = root / path.strip("/")
        for group in (own, *own.parents):
            # An absent file, or the word "max": no limit.
            with suppress(OSError, ValueError):
                limit, taken = (int((group / name).read_text(encoding="ascii")) for name in (most, used))
                counts = dict(row.split() for row in (group / "memory.stat").read_text(encoding="ascii").splitlines())
                # What files were read is kept only while nobody needs the room.
                yield limit - taken + int(counts.get(cached, 0))
            if group == root:
                break


def _of_process(processes: Path) -> Iterator[int]:
    """What `ulimit -v` and `ulimit -d` leave."""
    if sys.platform == "win32":
        return
    with suppress(OSError, ValueError, IndexError):
        pages = (processes / "self" / "statm").read_text(encoding="ascii").split()
        for limit, taken in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            most = resource.getrlimit(limit)[0]
            if most != resource.RLIM_INFINITY:
                yield most - int(taken) * resource.getpagesize()
