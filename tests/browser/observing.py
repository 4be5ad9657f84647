"""A server that is watched from inside: what it writes, whom it asks, and which tables it keeps alive."""

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dashboard import environment
from tests.browser.serving import Server, start_server

_OBSERVER = Path(__file__).with_name("observer")


@dataclass(frozen=True)
class Observed:
    """A running server with the folders it could write to and what its process was seen to do."""

    server: Server
    home: Path
    temporary: Path
    events: Path

    def seen(self, kind: str) -> list[str]:
        """What the process did of a kind: `writes`, `asks` or `starts`."""
        events = [json.loads(line) for line in self.events.read_text(encoding="utf-8").splitlines()]
        return [one["what"] for one in events if one["kind"] == kind]

    def alive(self) -> Mapping[str, int]:
        """How many objects live, by the names of their classes."""
        before = len(self.seen("alive"))
        os.kill(self.server.process, signal.SIGUSR1)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            counts = self.seen("alive")
            if len(counts) > before:
                return dict(counts[-1])  # type: ignore[arg-type]
            time.sleep(0.05)
        raise AssertionError("The server did not count its objects within 30 seconds.")

    def wait_until_gone(self, *names: str) -> None:
        """Wait until no object of these classes lives."""
        deadline = time.monotonic() + 200  # a busy machine drops closed sessions late
        while True:
            counts = self.alive()
            left = {name: counts[name] for name in names if counts.get(name)}
            if not left:
                return
            assert time.monotonic() < deadline, f"Still alive after 200 seconds: {left}"
            time.sleep(0.5)


@contextmanager
def observed_server(folder: Path, **settings: str) -> Iterator[Observed]:
    """The dashboard with a home and a temporary folder of its own inside `folder`, and Streamlit settings by name."""
    home, temporary, events = folder / "home", folder / "temporary", folder / "events.jsonl"
    home.mkdir(parents=True)
    temporary.mkdir()
    events.touch()
    variables = {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "OBSERVED": str(events),
        "PYTHONPATH": str(_OBSERVER),
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"STREAMLIT_{name.upper()}": value for name, value in settings.items()},
    }
    with start_server(environment.ROOT / "dashboard" / "app.py", folder / "log.txt", variables) as server:
        yield Observed(server, home, temporary, events)
