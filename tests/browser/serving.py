"""A Streamlit server of one's own for tests, started by the command line that users start."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dashboard import environment

TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Server:
    """A running server: where it answers, the file it logs to, and its process."""

    url: str
    log: Path
    process: int

    def logged(self, since: int = 0) -> str:
        """What the server has written, from a length of the log on."""
        return self.log.read_text(encoding="utf-8", errors="replace")[since:]


@contextmanager
def start_server(
    script: Path, log: Path, variables: Mapping[str, str] | None = None, port: int | None = None
) -> Iterator[Server]:
    """Serve a Streamlit script without a browser; ends the server and fails on a traceback in its log.

    `variables` go into its environment, beside this process's own; the port is a free one by default.
    """
    port = free_port() if port is None else port
    command = environment.dashboard_command(Path(sys.executable), script, port, open_browser=False)
    # Unbuffered: the log is read while the server runs.
    own = os.environ | {"PYTHONUNBUFFERED": "1"} | dict(variables or {})
    with log.open("ab") as sink:
        process = subprocess.Popen(command, cwd=environment.ROOT, env=own, stdout=sink, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}", log, process.pid)
        try:
            wait_until_healthy(server, process)
            yield server
        finally:
            end(process)
    assert TRACEBACK not in server.logged(), f"The server logged a traceback:\n{server.logged()}"


def end(process: subprocess.Popen[bytes]) -> None:
    """End a server, by force if it does not end by itself."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, f"The server ended at once:\n{server.logged()}"
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise AssertionError(f"The server did not answer within 60 seconds:\n{server.logged()}")
