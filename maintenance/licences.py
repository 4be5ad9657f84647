"""`python -m maintenance.licences`: write docs/licences.md, the licence of each locked package, as installed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from dashboard.environment import LOCKS, ROOT, RUN_REQUIREMENTS, TEST_REQUIREMENTS

PAGE = ROOT / "docs" / "licences.md"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_CLASSIFIER = "License :: "
_LONGEST = 60
# Of packages that only other systems or interpreters install, as they state it themselves.
_ELSEWHERE = {
    "appnope": "BSD-2-Clause",
    "cffi": "MIT-0",
    "colorama": "BSD License",
    "pycparser": "BSD-3-Clause",
    "pywinpty": "MIT",
    "tzdata": "Apache-2.0",
}
_FILES = """
## Files of others, in this repository or in a package above

| file | of | licence |
|---|---|---|
| `inter-latin.woff2`, `inter-latin-ext.woff2` | Inter | OFL-1.1, `dashboard/static/inter-LICENSE.txt` |
| `axe.min.js` in axe-playwright-python | axe-core | MPL-2.0 |
"""


@dataclass(frozen=True)
class Pin:
    """A locked package."""

    name: str
    version: str


def pins(lock: Path) -> Iterator[Pin]:
    """The packages of a lock file."""
    for name, version in _PIN.findall(lock.read_text(encoding="utf-8")):
        yield Pin(name, version)


def licence(name: str) -> str:
    """The licence that an installed package declares. Raises PackageNotFoundError if it is not installed."""
    try:
        package = distribution(name)
    except PackageNotFoundError:
        if name in _ELSEWHERE:
            return _ELSEWHERE[name]
        raise
    return _expression(package) or "not stated"


def _expression(package: Distribution) -> str:
    metadata = package.metadata
    if metadata.get("License-Expression"):
        return str(metadata["License-Expression"])
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in metadata.get_all("Classifier", [])
        if classifier.startswith(_CLASSIFIER)
    ]
    classifiers = [classifier for classifier in classifiers if classifier != "OSI Approved"]
    text = str(metadata.get("License") or "").strip()
    if text and text != "UNKNOWN" and "\n" not in text and len(text) <= _LONGEST:
        return text
    return ", ".join(classifiers) or _title(package)


def _title(package: Distribution) -> str:
    """The first line of the licence text that the package brings, such as "MIT License"."""
    texts = (package.read_text(f"licenses/{name}") for name in package.metadata.get_all("License-File", []))
    first_line = next(((text or "").strip().partition("\n")[0] for text in texts), "")
    return first_line if len(first_line) <= _LONGEST else ""


def versions(lock: Path) -> dict[str, list[str]]:
    """The packages of a lock file with their versions; several if they depend on the Python version."""
    versions_by_name: dict[str, list[str]] = {}
    for pin in pins(lock):
        versions_by_name.setdefault(pin.name, []).append(pin.version)
    return versions_by_name


def page() -> str:
    """The table: packages of the dashboard first, then those of the tests only."""
    run_versions = versions(ROOT / LOCKS[RUN_REQUIREMENTS])
    test_versions = {
        name: package_versions
        for name, package_versions in versions(ROOT / LOCKS[TEST_REQUIREMENTS]).items()
        if name not in run_versions
    }
    parts = [
        "# Licences\n\nOf every package that `requirements-lock.txt` and `requirements-test-lock.txt` pin, as the "
        "package itself states it. Made by `python -m maintenance.licences`.\n"
    ]
    for title, packages in (("Installed with the dashboard", run_versions), ("Only with the tests", test_versions)):
        rows = "".join(
            f"| {name} | {', '.join(package_versions)} | {licence(name)} |\n"
            for name, package_versions in packages.items()
        )
        parts.append(f"\n## {title}\n\n| package | version | licence |\n|---|---|---|\n{rows}")
    parts.append(_FILES)
    return "".join(parts)


def main() -> int:
    """Write the page."""
    try:
        PAGE.write_text(page(), encoding="utf-8")
    except PackageNotFoundError as error:
        print(f"{error.name} is not installed: run `python3 -m dashboard test` once, then this again.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
