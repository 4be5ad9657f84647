"""Precautions of the server that holds people's tables for which Streamlit has no setting; taken once per process.

Uploads stay out of temporary files, the log tells of exceptions without their text, and what a closed tab leaves behind
is freed without waiting for the next visitor. The internals this takes are touched here alone.
"""

from __future__ import annotations

import asyncio
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
from typing import cast
from weakref import WeakValueDictionary

import pyarrow as pa
import streamlit as st
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeState, SessionClient
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.serving import spare_memory
from dashboard.serving.charts_in_place import keep_elements_of_charts
from dashboard.serving.reading_process import READING
from metrics.interruption import interruptible
from metrics.tables.core_dumps import prevent_core_dumps

_PAUSE_S = 2.0
"""Seconds between looks for what runs of pages have left, and for sessions that have ended."""
_AGAIN = (1, 3, 7, 15, 31)
"""Pauses after which memory that was released is released again."""
_VISIT_S = 0.5
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HOLDERS: WeakValueDictionary[str, object] = WeakValueDictionary()
"""By session what holds its tables, until that is freed."""
_has_run, _release_now = threading.Event(), threading.Event()


def prepare() -> bool:
    """Make this process fit to hold secrets; does nothing, and says so, where no server runs, as in tests of pages."""
    server = running()
    if server is None:
        return False
    prevent_core_dumps()
    keep_uploads_in_memory()
    keep_cells_out_of_the_log()
    keep_elements_of_charts()
    READING.start(page_waits, session_of_page)
    threading.Thread(target=_free_memory, args=(server,), name="free-memory", daemon=True).start()
    return True


def running() -> Runtime | None:
    """The server this process is, if it is one; tests of pages put another thing in its place."""
    server = runtime.get_instance() if runtime.exists() else None
    return server if type(server) is Runtime else None


def page_waits() -> bool:
    """Whether the session whose page runs in this thread is connected."""
    session, server = session_of_page(), running()
    return session is None or server is None or server.is_active_session(session)


def session_of_page() -> str | None:
    """The session whose page runs in this thread."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


@contextmanager
def ends_with_its_run() -> Iterator[None]:
    """Let work of the page that runs in this thread end at its checkpoints once the run is stopped or followed."""
    context = get_script_run_ctx(suppress_warning=True)
    _has_run.set()
    with interruptible((lambda: None) if context is None else context.yield_check):
        yield


def free_with_session(holder: object) -> None:
    """Free what holds the tables of the session whose page runs in this thread once that has ended."""
    _HOLDERS[session_of_page() or ""] = holder


def free_leftovers() -> None:
    """Free what Streamlit keeps of the uploads and former widgets of the session whose page runs in this thread.

    It has no public call for that. A widget's callbacks refer to the page that drew it, with everything it held.
    """
    identifier, server = session_of_page(), running()
    session = None if server is None or identifier is None else server.get_app_session(identifier)
    if server is None or session is None:
        return
    server.uploaded_file_mgr.remove_session_files(session.id)
    session.session_state._new_widget_state.widget_metadata.clear()
    release_soon()


def release_soon() -> None:
    """Let memory that nothing uses any longer go back to the system within seconds."""
    _release_now.set()


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


def _free_memory(server: Runtime) -> None:
    """Collect what runs have left, and once sessions have ended or forgotten their data, release their memory.

    It is released again after some pauses: what a busy server still holds the first time would stay frozen.
    """
    loop = cast("asyncio.Future[None]", server.stopped).get_loop()
    time_to_come_back = float(st.get_option("server.disconnectedSessionTTL"))
    left: dict[str, float] = {}
    pauses = _AGAIN[-1] + 1
    while not _is_stopping(server):
        time.sleep(_PAUSE_S)
        now = time.monotonic()
        left = {one: left.get(one, now) for one in list(_HOLDERS) if not server.is_active_session(one)}
        ended = any(now - since > time_to_come_back for since in left.values())
        if ended:
            try:
                asyncio.run_coroutine_threadsafe(drop_ended_sessions(server), loop).result()
            except RuntimeError:  # the server has ended
                return
        requested = _release_now.is_set()
        _release_now.clear()
        pauses = 0 if requested or ended else pauses + 1
        if pauses == 0 or pauses in _AGAIN:
            release_memory()
        elif _has_run.is_set():
            _has_run.clear()
            gc.collect()


def _is_stopping(server: Runtime) -> bool:
    """Whether the server stops, and takes no visitor any more."""
    return server.state in (RuntimeState.STOPPING, RuntimeState.STOPPED)


async def drop_ended_sessions(server: Runtime) -> None:
    """Make Streamlit drop the sessions that can no longer come back, by a visitor who comes and goes.

    It does so only when another one leaves, so on a quiet server they would stay. Its loop also keeps the last session
    that it had a message for until it has one for another.
    """
    if _is_stopping(server):
        return
    visitor = server.connect_session(_SilentClient(), {})
    server.handle_backmsg(visitor, BackMsg(set_run_on_save=False))  # is answered by a message
    await asyncio.sleep(_VISIT_S)
    server.disconnect_session(visitor)
    server.close_session(visitor)
