"""Every request is checked before Streamlit sees it, and every answer has the security headers."""

import asyncio
import socket
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from dashboard import environment
from dashboard.serving.http_security import HttpSecurity, content_security_policy, refused
from tests.browser.serving import Server, start_server
from tests.support.hostile_files import HOSTILE_FILES
from tests.support.visitor import HealthChecks, Visitor, request

PATHS = ("/", "/_stcore/health", "/_stcore/host-config", "/media/any.csv", "/static/js/none.js", "/scorecard")


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that can configure Streamlit's login; it is not there at first."""
    return tmp_path_factory.mktemp("secrets") / "secrets.toml"


@pytest.fixture(scope="module")
def server(secrets: Path) -> Iterator[Server]:
    variables = {"STREAMLIT_SECRETS_FILES": str(secrets)}
    with start_server(environment.ROOT / "dashboard" / "app.py", secrets.parent / "log.txt", variables) as running:
        yield running


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_security_headers(server: Server, path: str) -> None:
    answer = request(server.url, "GET", path)
    assert answer.getheader("Content-Security-Policy") == content_security_policy()
    assert answer.getheader("X-Frame-Options") == "DENY"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Referrer-Policy") == "no-referrer"


def test_the_policy_names_this_server_only() -> None:
    policy = content_security_policy()
    assert "frame-ancestors 'none'" in policy
    assert "connect-src 'self';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["outside.invalid", "outside.invalid:8501", "localhost.outside.invalid", ""])
def test_requests_under_another_name_are_refused(server: Server, path: str, host: str) -> None:
    assert request(server.url, "GET", path, {"Host": host}).status == 421


def test_the_websocket_is_refused_under_another_name(server: Server) -> None:
    socket_ = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])))
    with socket_, pytest.raises(InvalidStatus) as refusal, connect("ws://outside.invalid/_stcore/stream", sock=socket_):
        pass
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost:8501", None, None),
        ("localhost:8501", "http://localhost:8501", None),
        ("127.0.0.1:8501", "http://127.0.0.1:8501", None),
        ("localhost:8501", "https://quasi.example.org", None),  # a proxy that gives another host name
        ("localhost:8501", "http://outside.invalid", 403),
        ("localhost:8501", "null", 403),
        ("localhost:8501", "http://[", 403),
    ],
)
def test_a_websocket_is_refused_to_pages_of_other_sites_before_streamlit_looks_their_names_up(
    host: str, origin: str | None, status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamlit.get_option", {"browser.serverAddress": "quasi.example.org"}.get)
    asked = scope("/_stcore/stream", None) | {"type": "websocket"}
    asked["headers"] = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin else [])]
    refusal = refused(asked)
    assert (refusal[0] if refusal else None) == status


def test_streamlit_does_not_see_whose_page_sent_a_request_and_so_never_looks_that_name_up() -> None:
    passed: list[MutableMapping[str, Any]] = []

    async def application(scope: MutableMapping[str, Any], *_: object) -> None:
        passed.append(scope)

    asked = scope("/", "GET")
    asked["headers"].append((b"Origin", b"http://outside.invalid"))
    asyncio.run(HttpSecurity(application)(asked, None, None))  # type: ignore[arg-type]
    assert [name for name, _ in passed[0]["headers"]] == [b"host"]


@pytest.mark.parametrize("query", ["staticAppId=abc", "a=1&staticAppId", "st%61ticAppId=abc"])
def test_the_parameter_that_asks_another_host_is_refused(server: Server, query: str) -> None:
    assert request(server.url, "GET", f"/?{query}").status == 400
    assert request(server.url, "GET", "/?k=5").status == 200


