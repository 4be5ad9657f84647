"""The house rules that a machine can check: style, types, which package may import which, and what is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = Path(sys.executable).parent
TESTS = ROOT / "tests"
ACROSS = {"browser", "cluster", "corpus", "fuzz", "oracle", "properties", "published"}
"""Folders of tests that each ask one question of many modules."""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["lint-imports", "--no-cache"], id="layers"),
        pytest.param(["mypy"], id="types", marks=pytest.mark.slow),
    ],
)
def test_lint_format_layers_and_types_have_no_finding(arguments: list[str]) -> None:
    command = [str(COMMANDS / arguments[0]), *arguments[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}", pytrace=False)


SCRIPT = """
import os, sys, metrics
heavy = {"streamlit", "plotly", "altair", "pandas", "ipywidgets", "anywidget"}
print("imported:", heavy.intersection(sys.modules))
os.chdir(sys.argv[1])
roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["ill"])
tables = [metrics.read_table(f"{name}.csv") for name in ("original", "released")]
trees = metrics.read_hierarchies("hierarchies")
card = metrics.score(tables[1], roles, original=tables[0], hierarchies=trees)
assert card["non_uniform_entropy"].value > 0, card["non_uniform_entropy"].unavailable
assert card.to_dict() and card.classes.to_arrow().num_rows == 2
print("scored:", heavy.intersection(sys.modules))
"""


def test_the_library_loads_neither_streamlit_nor_plots_nor_pandas(tmp_path: Path) -> None:
    (tmp_path / "original.csv").write_text("age,ill\n34,flu\n37,cold\n41,flu\n44,cold\n", encoding="utf-8")
    (tmp_path / "released.csv").write_text("age,ill\n3*,flu\n3*,cold\n4*,flu\n4*,cold\n", encoding="utf-8")
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "age.csv").write_text("34;3*;*\n37;3*;*\n41;4*;*\n44;4*;*\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (0, "imported: set()\nscored: set()\n"), done.stderr


def test_every_test_file_mirrors_a_module_or_a_package() -> None:
    """But those directly in `tests`, which are about the repository, and those in folders across modules."""
    stray = []
    for path in TESTS.rglob("*/test_*.py"):
        file = path.relative_to(TESTS)
        module = file.with_name(file.stem.removeprefix("test_"))
        tested = [root / module for root in (ROOT / "metrics", ROOT)]
        if not ACROSS.intersection(file.parts) and not any(
            one.is_dir() or one.with_suffix(".py").is_file() for one in tested
        ):
            stray.append(str(file))
    assert stray == []


def test_a_path_without_tests_is_named() -> None:
    command = [sys.executable, "-m", "pytest", "tests/privcy/test_p29.py::test_k"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    named = "ERROR: There is no file or folder of tests tests/privcy/test_p29.py: check the path, as in tests/privacy."
    assert (done.returncode, done.stderr.strip()) == (4, named)
