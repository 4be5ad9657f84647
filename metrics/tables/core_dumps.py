"""A process that holds tables leaves no core dump, in which they would stand."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import resource


def prevent_core_dumps() -> None:
    """Let the system write no memory of this process, or of those it starts, to the disk when one crashes."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
