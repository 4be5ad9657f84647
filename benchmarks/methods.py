"""Making a candidate of a million adult-like records: `python -m benchmarks.methods FOLDER METHOD` measures one."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.processes import Figures, figures_of, peak_megabytes, say
from benchmarks.report import Line, Section

SECONDS = 10.0
REPETITIONS = 3
K = 10
KINDS = {
    "mondrian": "Mondrian",
    "relaxed": "Mondrian, relaxed",
    "mdav": "microaggregation",
    "pram": "PRAM",
    "noise": "additive noise",
    "rank-swapping": "rank swapping",
    "top-bottom-coding": "top and bottom coding",
}


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """Every kind in its own processes, compared with the time that reading the table takes."""
    from benchmarks.tables import MANY, ROWS, write_tables

    lines = []
    with tempfile.TemporaryDirectory() as folder:
        files = write_tables(Path(folder), MANY, kinds=("csv",))
        for kind, title in KINDS.items():
            say(f"methods: {kind}")
            runs = [
                figures_of("benchmarks.methods", str(files.original), str(files.hierarchies), kind)
                for _ in range(repetitions)
            ]
            seconds = median(run["seconds"] for run in runs)
            target = SECONDS if kind == "mondrian" else None
            lines.append(Line(f"{title}", seconds, "s", target))
            lines.append(Line(f"{title}: beside reading", median(run["ratio"] for run in runs), "times", None))
            lines.append(Line(f"{title}: peak memory", max(run["peak_megabytes"] for run in runs), "MB", None))
    how = (
        f"{ROWS:,} records like adult's in CSV, 8 quasi-identifiers with hierarchies, k = {K}. Seconds: median of "
        f"{repetitions} processes, reading and imports excluded; beside reading: the same divided by the time that "
        "reading the table took in the same process; memory: the largest, everything included. Microaggregation is by "
        "blocks of at most 10,000 records."
    )
    return [Section("methods", how, lines)]


def once(original: str, hierarchies: str, kind: str) -> Figures:
    """One candidate; fails if a class is smaller than k."""
    import metrics
    from benchmarks.tables import QUASI_IDENTIFIERS, SENSITIVE
    from metrics.aggregates import TableAggregates

    roles = metrics.Roles(quasi_identifiers=[*QUASI_IDENTIFIERS, SENSITIVE[0]], sensitive=[SENSITIVE[1]])
    start = perf_counter()
    table = metrics.read_table(original)
    read_seconds = perf_counter() - start
    trees = metrics.read_hierarchies(hierarchies)
    method_by_kind: dict[str, tuple[str, dict[str, Any]]] = {
        "relaxed": ("mondrian", {"k": K, "relaxed": True, "free_intervals": True}),
        "mondrian": ("mondrian", {"k": K}),
        "mdav": ("mdav", {"k": K}),
    }
    method, parameters = method_by_kind.get(kind, (kind, {}))
    start = perf_counter()
    candidate = metrics.make_candidate(table, method, roles, trees, **parameters)
    seconds = perf_counter() - start
    if "k" in parameters and (TableAggregates(candidate, roles).class_sizes.smallest or 0) < K:
        raise AssertionError("a class is smaller than k")
    return {"seconds": seconds, "ratio": seconds / read_seconds, "peak_megabytes": peak_megabytes()}


if __name__ == "__main__":
    print(json.dumps(once(*sys.argv[1:])))
