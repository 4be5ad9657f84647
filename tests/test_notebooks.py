"""The notebooks under examples/: stored with their outputs, small, and every cell runs, without a warning."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from dashboard.environment import ROOT

FOLDER = ROOT / "examples"
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


def test_the_example_notebook_is_in_the_repository() -> None:
    assert [path.name for path in NOTEBOOKS] == ["from_two_files_to_a_decision.ipynb"]


def test_the_notebook_is_small_has_its_outputs_and_names_no_path(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert len(text.encode()) < MAX_BYTES
    assert not re.search(r"/home/|/root|/tmp/|/Users/|[A-Z]:\\\\|https?://|0x[0-9a-f]{6}", text)
    cells = code_cells(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert all(output["output_type"] != "error" for cell in cells for output in cell["outputs"])
    assert sum(bool(cell["outputs"]) for cell in cells) > len(cells) / 2
    assert {PLOTLY, "text/html"} <= {kind for cell in cells for one in cell["outputs"] for kind in one.get("data", {})}


def test_every_cell_prints_its_stored_output(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this fails because outputs are stale, `python examples/execute.py FILE` renews them."""
    import plotly.io
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    monkeypatch.chdir(notebook.parent)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setattr(plotly.io.renderers, "default", "plotly_mimetype")
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    results: list[Any] = []
    shell.display_trap.hook = results.append
    try:
        for stored in code_cells(notebook):
            results.clear()
            with capture_output() as shown:
                shell.run_cell("".join(stored["source"])).raise_error()
                returned = [
                    {"data": shell.display_formatter.format(value)[0]} for value in results if value is not None
                ]
            printed = [{"text": shown.stdout}] if shown.stdout else []
            displayed = [{"data": output.data} for output in shown.outputs]
            outputs = [*printed, *displayed, *(output for output in returned if output["data"])]
            assert said({"outputs": outputs}) == said(stored), "".join(stored["source"])
    finally:
        InteractiveShell.clear_instance()


def execute(notebook: Path, out: Path) -> list[dict[str, Any]]:
    """The cells as a kernel runs them."""
    # In a process of its own: a kernel's sockets outlive the client that opened them.
    done = subprocess.run(
        [sys.executable, FOLDER / "execute.py", notebook, "--out", out],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return code_cells(out)


def test_a_kernel_stores_what_a_cell_says_and_a_warning_in_it_is_an_error(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "id": "one", "metadata": {}, "execution_count": None, "outputs": []}
    cell["source"] = "import warnings\ntry:\n  warnings.warn('x')\nexcept UserWarning:\n  print('an error')"
    written = tmp_path / "warns.ipynb"
    written.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert [said(cell) for cell in execute(written, tmp_path / "out.ipynb")] == [["an error"]]


@pytest.mark.slow
def test_a_kernel_prints_the_stored_output(notebook: Path, tmp_path: Path) -> None:
    for cell, stored in zip(execute(notebook, tmp_path / notebook.name), code_cells(notebook), strict=True):
        assert said(cell) == said(stored), "".join(stored["source"])