def test_no_origin_may_send_commands_to_the_page() -> None:
    import tomllib

    settings = tomllib.loads((environment.ROOT / "dashboard" / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["client"]["allowedOrigins"] == []


def scope(path: str, method: str | None = "PUT") -> dict[str, Any]:
    headers = [(b"host", b"localhost")]
    return {"type": "http", "path": path, "method": method, "headers": headers, "query_string": b""}


@pytest.mark.parametrize(
    ("auth", "user", "status"),
    [
        ({}, {}, None),
        ({"client_id": "x"}, {}, 403),
        ({"client_id": "x"}, {"is_logged_in": False}, 403),
        ({"client_id": "x"}, {"is_logged_in": True}, None),
    ],
)
def test_files_are_taken_after_login_only(
    auth: dict[str, str], user: dict[str, bool], status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = {"here": SimpleNamespace(_user_info=user)}
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(get_app_session=sessions.get))
    monkeypatch.setattr(st, "secrets", SimpleNamespace(load_if_toml_exists=lambda: True, get={"auth": auth}.get))
    refusal = refused(scope("/_stcore/upload_file/here/file"))
    assert (refusal[0] if refusal else None) == status
    if auth:
        assert (refused(scope("/_stcore/upload_file/elsewhere/file")) or (None,))[0] == 403


def upload_answers(monkeypatch: pytest.MonkeyPatch, waiting: dict[str, bytes], *sizes: bytes) -> list[int]:
    """Statuses of uploads of these sizes that arrive at once, beside files that a session's pages have not taken in."""
    manager = MemoryUploadedFileManager("/upload")
    for name, data in waiting.items():
        manager.add_file("here", UploadedFileRec(name, name, "", data))
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    monkeypatch.setattr("dashboard.serving.http_security._largest_file", lambda: 100)
    statuses, arrived = [], asyncio.Event()

    async def application(*_: object) -> None:
        await arrived.wait()
        statuses.append(204)

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def all_at_once() -> None:
        secured = HttpSecurity(application)
        uploads = []
        for size in sizes:
            of_size = scope("/_stcore/upload_file/here/file")
            of_size["headers"].append((b"content-length", size))
            uploads.append(asyncio.create_task(secured(of_size, lambda: None, send)))
        await asyncio.sleep(0)
        arrived.set()
        await asyncio.gather(*uploads)
        assert not secured._arriving

    asyncio.run(all_at_once())
    return statuses


def test_a_session_cannot_fill_the_memory_with_uploads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert upload_answers(monkeypatch, {}, *[b"100"] * 6) == [413, 413, 204, 204, 204, 204]
    assert upload_answers(monkeypatch, {"a": b"x" * 90, "b": b"x" * 220}, b"90", b"1") == [413, 204]
    # Of a size that is not announced, the largest is expected.
    assert upload_answers(monkeypatch, {"a": b"x" * 301}, b"") == [413]
    # What a page has taken in is empty.
    assert upload_answers(monkeypatch, {str(number): b"" for number in range(999)}, b"100") == [204]
    assert upload_answers(monkeypatch, {str(number): b"" for number in range(1_000)}, b"1") == [413]


def test_a_refused_upload_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.serving.http_security.refused", lambda _: (403, "No.\n"))
    sent: list[MutableMapping[str, Any]] = []

    async def unexpected(*_: object) -> Any:
        raise AssertionError("nothing may be read or passed on")

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(HttpSecurity(unexpected)(scope("/_stcore/upload_file/here/file"), unexpected, send))
    assert [message.get("status") for message in sent] == [403, None]


def test_a_hostile_upload_delays_no_other_visitor_and_is_refused_if_login_is_set(server: Server, secrets: Path) -> None:
    """A file that takes a hundred times as long to read as a check to answer, on any machine."""
    with Visitor(server.url).open() as visitor, HealthChecks(server.url) as checks:
        visitor.upload("upload_anonymized", "hostile.csv", HOSTILE_FILES["a million commas in a line"]())
        during = len(checks.seconds)
    assert during
    assert any("hostile" in text for text in visitor.texts)
    secrets.write_text(
        '[auth]\nredirect_uri = "http://localhost/oauth2callback"\ncookie_secret = "' + "x" * 40 + '"\n'
        'client_id = "a"\nclient_secret = "b"\nserver_metadata_url = "http://localhost/none"\n'
    )
    with Visitor(server.url).open() as visitor:
        assert visitor.put(f"/_stcore/upload_file/{visitor.session}/any", "t.csv", b"a\n1\n") == 403
