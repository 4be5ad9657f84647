"""Where the reference tables are, and a small reader of them for the oracle."""

import csv
import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "reference"
REFERENCE_DATA = Path(os.environ.get("REFERENCE_DATA") or _DEFAULT)


def reference(*parts: str) -> Path:
    """A file or folder of the reference data, for a test with the marker `reference`."""
    path = REFERENCE_DATA.joinpath(*parts)
    if not path.exists():
        pytest.fail(f"the reference data have no {Path(*parts)}", pytrace=False)
    return path


@cache
def arx_figures() -> dict[str, Any]:
    """What ARX 3.9.2 gave for the reference data."""
    found: dict[str, Any] = json.loads(reference("oracle.json").read_text(encoding="utf-8"))
    return found


def read_rows(path: Path) -> list[list[str]]:
    """The cells of a `;` or `,` separated file (also gzip) without surrounding blanks and blank lines."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = content.decode("utf-8-sig").splitlines()
    delimiter = ";" if ";" in lines[0] else ","
    return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter) if row]


def read_records(path: Path) -> list[dict[str, str | None]]:
    """A table with a header as one dictionary per record; no text means missing."""
    header, *rows = read_rows(path)
    return [dict(zip(header, row, strict=True)) for row in rows]


def read_hierarchies(folder: Path) -> dict[str, list[list[str]]]:
    """Every `<anything>hierarchy_<column>.csv` of a folder, by column."""
    return {path.stem.rpartition("hierarchy_")[2]: read_rows(path) for path in sorted(folder.glob("*hierarchy_*.csv"))}
