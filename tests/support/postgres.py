"""A server of PostgreSQL of the tests' own, where the machine has its programs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ADDRESS = "postgresql://quasi@/postgres?host={folder}"


def programs() -> Path:
    """The folder of the server's programs, which Debian does not put on the path; skips where there is none."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql, then run the tests again.")
    return folders[-1]


@contextmanager
def server() -> Iterator[str]:
    """The address of a new server, which listens on a socket in a folder only; it ends and is deleted afterwards."""
    binaries = programs()
    # Sockets have short paths, and the server refuses to run as root.
    with TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        user = "nobody" if os.geteuid() == 0 else None
        if user:
            shutil.chown(folder, "nobody")
        data = Path(folder, "data")

        def run(program: str, *arguments: str) -> None:
            command = [str(binaries / program), "-D", str(data), *arguments]
            subprocess.run(
                command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user
            )

        run("initdb", "-A", "trust", "-U", "quasi", "-N")
        run("pg_ctl", "-w", "-o", f"-k {folder} -c listen_addresses= -F", "-l", f"{folder}/log", "start")
        try:
            yield ADDRESS.format(folder=folder)
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
