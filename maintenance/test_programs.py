"""What tests need beside Python packages, Chromium and Java: `python3 -m dashboard test` installs what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

BROWSER_TESTS = Path("tests", "browser")
SPARK_TESTS = Path("tests", "engines")


def chromium() -> str | None:
    """Path of the machine's own Chromium; None if it has none."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


def has_java() -> bool:
    """Whether Spark finds a Java."""
    return "JAVA_HOME" in os.environ or shutil.which("java") is not None


def install_missing(python: Path, arguments: Sequence[str], say: Callable[[str], None]) -> None:
    """Install what the tests that pytest's arguments choose need: with `apt-get` as root, or Playwright's Chromium.

    What cannot be installed is left to the tests, which are skipped then, or fail under CI.
    """
    if needs(arguments, BROWSER_TESTS) and "not browser" not in " ".join(arguments) and chromium() is None:
        say("Installing Chromium for the tests in the browser ...")
        _install_package("chromium")
        if chromium() is None:
            _succeeds(str(python), "-m", "playwright", "install", "chromium")
    if needs(arguments, SPARK_TESTS) and not has_java():
        say("Installing Java for the tests of Spark ...")
        _install_package("openjdk-17-jre-headless")


def needs(arguments: Sequence[str], tests: Path) -> bool:
    """Whether these arguments of pytest run tests in a folder: they name no path, or one within or above it."""
    if "--collect-only" in arguments:
        return False
    paths = [Path(argument.partition("::")[0]) for argument in arguments if argument.startswith("tests")]
    return not paths or any(path.is_relative_to(tests) or tests.is_relative_to(path) for path in paths)


def _install_package(name: str) -> None:
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        _succeeds("apt-get", "update")
        _succeeds("apt-get", "install", "-y", name)


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
