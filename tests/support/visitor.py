"""A visitor of the dashboard without a browser: Streamlit's WebSocket and upload requests, and the health check."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

_FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN)
_BOUNDARY = "----------------quasi"
WAIT_S = 240


@dataclass
class Visitor:
    """One session; `open` begins it."""

    url: str
    texts: list[str] = field(default_factory=list)
    """Alerts, headings and paragraphs of the last run."""

    @contextmanager
    def open(self) -> Iterator[Visitor]:
        """Connect, and wait until the first page is drawn."""
        token = self._token()
        host = urlsplit(self.url).netloc
        with connect(
            f"ws://{host}/_stcore/stream",
            origin=self.url,  # type: ignore[arg-type]
            subprotocols=[Subprotocol("streamlit"), Subprotocol(token)],
            additional_headers={"Cookie": f"_streamlit_xsrf={token}"},
            max_size=None,
        ) as self._socket:
            self._xsrf = token
            self._session = ""
            self._widgets: dict[str, str] = {}
            self._page = ""
            self.rerun(BackMsg())
            yield self

    def rerun(self, message: BackMsg) -> None:
        """Ask for a run of the page, and wait until it, and what it sets off, has ended."""
        message.rerun_script.query_string = ""
        message.rerun_script.page_script_hash = self._page
        self._socket.send(message.SerializeToString())
        self._await_end()

    def press(self, key: str) -> None:
        """Press the button with a key."""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = self._widgets[key], True
        self.rerun(message)

    def visit(self, path: str) -> None:
        """Go to the page with a path, such as "scorecard"."""
        self._page = self._pages[path]
        self.rerun(BackMsg())

    def upload(self, key: str, name: str, content: bytes) -> None:
        """Give a file to the uploader with a key, and wait until the page has taken it in."""
        self.put(self._upload_path(name), name, content)
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self._widgets[key]
        uploaded = state.file_uploader_state_value.uploaded_file_info.add()
        uploaded.name, uploaded.size, uploaded.file_id = name, len(content), self._urls.file_id
        uploaded.file_urls.CopyFrom(self._urls)
        self.rerun(message)

    def put(self, path: str, name: str, content: bytes) -> int:
        """Send a file to the server; the status of its answer."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{_BOUNDARY}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
            "X-Xsrftoken": self._xsrf,
            "Cookie": f"_streamlit_xsrf={self._xsrf}",
        }
        return request(self.url, "PUT", path, headers, body).status

    @property
    def session(self) -> str:
        """Its identity, as it stands in the addresses of uploads."""
        return self._session

    def _token(self) -> str:
        answer = request(self.url, "GET", "/_stcore/health")
        cookies = answer.getheader("Set-Cookie") or ""
        return cookies.partition("_streamlit_xsrf=")[2].partition(";")[0]

    def _upload_path(self, name: str) -> str:
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        self._socket.send(message.SerializeToString())
        while True:
            answer = self._receive()
            if answer.WhichOneof("type") == "file_urls_response":
                (self._urls,) = answer.file_urls_response.file_urls
                return str(self._urls.upload_url)

    def _await_end(self) -> None:
        while True:
            message = self._receive()
            if message.WhichOneof("type") != "script_finished" or message.script_finished not in _FINISHED:
                continue
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return

    def _receive(self) -> ForwardMsg:
        message = ForwardMsg()
        received = self._socket.recv(timeout=WAIT_S)
        assert isinstance(received, bytes)
        message.ParseFromString(received)
        if message.WhichOneof("type") == "new_session":
            self._session = message.new_session.initialize.session_id
            self.texts.clear()
            self._page = message.new_session.page_script_hash
        elif message.WhichOneof("type") == "navigation":
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind in ("file_uploader", "button"):
            widget = getattr(element, kind).id
            self._widgets[widget.rpartition("-")[2]] = widget
        elif kind in ("alert", "heading", "markdown"):
            self.texts.append(getattr(element, kind).body)
        return message


def request(
    url: str, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None
) -> http.client.HTTPResponse:
    """One request on a connection of its own, its answer read to the end."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=WAIT_S)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


class HealthChecks:
    """Another visitor's health checks, one after the other while the context manager is open."""

    def __init__(self, url: str, pause_s: float = 0.02) -> None:
        self._url, self._pause_s = url, pause_s
        self.seconds: list[float] = []
        """How long each took."""

    def __enter__(self) -> HealthChecks:
        """Begin."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._check, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End, with the last check answered."""
        self._ended.set()
        self._thread.join()

    def _check(self) -> None:
        while not self._ended.wait(self._pause_s):
            began = time.perf_counter()
            answer = request(self._url, "GET", "/_stcore/health")
            assert answer.status == 200
            self.seconds.append(time.perf_counter() - began)
