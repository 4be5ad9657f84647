"""The program of a reading process: calls functions of the library on files that arrive on standard input.

`dashboard.serving.reading_process` starts it and speaks its protocol. A request is a pickled function with its named
arguments and the number of files being read, this one included, then the file's bytes. An answer is a pickle whose
large buffers follow it, so that cells are copied once.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO

from metrics.errors import InputError
from metrics.tables.core_dumps import prevent_core_dumps
from metrics.tables.free_memory import limit_memory
from metrics.tables.table import Table

TIME_LIMIT_S = 120
"""Seconds a file may take to be read."""
_GRACE_S = 10
_LOWER_PRIORITY = 5
_SIZE = struct.Struct("<Q")
_SEPARATE_BYTES = 2**16
"""Buffers of at least this size are sent beside the pickle, not in it."""
_PART_BYTES = 2**20

_RESTORED = {
    ("metrics.errors", "_restore_error"),
    ("numpy", "dtype"),
    ("numpy._core.numeric", "_frombuffer"),
    ("pyarrow.lib", "_restore_array"),
    ("pyarrow.lib", "py_buffer"),
    ("pyarrow.lib", "type_for_alias"),
}
"""What an answer may name beside the library's own types of data."""

Answer = tuple[str, Any]
""""value" with the result, "input" with an InputError, or "failure" with the name of another exception's type."""


def send_request(
    stream: BinaryIO, function: Callable[..., Any], content: bytes, arguments: dict[str, Any], readers: int
) -> None:
    """Write a request: `function(content, **arguments)`, while so many files are being read, this one included."""
    _send(stream, pickle.dumps((function, arguments, readers), protocol=5))
    _send(stream, content)


def receive_answer(stream: BinaryIO) -> Answer:
    """Read an answer. Raises EOFError where the process ended before it was complete."""
    packed = _receive(stream)
    (count,) = _SIZE.unpack(_receive(stream))
    buffers = [_receive(stream) for _ in range(count)]
    answer: Answer = _Unpickler(io.BytesIO(packed), buffers=buffers).load()
    return answer


class _Unpickler(pickle.Unpickler):
    """Restores tables, and what else is read, and nothing that runs: a file may have taken over who answers."""

    def find_class(self, module_name: str, name: str) -> Any:
        """The type, or the function that restores one. Raises UnpicklingError where it is neither."""
        if (module_name, name) in _RESTORED:
            return super().find_class(module_name, name)
        if module_name.startswith("metrics."):  # what is not imported yet has not been asked for
            found = getattr(sys.modules.get(module_name), name, None)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, InputError | Enum)):
                return found
        raise pickle.UnpicklingError("an answer names what no file is read into")


def _send_answer(stream: BinaryIO, answer: Answer) -> None:
    separate_buffers: list[pickle.PickleBuffer] = []

    def stays(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < _SEPARATE_BYTES:
            return True
        separate_buffers.append(buffer)
        return False

    packed = pickle.dumps(answer, protocol=5, buffer_callback=stays)
    _send(stream, packed)
    _send(stream, _SIZE.pack(len(separate_buffers)))
    for buffer in separate_buffers:
        _send(stream, buffer.raw())


def _send(stream: BinaryIO, content: bytes | memoryview) -> None:
    stream.write(_SIZE.pack(len(content)))
    view = memoryview(content)
    n_sent = 0
    while n_sent < len(view):
        n_sent += stream.write(view[n_sent : n_sent + _PART_BYTES])


def _receive(stream: BinaryIO) -> bytearray:
    (size,) = _SIZE.unpack(_receive_exactly(stream, _SIZE.size))
    return _receive_exactly(stream, size)


def _receive_exactly(stream: BinaryIO, size: int) -> bytearray:
    content = bytearray(size)
    view = memoryview(content)
    n_received = 0
    while n_received < size:
        n_bytes = stream.readinto(view[n_received:])  # type: ignore[attr-defined]
        if not n_bytes:
            raise EOFError
        n_received += n_bytes
    return content


def answer_of(function: Callable[..., Any], content: bytes | bytearray, arguments: dict[str, Any]) -> Answer:
    """Return the result of a call, or its failure; an unexpected exception's text could hold cells and is left out."""
    try:
        result = function(content, **arguments)
        return "value", _without_caches(result) if isinstance(result, Table) else result
    except InputError as error:
        return "input", error
    except MemoryError:  # or Arrow's kind of it
        return "failure", MemoryError.__name__
    except Exception as error:
        return "failure", type(error).__name__


def _without_caches(table: Table) -> Table:
    """Drop what was derived from the table's values, which can be large and is derived again."""
    return replace(table, columns=tuple(replace(column) for column in table.columns))


def _prepare() -> tuple[BinaryIO, BinaryIO]:
    """The unbuffered streams of requests and answers; what else is printed goes nowhere, and no core is dumped."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "wb") as devnull:
        os.dup2(devnull.fileno(), 1)
    prevent_core_dumps()
    with suppress(OSError):  # Linux: where memory ends all the same, this process does, and not the server
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    if sys.platform != "win32":
        os.nice(_LOWER_PRIORITY)  # pages of other sessions come first
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the server's to handle
    return os.fdopen(os.dup(0), "rb", buffering=0), answers


def serve() -> None:
    """Answer requests until standard input ends, as it does when the server ends."""
    requests, answers = _prepare()
    while True:
        try:
            function, arguments, readers = pickle.loads(_receive(requests))
            content = _receive(requests)
        except EOFError:
            return
        if sys.platform != "win32":
            # Should the server have ended meanwhile: the default action of the signal ends this process.
            signal.alarm(TIME_LIMIT_S + _GRACE_S)
        limit_memory(readers)
        _send_answer(answers, answer_of(function, content, arguments))
        del content
        if sys.platform != "win32":
            signal.alarm(0)


if __name__ == "__main__":
    import metrics.reading  # noqa: F401 - before the first request, which then need not wait for it

    serve()
