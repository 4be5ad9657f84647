"""The command line, run as a user runs it or within the test's own process."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from metrics.cli import main

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Run:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """Standard output, which must be one JSON object and nothing else, without NaN and Infinity."""
        found = json.loads(self.out, parse_constant=_refuse)
        assert isinstance(found, dict)
        return found


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def run(*arguments: object, **environment: str) -> Run:
    """`python -m metrics …` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "metrics", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> Run:
    """The same within this process, which is faster."""
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    return Run(status, *capsys.readouterr())
