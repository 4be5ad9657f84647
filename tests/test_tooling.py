"""The house rules that a machine can check: style, types, which package may import which, and what is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = Path(sys.executable).parent


@pytest.mark.parametrize(
    "arguments",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports", "--no-cache"]],
    ids=["lint", "format", "types", "layers"],
)
def test_checker_finds_nothing(arguments: list[str]) -> None:
    command = [str(COMMANDS / arguments[0]), *arguments[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}", pytrace=False)


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
    heavy = {"streamlit", "plotly", "altair", "pandas", "ipywidgets", "anywidget", *(["numpy.ma"] if work else [])}
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
