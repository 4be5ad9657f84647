"""The notebooks under examples/: stored with their outputs, small, and every cell runs, without a warning."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MAX_BYTES = 400_000
PLOTLY = "application/vnd.plotly.v1+json"


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def said(cell: dict[str, Any]) -> list[str]:
    """What a cell's outputs say: words and figures without the look of tables; of a figure its title."""
    texts: list[str] = []
    for output in cell["outputs"]:
        content = output.get("data", {"text/plain": output.get("text", [])})
        if PLOTLY in content:
            texts.append(content[PLOTLY]["layout"]["title"]["text"])
        elif "text/html" in content:
            bare = re.sub(r"<style.*?</style>|<[^>]+>", " ", "".join(content["text/html"]), flags=re.DOTALL)
            texts.append(" ".join(unescape(bare).split()))
        else:
            texts.append(" ".join("".join(content["text/plain"]).split()))
    return texts


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["from_two_files_to_a_decision.ipynb"]


def test_it_is_stored_small_with_its_outputs_and_names_no_place(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert len(text.encode()) < MAX_BYTES
    assert not re.search(r"/home/|/root|/tmp/|/Users/|[A-Z]:\\\\|https?://|0x[0-9a-f]{6}", text)
    cells = code_cells(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert all(output["output_type"] != "error" for cell in cells for output in cell["outputs"])
    assert sum(bool(cell["outputs"]) for cell in cells) > len(cells) / 2
    assert {PLOTLY, "text/html"} <= {kind for cell in cells for one in cell["outputs"] for kind in one.get("data", {})}


def test_it_runs_and_says_what_is_stored(notebook: Path, tmp_path: Path) -> None:
    """Where this fails because outputs are stale, `python examples/execute.py FILE` renews them."""
    fresh = tmp_path / notebook.name
    # In a process of its own: a kernel's sockets outlive the client that opened them.
    done = subprocess.run(
        [sys.executable, FOLDER / "execute.py", notebook, "--out", fresh],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for cell, stored in zip(code_cells(fresh), code_cells(notebook), strict=True):
        assert said(cell) == said(stored), "".join(stored["source"])


def test_a_warning_in_a_cell_is_an_error(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "id": "one", "metadata": {}, "execution_count": None, "outputs": []}
    cell["source"] = "import warnings\nwarnings.warn('look here')"
    written = tmp_path / "warns.ipynb"
    written.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    done = subprocess.run(
        [sys.executable, FOLDER / "execute.py", written], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode != 0
    assert re.search(r"UserWarning\W.*look here", done.stderr)
