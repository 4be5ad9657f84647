"""The sample's files, and smaller tables made of them."""

from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"


def beginning(name: str, folder: Path) -> Path:
    """The first 500 records of a table of the sample, as a file of that name in a folder."""
    lines = (SAMPLE / name).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / name).write_text("".join(lines[:501]), encoding="utf-8")
    return folder / name
