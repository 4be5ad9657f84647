"""`python -m maintenance.lock [--upgrade]`: pin the requirements files with hashes, for every platform.

Needs uv (`pip install uv`) and the package index. The lock of the tests holds the versions of the other one and more.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from dashboard.environment import LOCKS, ROOT, lock_header

OLDEST_PYTHON = "3.11"


def compile_lock(root: Path, requirements: Sequence[str], lock: str, upgrade: bool, constraints: Sequence[str]) -> None:
    """Write one lock file; versions that it pins already are kept unless upgraded."""
    command = [sys.executable, "-m", "uv", "pip", "compile", *requirements, "--output-file", lock, "--quiet"]
    command += ["--universal", "--generate-hashes", "--no-header", "--python-version", OLDEST_PYTHON]
    command += ["--upgrade"] * upgrade
    for file in constraints:
        command += ["--constraint", file]
    subprocess.run(command, cwd=root, check=True)
    path = root / lock
    path.write_text(lock_header(root, requirements) + path.read_text(encoding="utf-8"), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the locks."""
    parser = argparse.ArgumentParser(prog="python -m maintenance.lock", description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="upgrade to the newest allowed versions")
    upgrade: bool = parser.parse_args(arguments).upgrade
    if importlib.util.find_spec("uv") is None:
        print("uv is not installed; install it with `pip install uv`.", file=sys.stderr)
        return 2
    finished: list[str] = []
    for requirements, lock in LOCKS.items():
        compile_lock(ROOT, requirements, lock, upgrade, finished)
        finished.append(lock)
    return 0


if __name__ == "__main__":
    sys.exit(main())
