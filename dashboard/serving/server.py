"""Precautions of the server that holds people's tables for which Streamlit has no setting; taken once per process.

Uploads stay out of temporary files, the log tells of exceptions without their text, and what a closed tab leaves behind
is freed without waiting for the next visitor. The internals this takes are touched here alone.
"""

from __future__ import annotations

import gc
import logging
import re
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

import pyarrow as pa
from streamlit import net_util, runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.runtime import Runtime, RuntimeState
from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import SCRIPT_RUN_CONTEXT_ATTR_NAME
from streamlit.runtime.session_manager import SessionClient

from dashboard.serving import spare_memory
from dashboard.serving.reading_process import READING
from metrics.interruption import interruptible
from metrics.tables.core_dumps import prevent_core_dumps

_COLLECT_S = 2.0
_PAUSE_S = 5.0
"""Seconds between looks for sessions that have ended."""
_RUN_S = 1.0
"""Seconds that the run which asked for a release may take to end and free its memory."""
_VISIT_S = 0.5
_ANSWER_S = 60.0
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_release_now = threading.Event()


def prepare() -> bool:
    """Make this process fit to hold secrets; does nothing, and says so, where no server runs, as in tests of pages."""
    server = running()
    if server is None:
        return False
    prevent_core_dumps()
    prevent_address_lookup()
    delay_garbage_collection()
    spare_memory.limit_malloc_arenas()
    keep_uploads_in_memory()
    keep_cells_out_of_the_log()
    READING.start(page_waits, session_of_page)
    threading.Thread(target=_free_ended_sessions, args=(server,), name="free-ended-sessions", daemon=True).start()
    return True


def running() -> Runtime | None:
    """The server this process is, if it is one; tests of pages put another thing in its place."""
    server = runtime.get_instance() if runtime.exists() else None
    return server if type(server) is Runtime else None


def page_waits() -> bool:
    """Whether the page that runs in this thread has not been stopped, as it is when its session ends."""
    context = get_script_run_ctx()
    requests = None if context is None else context.script_requests
    return requests is None or requests._state is not ScriptRequestType.STOP


def session_of_page() -> str | None:
    """The session whose page runs in this thread."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


@contextmanager
def ends_with_its_run() -> Iterator[None]:
    """Let work of the page that runs in this thread end at its checkpoints once the run is stopped or followed."""
    with interruptible(get_run_yield_check() or (lambda: None)):
        yield


def release_soon() -> None:
    """Let memory that nothing uses any longer go back to the system within seconds."""
    _release_now.set()


def delay_garbage_collection() -> None:
    """Delay full collections, which Streamlit makes after every run; with many sessions they are most of the work."""
    setattr(script_runner, "gc", _COLLECTOR)  # noqa: B010 - what the module calls by that name is not its own


class Collector:
    """Stands for the `gc` module where runs end: a full collection is at least `_COLLECT_S` after the one before."""

    def __init__(self) -> None:
        self._due = 0.0
        self._owes = False

    def collect(self, generation: int = 2) -> int:
        """Collect, unless that was done a moment ago; return the number of objects found."""
        now = time.monotonic()
        self._owes = now < self._due
        if self._owes:
            return 0
        self._due = now + _COLLECT_S
        return gc.collect(generation)

    def catch_up(self) -> None:
        """Collect what the last runs left, if none has come since."""
        if self._owes:
            self.collect()


_COLLECTOR = Collector()


def prevent_address_lookup() -> None:
    """Keep Streamlit from asking an outside server for this machine's address whenever a page of another site knocks.

    `python3 -m dashboard` does so from the start; this is for those who start Streamlit by hand.
    """
    for name in ("get_external_ip", "get_internal_ip"):
        setattr(net_util, name, lambda: None)


def keep_uploads_in_memory() -> None:
    """Keep uploads in memory: Starlette would write what is larger than a megabyte to a temporary file on its way."""
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = 0  # to `tempfile`: never


def keep_cells_out_of_the_log() -> None:
    """From now on the log has an exception's type and places: its text can quote a cell or name a column.

    Nor does it name a session.
    """
    default_factory = logging.getLogRecordFactory()

    def make_record(*args: object, **kwargs: object) -> logging.LogRecord:
        record = default_factory(*args, **kwargs)
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text, record.exc_info = without_text(record.exc_info[1]), None
        record.msg = _loggable(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(map(_loggable, record.args))
        return record

    logging.setLogRecordFactory(make_record)
    sys.excepthook = _log_exception
    threading.excepthook = lambda hook: _log_exception(hook.exc_type, hook.exc_value, hook.exc_traceback)
    sys.unraisablehook = lambda hook: _log_exception(hook.exc_type, hook.exc_value, hook.exc_traceback)
    warnings.formatwarning = lambda message, category, filename, lineno, line=None: (
        f"{filename}:{lineno}: {category.__name__}\n"
    )


def _loggable(part: object) -> object:
    """A part of a message without the text of an exception, and without the id of a session: who has it can join it."""
    if isinstance(part, BaseException):
        return type(part).__name__
    return _SESSION.sub("(a session)", part) if isinstance(part, str) else part


def without_text(error: BaseException) -> str:
    """An exception's traceback, and those of its causes, with types in place of texts."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        lines = "".join(traceback.format_tb(current.__traceback__))
        parts.append(
            f"Traceback (most recent call last):\n{lines}{type(current).__qualname__} (its text is not logged)"
        )
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\n\nThis led to:\n\n".join(reversed(parts))


