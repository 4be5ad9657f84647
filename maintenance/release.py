"""`python -m maintenance.release TAG`: check that a tag, the version, the citation and the change log agree."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def differences(tag: str, root: Path = ROOT) -> Iterator[str]:
    """A sentence for each file that names another version than the tag."""
    version = tag.removeprefix("v")
    expected = {
        "metrics/version.py": rf'^VERSION = "{re.escape(version)}"$',
        "CITATION.cff": rf"^version: {re.escape(version)}$",
        "CHANGELOG.md": rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$",
        "docs/citing.md": rf"version {re.escape(version)}\b",
        "mkdocs.yml": rf"Quasi {re.escape(version)}\b",
    }
    for file, pattern in expected.items():
        if not re.search(pattern, (root / file).read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{file} does not have the version {version}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what differs; the exit status is 1 if something does."""
    found = list(differences((sys.argv[1:] if arguments is None else arguments)[0]))
    for sentence in found:
        print(sentence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
