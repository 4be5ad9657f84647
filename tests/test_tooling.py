"""The house rules that a machine can check: style, types, and which room may import which."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("metrics", "dashboard", "pages")
DRAWING = {"plotly", "altair"}
FORBIDDEN = {
    "metrics": {"streamlit", "dashboard", "pages"},
    "dashboard": {"pages"},
    "pages": set(),
}


@pytest.mark.parametrize(
    "arguments",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]],
    ids=["lint", "format", "types"],
)
def test_checker_finds_nothing(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        pytest.fail(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}", pytrace=False)


def imported(source: str, package: str) -> Iterator[str]:
    """Absolute names of what a module of a package imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = parents[: len(parents) + 1 - node.level] if node.level else []
            yield ".".join([*base, *(node.module or "").split(".")]).strip(".")


def violations(path: Path, source: str) -> list[str]:
    """Imports of a file, given by its path from the root, that go against the direction of the rooms."""
    forbidden = set(FORBIDDEN[path.parts[0]])
    if path.parts[0] == "metrics" and path.parts[1] != "figures":
        forbidden |= DRAWING
    names = imported(source, ".".join(path.parent.parts))
    return [f"{path} imports {name}" for name in names if name.split(".")[0] in forbidden]


def test_imports_go_one_way() -> None:
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    assert {file.relative_to(ROOT).parts[0] for file in files} == set(ROOMS)
    found = [line for file in files for line in violations(file.relative_to(ROOT), file.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("path", "source", "allowed"),
    [
        ("metrics/table.py", "import streamlit as st", False),
        ("metrics/privacy/risk.py", "def f():\n    from dashboard.scoring import score", False),
        ("metrics/table.py", "import plotly.express", False),
        ("metrics/privacy/risk.py", "from ..figures import plotly", True),
        ("metrics/figures/classes.py", "import plotly.graph_objects as go", True),
        ("metrics/figures/classes.py", "from streamlit import title", False),
        ("dashboard/app.py", "import pages.data", False),
        ("dashboard/app.py", "import streamlit, metrics", True),
        ("pages/data.py", "from dashboard import workspace", True),
    ],
)
def test_wrong_direction_is_seen(path: str, source: str, allowed: bool) -> None:
    assert (violations(Path(path), source) == []) is allowed


SCORED = """
roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["ill"])
tables = [metrics.read_table(f"{name}.csv") for name in ("original", "released")]
trees = metrics.read_hierarchies("hierarchies")
seeds = ["p29", "k_anonymity", "t_closeness", "non_uniform_entropy", "ambiguity", "profitability"]
card = metrics.score(tables[1], roles, original=tables[0], hierarchies=trees, metrics=seeds)
assert card["non_uniform_entropy"].value > 0, card["non_uniform_entropy"].unavailable
assert card.to_dict() and card.classes.to_arrow().num_rows == 2
"""


@pytest.mark.parametrize("work", ["", SCORED], ids=["imported", "scored"])
def test_the_library_loads_neither_streamlit_nor_plots_nor_pandas(work: str, tmp_path: Path) -> None:
    """Nor numpy's masked arrays, which `np.unique` without counts takes longer to import than it computes."""
    (tmp_path / "original.csv").write_text("age,ill\n34,flu\n37,cold\n41,flu\n44,cold\n", encoding="utf-8")
    (tmp_path / "released.csv").write_text("age,ill\n3*,flu\n3*,cold\n4*,flu\n4*,cold\n", encoding="utf-8")
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "age.csv").write_text("34;3*;*\n37;3*;*\n41;4*;*\n44;4*;*\n", encoding="utf-8")
    heavy = {"streamlit", "plotly", "altair", "pandas", *(["numpy.ma"] if work else [])}
    code = (
        f"import sys, os, metrics\nos.chdir({str(tmp_path)!r})\n{work}\n"
        f"print(sorted({heavy!r}.intersection(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
