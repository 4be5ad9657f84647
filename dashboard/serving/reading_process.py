"""Files are read in processes of their own, so that none can hold the interpreter that serves all sessions.

A process reads one file at a time. One that takes longer than `TIME_LIMIT_S`, or whose session has ended, is killed.
File and table travel through pipes: nothing is written to a disk, and the process gets none of the server's environment
variables but those in `_VARIABLES`. No Streamlit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Concatenate, ParamSpec, TypeVar, cast

from dashboard.serving.background_job import BackgroundJob
from dashboard.serving.reading_worker import TIME_LIMIT_S, Answer, answer_of, receive_answer, send_request
from metrics.errors import InputError

_ROOT = Path(__file__).resolve().parents[2]
_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LC_CTYPE")
_ALLOCATOR = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Arrow takes memory as it needs it: its own allocator takes a gigabyte at once, and keeps what is freed."""
_LOOK_S = 0.25
"""Seconds between looks whether anybody still waits."""
_MAX_REUSED_BYTES = 4 * 2**20
"""A process that has read more than this is replaced, and its memory goes back to the system."""
_MAX_AT_ONCE = max(4, os.cpu_count() or 1)
"""Files that are read at the same time, of a session one; further ones wait, since starting a process takes longer than
most files."""

P = ParamSpec("P")
T = TypeVar("T")


class ReadingProcess:
    """One process that reads files."""

    def __init__(self) -> None:
        """Start it; its imports go on in the meantime. Raises OSError where the system allows no further process."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.serving.reading_worker"],
            cwd=_ROOT,
            env={name: os.environ[name] for name in _VARIABLES if name in os.environ} | _ALLOCATOR,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a library's last words can quote a cell
            bufsize=0,
            start_new_session=True,  # with what it starts itself
        )

    @property
    def identifier(self) -> int:
        """The system's number of the process."""
        return self._process.pid

    def ask(self, function: Callable[..., Any], content: bytes, arguments: dict[str, Any], readers: int = 1) -> Answer:
        """The answer to one request, waited for; `readers` is how many files are being read, this one included.

        Raises EOFError or OSError where the process ends before.
        """
        send_request(cast(BinaryIO, self._process.stdin), function, content, arguments, readers)
        return receive_answer(cast(BinaryIO, self._process.stdout))

    def kill(self) -> None:
        """End the process at once, and those that it has started; who waits for its answer gets none."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def end(self) -> None:
        """End the process, and close the pipes, which nobody may use any longer."""
        self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


class ReadingProcesses:
    """The processes of one server, of which one is kept ready; before `start`, files are read in this process.

    At most `_MAX_AT_ONCE` read; one that is done goes to whoever waits.
    """

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._lock = threading.Condition()
        self._started = False
        self._ready: list[ReadingProcess] = []
        self._readers: list[str | None] = []
        self._waiting = 0
        self._is_needed: Callable[[], bool] = lambda: True
        self._session: Callable[[], str | None] = lambda: None

    def start(self, is_needed: Callable[[], bool], session: Callable[[], str | None] = lambda: None) -> None:
        """Read in processes from now on, as long as `is_needed`, called in the thread that waits, returns True.

        `session`, called there too, tells sessions apart; None is none of them.
        """
        self._is_needed, self._session = is_needed, session
        self._started = True
        self._keep(None)

    def end(self) -> None:
        """Read in this process again."""
        with self._lock:
            self._started = False
            ready, self._ready = self._ready, []
        for process in ready:
            process.end()

    def call(
        self, function: Callable[Concatenate[Any, P], T], content: bytes, /, *positional: P.args, **arguments: P.kwargs
    ) -> T:
        """`function(content, **arguments)`, for a function of a module that reads the file `content`.

        Raises InputError, and nothing else that a file can cause. `arguments["name"]` names the file in messages.
        """
        if positional:
            raise TypeError("arguments beside the file are named")
        name = str(arguments.get("name", "")) or None
        kind, result = (
            self._in_turn(function, content, arguments, name)
            if self._started
            else answer_of(function, content, arguments)
        )
        if kind == "input":
            raise result
        if kind == "failure":
            raise _failure(result, name)
        return cast(T, result)

    def _in_turn(
        self, function: Callable[..., Any], content: bytes, arguments: dict[str, Any], name: str | None
    ) -> Answer:
        """The answer to one request, once fewer than `_MAX_AT_ONCE` files are being read, and none of the session's."""
        session = self._session()
        with self._lock:
            self._waiting += 1
            while not self._has_room(session) and self._is_needed():
                self._lock.wait(_LOOK_S)
            self._waiting -= 1
            if not self._has_room(session):
                return "input", _stopped(name)
            self._readers.append(session)
            readers = len(self._readers)
        try:
            return self._answer(function, content, arguments, name, readers)
        finally:
            with self._lock:
                self._readers.remove(session)
                self._lock.notify_all()

    def _has_room(self, session: str | None) -> bool:
        return len(self._readers) < _MAX_AT_ONCE and (session is None or session not in self._readers)

    def _answer(
        self, function: Callable[..., Any], content: bytes, arguments: dict[str, Any], name: str | None, readers: int
    ) -> Answer:
        problem: InputError
        try:
            process = self._take()
        except OSError:
            return "input", InputError(
                "the server cannot start a process to read it", remedy="try again in a minute", file=name
            )
        request = BackgroundJob(lambda: process.ask(function, content, arguments, readers))
        deadline = time.monotonic() + self._time_limit_s
        while not request.ended(_LOOK_S):
            if time.monotonic() > deadline:
                problem = InputError(
                    f"reading it takes longer than {self._time_limit_s:g} seconds",
                    remedy="check that every quote is closed, or save it as Parquet",
                    file=name,
                )
            elif not self._is_needed():
                problem = _stopped(name)
            else:
                continue
            process.kill()
            request.ended(_LOOK_S)
            process.end()
            self._keep(None)
            return "input", problem
        try:
            answer = request.result()
        except Exception as error:  # whatever a process that a file has taken over may answer
            process.end()
            self._keep(None)
            ended = isinstance(error, EOFError | OSError)
            return "failure", (MemoryError if ended else type(error)).__name__
        if len(content) > _MAX_REUSED_BYTES:
            process.end()
            self._keep(None)
        else:
            self._keep(process)
        return answer

    def _take(self) -> ReadingProcess:
        with self._lock:
            if self._ready:
                return self._ready.pop()
        return ReadingProcess()

    def _keep(self, process: ReadingProcess | None) -> None:
        """Keep a process ready, this one or a new one; end it where one is ready for everybody who waits."""
        with self._lock:
            if self._started and len(self._ready) <= min(self._waiting, _MAX_AT_ONCE - 1):
                with suppress(OSError):
                    self._ready.append(ReadingProcess() if process is None else process)
                    process = None
        if process is not None:
            process.end()


def _stopped(name: str | None) -> InputError:
    return InputError("reading it was stopped", remedy="upload it again", file=name)


def _failure(kind: str, name: str | None) -> InputError:
    if kind == MemoryError.__name__:
        return InputError("the table does not fit into memory", remedy="load fewer columns or records", file=name)
    return InputError(f"it cannot be read ({kind})", remedy="save it as CSV and try again", file=name)


READING = ReadingProcesses()
"""The reading processes of this server, started by `dashboard.serving.server.prepare`."""
