"""Watches a process from its start, by Python's audit events: what it writes, whom it asks, what it keeps alive.

Python imports a module of this name by itself when its folder is on PYTHONPATH. One JSON line an event goes to the file
that OBSERVED names; on SIGUSR1 another one counts the living objects of the classes in KEPT.
"""

import gc
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

KEPT = (
    "Workspace",
    "LoadedTable",
    "TableAggregates",
    "Scorecard",
    "ServerTable",
    "DuckDB",
)
UPLOADED = "uploaded bytes"
"""Bytes that Streamlit keeps of uploaded files."""
_UPLOAD = "UploadedFileRec"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = (
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.link",
    "os.symlink",
    "os.truncate",
    "tempfile.",
    "sqlite3.connect",
)
_ASKS = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostby")
_STARTS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork")
_SINK = os.open(os.environ["OBSERVED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _write(message: Mapping[str, Any]) -> None:
    os.write(_SINK, f"{json.dumps(message)}\n".encode())


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        # The null device, and a pipe to a process, are no files.
        if isinstance(flags, int) and flags & _WRITING and path != os.devnull and not isinstance(path, int):
            _write({"kind": "writes", "what": str(path)})
    elif event.startswith(_CHANGES):
        _write({"kind": "writes", "what": f"{event} {arguments[0]}"})
    elif event.startswith(_ASKS):
        _write({"kind": "asks", "what": f"{event} {arguments[:2]}"})
    elif event.startswith(_STARTS):
        _write({"kind": "starts", "what": f"{event} {arguments[:2]}"})


def _count(*_: object) -> None:
    gc.freeze()  # with the next line: what was frozen is listed, too
    gc.unfreeze()
    found = [x for x in gc.get_objects() if type(x).__name__ in (*KEPT, _UPLOAD)]
    counts = Counter(type(x).__name__ for x in found)
    counts[UPLOADED] = sum(len(x.data) for x in found if type(x).__name__ == _UPLOAD)
    _write({"kind": "alive", "what": counts})


sys.addaudithook(_hear)
signal.signal(signal.SIGUSR1, _count)
