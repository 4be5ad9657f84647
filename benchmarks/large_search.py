"""Large searches beside ARX: `python -m benchmarks.large_search TABLE SECONDS [ALGORITHM]` measures one as JSON."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from benchmarks.explore import COLUMNS, adult_folder
from benchmarks.processes import Figures, figures_of, say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT

TABLES = {"adult8": 8, "adult9": 9, "census15": 15, "census20": 20}
SECONDS = (2, 10, 60)
ALGORITHMS = ("BEST_EFFORT_BOTTOM_UP", "BEST_EFFORT_TOP_DOWN", "BEST_EFFORT_GENETIC")
OPTIMAL = "OPTIMAL"
_MAX_ENUMERATED = 9
"""Quasi-identifiers up to which ARX is asked for its optimum; it does not end with more."""


def measure() -> list[Section]:
    """Loss of the best generalization by time limit; also ARX's if ARX_CLASSPATH names its classes."""
    lines = []
    for name in TABLES:
        if name.startswith("adult") and not adult_folder().is_dir():
            continue
        for seconds in SECONDS:
            say(f"large search: {name}, {seconds} s")
            run = figures_of("benchmarks.large_search", name, str(seconds))
            status = "proven" if run["proven"] else f"proven: none below {run['bound']:.4f}"
            lines.append(Line(f"{name}, {seconds} s: loss, after {run['seconds']:.1f} s ({status})", run["loss"], ""))
            lines += _of_arx(name, seconds)
    how = (
        "Loss of the best generalization found (0 to 1, lower is better), k = 5, 4% suppressed at most: adult with 8 "
        "and 9 quasi-identifiers; census-like tables of 50,000 records with 15 and 20 (`benchmarks/census.py`). "
        "Branch and bound for all; times without reading. ARX: its optimal search, its three heuristic ones."
    )
    return [Section("large search", how, lines)]


def _of_arx(name: str, seconds: int) -> list[Line]:
    if not os.environ.get("ARX_CLASSPATH"):
        return []
    algorithms = (OPTIMAL,) if TABLES[name] <= _MAX_ENUMERATED else ALGORITHMS
    lines = []
    for algorithm in algorithms if seconds > min(SECONDS) else ():
        run = figures_of("benchmarks.large_search", name, str(seconds), algorithm)
        label = algorithm.removeprefix("BEST_EFFORT_").replace("_", " ").lower()
        lines.append(Line(f"{name}, {seconds} s: ARX, {label}: loss, after {run['seconds']:.1f} s", run["loss"], ""))
    return lines


def _inputs(name: str) -> tuple[Any, Any, Any]:
    """The original, roles and hierarchies of one table."""
    import metrics
    from benchmarks.census import census

    n_columns = TABLES[name]
    if name.startswith("census"):
        data = census(n_columns)
        return data.original, data.roles, data.hierarchies
    folder = adult_folder()
    columns = [*COLUMNS, "workclass"][:n_columns]
    return (
        metrics.read_table(folder / "adult.csv"),
        metrics.Roles(quasi_identifiers=columns),
        metrics.read_hierarchies(folder / "adult_hierarchy_intervals"),
    )


def once(name: str, seconds: float) -> Figures:
    """One search with a time limit in seconds."""
    from metrics.candidates.search.evaluation import Scope
    from metrics.candidates.search.lattice import iter_explore

    inputs = _inputs(name)
    start, processor_start = perf_counter(), process_time()
    steps = iter_explore(*inputs, sensitive=Scope.NONE, max_seconds=seconds, max_nodes=4_000)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            exploration = end.value
            break
    best = exploration.node(exploration.best)
    return {
        "seconds": perf_counter() - start,
        "processor_seconds": process_time() - processor_start,
        "loss": best["loss"],
        "bound": exploration.bound,
        "proven": exploration.proven,
        "evaluated": exploration.nodes_evaluated,
    }


def arx(name: str, seconds: float, algorithm: str) -> Figures:
    """One search by ARX, from files like those it is used with."""
    from metrics.tables.export import write_table

    original, roles, hierarchies = _inputs(name)
    with TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        write_table(original.to_arrow(), folder / "table.csv")
        for column in roles.quasi_identifiers:
            with (folder / f"{column}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(hierarchies[column].rows)
        command = ["java", "-cp", os.environ["ARX_CLASSPATH"], str(ROOT / "benchmarks" / "ArxSearch.java")]
        arguments = [str(folder), ",".join(roles.quasi_identifiers), algorithm, str(seconds)]
        completed = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    figures: Figures = json.loads(completed.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    table, limit, *algorithms = sys.argv[1:]
    print(json.dumps(arx(table, float(limit), *algorithms) if algorithms else once(table, float(limit))))
