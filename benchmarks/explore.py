"""Exploring the lattice of adult's generalizations: `python -m benchmarks.explore KIND` measures one kind as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.processes import Figures, figures_of, peak_megabytes, say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT

SECONDS = 1.0
SECONDS_OF_NINE = 2.5
SECONDS_OF_A_MILLION = 5.0
MEGABYTES = 500
REPETITIONS = 5
COLUMNS = ("sex", "age", "race", "marital-status", "education", "native-country", "occupation", "salary-class")
SUPPRESSED_AT_OPTIMUM = 1173
"""Records, with 8 quasi-identifiers."""
KINDS = {
    "eight": "every node, 8 quasi-identifiers",
    "nine": "every node, 9 quasi-identifiers",
    "feasible": "every node, 8 quasi-identifiers, and l, t and P_29 of workclass for the feasible ones",
    "sensitive": "every node, 8 quasi-identifiers, and l, t and P_29 of workclass for all",
    "search": "branch and bound until the optimum is proven, 8 quasi-identifiers",
    "million": "the same for a million census-like records, 8 quasi-identifiers",
}


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """Every kind in its own processes; nothing if the reference data are absent."""
    if not adult_folder().is_dir():
        return [Section("explore", "The reference data are absent: set REFERENCE_DATA to their folder.", ())]
    runs: dict[str, list[Figures]] = {kind: [] for kind in KINDS}
    for repetition in range(repetitions):
        say(f"explore: {repetition + 1} of {repetitions}")
        for kind, kind_runs in runs.items():
            kind_runs.append(figures_of("benchmarks.explore", kind))
    targets = {"eight": SECONDS, "nine": SECONDS_OF_NINE, "million": SECONDS_OF_A_MILLION}
    lines = []
    for kind, kind_runs in runs.items():
        nodes = f"{KINDS[kind]}: {kind_runs[0]['evaluated']:,} of {kind_runs[0]['nodes']:,} nodes"
        lines.append(Line(nodes, median(run["seconds"] for run in kind_runs), "s", targets.get(kind)))
        if kind != "million":  # made in the same process, which takes more memory than the search
            memory = max(run["peak_megabytes"] for run in kind_runs)
            lines.append(Line(f"{KINDS[kind]}: peak memory", memory, "MB", MEGABYTES))
    how = (
        "adult, 30,162 records, adult_hierarchy_intervals, k = 5, 4% suppressed at most. Every node with k, "
        "suppression, granularity, entropy, ambiguity, precision, discernibility, class size, loss and profitability. "
        f"Seconds: median of {repetitions} processes, reading and imports excluded; memory: the largest, everything "
        "included."
    )
    return [Section("explore", how, lines)]


def adult_folder() -> Path:
    """Where the reference data hold adult."""
    reference = Path(os.environ.get("REFERENCE_DATA") or ROOT.parent / "shared" / "reference")
    return reference / "petworks" / "adult"


def once(kind: str) -> Figures:
    """One exploration; fails unless it finds the known optimum."""
    import metrics
    from benchmarks.census import census
    from metrics.candidates.search.evaluation import Scope
    from metrics.candidates.search.lattice import explore

    if kind == "million":
        data = census(8, 1_000_000)
        original, roles, hierarchies = data.original, data.roles, data.hierarchies
    else:
        original = metrics.read_table(adult_folder() / "adult.csv")
        hierarchies = metrics.read_hierarchies(adult_folder() / "adult_hierarchy_intervals")
        extra_columns = ["workclass"] if kind == "nine" else []
        roles = metrics.Roles(
            quasi_identifiers=[*COLUMNS, *extra_columns], sensitive=[] if extra_columns else ["workclass"]
        )
    scope = {"feasible": Scope.FEASIBLE, "sensitive": Scope.ALL}.get(kind, Scope.NONE)
    limits = {"max_nodes": 4_000} if kind == "search" else {}
    start = perf_counter()
    exploration = explore(original, roles, hierarchies, sensitive=scope, **limits)
    seconds = perf_counter() - start
    if exploration.best is None or not exploration.proven:
        raise AssertionError("the optimum was not found")
    if (
        kind not in ("nine", "million")
        and exploration.figures["suppressed_rows"][exploration.best] != SUPPRESSED_AT_OPTIMUM
    ):
        raise AssertionError("another generalization was found than the known optimum")
    return {
        "seconds": seconds,
        "evaluated": exploration.nodes_evaluated,
        "nodes": exploration.nodes_total,
        "peak_megabytes": peak_megabytes(),
    }


if __name__ == "__main__":
    print(json.dumps(once(sys.argv[1])))