def _log_exception(kind: type[BaseException], error: BaseException | None, _: TracebackType | None) -> None:
    if kind is not SystemExit:
        print(kind.__qualname__ if error is None else without_text(error), file=sys.stderr, flush=True)


def release_memory() -> None:
    """Collect everything that nothing refers to, frozen objects included, and give its memory back."""
    # The first session was alive when the imports were frozen; so are others now. Once thawed, dead objects are found.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    pa.default_memory_pool().release_unused()
    spare_memory.return_free_memory()


class _SilentClient(SessionClient):
    """A visitor without a page, to whom nothing is sent."""

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Drop the message."""

    @property
    def client_context(self) -> None:
        """None: the visitor has no request."""


def _free_ended_sessions(server: Runtime) -> None:
    """Whenever sessions have ended, or one has forgotten its data, release their memory.

    It is released once more a pause later: what a busy server still holds the first time would stay frozen.
    """
    previous: set[str] = set()
    release_again = False
    while not _is_stopping(server):
        requested = _release_now.wait(_PAUSE_S)
        if requested:
            _release_now.clear()
            time.sleep(_RUN_S)
        _COLLECTOR.catch_up()
        current = connected_sessions(server, previous)
        if current is None:
            return
        released = bool(requested or previous - current)
        if released or release_again:
            release_memory()
        previous, release_again = current, released


def _is_stopping(server: Runtime) -> bool:
    """Whether the server stops, and takes no visitor any more."""
    return server.state in (RuntimeState.STOPPING, RuntimeState.STOPPED)


def connected_sessions(server: Runtime, known: set[str]) -> set[str] | None:
    """Shut down the sessions that have ended, and return the others; None if the server has ended.

    The others are connected, are waited for, or still compute. Streamlit shuts ended sessions down only when another
    one ends, so on a quiet server they would stay. Its loop also keeps the last session that it had a message for until
    it has a message for another one. If one of the `known` sessions has ended, a visitor is therefore connected for a
    moment.
    """
    manager = server._session_mgr
    alive: set[str] = set()
    finished = threading.Event()

    def inspect_sessions() -> None:
        waiting = getattr(getattr(manager, "_session_storage", None), "_cache", None)
        for identity, info in waiting.expire() if waiting is not None else ():
            known.add(identity)
            info.session.shutdown()
        alive.update(info.session.id for info in manager.list_sessions())
        alive.update(_computing())
        if known - alive and not _is_stopping(server):
            visitor = server.connect_session(_SilentClient(), {})
            server._get_async_objs().need_send_data.set()
            loop.call_later(_VISIT_S, close_visitor, visitor)
        else:
            finished.set()

    def close_visitor(visitor: str) -> None:
        server.close_session(visitor)
        finished.set()

    try:
        loop = server._get_async_objs().eventloop
        loop.call_soon_threadsafe(inspect_sessions)
    except RuntimeError:  # the loop is closed
        return None
    return alive if finished.wait(_ANSWER_S) else None


def _computing() -> set[str]:
    """The sessions whose pages still run, which goes on for a while after a tab was closed in mid-computation.

    To collect before that would keep what they hold for good: what is alive then is frozen.
    """
    contexts = (getattr(thread, SCRIPT_RUN_CONTEXT_ATTR_NAME, None) for thread in threading.enumerate())
    return {context.session_id for context in contexts if context is not None}
