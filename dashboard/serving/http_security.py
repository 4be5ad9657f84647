"""Checks of every HTTP request and WebSocket before Streamlit sees it, and the security headers of every answer.

Streamlit checks the `Host` header on its WebSocket only, sends no security headers, and accepts files from sessions
that have not logged in. With a WebSocket's origin it would also ask an outside server for this machine's address, in
order to compare the two. `dashboard/app.py` puts these checks around its application.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

REFUSED_PARAMETER = "staticAppId"
"""Makes Streamlit's client load a page from its makers' host instead of this server."""
_UPLOADS = "/_stcore/upload_file/"
_MAX_WAITING_FILES = 1_000
_MAX_WAITING_SIZES = 4
"""Largest files (`server.maxUploadSize`) that a session's uploads may take before a page has taken them in."""
_INLINE_SCRIPT = re.compile(r"<script>([^<]*)</script>")
_POLICY_VIOLATION = 1008
_LOCAL_NAMES = ("localhost", "127.0.0.1")


@functools.cache
def content_security_policy() -> str:
    """The Content-Security-Policy of every answer.

    Scripts come from this server, from a `blob:` (Streamlit's custom components), or are the one inline script of
    Streamlit's page, named by its hash. Styles are inline because Streamlit and Plotly write them into the page.
    """
    scripts = " ".join(["'self'", "blob:", *_inline_script_hashes()])
    directives = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self' blob:",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def _inline_script_hashes() -> list[str]:
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def security_headers() -> dict[bytes, bytes]:
    """The headers that every answer carries, by lower-case name."""
    return {
        b"content-security-policy": content_security_policy().encode(),
        b"x-frame-options": b"DENY",
        b"x-content-type-options": b"nosniff",
        b"referrer-policy": b"no-referrer",
    }


class HttpSecurity:
    """ASGI middleware that refuses what no page of the dashboard sends, and adds the security headers."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._arriving: Counter[str] = Counter()
        """By session the bytes of uploads that are on their way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, one WebSocket, or the application's start and end."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure_headers = security_headers()
                other_headers = [
                    (name, value) for name, value in message.get("headers", ()) if name.lower() not in secure_headers
                ]
                message["headers"] = [*other_headers, *secure_headers.items()]
            await send(message)

        if scope["type"] == "http":  # of no use to what answers it
            scope = {**scope, "headers": [one for one in scope["headers"] if one[0].lower() != b"origin"]}
        session = _uploading_session(scope)
        size = 0 if session is None else _announced_size(scope)
        refusal = refused(scope) or (session and _without_room(session, self._arriving[session] + size)) or None
        if refusal is None and session is not None:
            self._arriving[session] += size
            try:
                await self._application(scope, receive, send_secured)
            finally:
                self._arriving[session] -= size
                self._arriving += Counter()  # without what is zero
        elif refusal is None:
            await self._application(scope, receive, send_secured)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            status, reason = refusal
            body = reason.encode()
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
            await send_secured({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})


def refused(scope: Scope) -> tuple[int, str] | None:
    """The status and sentence with which a request is refused; None if it may pass."""
    hosts = _values(scope, b"host")
    if len(hosts) > 1 or not is_host_allowed(hosts[0] if hosts else None):
        return 421, "This server does not answer to this host name; add the name to server.allowedHosts.\n"
    if scope["type"] == "websocket" and not all(_is_own(origin, hosts) for origin in _values(scope, b"origin")):
        return 403, "This server does not answer to pages of other sites; set browser.serverAddress to its name.\n"
    query = scope.get("query_string", b"").decode("latin-1")
    if any(name == REFUSED_PARAMETER for name, _ in parse_qsl(query, keep_blank_values=True)):
        return 400, f"The parameter {REFUSED_PARAMETER} is not accepted; remove it from the address.\n"
    if _UPLOADS in scope["path"] and scope.get("method") != "OPTIONS" and _login_missing(scope["path"]):
        return 403, "Files are accepted after login only; log in and upload the file again.\n"
    return None


def _values(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == header]


def _is_own(origin: str, hosts: list[str]) -> bool:
    """Whether a page of this origin is the dashboard's, by a name for which Streamlit asks nobody."""
    try:
        address = urlsplit(origin)
        return address.netloc in hosts or address.hostname in (*_LOCAL_NAMES, st.get_option("browser.serverAddress"))
    except ValueError:
        return False


def _login_missing(path: str) -> bool:
    """Whether Streamlit's login is configured, and the session named in an upload's path has not logged in."""
    if not (st.secrets.load_if_toml_exists() and st.secrets.get("auth")):
        return False
    session = runtime.get_instance().get_app_session(_session_in(path))
    return session is None or session._user_info.get("is_logged_in") is not True


def _session_in(path: str) -> str:
    """The session that an upload's path names."""
    return path.partition(_UPLOADS)[2].partition("/")[0]


def _uploading_session(scope: Scope) -> str | None:
    """The session that a request uploads a file to; None if it does not."""
    return _session_in(scope["path"]) if scope.get("method") == "PUT" and _UPLOADS in scope["path"] else None


def _announced_size(scope: Scope) -> int:
    """Bytes that an upload may have: what it announces, at most the largest size that is accepted."""
    largest = _largest_file()
    announced = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"")
    return min(int(announced), largest) if announced.isdigit() else largest


def _largest_file() -> int:
    return int(st.get_option("server.maxUploadSize")) * 2**20


def _without_room(session: str, arriving: int) -> tuple[int, str] | None:
    """The refusal of an upload where more is on its way and waiting than pages take in; None where it is not."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    waiting = list(manager.file_storage.get(session, {}).values())
    n_bytes = sum(len(file.data) for file in waiting)
    if n_bytes + arriving <= _MAX_WAITING_SIZES * _largest_file() and len(waiting) < _MAX_WAITING_FILES:
        return None
    return 413, "Too many files wait to be read; reload the page and upload fewer at once.\n"
