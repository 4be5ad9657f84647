"""Neither the command line nor the server nor what they start leaves a core dump."""

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="Windows has no limits of this kind")

ALLOW = """
import resource, subprocess, sys
hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
"""
SHOW = """
print(resource.getrlimit(resource.RLIMIT_CORE)[0])
subprocess.run([sys.executable, "-c", "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0])"])
"""
COMMAND_LINE = "from metrics.cli import main; main([])"
SERVER = """
import asyncio
from types import SimpleNamespace
from dashboard.serving import server
stopped = asyncio.new_event_loop().create_future()
server.running = lambda: SimpleNamespace(state=server.RuntimeState.STOPPED, stopped=stopped)
server.READING = SimpleNamespace(start=lambda *asked: None)
server.prepare()
"""


@pytest.mark.parametrize("program", [COMMAND_LINE, SERVER], ids=["command line", "server"])
def test_a_process_that_holds_tables_and_those_it_starts_leave_no_core_dump(program: str) -> None:
    code = f"{ALLOW}\n{program}\nsys.stdout.flush()\n{SHOW}"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["0", "0"]
